"""What viewers are told about the decisions of a game, in notation and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polytrix.core.game import Game
from polytrix.core.state import CHANCE, Record
from polytrix.core.words import explained
from polytrix.play.known import HIDDEN, Viewer, notation
from polytrix.play.session import Session

BETWEEN = "\t"
"""Separates notation and words; neither has one."""


@dataclass(frozen=True)
class Entry:
    """A decision.

    Attributes:
        seat: number of the seat that made it.
        move: in notation, or HIDDEN.
        meaning: what it did, in words; "" if that is hidden.
        chance: the dice, cards, ... that followed.
    """

    seat: int
    move: str
    meaning: str
    chance: Sequence[str]


def in_words(game: Game, s: Record, event: int) -> str:
    """A chance outcome in notation, an action in notation and words."""
    written = notation(game, s, event)
    return written if s.mover == CHANCE else f"{written}{BETWEEN}{explained(game, s, event)}"


class Log:
    """The decisions of a game as viewers are told them. Finding that out takes time, so it is remembered.

    Args:
        session: the game.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told: dict[tuple[Viewer, int], Entry] = {}
        self._openings: dict[Viewer, tuple[str, ...]] = {}

    def opening(self, viewer: Viewer) -> tuple[str, ...]:
        """Chance before the first decision."""
        if viewer not in self._openings:
            self._openings[viewer] = self._session.opening_for(viewer)
        return self._openings[viewer]

    def entries(self, viewer: Viewer, first: int) -> list[Entry]:
        """The decisions from number `first` on."""
        numbers = range(first, len(self._session.actions))
        return [self._entry(viewer, number) for number in numbers]

    def forget(self, first: int) -> None:
        """Decisions from number `first` on have been taken back."""
        self._told = {key: entry for key, entry in self._told.items() if key[1] < first}

    def _entry(self, viewer: Viewer, number: int) -> Entry:
        key = viewer, number
        if key not in self._told:
            session = self._session
            turn = session.turn(number, viewer, in_words)
            if turn.move == HIDDEN:  # but its notation alone may be known
                turn = session.turn(number, viewer)
            move, _, meaning = turn.move.partition(BETWEEN)
            self._told[key] = Entry(session.mover_of(number), move, meaning, turn.chance)
        return self._told[key]
