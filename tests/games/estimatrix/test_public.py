"""Public fields show in observations: a state that differs in one public field looks different."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, Seen
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.state import Phase

from .play import observed

NEVER_ALONE = {
    "phase": "ban, hint and dice say it too",
    "kvanter": "he is asked, or the first or last to set his die",
    "pair": "it is there twice",
    "echo": "it sums up readings and `known`",
    "clash": "likewise",
}
"""Public and private fields that cannot change alone, and why."""


def met(fits: Callable[[Any], Any], **options: Any) -> Any:
    """The first state of random games that fits; `fits` takes an array of states and returns a mask."""
    simulator = Simulator(GAME, 64, {"players": 4, **options}, seed=3)
    for _ in range(400):
        found = np.flatnonzero(fits(simulator.states))
        if len(found):
            return simulator.states[found[0]].copy()
        running = np.flatnonzero(~simulator.over)
        simulator.restart(np.flatnonzero(simulator.over))
        simulator.step(simulator.random_actions(running), running)
    raise AssertionError("no such state was met")


def later(states: Any) -> Any:
    """A ban is asked for, and some turns have been played."""
    return (states["phase"] == Phase.BAN) & (states["turn"] > 5)


def other_colour(colour: int, *, first: int = 0, without: tuple[int, ...] = ()) -> int:
    return next(c for c in range(first, first + 6) if c != colour and c not in without)


def a_word(s: Any) -> int:
    """A word that has been a hint and is not introduced."""
    return next(v for v in range(48) if s.said[v] and v % 8 < 7)


def change_known(s: Any) -> None:
    """Change the die of a seat that did not give the hint. (With symbols no evidence depends on it.)"""
    word = a_word(s)
    seat = next(p for p in range(4) if p != s.said_by[word] - 1)
    s.known[seat, word] = other_colour(s.known[seat, word], first=1, without=(s.known_ban[word],))


def change_the_ban(s: Any) -> None:
    word = a_word(s)
    s.known_ban[word] = other_colour(s.known_ban[word], first=1, without=tuple(s.known[:4, word]))


def introduced_word(s: Any) -> int:
    """An introduced word that has been a hint: its dice are not remembered."""
    return next(v for v in range(48) if s.said[v] and v % 8 == 7)


def change_said(s: Any) -> None:
    word = introduced_word(s)
    s.said[word] = other_colour(s.said[word], first=1)


def change_said_by(s: Any) -> None:
    word = introduced_word(s)
    s.said_by[word] = s.said_by[word] % 4 + 1


def set_field(name: str, value: Callable[[Any], Any]) -> Callable[[Any], None]:
    def change(s: Any) -> None:
        s[name] = value(s)

    return change


ALONE: dict[str, tuple[Callable[[Any], Any], dict[str, Any], Callable[[Any], None]]] = {
    "negater": (
        later,
        {},
        set_field("negater", lambda s: next(p for p in range(4) if p not in (s.kvanter, s.negater))),
    ),
    "banned": (
        lambda s: s["phase"] == Phase.HINT,
        {},
        set_field("banned", lambda s: other_colour(s.banned)),
    ),
    "hint": (lambda s: s["phase"] == Phase.DIE, {}, set_field("hint", lambda s: (s.hint + 1) % 48)),
    "waited": (
        lambda s: (s["phase"] == Phase.DIE) & (s["mover"] == OVER) & (s["die"] < 0).all(axis=1),
        {"max_decisions": 10},
        set_field("waited", lambda s: 1 - s.waited),
    ),
    "die": (
        lambda s: (s["phase"] == Phase.DIE) & (s["die"][:, 1] >= 0),
        {},
        lambda s: s.die.__setitem__(1, other_colour(s.die[1], without=(s.banned,))),
    ),
    "known": (lambda s: later(s) & (s["said"] > 0).any(axis=1), {"hints": "symbols"}, change_known),
    "known_ban": (later, {"hints": "symbols"}, change_the_ban),
    "said": (lambda s: later(s) & (s["said"][:, 7::8] > 0).any(axis=1), {}, change_said),
    "said_by": (lambda s: later(s) & (s["said"][:, 7::8] > 0).any(axis=1), {}, change_said_by),
    "last_die": (later, {}, lambda s: s.last_die.__setitem__(2, other_colour(s.last_die[2]))),
    "last_kvanter": (
        later,
        {},
        set_field(
            "last_kvanter", lambda s: next(p for p in range(4) if p not in (s.last_kvanter, s.last_negater))
        ),
    ),
    "last_negater": (
        later,
        {},
        set_field(
            "last_negater", lambda s: next(p for p in range(4) if p not in (s.last_kvanter, s.last_negater))
        ),
    ),
}
"""For all other fields: in which states, with which options, and how they can change."""


@pytest.mark.parametrize("name", ALONE)
def test_a_public_field_that_differs_is_seen(name: str) -> None:
    where, options, change = ALONE[name]
    s = met(where, **options)
    other = s.copy()
    change(other)
    assert GAME.check(s, s) == 0 and GAME.check(other, other) == 0
    assert {field for field in GAME.state.names or () if (s[field] != other[field]).any()} == {name}
    for seat in [1] if name == "die" else range(4):
        assert (observed(s, seat) != observed(other, seat)).any(), seat


def test_every_public_field_is_accounted_for() -> None:
    seen = {field.name for field in GAME.fields if field.seen is not Seen.IN_PART}
    assert seen == set(ALONE) | set(NEVER_ALONE) and not set(ALONE) & set(NEVER_ALONE)


def test_turns_are_told_apart_while_127_or_fewer_are_left() -> None:
    """The only field that is public by the rules and partly shown: of earlier turns, whether they are even."""
    s = met(later, max_turns=1000)
    looks = set()
    for turn in range(800, 1001):
        s.turn = turn
        assert GAME.check(s, s) == 0
        looks.add(observed(s, 0).tobytes())
    assert len(looks) == 128
