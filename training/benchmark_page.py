"""Write docs/benchmark.md and its pictures from the results of `benchmark.py`.

python training/benchmark_page.py
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tyro

from polytrix.training.benchmarking.cells import ROOT, tables
from polytrix.training.exploiters.agent import LONGER
from polytrix.training.leaderboards.page import heading, interval, markdown, narrow

Result = Mapping[str, Any]

PAGE = "benchmark.md"
LESSONS = "lessons.md"
"""File beside the results with what we learned, in words."""

HEAD = """# Benchmark of algorithms

<!-- Made by `python training/benchmark_page.py` from benchmarks/algorithms. Do not edit. -->

Each algorithm learns each game in self-play with the same budget: {minutes:g} minutes of CPU time on one core,
from {seeds} random seeds. All of them see the same observations, have hidden layers of the same sizes, and get
the payoff, in the first half with shaping that fades. No settings differ between games. Then the final policies
meet each other, `greedy`, and the released networks `ppo` and `expert`, which are larger and were trained for
longer, with settings for their game ([cards](../checkpoints/README.md)). All play their most probable action.
Two more columns say how many more games they win against `greedy` when they sample from their probabilities,
and how many games among copies of an agent end with a single winner. An algorithm of your own joins with [one
file](training.md#a-benchmark-of-algorithms).

A cell has the rating on the Elo scale, where `greedy` has 1000: the mean of the seeds, and the lowest and
highest of them. Then come the games won against `greedy`, and the gain of an
[exploiter](training.md#how-exploitable-is-an-agent): a player who knows exactly how the policy of the first
seed plays, and has trained against it, gets so much more in one seat (where the payoff is at most 1) than the
policy itself would. Some train in vain, so the best of the other agents at the table counts instead if it gains
more. A better exploiter may gain more; where the figure is not positive, none was found. Last comes the number
of decisions that the budget was enough for. A faster machine makes more of them and learns more, so compare
algorithms within a table: each was made on one machine, which is named below it. How exploitable the algorithms
are exactly, in variants that are small enough to be solved, is [another page's
picture](openspiel.md#exploitability-over-training).
"""


RELEASED = """## Exploiters of the released agents

What a player gains who has trained against an agent that never changes, in one seat, with 95% intervals.
Each [exploiter](training.md#how-exploitable-is-an-agent) learned for {minutes:g} minutes on one thread, and got
values for its search in {value_minutes:g} minutes more. These are lower bounds: who learns for longer may gain
more. A copy of the agent gains 0, so where no figure is positive, no exploiter was found. Of an agent that
searches, the exploiter knows only the network, so it also meets its own search with more simulations.

{table}
Command: `python training/released_exploiters.py`, made

{made}
"""


@dataclass(frozen=True)
class Arguments:
    """Arguments of this script."""

    results: Path = ROOT / "benchmarks" / "algorithms"
    """Folder of the results."""
    exploiters: Path = ROOT / "benchmarks" / "exploiters"
    """Folder of the results of the released agents' exploiters."""
    docs: Path = ROOT / "docs"
    """Folder of the page and of `images/`."""


def write_page(results: Path, exploiters: Path, docs: Path) -> Path:
    """Write the page and a picture for each table.

    Args:
        results: folder of the results of `benchmark.py`.
        exploiters: folder of the results of `released_exploiters.py`; it may have none.
        docs: folder of the page.

    Raises:
        SystemExit: there are no results.
    """
    tables = read_all(results)
    if not tables:
        raise SystemExit(f"{results} has no results: run training/benchmark.py first")
    (docs / "images").mkdir(parents=True, exist_ok=True)
    for table in tables:
        draw(table, docs / "images" / picture_name(table))
    seeds = max(len(trials_of(table, name)) for table in tables for name in table["algorithms"])
    parts = [HEAD.format(minutes=tables[0]["minutes"], seeds=seeds), overview(tables)]
    if (results / LESSONS).exists():
        parts.append((results / LESSONS).read_text(encoding="utf-8"))
    parts += [section(table) for table in tables]
    if exploited := read_all(exploiters):
        parts.append(released(exploited))
    page = docs / PAGE
    page.write_text("\n".join(parts), encoding="utf-8")
    return page


def read_all(folder: Path) -> list[Result]:
    """The results of all tables in a folder, in the order of the benchmark."""
    order = [table.name for table in tables(())]
    files = sorted(folder.glob("*.json"), key=lambda file: order.index(file.stem))
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def picture_name(table: Result) -> str:
    """File name of a table's picture."""
    return f"benchmark_{table['table']}.png"


def trials_of(table: Result, algorithm: str) -> list[str]:
    """The names of the finished trials of an algorithm."""
    return [name for name in table["curves"] if name.rpartition("-")[0] == algorithm]


def overview(tables: Sequence[Result]) -> str:
    """One row per algorithm, one column per table."""
    algorithms = list(dict.fromkeys(name for table in tables for name in table["algorithms"]))
    rows = [[f"`{algorithm}`", *(cell(table, algorithm) for table in tables)] for algorithm in algorithms]
    return markdown(["algorithm", *(narrow(heading(table)) for table in tables)], rows, left=1)


def cell(table: Result, algorithm: str) -> str:
    """Rating, games won against `greedy`, its exploiter's gain, and decisions of an algorithm at a table."""
    trials = trials_of(table, algorithm)
    if not trials:
        return "not run"
    ratings = {agent["name"]: agent["rating"] for agent in table["ratings"]["agents"]}
    decisions = [table["curves"][name][-1]["decisions"] for name in trials]
    own = [ratings[name] for name in trials]
    exploited = [name for name in trials if name in table["exploiters"]]
    lines = [
        f"**{np.mean(own):.0f}**",
        interval((min(own), max(own)), ".0f"),
        f"wins {np.mean([won_against_greedy(table, name) for name in trials]):.0%}",
        *(f"gain {most_gained(table, name):+.2f}" for name in exploited),
        f"{np.mean(decisions) / 1e6:.1f} million",
    ]
    return "<br>".join(lines)


def won_against_greedy(table: Result, name: str) -> float:
    """Share of games that an agent won against `greedy`, or in one seat among `greedy` ones."""
    met = table["ratings"]["meetings"]
    return next(float(one["win_rate"]) for one in met if one["agent"] == name and one["others"] == "greedy")


def sampling(table: Result, name: str) -> str:
    """How many more games a policy wins against `greedy` if it samples its actions."""
    won = table["sampling"].get(name)
    return f"{won['sampled'] - won['most probable']:+.1%}" if won else ""


def copies(table: Result, name: str) -> str:
    """How many games an agent plays to a single winner among copies of itself."""
    return f"{table['copies'][name]:.1%}" if name in table["copies"] else ""


def best_against(table: Result, name: str) -> Mapping[str, Any]:
    """The meeting in which another agent did best against an agent, or in one seat among several of these."""
    meetings = [one for one in table["ratings"]["meetings"] if one["others"] == name]
    best: Mapping[str, Any] = max(meetings, key=lambda one: float(one["payoff"]))
    return best


def most_gained(table: Result, name: str) -> float:
    """What the exploiter of an agent gains, or the best of the others at the table."""
    exploiter = found_gain(table["exploiters"][name])
    return max(float(exploiter["gain"]), float(best_against(table, name)["payoff"]))


def found_gain(exploiter: Mapping[str, Any], kind: str = "") -> Mapping[str, Any]:
    """What an exploiter gains; by default the best one."""
    gains: Mapping[str, Mapping[str, Any]] = exploiter["gains"]
    return gains[kind or exploiter["chosen"]]


def gain(exploiter: Mapping[str, Any], kind: str) -> str:
    """What an exploiter gains, with its interval."""
    found = found_gain(exploiter, kind)
    return f"{found['gain']:+.2f} ({interval(found['gain_interval'], '+.2f')})"


def made(result: Result) -> str:
    """When and where a result was made, and the versions of packages."""
    versions = ", ".join(f"{name} {number}" for name, number in result["versions"].items())
    return f"{result['date']}, {result['machine']['cpu']}; {versions}"


def section(table: Result) -> str:
    """Picture, ratings of all agents, and where they come from."""
    rows, ratings = [], table["ratings"]
    for agent in ratings["agents"]:
        points = table["curves"].get(agent["name"])
        decisions = "" if points is None else f"{points[-1]['decisions'] / 1e6:.1f}"
        greedy = "" if agent["name"] == "greedy" else f"{won_against_greedy(table, agent['name']):.1%}"
        rating = f"{agent['rating']:.0f} ({interval((agent['low'], agent['high']), '.0f')})"
        columns = (sampling(table, agent["name"]), copies(table, agent["name"]))
        rows.append([f"`{agent['name']}`", rating, greedy, *columns, decisions])
    head = [
        *("agent", "rating<br>(95%)", "won against<br>`greedy`", "change by<br>sampling"),
        *("decided<br>among copies", "million<br>decisions"),
    ]
    exploited = []
    for name, exploiter in table["exploiters"].items():
        best = best_against(table, name)
        others = f"{best['payoff']:+.2f} ({interval(best['payoff_interval'], '+.2f')}), `{best['agent']}`"
        exploited.append([f"`{name}`", gain(exploiter, "search"), gain(exploiter, "network"), others])
    gains = markdown(
        ["exploiter of", "its search gains (95%)", "its network gains (95%)", "best of the others (95%)"],
        exploited,
        left=1,
    )
    missing = f" Not finished: {', '.join(table['missing'])}." if table["missing"] else ""
    return f"""## {heading(table)}

![learning curves](images/{picture_name(table)})

{markdown(head, rows, left=1)}
{gains if exploited else ""}
Each trial had {table["minutes"]:g} minutes of CPU time. {ratings["games"]:,} games with seed {ratings["seed"]},
{ratings["deals"]} deals of each pair. {made(table)}.
Command: `{table["command"]}`.{missing}
"""


def released(results: Sequence[Result]) -> str:
    """What exploiters of the released agents gain."""
    rows = [
        [
            heading(result),
            f"`{agent}`",
            gain(found, "search"),
            gain(found, "network"),
            gain(found, LONGER) if LONGER in found["gains"] else "",
            f"{found['decisions']:,}",
        ]
        for result in results
        for agent, found in result["agents"].items()
    ]
    head = [
        *("game", "agent", "a search gains", "its network alone", "the agent's own search, for longer"),
        "decisions in training",
    ]
    return RELEASED.format(
        table=markdown(head, rows, left=2),
        minutes=results[0]["minutes"],
        value_minutes=results[0]["value_minutes"],
        made="\n".join(f"- {heading(result)}: {made(result)}" for result in results),
    )


def draw(table: Result, file: Path) -> None:
    """Draw learning curves, means and ranges over the seeds: against `greedy` and all results, draws split."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    against = {
        "greedy": "won against greedy, draws split",
        "pool": "won against all final policies, draws split",
    }
    over = {"cpu_seconds": (1 / 60, "CPU minutes"), "decisions": (1e-6, "million decisions")}
    figure, panels = pyplot.subplots(
        len(against), len(over), figsize=(11, 8), layout="constrained", sharey="row", sharex="col"
    )
    for row, (opponent, told) in zip(panels, against.items(), strict=True):
        for panel, (unit, (scale, label)) in zip(row, over.items(), strict=True):
            for number, algorithm in enumerate(table["algorithms"]):
                curves = [table["curves"][name] for name in trials_of(table, algorithm)]
                if not curves:
                    continue
                x = np.mean([[point[unit] * scale for point in curve] for curve in curves], axis=0)
                y = np.array([[point[opponent] for point in curve] for curve in curves])
                panel.plot(x, y.mean(0), "o-", markersize=3, color=f"C{number}", label=algorithm)
                panel.fill_between(x, y.min(0), y.max(0), color=f"C{number}", alpha=0.15, linewidth=0)
            panel.axhline(1 / table["players"], color="gray", linestyle="--", linewidth=1)
            panel.set(xlim=(0, None), ylim=(-0.02, 1.02))
            panel.grid(alpha=0.3)
            if panel in panels[-1]:
                panel.set_xlabel(label)
            if unit == "cpu_seconds":
                panel.set_ylabel(told)
    panels[0][0].legend(fontsize=8)
    figure.suptitle(heading(table))
    figure.savefig(file, dpi=110)
    pyplot.close(figure)


if __name__ == "__main__":
    arguments = tyro.cli(Arguments, description=__doc__)
    print(f"page: {write_page(arguments.results, arguments.exploiters, arguments.docs)}")
