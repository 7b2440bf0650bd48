"""What viewers are told about decisions, in notation and words, and how they see the positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import numpy as np

from polytrix.core.game import Game
from polytrix.core.records import as_records
from polytrix.core.state import Record
from polytrix.core.viewers import Viewer
from polytrix.core.words import explained
from polytrix.drawing import Picture

from .known import HIDDEN
from .session import Session

REMEMBERED = 256
"""Drawings of all tables. Each viewer needs the present one, and the one since the viewer's own move."""


def drawing_of(game: Game, s: Record, viewer: Viewer, *, narrow: bool = False) -> Picture:
    """A position as a viewer sees it. Drawing takes time, so the last ones are remembered.

    Args:
        game: the game.
        s: the position.
        viewer: who looks at it.
        narrow: whether for a narrow place, if the game draws that.
    """
    return _draw(game, s.tobytes(), viewer, narrow)


@lru_cache(maxsize=REMEMBERED)
def _draw(game: Game, state: bytes, viewer: Viewer, narrow: bool) -> Picture:
    draw = (game.draw_narrow if narrow else None) or game.draw
    drawing: Picture = draw(as_records(np.frombuffer(state, game.state).copy())[0], viewer)
    return drawing


@dataclass(frozen=True)
class Entry:
    """A decision.

    Attributes:
        seat: number of the seat that made it.
        move: in notation, or HIDDEN.
        chance: what the dice, cards, ... that followed did, line by line; in notation if it has no `tell`.
        words: what the decision did, line by line.
    """

    seat: int
    move: str
    chance: Sequence[str]
    words: Sequence[str]


def meaning(game: Game, s: Record, action: int, viewer: Viewer) -> str:
    """What an action does, as far as a viewer who is told its notation may know.

    The full explanation is for the mover: it may tell what the mover knows. Others get it if the game hides
    nothing, and else what all actions of this kind do.
    """
    if viewer is None or viewer == s.mover or not game.hides:
        return explained(game, s, action)
    return game.actions.locate(action)[0].meaning


def count_repeats(lines: Sequence[str]) -> tuple[str, ...]:
    """Lines, with equal neighbours as one.

    >>> count_repeats(["plays an order", "draws a card", "draws a card"])
    ('plays an order', 'draws a card (2 times)')
    """
    runs = [(line, len(list(same))) for line, same in groupby(lines)]
    return tuple(line if count == 1 else f"{line} ({count} times)" for line, count in runs)


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
            session = self._session
            told = self._told_of(session.opening_steps(), viewer)
            self._openings[viewer] = session.opening_for(viewer) if told is None else told
        return self._openings[viewer]

    def entries(self, viewer: Viewer, first: int) -> list[Entry]:
        """The decisions from number `first` on."""
        numbers = range(first, len(self._session.actions))
        return [self._entry(viewer, number) for number in numbers]

    def touched_places(self, viewer: Viewer, first: int) -> list[tuple[str, ...]]:
        """For each decision from number `first` on, the places that it touched and the viewer sees."""
        return [self._touched(viewer, number) for number in range(first, len(self._session.actions))]

    def _touched(self, viewer: Viewer, number: int) -> tuple[str, ...]:
        game, decision = self._session.game, self._session.decision(number)
        if game.touch is None or not game.shows(viewer) or self._entry(viewer, number).move == HIDDEN:
            return ()
        seen = drawing_of(game, decision.states[0], game.eyes(viewer)).places
        return tuple(name for name in game.touch(decision.states[0], decision.action) if name in seen)

    def forget(self, first: int) -> None:
        """Decisions from number `first` on have been taken back."""
        self._told = {key: entry for key, entry in self._told.items() if key[1] < first}

    def _entry(self, viewer: Viewer, number: int) -> Entry:
        key = viewer, number
        if key not in self._told:
            turn, decision = self._session.turn(number, viewer), self._session.decision(number)
            made, *followed = self._session.steps(number)
            words, chance = self._told_of([made], viewer), self._told_of(followed, viewer)
            if words is None or chance is None:
                hidden, game = turn.move == HIDDEN, self._session.game
                words = () if hidden else (meaning(game, decision.states[0], decision.action, viewer),)
                chance = turn.chance
            self._told[key] = Entry(decision.seat, turn.move, chance, words)
        return self._told[key]

    def _told_of(self, steps: Sequence[tuple[Record, int, Record]], viewer: Viewer) -> tuple[str, ...] | None:
        """What a game says of events; None if it says nothing of any."""
        tell = self._session.game.tell
        if tell is None:
            return None
        return count_repeats([line for step in steps for line in tell(*step, viewer)])
