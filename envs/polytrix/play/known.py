"""Decides what a viewer of a game may be told about moves and chance outcomes.

A game's notation tells everything, for example which card another seat draws. A player is told only what
follows from the player's own view, a spectator only what every player is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from polytrix.core.bounds import entries_of
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.game import Game
from polytrix.core.notation import ids_of
from polytrix.core.random import reseed
from polytrix.core.state import CHANCE, Record, RecordArray, Seen, bytes_of, new_records
from polytrix.core.viewers import SPECTATOR, Viewer

HIDDEN = "(hidden)"

Event: TypeAlias = "tuple[Record, int]"
"""The state before an event, and an action or chance outcome."""

_TRIES = 8  # number of sampled worlds


def visible_notation(game: Game, happened: Sequence[Event], viewer: Viewer) -> tuple[str, ...]:
    """An action or chance outcome, and the chance outcomes up to the next decision, in notation.

    Those that the viewer may not know are HIDDEN.
    """
    numbers = [number for _, number in happened]
    seats = range(int(happened[0][0].num_players)) if happened and viewer == SPECTATOR else [viewer]
    return tuple(
        notation(game, s, number) if all(may_know(game, s, numbers[i:], seat) for seat in seats) else HIDDEN
        for i, (s, number) in enumerate(happened)
    )


def may_know(game: Game, s: Record, happened: Sequence[int], viewer: int | None) -> bool:
    """Whether a seat may be told the notation of the first event that happened in `s`; None sees everything.

    The others that happened are the chance outcomes up to the next decision.

    A game says so itself (`Game.secret`). In one that does not, a seat may be told if nothing is hidden from
    it, or if the event has the same notation in all sampled worlds that the viewer cannot distinguish from
    this one, before and after the event. The viewer distinguishes states by their text and by the fields that
    are declared as visible to the seat (see `core/state.py`).
    """
    if viewer is None or s.mover == viewer or game.perfect_information:
        return True
    if game.secret is not None:
        return not game.secret(s, happened[0], viewer)
    after = following(game, s, happened)
    if not hides(game, s, viewer) and not hides(game, after[0], viewer):
        return True
    seen, name = game.text(after[0], viewer), notation(game, s, happened[0])
    fields = visible_bytes(game, viewer)
    shown = bytes_of(after)[0, fields]
    for world in (s, *worlds(game, s, viewer)):
        for other in events(game, world):
            if notation(game, world, other) == name:
                continue
            reached = following(game, world, [other, *happened[1:]])
            # texts take much longer to compare
            if (bytes_of(reached)[0, fields] == shown).all() and game.text(reached[0], viewer) == seen:
                return False
    return True


@cache
def visible_bytes(game: Game, viewer: int) -> npt.NDArray[np.int64]:
    """The places, in a record, of the bytes of all fields that are declared as visible to the seat."""
    return np.array(
        [
            at
            for entry in entries_of(game)
            if entry.seen is Seen.PUBLIC or (entry.seen is Seen.PRIVATE and entry.owner == viewer)
            for at in range(entry.offset, entry.offset + entry.type.itemsize)
        ],
        np.int64,
    )


def notation(game: Game, s: Record, event: int) -> str:
    """A chance outcome or action in notation."""
    return game.format_chance(s, event) if s.mover == CHANCE else game.format_action(s, event)


def events(game: Game, s: Record) -> list[int]:
    """All possible next events: legal actions or chance outcomes."""
    if s.mover == CHANCE:
        return list(range(game.chance(s)))
    return ids_of(game.legal, s, game.max_legal)


def following(game: Game, s: Record, happened: Sequence[int]) -> RecordArray:
    """A copy of the state after these events, (1,); chance outcomes that are impossible there are skipped."""
    states = _copy(game, s)
    advance = programs(game, Mode.PLAIN).advance
    advance(states, np.array(happened[:1]))
    for outcome in happened[1:]:
        if states[0].mover == CHANCE and outcome < game.chance(states[0]):
            advance(states, np.array([outcome]))
    return states


def hides(game: Game, s: Record, viewer: int, tries: int = _TRIES) -> bool:
    """Whether the state has anything that is hidden from the viewer, as far as so many deals show."""
    if game.perfect_information:
        return False
    own = s.tobytes()
    for world in worlds(game, s, viewer, tries):
        world["generator"] = s["generator"]
        if world.tobytes() != own:
            return True
    return False


def worlds(game: Game, s: Record, viewer: int, tries: int = _TRIES) -> Iterator[Record]:
    """Sampled states that the viewer cannot distinguish from this one."""
    for key in range(tries):
        states = _copy(game, s)
        reseed(states[0].generator, np.uint64(key))
        game.redeal(states[0], viewer)
        yield states[0]


def _copy(game: Game, s: Record) -> RecordArray:
    states = new_records(1, game.state)
    states[0] = s
    return states
