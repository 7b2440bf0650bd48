"""Measure how many decisions per second `training/fast_ppo.py` plays and learns from, end to end.

    python benchmarks/throughput/training.py quatrix --threads 1 2
    python benchmarks/throughput/training.py quatrix --device cuda --threads 16 --num-envs 4096 \
        --batch-size 16384 --layers 256x256 1024x1024

The runs take turns, an iteration each, so that other work on the machine slows down all of them. On the CPU
the share of the physical limit is that of the rate at which as many threads multiply matrices of the network's
sizes, measured in the same turns.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
import tyro
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from polytrix.bench import machine, versions
from polytrix.core.files import write_json
from polytrix.training import fast_ppo
from polytrix.training.shared.reports import shares_of_time

HEADINGS = ("layers", "threads", "decisions/s", "times the first", "shares of CPU time", "GFLOP/s, limit")
WARMING = 2  # iterations that compile layers and fill caches


@dataclass(frozen=True)
class Arguments:
    """Which runs take turns."""

    game: tyro.conf.Positional[str]
    """Name of the game."""
    threads: tuple[int, ...] = (1, 2)
    """Numbers of threads."""
    layers: tuple[str, ...] = ("256x256",)
    """Hidden layers, for example 256x256."""
    device: str = "cpu"
    """Device of the network."""
    num_envs: int = 0
    """Number of parallel games; 0: as in the settings file of the game."""
    batch_size: int = 0
    """Decisions per minibatch; 0: as in the settings file."""
    turns: int = 20
    """Iterations of each run."""
    json: Path | None = None
    """Write a receipt to this file."""


class Contestant:
    """A run, and what was measured of it."""

    def __init__(self, arguments: Arguments, threads: int, layers: str, folder: Path) -> None:
        settings = fast_ppo.read_settings([arguments.game, "--minutes", "1e9"])
        self.settings = replace(
            settings,
            out=folder,
            threads=threads,
            device=arguments.device,
            layers=tuple(map(int, layers.split("x"))),
            num_envs=arguments.num_envs or settings.num_envs,
            batch_size=arguments.batch_size or settings.batch_size,
            imitation=0.0,  # as in most of a run
        )
        self.threads, self.layers = threads, layers
        self.run = fast_ppo.Run(self.settings)
        self.rates: list[float] = []
        self.products: list[float] = []
        for _ in range(WARMING):
            self.run.iterate()
        self.run.clock.seconds_of = {}

    def turn(self) -> None:
        """One iteration, and on the CPU some matrix products."""
        steps, began = self.run.progress.steps, time.perf_counter()
        self.run.iterate()
        if self.run.device.type == "cuda":
            torch.cuda.synchronize()
        self.rates.append((self.run.progress.steps - steps) / (time.perf_counter() - began))
        if self.run.device.type == "cpu":
            self.products.append(self.matrix_rate())

    def matrix_rate(self, seconds: float = 0.2) -> float:
        """Floating-point operations per second of matrix products, on all threads together."""
        widths = [*self.settings.layers, self.settings.layers[-1]][:2]
        rows = max(1, self.settings.batch_size // self.threads)

        def multiply(seconds: float) -> int:
            inputs, weight, out = torch.rand(rows, widths[0]), torch.rand(*widths), torch.empty(rows, widths[1])
            done, stop = 0, time.perf_counter() + seconds
            while time.perf_counter() < stop:
                torch.mm(inputs, weight, out=out)
                done += 1
            return done

        done = sum(self.run.workers.map(multiply, [seconds] * self.threads))
        return done * 2.0 * rows * widths[0] * widths[1] / seconds

    def operations(self) -> float:
        """Floating-point operations per decision in the products of hidden layers, forwards and backwards."""
        sizes = self.settings.layers
        forwards = 2.0 * sum(a * b for a, b in pairwise(sizes))
        return forwards * (1 + 3 * self.settings.epochs)

    def result(self) -> dict[str, Any]:
        """The receipt of this run."""
        ordered = sorted(self.rates)
        result = {
            "threads": self.threads,
            "layers": self.layers,
            "num_envs": self.settings.num_envs,
            "batch_size": self.settings.batch_size,
            "per_second": statistics.median(ordered),
            "from": ordered[len(ordered) // 10],
            "to": ordered[-1 - len(ordered) // 10],
            "shares": shares_of_time(self.run.clock.seconds_of),
        }
        if self.products:
            limit = statistics.median(self.products)
            result["matrix_gflops"] = limit / 1e9
            result["hidden_layers_gflops"] = result["per_second"] * self.operations() / 1e9
        return result


def main(arguments: Arguments) -> None:
    """Measure, and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [
            Contestant(arguments, threads, layers, Path(folder) / f"{layers}-{threads}")
            for layers in arguments.layers
            for threads in arguments.threads
        ]
        for _ in track(range(arguments.turns), "turns"):
            for run in runs:
                run.turn()
        for run in runs:
            run.run.writer.close()
    results = [run.result() for run in runs]
    for result, run in zip(results, runs, strict=True):
        first = next(each for each in runs if each.layers == run.layers)
        ratios = [own / other for own, other in zip(run.rates, first.rates, strict=True)]
        result["times_the_first"] = statistics.median(ratios)
    table = Table(box=box.MARKDOWN)
    for heading in HEADINGS:
        table.add_column(heading)
    for result in results:
        limited = "matrix_gflops" in result
        table.add_row(
            result["layers"],
            str(result["threads"]),
            f"{result['per_second']:,.0f} ({result['from']:,.0f} to {result['to']:,.0f})",
            f"{result['times_the_first']:.2f}",
            ", ".join(f"{what} {share:.0%}" for what, share in sorted(result["shares"].items())),
            f"{result['hidden_layers_gflops']:.0f}, {result['matrix_gflops']:.0f}" if limited else "-",
        )
    Console(width=180).print(table)
    if arguments.json:
        receipt = {
            "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "game": arguments.game,
            "device": torch.cuda.get_device_name() if arguments.device.startswith("cuda") else "cpu",
            "machine": machine(),
            "versions": versions("numpy", "numba", "torch"),
            "runs": results,
        }
        write_json(arguments.json, receipt)


if __name__ == "__main__":
    main(tyro.cli(Arguments, description=__doc__))
