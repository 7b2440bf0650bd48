"""Compares observations of Pressure Matrix by throughput and by the strength of policies trained with them.

    python benchmarks/studies/observation_codings.py --players 2 --minutes 4

Measures each coding of `pressure_matrix_coded.py` with the same seed and CPU time: random play in a batch, in
turns, then PPO by self-play as in `training/sb3_ppo.py`, with the game's settings and one thread. CPU time
makes the result almost independent of other load; wall time is also recorded. Compilation and evaluation do
not count. Prints a table, and writes `observation_codings.json` and `observation_codings.png`.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # must be set before NumPy is imported; waiting threads use CPU time

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

from polytrix.api.sb3.vec_env import SelfPlayVecEnv
from polytrix.bench import random_play
from polytrix.core import catalogue
from polytrix.core.game import Game
from polytrix.games.pressure_matrix import GAME

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tools")]
from pressure_matrix_coded import CODINGS  # noqa: E402
from report import write_report  # noqa: E402

from polytrix.training.sb3_ppo import Run, read_settings  # noqa: E402
from polytrix.training.shared.arguments import frozen  # noqa: E402
from polytrix.training.shared.evaluation import Result, evaluate  # noqa: E402

REPORT = Path(__file__).with_suffix(".json")
OPPONENTS = ("random", "greedy")


@dataclass(frozen=True)
class Arguments:
    """Arguments of the study."""

    players: int = 2
    """Number of players."""
    minutes: float = 4.0
    """Minutes of CPU time per run."""
    seeds: tuple[int, ...] = (1,)
    """Random seeds of the runs; each coding has one run per seed."""
    codings: tuple[str, ...] = tuple(CODINGS)
    """Names of the codings."""
    games: int = 400
    """Held-out games at the end of a run, against each opponent."""
    num_envs: int = 4096
    """Number of games in the batch of the throughput measurement."""
    repeats: int = 7
    """Repeats of the throughput measurement."""
    point_seconds: float = 30.0
    """Seconds of CPU time between points of the curve."""
    point_games: int = 200
    """Games per point of the curve, against each opponent."""
    out: Path = REPORT
    """File for the figures; the picture is written beside it."""


# -- throughput -----------------------------------------------------------------------------------


def throughput(games: dict[str, Game], arguments: Arguments) -> dict[str, list[float]]:
    """Decisions per second of CPU time, with observations and masks, by coding."""
    works = {}
    for name, game in games.items():
        lean = replace(game, fields=GAME.fields, greedy=None)  # without fields for the greedy policy
        works[name] = random_play(lean, arguments.num_envs, 1, {"players": arguments.players})
    rates: dict[str, list[float]] = {name: [] for name in games}
    for work in works.values():
        for _ in range(100):  # away from the opening
            work()
    for _ in range(arguments.repeats):
        for name, work in works.items():
            made, start = 0, time.process_time()
            while (passed := time.process_time() - start) < 0.5:
                made += work()
            rates[name].append(made / passed)
    return rates


# -- learning -------------------------------------------------------------------------------------


def warm_up(game: Game, players: int) -> None:
    """Compile everything that a run needs."""
    env = SelfPlayVecEnv(game, 8, opponents=["random", "greedy"], seed=0, shaping=0.5, players=players)
    env.reset()
    rng = np.random.default_rng(0)
    for _ in range(400):
        env.step((env.action_masks() * rng.random((8, game.actions.size))).argmax(axis=1))
    env.close()


def learn(game: Game, seed: int, arguments: Arguments, folder: Path, console: Console) -> dict[str, Any]:
    """One run: its learning curve by CPU time, number of decisions, and final results."""
    warm_up(game, arguments.players)
    settings = read_settings(["pressure_matrix"])
    options = {**settings.options, "players": arguments.players}
    settings = replace(
        settings, game=game.name, minutes=arguments.minutes, seed=seed, torch_threads=1, options=options,
        curve_games=arguments.point_games, out=folder,
    )  # fmt: skip
    run = Run(settings)
    progress = run.progress
    run.add_point()
    wall, due = 0.0, arguments.point_seconds
    while run.done < 1.0:  # like `Run.train`, but in CPU time
        began, clock = time.process_time(), time.monotonic()
        run.iterate()
        progress.seconds += time.process_time() - began
        wall += time.monotonic() - clock
        if progress.seconds >= due:
            run.add_point()
            due += arguments.point_seconds
            console.print(f"  {progress.seconds:4.0f} s  {run.postfix(progress.steps / progress.seconds)}")
    run.add_point()
    results = [evaluate(game, run.learner(), opponent, arguments.games, run.options) for opponent in OPPONENTS]
    run.env.close()
    return {
        "seed": seed,
        "settings": frozen(settings),
        "decisions": progress.steps,
        "cpu_seconds": round(progress.seconds, 1),
        "wall_seconds": round(wall, 1),
        "results": {result.opponent: figures(result) for result in results},
        "curve": progress.curve,
    }


def figures(result: Result) -> dict[str, Any]:
    """A result for JSON."""
    return {
        "games": result.games,
        "rate": result.rate,
        "interval": [round(bound, 4) for bound in result.interval],
        "payoff": round(result.payoff, 4),
        "payoff_interval": [round(bound, 4) for bound in result.payoff_interval],
    }


# -- the report -----------------------------------------------------------------------------------


def table(measured: dict[str, Any], arguments: Arguments) -> Table:
    """The results as a table."""
    shown = Table(title=f"{arguments.players} players, {arguments.minutes:g} minutes of CPU time each")
    for heading in ("coding", "entries", "decisions/s", "seed", "learned from", "random", "greedy"):
        shown.add_column(heading, justify="left" if heading == "coding" else "right")
    for name, coding in measured.items():
        for run in coding["runs"]:
            rates = [
                "{rate:.1%} ({interval[0]:.1%} to {interval[1]:.1%})".format(**run["results"][opponent])
                for opponent in OPPONENTS
            ]
            speed = f"{coding['decisions_per_second']['median']:,.0f}"
            decisions = f"{run['decisions']:,}"
            shown.add_row(name, f"{coding['entries']:,}", speed, str(run["seed"]), decisions, *rates)
    return shown


def draw(measured: dict[str, Any], arguments: Arguments, file: Path) -> None:
    """Plot win rates by CPU time, one line per run, coloured by coding."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    for number, (name, coding) in enumerate(measured.items()):
        for run in coding["runs"]:
            seconds = [point["seconds"] for point in run["curve"]]
            for panel, opponent in zip(panels, OPPONENTS, strict=True):
                label = f"{name}, {coding['entries']:,}" if run is coding["runs"][0] else None
                rates = [point[opponent] for point in run["curve"]]
                panel.plot(seconds, rates, "o-", markersize=3, color=f"C{number}", label=label)
    for panel, opponent in zip(panels, OPPONENTS, strict=True):
        panel.axhline(1 / arguments.players, color="gray", linestyle="--")
        panel.set(xlabel="seconds of CPU time", title=f"against {opponent}", ylim=(-0.02, 1.02))
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("games won")
    panels[0].legend()
    figure.suptitle(f"Pressure Matrix, {arguments.players} players: PPO with different observations")
    figure.savefig(file, dpi=110)
    pyplot.close(figure)


def main() -> None:
    """Measure, print, write."""
    arguments = tyro.cli(Arguments, description=__doc__)
    console = Console(width=120)
    games = {name: CODINGS[name] for name in arguments.codings}
    for game in games.values():
        catalogue.add(game)
    rates = throughput(games, arguments)
    measured: dict[str, Any] = {
        name: {
            "entries": game.observations.size,
            "decisions_per_second": {
                "median": round(statistics.median(rates[name])),
                "repeats": [round(rate) for rate in rates[name]],
            },
            "runs": [],
        }
        for name, game in games.items()
    }
    for seed in arguments.seeds:
        for name, game in games.items():
            console.print(f"{name}, seed {seed}")
            with tempfile.TemporaryDirectory() as folder:
                measured[name]["runs"].append(learn(game, seed, arguments, Path(folder), console))
    console.print(table(measured, arguments))
    report = {"players": arguments.players, "minutes": arguments.minutes, "codings": measured}
    write_report(arguments.out, __file__, sys.argv[1:], report, partial(draw, measured, arguments), console)


if __name__ == "__main__":
    main()
