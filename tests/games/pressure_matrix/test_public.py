"""Public fields are seen: states that differ only in one of them look different to every seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polytrix.core.bits import lowest
from polytrix.core.state import Seen
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.state import FIELDS, Phase, Window, blackouts
from polytrix.games.pressure_matrix.tiles import FACE_AMOUNT, FACE_CODE

from .random_positions import met

NEVER_ALONE = {
    "up": "faces that are not on the table are in `unseen`",
    "reverse": "the same",
    "runner": "the same squares are in `occupied`",
    "hand": "five markers in all",
    "discarded": "five markers in all",
}
"""Public fields that cannot change alone, and why."""


def change_a_node(s: Any) -> None:
    """Black out a node that nothing pending depends on."""
    square = next(
        q
        for q in range(8, -1, -1)
        if blackouts(s, q) > 0 and blackouts(s, q).bit_count() < 3 and q != s.runner[0]
    )
    s.black[0] |= 1 << 4 * square + lowest(~blackouts(s, square))


def change_a_marker(s: Any) -> None:
    """Move a marker to another special node for use before the roll."""
    free = int(s.control[0, 0]) & ~sum(int(nodes[0]) for nodes in s.marker)
    seat = next(p for p in range(2) if p != s.active and int(s.marker[p, 0]))
    s.marker[seat, 0] ^= int(s.marker[seat, 0]) & -int(s.marker[seat, 0]) | free & -free


def set_field(name: str, value: Callable[[Any], Any]) -> Callable[[Any], None]:
    def change(s: Any) -> None:
        s[name] = value(s)

    return change


def lower_a_bid(s: Any) -> None:
    s.bid[(s.first + 1) % 4] -= 1


def quiet(states: Any) -> Any:
    return states["phase"] == Phase.BEFORE_ROLL


def at_node(states: Any) -> Any:
    return (states["phase"] == Phase.GIVE) & (states["node_square"] >= 0)


def under_theft(states: Any) -> Any:
    return (states["phase"] == Phase.SHIELD) & (states["window"] == Window.WIN)


def another(s: Any) -> Any:
    """A seat of four that neither steals nor is stolen from."""
    return next(p for p in range(4) if p not in (s.thief, s.victim))


ALONE: dict[str, tuple[Callable[[Any], Any], int, Callable[[Any], None]]] = {
    "black": (lambda s: quiet(s) & (s["decisions"] > 20) & (s["control"][:, 4, 0] == 0), 2, change_a_node),
    "marker": (
        lambda s: (
            quiet(s)
            & (s["marker"][np.arange(len(s)), 1 - s["active"] % 2, 0] > 0)
            & (s["control"][:, 0, 0] > 0)
        ),
        2,
        change_a_marker,
    ),
    "bid": (lambda s: quiet(s) & (s["bid"][np.arange(len(s)), (s["first"] + 1) % 4] > 0), 4, lower_a_bid),
    "first": (
        lambda s: quiet(s) & (s["bid"][:, 0] == s["bid"][:, 1]) & (s["first"] < 2),
        2,
        set_field("first", lambda s: 1 - s.first),
    ),
    "level": (quiet, 3, set_field("level", lambda s: (s.level + 1) % 3)),
    "forced": (quiet, 3, set_field("forced", lambda s: s.forced + 1)),
    "adjust": (quiet, 3, set_field("adjust", lambda s: s.adjust + 1)),
    "movement": (
        lambda s: (
            (s["phase"] == Phase.NODE)
            & (s["rolled"] == 3)
            & (s["dice"][:, 0] != s["dice"][:, 1])
            & (s["adjust"] == 0)
        ),
        3,
        set_field("movement", lambda s: s.dice[0] if s.movement != s.dice[0] else s.dice[1]),
    ),
    "active": (quiet, 3, set_field("active", lambda s: (s.active + 1) % 3)),
    "phase": (quiet, 3, set_field("phase", lambda s: Phase.FAIL)),
    "code": (at_node, 3, set_field("code", lambda s: s.code - 1)),
    "amount": (at_node, 3, set_field("amount", lambda s: s.amount - 1)),
    "node_square": (at_node, 3, set_field("node_square", lambda s: (s.node_square + 1) % 15)),
    "node_place": (at_node, 3, set_field("node_place", lambda s: (s.node_place + 1) % 4)),
    "filled": (at_node, 3, set_field("filled", lambda s: 1 - s.filled)),
    "again": (at_node, 3, set_field("again", lambda s: 1 - s.again)),
    "won": (at_node, 3, set_field("won", lambda s: s.won + 1)),
    "thief": (under_theft, 4, set_field("thief", another)),
    "victim": (under_theft, 4, set_field("victim", another)),
    "stake": (under_theft, 4, set_field("stake", lambda s: s.stake + 1)),
    "window": (under_theft, 4, set_field("window", lambda s: Window.FULL)),
    "left": (
        lambda s: s["phase"] == Phase.DIVIDE,
        3,
        set_field("left", lambda s: s.left + np.eye(5, dtype=np.uint8)[(s.active + 1) % 3]),
    ),
    "declared": (
        lambda s: (s["phase"] == Phase.WINDOW) & (s["window"] == Window.WIN) & (s["asked"] == 2),
        4,
        set_field("declared", lambda s: np.eye(5, dtype=np.uint8)[(s.active + 1) % 4]),
    ),
    "teleported": (
        lambda s: (s["phase"] == Phase.TELEPORT) & (s["node_square"] >= 0),
        3,
        set_field("teleported", lambda s: (s.teleported + 1) % 3),
    ),
}
"""For all others: the states where it can change, the number of players, and the change."""


@pytest.mark.parametrize("name", ALONE)
def test_a_public_field_that_differs_is_seen(name: str) -> None:
    where, players, change = ALONE[name]
    s = met(where, players)[0]
    other = s.copy()
    change(other)
    assert GAME.check(s, s) == 0 and GAME.check(other, other) == 0
    assert {field for field in GAME.state.names or () if (s[field] != other[field]).any()} == {name}
    for seat in range(players):
        if name != "bid" or s.bid[seat] != other.bid[seat]:
            assert seen(s, seat) != seen(other, seat), seat


def seen(s: Any, seat: int) -> bytes:
    """The observation of a seat."""
    out = np.zeros(GAME.observations.size, np.int8)
    GAME.observe(s, seat, out)
    return out.tobytes()


def test_own_bids_are_seen_at_once() -> None:
    s = met(lambda s: (s["phase"] == Phase.BID) & (s["mover"] == 2), 4)[0]
    other = s.copy()
    other.bid[1] = (s.bid[1] + 1) % 6
    assert [seen(s, seat) != seen(other, seat) for seat in range(4)] == [False, True, False, False]


def test_credits_are_told_apart_up_to_127() -> None:
    """Credits are public by the rules, but observations show them only up to 127."""
    s = met(quiet, 2)[0]
    s.decisions = 100
    looks = set()
    for credits in range(200):
        s.credits[1] = credits
        assert GAME.check(s, s) == 0
        looks.add(seen(s, 0))
    assert len(looks) == 128


def test_every_public_field_is_accounted_for() -> None:
    public = {field.name for field in FIELDS if field.seen is not Seen.IN_PART}
    assert public == set(ALONE) | set(NEVER_ALONE) and not set(ALONE) & set(NEVER_ALONE)


def test_no_face_of_the_shipped_set_has_two_equal_nodes() -> None:
    for codes, amounts in zip(FACE_CODE.tolist(), FACE_AMOUNT.tolist(), strict=True):
        assert len(set(zip(codes, amounts, strict=True))) == 4
