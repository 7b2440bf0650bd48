"""`python -m tests.fuzz --what snapshots --game quatrix --tries 9`: fuzz the package's file readers and APIs.

A kind of try is a function `prepare(game, folder)`, which does the shared setup in an empty folder and
returns `attempt(rng)`. An attempt makes one try with that generator and returns its outcome as one word,
or raises AssertionError if it found a defect.

Tries run in a separate process, so crashes and endless loops are reported like any other fault. So are tries
that take too much memory or CPU time, see `outcome_of`.
Try k uses the random generator seeded with (seed, k): `--first k --tries 1` repeats it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import TimeoutError as NoEnd
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from loky import ProcessPoolExecutor
from loky.process_executor import BrokenProcessPool

import polytrix
from polytrix.core.game import Game
from polytrix.testing.progress import Progress

KINDS = {
    **{kind: f"tests.fuzz.files.{kind}" for kind in ("transcripts", "records", "data", "checkpoints")},
    "searches": "tests.fuzz.snapshots.searches",
    **{kind: f"tests.fuzz.{kind}.prepare" for kind in ("snapshots", "policies", "shown", "tables", "disk")},
}
"""By kind of try the function that prepares it."""

PATIENCE = 180.0  # seconds without a finished try after which it counts as hanging
PREPARATION = 600.0  # seconds allowed until the first try, since programs may have to be compiled
MOST_FAULTS = 10  # faults of one kind and game after which the run stops
MOST_SECONDS = 5.0  # of CPU time that a try may take, together with processes that it has started
MOST_MEMORY = 250  # MB by which a try may raise the memory of its process at its peak
ROOM = 16 << 30  # bytes of address space that a process of tries may add; then memory errors follow
_PEAK = Path("/proc/self/clear_refs")


@dataclass
class Result:
    """The result of the tries of one kind with one game."""

    what: str
    game: str
    tries: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[int, str]] = field(default_factory=list)
    """Number of each failed try, and what went wrong."""
    seconds: float = 0.0


def main(arguments: Sequence[str] | None = None) -> list[Result]:
    """Run the command and print a table; exits with code 1 if there are faults."""
    given = parse(arguments)
    games = [polytrix.find(name) for name in given.game] if given.game else list(polytrix.all_games())
    results: list[Result] = []
    try:
        for what in given.what:
            for game in games:
                results.append(Result(what, game.name))
                run(game, results[-1], given.tries, given.first, given.seed)
    except KeyboardInterrupt:
        last = results[-1]
        print(
            f"\nstopped; resume with --what {last.what} --game {last.game} --first {given.first + last.tries}"
        )
    print(table(results))
    if any(result.faults for result in results):
        raise SystemExit(1)
    return results


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument(
        "--what", type=_kinds, default=tuple(KINDS), help=f"comma-separated kinds: {', '.join(KINDS)}"
    )
    parser.add_argument("--game", action="append", help="id or name of a game; repeatable; default: all")
    parser.add_argument("--tries", type=int, default=1000, help="tries of each kind with each game")
    parser.add_argument("--first", type=int, default=0, help="number of the first try")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(text.split(","))
    for kind in kinds:
        if kind not in KINDS and "." not in kind:
            allowed = f"{', '.join(KINDS)}, or a module of your own with its package"
            raise argparse.ArgumentTypeError(f"unknown kind {kind!r}; allowed: {allowed}")
    return kinds


def prepared(what: str, game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """What makes a try of a kind."""
    module, _, name = KINDS.get(what, f"{what}.prepare").rpartition(".")
    attempt: Callable[[np.random.Generator], str] = getattr(import_module(module), name)(game, folder)
    return attempt


def run(game: Game, result: Result, tries: int, first: int = 0, seed: int = 0) -> None:
    """Make tries `first` to `first + tries - 1`, and record their outcomes in `result`."""
    progress, start = Progress(f"{result.what} {game.name}", tries, "tries"), time.monotonic()
    worker: Any = None
    folder = tempfile.TemporaryDirectory()
    try:
        while result.tries < tries and len(result.faults) < MOST_FAULTS:
            number, patience = first + result.tries, PATIENCE
            if worker is None:
                given = game.id, result.what, seed, tempfile.mkdtemp(dir=folder.name)
                worker, patience = ProcessPoolExecutor(1, initializer=_prepare, initargs=given), PREPARATION
            try:
                outcome, fault = worker.submit(_try, number).result(patience)
            except (BrokenProcessPool, NoEnd) as error:
                ended = isinstance(error, BrokenProcessPool)
                fault = f"the process ended: {error}" if ended else f"no end after {patience:.0f} s"
                worker.shutdown(kill_workers=True)
                worker = None
            if fault:
                result.faults.append((number, fault))
            else:
                result.outcomes[outcome] += 1
            result.tries += 1
            progress.show(result.tries)
    finally:
        if worker is not None:
            worker.shutdown(kill_workers=True)
        folder.cleanup()
        result.seconds = time.monotonic() - start


def outcome_of(attempt: Callable[[np.random.Generator], str], seeds: Sequence[int]) -> str:
    """Make a try, and once more if it has taken too much: the first one may have compiled something.

    Args:
        attempt: makes it.
        seeds: of its random generator.

    Raises:
        AssertionError: the try has found a defect, or has taken too much again.
    """
    for _ in range(2):
        _reset_peak()
        seconds, memory = _cpu_seconds(), _megabytes("VmRSS")
        outcome = attempt(np.random.default_rng(seeds))
        seconds, memory = _cpu_seconds() - seconds, _megabytes("VmHWM") - memory
        if seconds <= MOST_SECONDS and memory <= MOST_MEMORY:
            return outcome
    raise AssertionError(
        f"{outcome!r} took {seconds:.1f} s of CPU time and {memory:.0f} MB more memory; "
        f"allowed: {MOST_SECONDS:.0f} s and {MOST_MEMORY} MB"
    )


def _cpu_seconds() -> float:
    """CPU time of this process, and of those that it has waited for."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _reset_peak() -> None:
    """Let the memory at its peak (VmHWM) be counted from now on."""
    if _PEAK.exists():
        _PEAK.write_text("5", encoding="ascii")


def _megabytes(entry: str) -> float:
    """An entry of what Linux tells of this process's memory; 0 elsewhere, where memory is not watched."""
    if not _PEAK.exists():
        return 0.0
    status = _PEAK.with_name("status").read_text(encoding="ascii")
    return int(status.partition(f"{entry}:")[2].split()[0]) / 1000


READY: list[Any] = []
"""In a process of tries: what makes one, and the seed."""


def _prepare(game_id: str, what: str, seed: int, folder: str) -> None:
    """Begin a process of tries."""
    _limit_memory()
    READY[:] = prepared(what, polytrix.find(game_id), Path(folder)), seed


def _try(number: int) -> tuple[str, str]:
    """The outcome of a try, or what went wrong."""
    attempt, seed = READY
    try:
        return outcome_of(attempt, [seed, number]), ""
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return "", f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})"


def _limit_memory() -> None:
    """Let a try that wants all memory of the machine fail instead."""
    if sys.platform == "linux":
        import resource

        limit = int(1e6 * _megabytes("VmSize")) + ROOM
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


def table(results: Sequence[Result]) -> str:
    """Tries, outcomes and faults, one line for each kind and game."""
    lines = [""]
    for result in results:
        outcomes = ", ".join(f"{name} {count:,}" for name, count in sorted(result.outcomes.items()))
        tries = f"{result.tries:,} tries, {result.tries / max(1e-9, result.seconds):,.0f} a second"
        lines.append(f"{result.what} {result.game}: {tries}, {len(result.faults)} faults; {outcomes}")
    for result in results:
        lines += [f"{result.what} {result.game}, try {number}: {what}" for number, what in result.faults]
    return "\n".join(lines)
