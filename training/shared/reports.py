"""The report of a training run: held-out games, `result.json`, learning curve and card."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polytrix
from polytrix.agents import Policy
from polytrix.core.files import write_json
from polytrix.core.game import Game
from polytrix.training.shared.bars import Bar
from polytrix.training.shared.evaluation import Result, evaluate, even
from polytrix.training.shared.pictures import save

METHODS = {"expert.py": "expert iteration", "imitate.py": "imitation"}
"""How scripts train, for titles; all others by PPO."""


def run_name(game: Game, options: Mapping[str, Any]) -> str:
    """The game, and the number of players if it is not the default."""
    players = game.num_players(options)
    usual = game.num_players(game.options.defaults)
    return game.name if players == usual else f"{game.name}-players{players}"


def held_out(game: Game, policy: Policy, games: int, options: Mapping[str, Any]) -> list[Result]:
    """Play held-out games of a policy against `random` and `greedy`."""
    results = []
    for opponent in ("random", "greedy"):
        count = even(games, game.num_players(options))
        with Bar(total=count, desc=f"held-out games, {opponent}", unit="game") as bar:
            results.append(evaluate(game, policy, opponent, count, options, tick=bar.update))
    return results


# -- the record -------------------------------------------------------------------------------


def origin(game: Game, players: int, script: str, packages: Iterable[str]) -> dict[str, Any]:
    """Where a run comes from: game, command, machine, versions of these packages and of those that all use."""
    called, *arguments = sys.argv
    command = called if called.startswith("polytrix ") else f"python training/{script}"
    return {
        "environment": game.id,
        "players": players,
        "date": time.strftime("%Y-%m-%d"),
        "command": " ".join([command, *arguments]),
        "script": script,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        "versions": versions("torch", *packages),
    }


def versions(*packages: str) -> dict[str, str]:
    """Versions of Python, polytrix (in a clone its commit, too, with `+` if the code differs), and packages."""
    found = {"python": platform.python_version(), "polytrix": version("polytrix")}
    here = Path(__file__).resolve().parents[2]

    def git(*words: str) -> str:
        command = ["git", "-C", str(here), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    if (here / ".git").exists():
        with suppress(OSError, subprocess.CalledProcessError):
            differs = git("status", "--porcelain", "--", "envs", "training")
            found["commit"] = git("rev-parse", "--short=8", "HEAD") + "+" * bool(differs)
    return found | {name: version(name) for name in (*packages, "numpy", "numba")}


def measured(results: Iterable[Result]) -> list[dict[str, Any]]:
    """Results for JSON."""
    return [
        {
            **asdict(r),
            "rate": r.rate,
            "interval": [round(x, 4) for x in r.interval],
            "payoff_interval": [round(x, 4) for x in r.payoff_interval],
        }
        for r in results
    ]


def write_report(folder: Path, record: Mapping[str, Any], text: str, draw: Callable[[Path], None]) -> None:
    """Write `result.json`, `curve.png` and `card.md` of a run, and print the card.

    Args:
        folder: folder of the run.
        record: the content of `result.json`.
        text: the card.
        draw: draws the learning curve into a file.
    """
    draw(folder / "curve.png")
    write_json(folder / "result.json", record)
    (folder / "card.md").write_text(f"{text}\n![learning curve](curve.png)\n", encoding="utf-8")
    print(f"{text}\nnetwork and all figures: {folder}")


def method(record: Mapping[str, Any]) -> str:
    """How a run has trained."""
    return METHODS.get(record["script"], "PPO")


def draw_curve(
    file: Path,
    title: str,
    curve: Sequence[Mapping[str, float]],
    told: Mapping[str, str],
    level: float,
    label: str,
) -> None:
    """Plot figures over a run.

    Args:
        file: the picture.
        title: above it.
        curve: points with `steps`. If they have `low` and `high`, the interval is shaded.
        told: what the legend says of each figure, by its name in the points.
        level: of a dashed line.
        label: of the figures.
    """
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    steps = [point["steps"] / 1e6 for point in curve]
    for (name, legend), colour in zip(told.items(), ("#c8553d", "#3a7d44"), strict=False):
        axes.plot(steps, [point[name] for point in curve], "o-", color=colour, label=legend)
    if "low" in curve[0]:
        low, high = ([point[bound] for point in curve] for bound in ("low", "high"))
        axes.fill_between(steps, low, high, color="#c8553d", alpha=0.2)
    axes.axhline(level, color="gray", linestyle="--")
    axes.set(xlabel="decisions of the learner, millions", ylabel=label, title=title)
    axes.grid(alpha=0.3)
    axes.legend()
    save(figure, file)


def card(record: Mapping[str, Any], name: str) -> str:
    """The card of a run, which calls the network by a name: how it was trained and how strong it is."""
    rows = "\n".join(
        f"| {r['opponent']} | {r['games']} | {r['wins']:g} | {r['losses']} | {r['truncated']} "
        f"| {r['rate']:.1%} | {r['interval'][0]:.1%} to {r['interval'][1]:.1%} "
        f"| {r['payoff']:+.3f} | {r['payoff_interval'][0]:+.3f} to {r['payoff_interval'][1]:+.3f} |"
        for r in record["results"]
    )
    play = play_command(record["environment"], name, record["settings"]["options"])
    kinds = ("values", "beliefs", "search", "agreement")
    added = [(what, line) for what in kinds for line in record.get(what, [])]
    further = "".join(f"\n- {what.capitalize()}: {line}" for what, line in added)
    return f"""# {record["environment"]}, {record["players"]} players: {method(record)} baseline

| opponent | games | won | lost | truncated | win rate | 95% interval | mean payoff | 95% interval |
|---|---|---|---|---|---|---|---|---|
{rows}

A fair share is {1 / record["players"]:.1%}. Held-out seeds: the policy has each seat equally often, the
opponent all others, and it plays its most probable action. The highest payoff wins if it is above
zero; ties split the win.

- Trained: {record["date"]}, {record["steps"]:,} decisions of the learner in {record["training_seconds"]:.0f} s
- Speed: {speed(record)}
- Command: `{record["command"]}`{further}
{provenance(record)}
Play against it: `{play}`
"""


def provenance(record: Mapping[str, Any]) -> str:
    """The last lines of a card's list: seed, machine and versions."""
    versions = ", ".join(f"{package} {number}" for package, number in record["versions"].items())
    return f"""- Seed: {record["settings"]["seed"]}; all settings are in `result.json`
- Machine: {record["machine"]}
- Versions: {versions}
"""


def speed(record: Mapping[str, Any]) -> str:
    """Decisions per second, and the shares of CPU time."""
    shares = shares_of_time(record["seconds_of"])
    spent = ", ".join(f"{what} {share:.0%}" for what, share in sorted(shares.items())) or "not measured"
    rate = record["steps"] / max(record["training_seconds"], 1e-9)
    return f"{rate:,.0f} decisions per second; CPU time: {spent}"


def shares_of_time(seconds_of: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """Shares of CPU time, by activity."""
    total = sum(cpu for _, cpu in seconds_of.values())
    return {what: cpu / max(total, 1e-9) for what, (_, cpu) in seconds_of.items()}


def play_command(game: str, network: Path | str, options: Mapping[str, Any]) -> str:
    """The command to play against a network, with the options of its training."""
    return with_options(f"polytrix play {game} --opponent {network}", game, options)


def with_options(command: str, game: str, options: Mapping[str, Any]) -> str:
    """A command of `polytrix`, with the options that are not the usual ones."""
    usual = polytrix.find(game).options.defaults
    own = {name: value for name, value in options.items() if value != usual.get(name, "")}
    return command + "".join(f" -o {n}={v}" for n, v in own.items())
