"""Checks that a state from elsewhere can be played on.

Compiled rules trust the state: an index that is out of bounds there is a crash. So `load` first
checks what it is given: every field keeps its declared bounds, the options are allowed, the
invariants hold, the mover has legal actions, and every observation can be made.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .compile.compiler import Mode, program
from .compile.programs import as_argument, programs
from .errors import OptionError, SnapshotError
from .game import Game
from .inspection import FAULT, FINE, ROW, fault_of, scratch_for
from .records import as_records
from .state import CORE_FIELDS, OVER, ByteArray, Entry, IntArray, RecordArray, entries


def check_playable(game: Game, states: RecordArray, mode: Mode = Mode.COMPILED) -> None:
    """Refuse states that cannot be played on.

    Args:
        game: the game.
        states: (n,) records of the game, contiguous.
        mode: how the rules run; machine code checks every index.

    Raises:
        SnapshotError: names the first unplayable state and the reason.
    """
    _check_bounds(game, states, mode)
    _check_options(game, states)
    _check_rules(game, states, mode)


# -- every field keeps its bounds ---------------------------------------------------------------


class Bounds(NamedTuple):
    """The positions and the bounds of the numbers of one type in a record."""

    type: np.dtype[Any]
    places: IntArray
    low: IntArray
    high: IntArray
    entries: list[Entry]


@cache
def entries_of(game: Game) -> tuple[Entry, ...]:
    """All integers in a state of the game, in order."""
    return tuple(entries(game.state, (*CORE_FIELDS, *game.fields)))


@cache
def _bounds(game: Game) -> list[Bounds]:
    """The entries of a game's record by type, except those that may hold every value of their type."""
    by_type: dict[np.dtype[Any], list[Entry]] = {}
    for entry in entries_of(game):
        limits = np.iinfo(entry.type)
        if entry.low > limits.min or entry.high < limits.max:
            by_type.setdefault(entry.type, []).append(entry)
    return [
        Bounds(
            kind,
            np.array([entry.offset // kind.itemsize for entry in found]),
            np.array([entry.low for entry in found]),
            np.array([entry.high for entry in found]),
            found,
        )
        for kind, found in by_type.items()
    ]


@cache
def _first_outside_in(mode: Mode) -> Any:
    return program(first_outside, {}, mode, "any-first_outside")


def first_outside(numbers: npt.NDArray[Any], places: IntArray, low: IntArray, high: IntArray) -> int:
    """The first `row * len(places) + i` whose number at `places[i]` is out of bounds; -1 if there is none."""
    for row in range(numbers.shape[0]):
        for i in range(places.shape[0]):
            value = numbers[row, places[i]]
            if value < low[i] or value > high[i]:
                return int(row * places.shape[0] + i)
    return -1


def _check_bounds(game: Game, states: RecordArray, mode: Mode) -> None:
    for bounds in _bounds(game):
        numbers = np.ascontiguousarray(states).view(np.ndarray).view(bounds.type).reshape(len(states), -1)
        at = int(_first_outside_in(mode)(numbers, bounds.places, bounds.low, bounds.high))
        if at >= 0:
            row, i = divmod(at, len(bounds.places))
            entry, value = bounds.entries[i], numbers[row, bounds.places[i]]
            raise _refusal(row, f"{entry.name} is {value}; allowed: {entry.low}..{entry.high}")


# -- the options are allowed, and the core's fields agree with them -------------------------------


def _check_options(game: Game, states: RecordArray) -> None:
    players: list[int] = []
    try:
        players.extend(_players_of(game, stored.tobytes()) for stored in states["options"])
    except OptionError as error:
        raise _refusal(len(players), f"its options are not allowed: {error}") from None
    limit = states["options"]["max_decisions"]
    ended = states["mover"] == OVER
    for wrong, reason in (
        (states["num_players"] != players, "it has another number of players than its options say"),
        (states["decisions"] > limit, "it has more decisions than max_decisions"),
        (~ended & (states["decisions"] == limit) & (states["mover"] >= 0), "it goes on after max_decisions"),
        (~ended & (states["truncated"] != 0), "it was truncated and goes on"),
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


# -- the rules can handle the state --------------------------------------------------------------


def _check_rules(game: Game, states: RecordArray, mode: Mode) -> None:
    """Run the rules that only read a state, with every index checked."""
    if found := first_fault(game, states, mode):
        raise _refusal(*found)


def first_fault(game: Game, states: RecordArray, mode: Mode = Mode.COMPILED) -> tuple[int, str] | None:
    """The row of the first state in which a rule finds a fault, and the fault in words; None if all are fine.

    It runs the rules that only read a state: invariants, chance, legal actions and observations. In
    machine code every index is checked.
    """
    mode = Mode.PLAIN if mode is Mode.PLAIN else Mode.CHECKED
    scratch = scratch_for(game)
    looked_at = as_argument(states.copy(), mode)
    try:
        programs(game, mode).first_fault(
            looked_at, scratch.ids, game.actions.size, game.max_chance, scratch.observation,
            *_observation_bounds(game), scratch.found,
        )  # fmt: skip
    except (LookupError, ArithmeticError, ValueError) as error:
        return int(scratch.found[ROW]), str(error)
    if scratch.found[FAULT] == FINE:
        return None
    row = int(scratch.found[ROW])
    return row, fault_of(game, as_records(looked_at)[row], scratch)


@cache
def _observation_bounds(game: Game) -> tuple[ByteArray, ByteArray]:
    return game.observations.low, game.observations.high


def _refusal(row: int, reason: str) -> SnapshotError:
    return SnapshotError(f"the game in row {row} of the snapshot cannot be played on: {reason}")
