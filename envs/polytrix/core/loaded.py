"""Games that `load` has read from bytes of anybody, which the rules need not be fit for.

Such a game is marked in its record (`loaded`), so the mark goes wherever the game is copied. Whoever runs rules
on it uses programs with bounds checks, and says what they find by a SnapshotError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from .compile.compiler import Mode
from .errors import PolytrixError, SnapshotError
from .state import IntArray, Record, RecordArray


def any_loaded(states: RecordArray) -> bool:
    """Whether one of these games was loaded."""
    return 1 in np.ndarray.__getitem__(states, "loaded").tobytes()  # called by every `put`, so it is quick


def as_begun_here(states: RecordArray) -> RecordArray:
    """Copies of states without the mark: equal games are equal bytes."""
    copies = states.copy()
    copies["loaded"] = 0
    return copies


def forget(states: RecordArray, rows: IntArray) -> None:
    """Clear those of the rows that were loaded, before another game of the same options begins there."""
    loaded = rows[states["loaded"][rows] != 0]
    cleared = np.zeros(len(loaded), states.dtype)
    for name in ("generator", "num_players", "options"):
        cleared[name] = states[name][loaded]
    states[loaded] = cleared


def checked(mode: Mode) -> Mode:
    """How the rules run on loaded games, if others are played in this mode."""
    return Mode.CHECKED if mode is Mode.COMPILED else mode


def mode_for(states: RecordArray, mode: Mode) -> Mode:
    """How the rules run on these games: as they should, or checked."""
    return checked(mode) if any_loaded(states) else mode


def all_or_nothing(
    run: Callable[[slice], None],
    rows: IntArray,
    states: RecordArray | None,
    arrays: Sequence[npt.NDArray[Any]],
) -> None:
    """Call `run(slice(None))`, which runs checked programs on some rows of arrays.

    Args:
        run: takes the part of `rows` to run for.
        rows: distinct numbers.
        states: the games, or None, see `refusing`.
        arrays: what it changes.

    Raises:
        SnapshotError: names the first row in which a program finds an error. The rows are as they were.
        Exception: the error itself, if that game was begun here. The rows are as they were.
    """
    saved = [array[rows] for array in arrays]

    def restore() -> None:
        for array, before in zip(arrays, saved, strict=True):
            array[rows] = before

    try:
        run(slice(None))
    except Exception:
        restore()
        try:
            for i, row in enumerate(rows):
                with refusing(None if states is None else states[row], int(row)):
                    run(slice(i, i + 1))
        finally:
            restore()
        raise


@contextmanager
def refusing(s: Record | None = None, row: int | None = None) -> Iterator[None]:
    """Turn what rules, text or pictures raise about a loaded game into a SnapshotError.

    Args:
        s: the state; if it was not loaded, errors stay as they are. None: nobody knows whether it was, and only
            errors stay that no position can be the cause of.
        row: where it is.
    """
    try:
        yield
    except PolytrixError:
        raise
    except Exception as error:
        if not (isinstance(error, (LookupError, ArithmeticError, ValueError)) if s is None else s["loaded"]):
            raise
        raise _refusal(row, error) from error


@contextmanager
def naming(rows: IntArray) -> Iterator[None]:
    """Let a SnapshotError about position i among some name its row, `rows[i]`."""
    try:
        yield
    except SnapshotError as error:
        if error.row is None or error.__cause__ is None:
            raise
        raise _refusal(int(rows[error.row]), error.__cause__) from error.__cause__


def _refusal(row: int | None, cause: BaseException) -> SnapshotError:
    where = "" if row is None else f" in row {row}"
    refusal = SnapshotError(
        f"the position{where} cannot be played on: {cause}. Either no game leads there, and it comes from a "
        "forged snapshot, or the game's code has a defect. Begin another game"
    )
    refusal.row = row
    return refusal
