"""The report of a training run: held-out games, `result.json`, learning curve, card, and a table."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import polytrix
from polytrix.agents import Policy
from polytrix.core.files import write_json
from polytrix.core.game import Game
from polytrix.training.shared.bars import Bar
from polytrix.training.shared.evaluation import Result, evaluate, even
from polytrix.training.shared.pictures import save

METHODS = {"expert.py": "expert iteration"}
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
            results.append(evaluate(game, policy, opponent, count, options, tick=bar.upto))
    return results


# -- the record -------------------------------------------------------------------------------


def origin(game: Game, players: int, script: str, packages: Iterable[str]) -> dict[str, Any]:
    """Where a run comes from: game, command, machine, versions of these packages and of those that all use."""
    called, *arguments = sys.argv
    command = called if called.startswith("polytrix ") else f"python training/{script}"
    names = ("polytrix", "torch", *packages, "numpy", "numba")
    return {
        "environment": game.id,
        "players": players,
        "date": time.strftime("%Y-%m-%d"),
        "command": " ".join([command, *arguments]),
        "script": script,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        "versions": {name: version(name) for name in names} | {"python": platform.python_version()},
    }


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


def write_report(folder: Path, game: Game, record: Mapping[str, Any]) -> None:
    """Write `result.json`, `curve.png` and `card.md` of a run.

    Args:
        folder: folder of the run.
        game: the game.
        record: `origin`, `settings`, `steps`, `training_seconds`, `seconds_of` (see `runs.Clock`),
            `results` (see `measured`) and `curve`.
    """
    players = record["players"]
    title = f"{game.title}, {players} players: {method(record)} by self-play"
    draw_curve(record["curve"], folder / "curve.png", title, 1 / players)
    write_json(folder / "result.json", record)
    text = card(record, "policy.npz") + "\n![learning curve](curve.png)\n"
    (folder / "card.md").write_text(text, encoding="utf-8")


def method(record: Mapping[str, Any]) -> str:
    """How a run has trained."""
    return METHODS.get(record["script"], "PPO")


def draw_curve(curve: list[dict[str, float]], file: Path, title: str, fair_share: float) -> None:
    """Plot the win rates over the run."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    steps = [point["steps"] / 1e6 for point in curve]
    for opponent, colour in (("random", "#3a7d44"), ("greedy", "#c8553d")):
        axes.plot(steps, [point[opponent] for point in curve], "o-", color=colour, label=f"against {opponent}")
    axes.axhline(fair_share, color="gray", linestyle="--", label="fair share")
    axes.set(xlabel="decisions of the learner, millions", ylabel="games won", ylim=(-0.02, 1.02))
    axes.set_title(title)
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
    versions = ", ".join(f"{package} {number}" for package, number in record["versions"].items())
    added = [("Values", line) for line in record.get("values", [])]
    added += [("Beliefs", line) for line in record.get("beliefs", [])]
    further = "".join(f"\n- {name}: {line}" for name, line in added)
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
- Seed: {record["settings"]["seed"]}; all settings are in `result.json`
- Machine: {record["machine"]}
- Versions: {versions}

Play against it: `{play}`
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


def show(
    console: Console,
    game: Game,
    folder: Path,
    results: Iterable[Result],
    steps: int,
    options: Mapping[str, Any],
) -> None:
    """Print the results of a run and where its files are."""
    players = game.num_players({**game.options.defaults, **options})
    fair = f"fair share {1 / players:.0%}"
    table = Table(title=f"{game.title}, {players} players ({fair}), {steps:,} decisions")
    for heading in ("opponent", "games", "won", "lost", "truncated", "win rate", "95% interval", "payoff"):
        table.add_column(heading, justify="left" if heading == "opponent" else "right")
    for r in results:
        low, high = r.interval
        table.add_row(
            r.opponent, str(r.games), f"{r.wins:g}", str(r.losses), str(r.truncated),
            f"{r.rate:.1%}", f"{low:.1%} to {high:.1%}", f"{r.payoff:+.2f}",
        )  # fmt: skip
    console.print(table)
    console.print(f"curve    {folder / 'curve.png'}\nnetwork  {folder / 'policy.npz'}")
    console.print(f"play it  {play_command(game.name, folder / 'policy.npz', options)}", soft_wrap=True)
