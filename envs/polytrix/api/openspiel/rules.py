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
from polytrix.core.state import CHANCE, OVER, ByteArray, Record, new_records

NOBODY = -1
"""In place of a seat: a chance event."""

Event: TypeAlias = tuple[int, int, bytes]
"""Seat (or NOBODY), action or outcome, and the position after it."""


class Rules:
    """The rules of a game with given options, on positions stored as bytes.

    A position is a record whose random generator is zero, so that it does not reveal future chance events.
    Positions are immutable, so copies of a state share them.

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
        self._states = new_records(1, game.state)
        self._raw = as_argument(self._states, Mode.COMPILED)
        self._bytes = self._raw.view(np.uint8)
        self._mover = self._raw["mover"]
        self._branches = as_argument(new_records(game.max_chance, game.state), Mode.COMPILED)
        self._numbers = np.arange(game.max_chance)
        self._one = np.zeros(1, np.int64)
        self._rows = np.zeros(self.players, np.int64)
        self._seats = np.arange(self.players)
        self._counts = np.zeros(1, np.int64)
        self._seen = np.zeros((self.players, game.observations.size), np.int8)
        self._legal = np.zeros((1, game.actions.size), np.int8)
        self._legal_in: bytes | None = None  # the position that `_legal` belongs to
        self._mask = np.zeros((self.players, game.actions.size), np.int8)
        self._ids = np.zeros(game.max_legal, np.int16)
        game.write_options(self._states, options)
        self._record = self._states[0]
        self._record.mover = CHANCE
        game.setup(self._record)
        self.opening = self._states.tobytes()
        self.opening_mover = int(self._record.mover)
        self.nothing_seen: tuple[tuple[str, ...], bytes, tuple[Event, ...]] = (
            tuple(f"{seat}:" for seat in game.seats[: self.players]),
            bytes(self._seen.size),
            ((NOBODY, 0, self.opening),),
        )

    def record(self, position: bytes) -> Record:
        """A position as a record."""
        self._load(position)
        record: Record = self._record
        return record

    def _load(self, position: bytes) -> None:
        self._bytes[:] = np.frombuffer(position, np.uint8)

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
        self._load(position)
        mover = int(self._mover[0])
        if mover == OVER:
            raise GameOverError(f"action {action} was given after the end of the game; begin a new one")
        if mover == CHANCE:
            outcomes = self._outcomes()
            if not 0 <= action < outcomes:
                raise IllegalActionError(f"outcome {action} does not exist; allowed: 0..{outcomes - 1}")
        elif not (0 <= action < self.game.actions.size and self._mask_of(position)[action]):
            raise IllegalActionError(
                f"action {action} is illegal here; {some_of(self.legal(position), 'legal_actions()')}; "
                + whose_decision(self.game.seats[mover], self._record, "str(state)")
            )
        self._one[0] = action
        self._run.advance(self._raw, self._one)
        return self._bytes.tobytes(), int(self._mover[0])

    def _outcomes(self) -> int:
        """The number of outcomes of the pending chance event; 0 if none is pending."""
        self._run.outcomes(self._raw, self._counts)
        return int(self._counts[0])

    def _mask_of(self, position: bytes) -> ByteArray:
        """The mover's legal actions, (A,), in an array that the next call overwrites.

        Args:
            position: the position just loaded. The last mask is cached, since callers usually ask for the
                legal actions before they act.
        """
        if position is not self._legal_in:
            self._one[0] = self._mover[0]
            self._run.view(self._raw, self._rows[:1], self._one, self._seen[:1], self._legal, self._ids)
            self._legal_in = position
        legal: ByteArray = self._legal[0]
        return legal

    def views(self, position: bytes) -> ByteArray:
        """Each seat's observation, (P, O), in an array that the next call overwrites."""
        self._load(position)
        self._run.view(self._raw, self._rows, self._seats, self._seen, self._mask, self._ids)
        return self._seen

    def legal(self, position: bytes) -> list[int]:
        """The mover's legal actions in ascending order; empty unless a seat is to move."""
        self._load(position)
        legal: list[int] = np.flatnonzero(self._mask_of(position)).tolist() if self._mover[0] >= 0 else []
        return legal

    def chance(self, position: bytes) -> list[tuple[int, float]]:
        """The outcomes of the pending chance event with their probabilities.

        Outcomes are equally likely; those that lead to the same position are merged into the first of them.

        Raises:
            ValueError: no event is pending.
        """
        self._load(position)
        count = self._outcomes()
        if not count:
            raise ValueError("no chance event is pending; see is_chance_node()")
        if count > self.game.max_chance:
            raise ValueError(f"{self.game.id} has {count} outcomes, and max_chance is {self.game.max_chance}")
        self._branches[:count] = self._raw[0]
        self._run.advance(self._branches[:count], self._numbers[:count])
        weights: dict[bytes, list[int]] = {}
        for outcome in range(count):
            weights.setdefault(self._branches[outcome].tobytes(), []).append(outcome)
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
        s = self.record(position)
        reseed(s.generator, np.uint64(key))
        self._one[0] = seat
        self._run.redeal_rows(self._raw, self._rows[:1], self._one)
        reseed(s.generator, np.uint64(0))
        return self._states.tobytes()


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
