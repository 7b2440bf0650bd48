"""What games keep secret in a log: enough, and by what the seat knows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

import polytrix
from polytrix.agents import RandomPolicy
from polytrix.core.bounds import entries_of
from polytrix.core.game import Game
from polytrix.core.random import reseed
from polytrix.core.state import CHANCE, Record, RecordArray, Seen, bytes_of, new_records
from polytrix.core.viewers import Viewer
from polytrix.play.known import events, following, may_know, notation
from polytrix.play.session import Session, Turn

HIDING = [game for game in polytrix.all_games() if not game.perfect_information]


def worlds(game: Game, s: Record, viewer: int, tries: int) -> Iterator[Record]:
    """Sampled states that the viewer cannot distinguish from this one."""
    for key in range(tries):
        states = new_records(1, game.state)
        states[0] = s
        reseed(states[0].generator, np.uint64(key))
        game.redeal(states[0], viewer)
        yield states[0]


@cache
def places_seen(game: Game, viewer: int) -> npt.NDArray[np.int64]:
    """The bytes of a record that a seat sees."""
    seen = [
        np.arange(entry.offset, entry.offset + entry.type.itemsize)
        for entry in entries_of(game)
        if entry.seen is Seen.PUBLIC or (entry.seen is Seen.PRIVATE and entry.owner == viewer)
    ]
    return np.concatenate(seen)


def look(game: Game, states: RecordArray, viewer: int) -> tuple[bytes, str]:
    """What a seat sees of a position."""
    return bytes_of(states)[0, places_seen(game, viewer)].tobytes(), game.text(states[0], viewer)


def told(game: Game, world: RecordArray, event: int, viewer: int) -> str | None:
    """The notation of an event if the viewer is told it."""
    return notation(game, world, event, viewer) if may_know(game, world, event, viewer) else None


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_events_that_look_alike_to_a_seat_are_told_alike(game: Game, seed: int) -> None:
    """In all worlds that the seat cannot tell apart, before and after the event."""
    alike = 0

    class Watched(Session):
        def turn(self, number: int, viewer: Viewer) -> Turn:
            nonlocal alike
            happened = self.decision(number).happened
            numbers = [number for _, number in happened]
            for seat in range(min(2, len(self.seats))):
                for i, (s, number) in enumerate(happened[:2]):
                    seen = look(game, following(game, s, numbers[i:]), seat)
                    for world in worlds(game, s, seat, tries=4):
                        for other in events(game, world):
                            if look(game, following(game, world, [other, *numbers[i + 1 :]]), seat) == seen:
                                alike += 1
                                assert told(game, world, other, seat) == told(game, s, number, seat)
            return Turn("", "", ())

    session = Watched(game, game.options.defaults, seed)
    policy = RandomPolicy(game)
    while not session.over and len(session.actions) < 12:
        session.play(session.choose(policy))
    assert alike > 10


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_a_seat_is_told_its_own_actions(game: Game) -> None:
    session = Session(game, game.options.defaults, seed=3)
    assert game.secret is not None
    for _ in range(20):
        s = session.state
        if session.over:
            break
        assert s.mover != CHANCE
        action = session.choose(RandomPolicy(game))
        assert may_know(game, s, action, int(s.mover))
        session.play(action)
