"""Measure what the first calls cost while no program is in the cache, in CPU seconds, and `load` afterwards.

    python benchmarks/throughput/compiling.py
    python benchmarks/throughput/compiling.py --games quatrix --repeats 1 --json compiling.json

Each repeat runs in fresh processes with empty caches: a game's first step, its first `load` and the step after
it; the first choice of a search; that of a search which a network guides. Last comes `load` of the simulator's
own bytes. CPU time, so that other work on the machine counts little.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timezone
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import tyro

import polytrix
from polytrix.agents import ask_rows, resolve
from polytrix.bench import machine, spread, versions
from polytrix.core.compile.compiler import Mode
from polytrix.core.files import write_json

ROWS = (1, 1024)
"""How many games `load` is timed with."""


@dataclass(frozen=True)
class Arguments:
    """What is measured."""

    games: tuple[str, ...] = tuple(game.name for game in polytrix.all_games())
    """Names of the games."""
    repeats: int = 3
    """The median counts."""
    json: Path | None = None
    """Add a receipt to this file."""


def main(arguments: Arguments) -> None:
    """Measure, and print the medians."""
    result: dict[str, dict[str, dict[str, float]]] = {}
    for game in arguments.games:
        repeats = [measure(game) for _ in range(arguments.repeats)]
        result[game] = {what: spread([each[what] for each in repeats]) for what in repeats[0]}
        print(f"{game}:", ", ".join(f"{what} {found['median']:.1f}" for what, found in result[game].items()))
    if arguments.json:
        receipt = {
            "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "command": " ".join(["python", "benchmarks/throughput/compiling.py", *sys.argv[1:]]),
            "machine": machine(),
            "versions": versions("numpy", "numba", "llvmlite"),
            "repeats": arguments.repeats,
            "result": result,
        }
        kept = json.loads(arguments.json.read_text(encoding="utf-8")) if arguments.json.exists() else []
        write_json(arguments.json, [*kept, receipt])


def measure(game: str) -> dict[str, float]:
    """One repeat: CPU seconds of each first call, and CPU microseconds of `load`, by name."""
    return (
        alone(first_steps, game)
        | alone(first_choice, game, "search:1")
        | alone(first_choice, game, "search:1,network=expert")
    )


def alone(work: Callable[..., dict[str, float]], *arguments: str) -> dict[str, float]:
    """What `work` returns in a fresh process with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["POLYTRIX_CACHE"] = folder
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            return pool.submit(work, *arguments).result()


def first_steps(name: str) -> dict[str, float]:
    """A game's first step, its first `load`, the next step, and `load` once it is compiled."""
    watch = [time.process_time()]
    sim = polytrix.Simulator(polytrix.find(name), 2, seed=0)
    for call in (lambda: step(sim), lambda: sim.load(sim.save()), lambda: step(sim)):
        call()
        watch.append(time.process_time())
    seconds = dict(zip(("step", "load", "step after load"), np.diff(watch).tolist(), strict=True))
    return seconds | {f"load of {rows}, microseconds": microseconds_to_load(name, rows) for rows in ROWS}


def first_choice(name: str, policy: str) -> dict[str, float]:
    """The first choice of a policy, from a game that runs as plain Python."""
    game = polytrix.find(name)
    sim = polytrix.Simulator(game, 1, seed=0, mode=Mode.PLAIN)
    start = time.process_time()
    ask_rows(resolve(policy, game), sim, [0], np.random.default_rng(0))
    return {policy: time.process_time() - start}


def microseconds_to_load(name: str, rows: int) -> float:
    """CPU time of `load` of own bytes, from the tenth decision on, the median of nine rounds."""
    sim = polytrix.Simulator(polytrix.find(name), rows, seed=0)
    for _ in range(10):
        step(sim)
    saved, calls = sim.save(), max(2, 1024 // rows)
    sim.load(saved)
    rounds = []
    for _ in range(9):
        start = time.process_time()
        for _ in range(calls):
            sim.load(saved)
        rounds.append((time.process_time() - start) / calls)
    return 1e6 * statistics.median(rounds)


def step(sim: polytrix.Simulator) -> None:
    """Take the first legal action in every game that goes on."""
    rows = np.flatnonzero(~sim.over)
    sim.step(sim.mask[rows].argmax(axis=1), rows)


if __name__ == "__main__":
    main(tyro.cli(Arguments, description=__doc__))
