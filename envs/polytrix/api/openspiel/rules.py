"""The rules of a game on immutable positions stored as bytes, which OpenSpiel's states share when copied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import as_argument, programs
from polytrix.core.errors import GameOverError, IllegalActionError
from polytrix.core.game import Game
from polytrix.core.layout import Layout
from polytrix.core.notation import some_of, whose_decision
from polytrix.core.options import Value
from polytrix.core.random import reseed
from polytrix.core.records import as_records
from polytrix.core.state import CHANCE, OVER, ByteArray, IntArray, Record, RecordArray

NOBODY = -1
"""In place of a seat: a chance event."""

Event: TypeAlias = tuple[int, int, bytes]
"""Seat (or NOBODY), action or outcome, and the position after it."""


class Rules:
    """The rules of a game with given options, on positions stored as bytes.

    A position is a record whose random generator is zero, so that it does not reveal future chance events.
    Positions are immutable, so copies of a state share them. Nothing else is kept between calls, so threads and
    signal handlers may use the rules at the same time.

    Attributes:
        opening: the initial position, before any chance event or decision.
        opening_mover: the mover of `opening`.
        nothing_seen: the initial history, observations and pending events of a state.
        names: the name of each action, as written in information states.
        entries: the name of each entry of an observation, likewise.
    """

    def __init__(self, game: Game, options: Mapping[str, Value]) -> None:
        self.game = game
        self.players = game.num_players(options)
        self.names = entry_names(game.actions)
        self.entries = entry_names(game.observations)
        self._run = programs(game)
        self._rows = np.zeros(self.players, np.int64)
        self._seats = np.arange(self.players)
        self._numbers = np.arange(game.max_chance)
        self._last_mask: tuple[bytes, ByteArray] = b"", np.zeros(0, np.int8)  # a position and its legal actions
        begun = game.opening(options)
        self.opening = begun.tobytes()
        self.opening_mover = int(begun[0].mover)
        self.nothing_seen: tuple[tuple[str, ...], bytes, tuple[Event, ...]] = (
            tuple(f"{seat}:" for seat in game.seats[: self.players]),
            bytes(self.players * game.observations.size),
            ((NOBODY, 0, self.opening),),
        )

    def record(self, position: bytes) -> Record:
        """A position as a record of its own."""
        record: Record = as_records(self._array(position))[0]
        return record

    def _array(self, position: bytes) -> RecordArray:
        """A position as programs take it, in an array (1,) of its own."""
        array = np.empty(1, self.game.state)
        array.view(np.uint8)[:] = np.frombuffer(position, np.uint8)
        return as_argument(array, Mode.COMPILED)

    def check_seat(self, seat: int) -> None:
        """Raise ValueError unless the number is a seat."""
        if not 0 <= seat < self.players:
            raise ValueError(f"player is {seat}; allowed: 0..{self.players - 1}")

    def after(self, position: bytes, action: int) -> tuple[bytes, int]:
        """The position after an action or a chance outcome, and its mover.

        Raises:
            GameOverError: the game is over.
            IllegalActionError: the action is illegal, or the pending event has no such outcome.
        """
        array = self._array(position)
        mover = int(array["mover"][0])
        if mover == OVER:
            raise GameOverError(f"action {action} was given after the end of the game; begin a new one")
        if mover == CHANCE:
            outcomes = self._outcomes(array)
            if not 0 <= action < outcomes:
                raise IllegalActionError(f"outcome {action} does not exist; allowed: 0..{outcomes - 1}")
        elif not (0 <= action < self.game.actions.size and self._mask(position, array)[action]):
            raise IllegalActionError(
                f"action {action} is illegal here; {some_of(self.legal(position), 'legal_actions()')}; "
                + whose_decision(self.game.seats[mover], self.record(position), "str(state)")
            )
        self._run.advance(array, np.array([action]))
        return array.tobytes(), int(array["mover"][0])

    def _outcomes(self, array: RecordArray) -> int:
        """The number of outcomes of the pending chance event; 0 if none is pending."""
        counts = np.zeros(1, np.int64)
        self._run.outcomes(array, counts)
        return int(counts[0])

    def _mask(self, position: bytes, array: RecordArray) -> ByteArray:
        """The mover's legal actions, (A,). The last ones are kept: callers ask for them before they act."""
        last, mask = self._last_mask
        if position is not last:
            mask = self._view(array, array["mover"].astype(np.int64))[1][0]
            self._last_mask = position, mask
        return mask

    def _view(self, array: RecordArray, seats: IntArray) -> tuple[ByteArray, ByteArray]:
        """What seats see and may do, (n, O) and (n, A)."""
        game = self.game
        seen = np.zeros((len(seats), game.observations.size), np.int8)
        mask = np.zeros((len(seats), game.actions.size), np.int8)
        ids = np.zeros(game.max_legal, np.int16)
        self._run.view(array, self._rows[: len(seats)], seats, seen, mask, ids)
        return seen, mask

    def views(self, position: bytes) -> ByteArray:
        """Each seat's observation, (P, O)."""
        return self._view(self._array(position), self._seats)[0]

    def legal(self, position: bytes) -> list[int]:
        """The mover's legal actions in ascending order; empty unless a seat is to move."""
        array = self._array(position)
        if array["mover"][0] < 0:
            return []
        legal: list[int] = np.flatnonzero(self._mask(position, array)).tolist()
        return legal

    def chance(self, position: bytes) -> list[tuple[int, float]]:
        """The outcomes of the pending chance event with their probabilities.

        Outcomes are equally likely; those that lead to the same position are merged into the first of them.

        Raises:
            ValueError: no event is pending.
        """
        array = self._array(position)
        count = self._outcomes(array)
        if not count:
            raise ValueError("no chance event is pending; see is_chance_node()")
        if count > self.game.max_chance:
            raise ValueError(f"{self.game.id} has {count} outcomes, and max_chance is {self.game.max_chance}")
        branches = array.repeat(count)
        self._run.advance(branches, self._numbers[:count])
        weights: dict[bytes, list[int]] = {}
        for outcome in range(count):
            weights.setdefault(branches[outcome].tobytes(), []).append(outcome)
        return [(alike[0], len(alike) / count) for alike in weights.values()]

    def payoffs(self, position: bytes) -> list[float]:
        """The payoff of each seat in a finished game."""
        out = np.zeros(self.game.max_players)  # doubles: OpenSpiel wants sums to be zero to nine places
        self.game.payoff(self.record(position), out)
        payoffs: list[float] = out[: self.players].tolist()
        return payoffs

    def redealt(self, position: bytes, seat: int, key: int) -> bytes:
        """Sample a position that the seat cannot tell from this one."""
        self.check_seat(seat)
        array = self._array(position)
        generator = as_records(array)[0].generator
        reseed(generator, np.uint64(key))
        self._run.redeal_rows(array, self._rows[:1], np.array([seat]))
        reseed(generator, np.uint64(0))
        return array.tobytes()


def entry_names(layout: Layout) -> list[str]:
    """A name for each entry of a layout.

    >>> from polytrix.core.layout import Block
    >>> entry_names(Layout(Block("die", (1, 2), "either die"), Block("pass", (1,), "nothing")))
    ['die[0,0]', 'die[0,1]', 'pass']
    """
    return [
        block.name if block.size == 1 else f"{block.name}[{','.join(map(str, where))}]"
        for block in layout
        for where in np.ndindex(block.shape)
    ]


def changes(entries: list[str], before: ByteArray, now: ByteArray) -> str:
    """The changed entries of an observation, as text."""
    return " ".join(f"{entries[i]}={now[i]}" for i in np.flatnonzero(before != now))
