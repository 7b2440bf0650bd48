"""Let an algorithm learn a game for some minutes, and see what it has learned.

    python training/try_algorithm.py quatrix mmd --minutes 2
    python training/try_algorithm.py resistor my_algorithm.py --out runs/mine

The algorithm is one of `training/algorithms/`, or a file of your own with a function `train`; see
`trials/trial.py` for what it gets. `benchmark.py` runs many trials and compares them. A trial can be stopped at
any time (Ctrl-C, kill -9); the same command goes on with it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tyro

import polytrix
from polytrix.arena.contestants import contestant
from polytrix.core.calls import did_you_mean
from polytrix.core.imports import module_in
from polytrix.training.figures.markdown import table
from polytrix.training.shared.arguments import (
    Amount,
    Count,
    Positive,
    Seed,
    given_options,
    settings_from,
)
from polytrix.training.shared.evaluation import evaluate
from polytrix.training.shared.reports import run_name
from polytrix.training.shared.runs import Budget, ends_in_words
from polytrix.training.trials.trial import Trial

ALGORITHMS = Path(__file__).parent / "algorithms"


@dataclass(frozen=True)
class Settings:
    """Settings of a trial."""

    game: tyro.conf.Positional[str]
    """Name of the game, for example quatrix."""
    algorithm: tyro.conf.Positional[str] = "ppo"
    """Name of an algorithm of the benchmark, or a file with a function `train`."""
    out: Path | None = None
    """Folder of the trial; by default one in runs/. A trial in it is continued."""
    minutes: Positive = 10.0
    """Minutes of CPU time, of all threads and processes together."""
    decisions: Amount = 0
    """Maximum number of decisions of the seats that learn; 0: no limit."""
    seed: Seed = 1
    """Random seed."""
    points: Count = 10
    """Number of policies that are kept, at even fractions of the budget."""
    games: Amount = 200
    """Games of each of them against `greedy`; 0: none."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the game."""


def names() -> list[str]:
    """The names of the benchmark's algorithms."""
    found = (file.stem for file in ALGORITHMS.glob("*.py"))
    return sorted(name for name in found if name != "__init__")


def algorithm_named(name: str) -> Callable[[Trial], None]:
    """The function `train` of an algorithm of the benchmark, or of a file.

    Raises:
        SystemExit: there is no such algorithm, or the file has no such function.
    """
    file = Path(name)
    if name in names():
        module = importlib.import_module(f"polytrix.training.algorithms.{name}")
    elif file.suffix == ".py" and file.is_file():
        module = module_in(file)
    else:
        meant = did_you_mean(name, names())
        raise SystemExit(
            f"algorithm is {name!r}; allowed: {', '.join(names())}, or a file with a function `train`.{meant}"
        )
    train = getattr(module, "train", None)
    if not callable(train):
        raise SystemExit(f"{name} has no function `train`; see training/trials/trial.py for what it should do")
    found: Callable[[Trial], None] = train
    return found


def trial_of(settings: Settings) -> Trial:
    """The trial that the settings describe.

    Raises:
        PolytrixError: an unknown game, or an option that it does not have.
    """
    game, options = polytrix.find(settings.game).configured(given_options(settings))
    name = f"trial-{run_name(game, options)}-{Path(settings.algorithm).stem}-{settings.seed}"
    return Trial(
        game,
        options,
        settings.seed,
        Budget(cpu_minutes=settings.minutes, decisions=settings.decisions),
        settings.out or Path("runs") / name,
        settings.points,
    )


def main() -> None:
    """Train with a progress bar; print how the policies on the way do against `greedy`."""
    settings = settings_from(Settings, sys.argv[1:], "trials", __doc__)
    train = algorithm_named(settings.algorithm)
    with ends_in_words(), trial_of(settings) as trial:
        if not trial.finished:
            train(trial)
            print(f"policies: {trial.folder}")
        if settings.games and trial.game.greedy is not None:
            show(trial, settings.games)


def show(trial: Trial, games: int) -> None:
    """Play against `greedy` and print the results."""
    rows = []
    for point, used in enumerate(trial.curve, 1):
        policy = contestant(trial.game, trial.agent(point)).make()
        result = evaluate(trial.game, policy, "greedy", games, trial.options)
        minutes, decisions = used["cpu_seconds"] / 60, int(used["decisions"])
        rows.append([f"{minutes:.1f}", f"{decisions:,}", f"{result.rate:.1%}", f"{result.payoff:+.3f}"])
    print(f"{trial.game.title}: games won against greedy\n")
    print(table(["CPU minutes", "decisions", "won", "payoff"], rows, left=0))


if __name__ == "__main__":
    main()
