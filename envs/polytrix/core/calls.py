"""Validates what callers pass to a simulator: seeds, row numbers, actions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
import numpy.typing as npt

from .state import IntArray

_TRUTHS = frozenset({bool, np.bool_})

SEED_LIMIT = 1 << 63
"""Seeds are below this; keys from here on belong to the built-in policies."""


def shown(given: Any) -> str:
    """A short `repr` for an error, which never fails.

    >>> shown(-1), shown(10**5000), shown("a" * 200)[-5:]
    ('-1', '(int)', 'aa...')
    """
    try:
        text = repr(given)
    except Exception:  # whatever a user's object raises, or a number with too many digits
        text = f"({type(given).__name__})"
    return text if len(text) <= 100 else f"{text[:97]}..."


def did_you_mean(given: object, known: Iterable[str]) -> str:
    """A sentence that suggests the known name that is most like the given one, with a blank before it, or "".

    >>> did_you_mean("gredy", ["random", "greedy"])
    " Did you mean 'greedy'?"
    """
    close = get_close_matches(str(given), list(known), 1)
    return f" Did you mean {close[0]!r}?" if close else ""


def fresh_seed() -> int:
    """A seed from the operating system, below 2**62, so that the seeds of the following rows are valid too."""
    return int.from_bytes(os.urandom(8), "little") >> 2


def seed_or_fresh(seed: Any, count: int = 1) -> int:
    """A fresh seed for None, otherwise `check_seed`."""
    return fresh_seed() if seed is None else check_seed(seed, count)


def check_seed(seed: Any, count: int = 1) -> int:
    """`seed` as a Python int, or ValueError. `count` games use the seeds from it on, all below 2**63."""
    if not is_whole(seed) or not 0 <= seed <= SEED_LIMIT - max(count, 1):
        games = f", since {count} games use consecutive seeds" if count > 1 else ""
        raise ValueError(
            f"seed is {shown(seed)}; allowed: a whole number from 0 to 2**63 - {max(count, 1)}{games}"
        )
    return int(seed)


def is_whole(number: Any) -> bool:
    """Whether it is a Python or NumPy integer, but not a boolean."""
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool)


def seeds_from(seed: Any, count: int) -> npt.NDArray[np.uint64]:
    """The seeds of `count` games, or ValueError, see `check_seed`.

    Args:
        seed: `seed`, `seed + 1`, ...; or a sequence of all; or None: from the operating system.
        count: number of games.
    """
    if isinstance(seed, Sequence) and not isinstance(seed, str):
        if len(seed) != count:
            raise ValueError(f"{len(seed)} seeds are given; expected {count}, one per row")
        return np.array([check_seed(each) for each in seed], np.uint64)
    first = seed_or_fresh(seed, count)
    return np.uint64(first) + np.arange(count, dtype=np.uint64)


def row_numbers(rows: Any, num_envs: int) -> IntArray:
    """Distinct row numbers as the programs take them, (n,) int64, or IndexError."""
    given = as_array(rows)
    if given.size and given.dtype.kind not in "iu":
        raise IndexError(f"rows are {shown(rows)}; allowed: whole numbers 0..{num_envs - 1}")
    chosen = as_compiled_for(given)
    if chosen.ndim != 1 or (len(chosen) and not (chosen.min() >= 0 and chosen.max() < num_envs)):
        raise IndexError(f"rows are {shown(rows)}; allowed: a list of distinct numbers 0..{num_envs - 1}")
    if len(chosen) > 1 and np.bincount(chosen).max() > 1:
        raise IndexError(f"rows are {shown(rows)}; allowed: distinct numbers, and these name a game twice")
    return chosen


def one_row(row: Any, num_envs: int) -> int:
    """A row number as a Python int, or IndexError."""
    if not is_whole(row) or not 0 <= row < num_envs:
        raise IndexError(f"row is {shown(row)}; allowed: a whole number 0..{num_envs - 1}")
    return int(row)


def check_actions(actions: Any, count: int) -> npt.NDArray[Any]:
    """Actions of `count` rows as an array of integers (count,), or TypeError or ValueError."""
    given = as_array(actions)
    if given.shape != (count,):
        raise ValueError(f"actions have shape {given.shape}; expected ({count},), one per row")
    if given.dtype.kind not in "iu":
        raise TypeError(f"actions are of dtype {given.dtype}; allowed: integers, one per row")
    return given


def as_array(numbers: Any) -> npt.NDArray[Any]:
    """A copy of the argument as an array; one of dtype object for ragged lists and lists with booleans.

    What is checked must be what is used, even if the caller's array changes in the meantime.
    """
    if isinstance(numbers, (list, tuple)) and not _TRUTHS.isdisjoint(map(type, numbers)):
        return np.array([None] * len(numbers), object)  # among numbers, NumPy would convert them to 1 and 0
    try:
        return np.array(numbers)
    except (ValueError, TypeError, OverflowError):
        return np.array(None, object)


def as_compiled_for(numbers: npt.NDArray[Any]) -> IntArray:
    """The kind of array that the programs are compiled for; any other would compile them again."""
    if numbers.dtype == np.int64 and numbers.flags.carray:
        return numbers
    return np.require(numbers, np.int64, ("C_CONTIGUOUS", "WRITEABLE"))
