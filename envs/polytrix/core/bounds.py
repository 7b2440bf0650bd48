"""What `load` asks of the numbers in a record: that each keeps its bounds, and that the core's fields agree.

What they mean together, only the rules can tell; they are checked while the game is played (`loaded.py`).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .errors import OptionError, SnapshotError
from .game import Game
from .state import CORE_FIELDS, OVER, Entry, IntArray, RecordArray, entries


@cache
def entries_of(game: Game) -> tuple[Entry, ...]:
    """All integers in a state of the game, in order."""
    return tuple(entries(game.state, (*CORE_FIELDS, *game.fields)))


class Bounds(NamedTuple):
    """The positions and the bounds of the numbers of one type in a record."""

    places: IntArray
    low: npt.NDArray[Any]
    high: npt.NDArray[Any]
    entries: list[Entry]


@cache
def _bounds(game: Game) -> dict[np.dtype[Any], Bounds]:
    """The entries of a game's record by type, except those that may hold every value of their type."""
    by_type: dict[np.dtype[Any], list[Entry]] = {}
    for entry in entries_of(game):
        limits = np.iinfo(entry.type)
        if entry.low > limits.min or entry.high < limits.max:
            by_type.setdefault(entry.type, []).append(entry)
    return {
        kind: Bounds(
            np.array([entry.offset // kind.itemsize for entry in found]),
            np.array([entry.low for entry in found], kind),
            np.array([entry.high for entry in found], kind),
            found,
        )
        for kind, found in by_type.items()
    }


def check_numbers(game: Game, states: RecordArray) -> None:
    """Refuse states with a number that is none of its field, or that does not fit the options or the mover.

    Args:
        game: the game.
        states: (n,) records of the game, contiguous; in each a seat is to move, or it is over.

    Raises:
        SnapshotError: names the first such state, and the number.
    """
    raw = np.ascontiguousarray(states).view(np.ndarray)
    for kind, bounds in _bounds(game).items():
        numbers = raw.view(kind).reshape(len(states), -1)[:, bounds.places]
        outside = (numbers < bounds.low) | (numbers > bounds.high)
        if outside.any():
            row, i = np.argwhere(outside)[0]
            entry = bounds.entries[i]
            raise _refusal(row, f"{entry.name} is {numbers[row, i]}; allowed: {entry.low}..{entry.high}")
    _check_options(game, states)


def _check_options(game: Game, states: RecordArray) -> None:
    players: list[int] = []
    try:
        players.extend(_players_of(game, stored.tobytes()) for stored in states["options"])
    except OptionError as error:
        raise _refusal(len(players), f"its options are not allowed: {error}") from None
    limit = states["options"]["max_decisions"]
    mover, decisions = states["mover"], states["decisions"]
    going_on = mover != OVER
    for wrong, reason in (
        (states["num_players"] != players, "it has another number of players than its options say"),
        (going_on & ((mover < 0) | (mover >= players)), "its mover is no seat that plays"),
        (decisions > limit, "it has more decisions than max_decisions"),
        (going_on & (decisions == limit), "it goes on after max_decisions"),
        (going_on & (states["truncated"] != 0), "it was truncated and goes on"),
    ):
        if wrong.any():
            raise _refusal(int(wrong.argmax()), reason)


@lru_cache(maxsize=1024)
def _players_of(game: Game, stored: bytes) -> int:
    """The number of players under stored options; OptionError for bytes that `write_options` never writes."""
    options = np.frombuffer(stored, game.options.dtype)[0]
    try:
        values = game.options.validate(game.options.read(options))
    except IndexError:  # index of a Choice
        raise OptionError(f"they are stored as {options}") from None
    again = np.zeros(1, game.state)
    game.write_options(again, values)
    if again["options"].tobytes() != stored:
        raise OptionError(f"they are stored as {options}")
    return int(again["num_players"][0])


def _refusal(row: int, reason: str) -> SnapshotError:
    return SnapshotError(f"the game in row {row} of the snapshot cannot be played on: {reason}")
