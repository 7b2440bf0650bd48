"""Decides what a viewer of a game may be told about moves and chance outcomes.

A game's notation tells everything, for example which card another seat draws. A player is told only what
follows from the player's own view, a spectator only what every player is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.game import Game
from polytrix.core.state import CHANCE, Record, RecordArray, new_records
from polytrix.core.viewers import SPECTATOR, Viewer

HIDDEN = "(hidden)"

Event: TypeAlias = "tuple[Record, int]"
"""The state before an event, and an action or chance outcome."""


def visible_notation(game: Game, happened: Sequence[Event], viewer: Viewer) -> tuple[str, ...]:
    """An action or chance outcome, and the chance outcomes up to the next decision, in notation.

    Those that the viewer may not know are HIDDEN.
    """
    seats = range(int(happened[0][0].num_players)) if happened and viewer == SPECTATOR else [viewer]
    return tuple(
        notation(game, s, number, viewer) if all(may_know(game, s, number, seat) for seat in seats) else HIDDEN
        for s, number in happened
    )


def may_know(game: Game, s: Record, event: int, viewer: int | None) -> bool:
    """Whether a seat may be told the notation of an event that happened in `s`; None sees everything.

    A game that hides something says so itself (`Game.secret`). If it does not, a seat is told its own actions.
    """
    if viewer is None or s.mover == viewer or not game.hides:
        return True
    return game.secret is not None and not game.secret(s, event, viewer)


def notation(game: Game, s: Record, event: int, viewer: Viewer) -> str:
    """A chance outcome or action in notation, as a viewer reads it."""
    if s.mover == CHANCE:
        return game.format_chance(s, event)
    return game.format_action(s, event if game.as_seen is None else game.as_seen(s, event, viewer))


def events(game: Game, s: Record) -> list[int]:
    """All possible next events: legal actions or chance outcomes."""
    if s.mover == CHANCE:
        return list(range(game.chance(s)))
    return game.legal_ids(s)


def following(game: Game, s: Record, happened: Sequence[int]) -> RecordArray:
    """A copy of the state after these events, (1,); chance outcomes that are impossible there are skipped."""
    states = new_records(1, game.state)
    states[0] = s
    advance = programs(game, Mode.PLAIN).advance
    advance(states, np.array(happened[:1]))
    for outcome in happened[1:]:
        if states[0].mover == CHANCE and outcome < game.chance(states[0]):
            advance(states, np.array([outcome]))
    return states
