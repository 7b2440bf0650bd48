"""The studies: exploitability over training, poker, wrappers of tutorials, a small language model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import polytrix
from polytrix.training.figures.markdown import beside, interval, table

Run = Sequence[Mapping[str, float]]

ENDS: dict[str, Callable[[Run], float]] = {
    "at the end": lambda run: run[-1]["now"],
    "last quarter": lambda run: mean(point["now"] for point in run[len(run) * 3 // 4 :]),
    "average policy": lambda run: run[-1]["average"],
}
"""Exploitability of the last policy, its mean over the last quarter of the policies, and of their average."""


def read(root: Path, name: str) -> Any:
    """The receipt of a study."""
    return json.loads((root / "benchmarks" / "studies" / f"{name}.json").read_text(encoding="utf-8"))


def over_seeds(values: Sequence[float]) -> str:
    """The mean over the seeds, and the lowest and highest.

    >>> over_seeds([0.25, 0.5, 0.75]), over_seeds([0.5])
    ('0.500 (0.250 to 0.750)', '0.500')
    """
    return beside(mean(values), (min(values), max(values)), ".3f") if len(values) > 1 else f"{values[0]:.3f}"


def exploitability(root: Path) -> str:
    """NashConv at the end of training, in games that are solved exactly."""
    receipt = read(root, "exploitability")
    games = receipt["games"].values()
    rows = []
    for learner in next(iter(games))["curves"]:
        ends = [[run[-1] for run in result["curves"][learner]] for result in games]
        cells = [
            [over_seeds([point["now"] for point in each]), f"{mean(point['average'] for point in each):.3f}"]
            for each in ends
        ]
        decisions = mean(point["decisions"] for each in ends for point in each) / 1e6
        rows.append([f"`{learner}`", *(cell for pair in cells for cell in pair), f"{decisions:.2f}"])
    uniform = [[f"{result['uniform']['nash_conv']:.3f}", ""] for result in games]
    cfr = [["", f"{result['cfr']['nash_conv'][-1][1]:.6f}"] for result in games]
    rows.append(["all actions alike", *(cell for pair in uniform for cell in pair), ""])
    iterations = next(iter(games))["cfr"]["nash_conv"][-1][0]
    rows.append([f"CFR+, {iterations:,} iterations", *(cell for pair in cfr for cell in pair), ""])
    titles = [part for name in receipt["games"] for part in (polytrix.find(name).title, "average")]
    return table(["", *titles, "million decisions"], rows)


def poker(root: Path) -> str:
    """Exploitability in Kuhn and Leduc poker, with what others report."""
    games = read(root, "poker_exploitability")["games"].values()
    rows = []
    for learner in next(iter(games))["curves"]:
        runs = [result["curves"][learner] for result in games]
        rows.append(
            [learner, *(over_seeds([end(run) for run in each]) for each in runs for end in ENDS.values())]
        )
    for reported in next(iter(games))["published"]:
        place = list(ENDS).index("average policy" if "NFSP" in reported else "at the end")
        row = [f"*reported:* {reported}"]
        for result in games:
            figure, deviation = result["published"][reported]
            told = f"{figure:.3f}" + (f" ± {deviation:.3f}" if deviation else "")
            row += [told if number == place else "" for number in range(len(ENDS))]
        rows.append(row)
    for name, key in (("all actions alike", "uniform"), ("best deterministic policy", "deterministic")):
        figures = ["" if result[key] is None else f"{result[key]:.3f}" for result in games]
        rows.append([name, *(cell for figure in figures for cell in (figure, "", ""))])
    return table(["", *(f"{game}: {end}" for game in ("Kuhn", "Leduc") for end in ENDS)], rows)


def wrong_wrapper(root: Path) -> str:
    """Games won after training with three wrappers."""
    runs = read(root, "wrong_wrapper")["runs"]
    opponents = ("random", "greedy")
    start = ["at the start", *(f"{runs[0]['curve'][0][opponent]:.1%}" for opponent in opponents)]
    rows = [
        [
            run["arm"],
            *(beside(one["rate"], one["interval"], ".1%") for one in map(run["results"].get, opponents)),
        ]
        for run in runs
    ]
    return table(["", *(f"`{opponent}`" for opponent in opponents)], [start, *rows])


def readings(root: Path) -> str:
    """Mean payoff of one seat among heuristics that read words in other ways."""
    tables = read(root, "estimatrix_readings")["tables"]
    rows = [
        [
            f"`{one['single']}`",
            f"`{one['others']}`",
            *(f"{each['payoff']:+.2f}" for each in one["players"].values()),
        ]
        for one in tables
    ]
    widest = max(each["interval"][1] - each["payoff"] for one in tables for each in one["players"].values())
    games = min(each["games"] for each in tables[0]["players"].values())
    head = ["one", "all others", *(f"{players} players" for players in tables[0]["players"])]
    return table(head, rows, left=2) + f"\n{games:,} games of each, plus or minus {widest:.3f} at most.\n"


def language_model(root: Path) -> str:
    """What a small language model has learned."""
    return language_results(read(root, "language_model")["results"])


def language_results(results: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """What a language model has done at the end of each stage: one row for each opponent and way to answer."""
    head = [
        "", "answers", "opponent", "games won", "95% interval", "mean payoff", "games forfeited",
        "illegal answers",
    ]  # fmt: skip
    rows = [
        [
            stage.replace("_", " "),
            "sampled" if each["sampled"] else "most probable",
            each["opponent"],
            f"{each['wins'] / each['games']:.1%} of {each['games']}",
            interval(each["interval"], ".1%"),
            f"{each['payoff']:+.2f}",
            f"{each['forfeits'] / each['games']:.1%}",
            f"{illegal([each]):.2%} of {each['questions']:,}",
        ]
        for stage, found in results.items()
        for each in found
    ]
    return table(head, rows)


def illegal(results: Sequence[Mapping[str, Any]]) -> float:
    """Share of a stage's answers that were no legal move: with one attempt, each of them is a forfeit."""
    questions = sum(int(each["questions"]) for each in results)
    return sum(int(each["forfeits"]) for each in results) / max(1, questions)
