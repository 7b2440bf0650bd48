"""Measure how many decisions per second `training/fast_ppo.py` plays and learns from, end to end.

    python benchmarks/throughput/training.py quatrix --threads 1 2
    python benchmarks/throughput/training.py quatrix --threads 4 --sizes 256 1024 --device cuda

The runs take turns, an iteration each, so that other work on the machine slows down all of them. All other
options are those of `fast_ppo.py`.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
import tyro
from rich.progress import track

from polytrix import find
from polytrix.bench import when_and_where
from polytrix.core.files import write_json
from polytrix.training import fast_ppo
from polytrix.training.figures.speed import of_training
from polytrix.training.shared.arguments import given_options
from polytrix.training.shared.reports import shares_of_time
from polytrix.training.shared.runs import Clock

WARMING = 2  # iterations that compile layers and fill caches


@dataclass(frozen=True)
class Arguments:
    """Which runs take turns."""

    game: tyro.conf.Positional[str]
    """Name of the game."""
    threads: tuple[int, ...] = (1, 2)
    """Numbers of threads."""
    sizes: tuple[int, ...] = (256,)
    """Units of each of the two hidden layers."""
    turns: int = 20
    """Iterations of each run."""
    json: Path | None = None
    """Write a receipt to this file."""


class Contestant:
    """A run, and its decisions per second in each turn."""

    def __init__(self, settings: fast_ppo.Settings) -> None:
        self.settings = settings
        game, options = find(settings.game).configured(given_options(settings))
        self.learner = fast_ppo.Learner(settings, game, {**options}, Clock())
        self.rates: list[float] = []
        for _ in range(WARMING):
            self.learner.iterate(0.0)
        self.learner.clock.seconds_of = {}

    def turn(self) -> None:
        """One iteration."""
        steps, began = self.learner.decisions, time.perf_counter()
        self.learner.iterate(0.0)
        self.rates.append((self.learner.decisions - steps) / (time.perf_counter() - began))

    def result(self, first: Contestant) -> dict[str, Any]:
        """The receipt of this run; four fifths of the turns are in its range."""
        ordered = sorted(self.rates)
        spent = self.learner.clock.seconds_of
        if self.learner.device.type != "cpu":  # it works while the processor waits
            spent = {what: (wall, wall) for what, (wall, _) in spent.items()}
        return {
            "threads": self.settings.threads,
            "layers": "x".join(map(str, self.settings.layers)),
            "per_second": statistics.median(ordered),
            "from": ordered[len(ordered) // 10],
            "to": ordered[-1 - len(ordered) // 10],
            "times_the_first": statistics.median(
                own / other for own, other in zip(self.rates, first.rates, strict=True)
            ),
            "shares": shares_of_time(spent),
        }


def device_name(device: torch.device) -> str:
    """What a device is, in words."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


def main(arguments: Arguments, more: Sequence[str] = ()) -> None:
    """Measure, and print a table.

    Args:
        arguments: which runs take turns.
        more: options of `fast_ppo.py`.
    """
    # Without imitation, as in most of a run.
    settings = fast_ppo.read_settings([arguments.game, "--minutes", "1e9", "--imitation", "0", *more])
    runs = [
        Contestant(replace(settings, threads=threads, layers=(size, size)))
        for size in arguments.sizes
        for threads in arguments.threads
    ]
    for _ in track(range(arguments.turns), "turns"):
        for run in runs:
            run.turn()
    results = [run.result(runs[0]) for run in runs]
    receipt = when_and_where("numpy", "numba", "torch")
    receipt["machine"]["device"] = device_name(runs[0].learner.device)
    receipt |= {"game": arguments.game, "options": list(more), "runs": results}
    print(of_training(receipt))
    if arguments.json:
        write_json(arguments.json, receipt)


if __name__ == "__main__":
    main(*tyro.cli(Arguments, description=__doc__, return_unknown_args=True))
