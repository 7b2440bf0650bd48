"""Each invariant notices the states and steps that break it; that all hold in play, the shared tests show."""

from __future__ import annotations

from typing import Any

import pytest

from polytrix.core.state import CHANCE, OVER
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import Phase, board, toggle_disc, toggle_ring
from tests.games.planted import broken, change

from .play import Position, set_board
from .positions import listed

ROLLED = "red 4-2"
MOVED = f"{ROLLED} Rd1-d5"
TO_ROLL = f"{MOVED} Rc1-c3"
ONE_DIE = f"{TO_ROLL} 3"
WON = "won"
POPPED = "red 6-3 Rd1-d7 Dd1-d4 blue 1-2 Rd11-d10 Rc11-c9 red 6-1 Dd4xd10"


def at(text: str) -> Position:
    """A game after rolls and moves, in which all is well; numbers alone are throws of one die."""
    table = Position()
    if text == WON:
        set_board(table.state, listed("red:Pa10,Pb10,Pc10,Pe10,Pf10,Pg10,Pd7 blue:" + BLUE))
        text = "red 3-3 Pd7-d10#"
    words = iter(text.split())
    for word in words:
        if word in ("red", "blue"):
            table.roll(f"{word} {next(words)}")
        elif word.isdigit():
            table.chance(int(word))
        else:
            table.play(word)
    assert not broken(GAME, table.state)
    return table


BLUE = ",".join(f"P{column}11" for column in "abcdefg")


def moved(kinds: tuple[Any, ...], *squares: tuple[int, int]) -> Any:
    """A change of the record: pieces of a seat that appear or go on squares of its own view."""

    def plant(s: Any) -> None:
        for toggle in kinds:
            for seat, square in squares:
                toggle(s, seat, square)

    return plant


def units(*changes: tuple[int, int, int]) -> Any:
    """A change of the record: other units on squares."""

    def plant(s: Any) -> None:
        there = board(s)
        for row, column, unit in changes:
            there[row, column] = unit
        set_board(s, there)

    return plant


def share_a_square(s: Any) -> None:
    moved(DISC, (0, 0), (0, 30))(s)
    moved(RING, (1, 0), (1, 76 - 30))(s)


PIP = (toggle_ring, toggle_disc)
RING, DISC = (toggle_ring,), (toggle_disc,)
BOTH = "no square holds pieces of both colours"
ALL_HOME = units(*((0, column, 0) for column in range(7)), *((9, column, 3) for column in range(7)))


@pytest.mark.clause("QX-04", "QX-05", "QX-08", "QX-12", "QX-64", "QX-80")
@pytest.mark.parametrize(
    ("position", "plant", "text"),
    [
        (ROLLED, {"enemy_ring": {(0, 0): 1 << 30}}, "both seats see the same pieces"),
        (ROLLED, {"enemy_disc": {(1, 1): 1}}, "both seats see the same pieces"),
        (ROLLED, share_a_square, BOTH),
        (ROLLED, moved(PIP, (0, 1), (0, 70)), BOTH),  # a pip on blue's start track
        (ROLLED, units((0, 0, 2)), "seven rings"),
        (ROLLED, units((10, 0, 5)), "seven rings"),
        (POPPED, units((0, 0, 2)), "seven rings"),
        (POPPED, units((5, 0, 4)), "seven rings"),
        (ROLLED, units((0, 0, 1)), "seven discs"),
        (ROLLED, units((0, 0, 0), (10, 3, 3), (5, 3, 6)), "nobody is on the enemy start track"),
        (ROLLED, ALL_HOME, "seven pips home"),
        (WON, {"winner": 1}, "seven pips home"),
        (WON, {"phase": Phase.MOVE}, "the game ends by a win"),
        (WON, {"truncated": 1}, "the game ends by a win"),
        (WON, {"mover": 0}, "the game ends by a win"),
        (ROLLED, {"mover": OVER}, "the game ends by a win"),
        (ROLLED, {"mover": OVER, "truncated": 1}, "the game ends by a win"),
        (ROLLED, {"mover": 1}, "chance is to move before the roll"),
        (ROLLED, {"mover": CHANCE}, "chance is to move before the roll"),
        (TO_ROLL, {"mover": 0}, "chance is to move before the roll"),
        ("6 6", {"mover": 0}, "chance is to move before the roll"),
        (ROLLED, {"dice": 7}, "the dice show"),
        (ROLLED, {"dice": (2, 4)}, "the dice show"),
        (ROLLED, {"dice": (4, 0)}, "the dice show"),
        (ONE_DIE, {"dice": (3, 3)}, "the dice show"),
        (ONE_DIE, {"dice": (7, 0)}, "the dice show"),
        ("6 6", {"dice": (3, 0)}, "the dice show"),
        (ROLLED, {"used": (1, 0)}, "the first die move is recorded"),
        (ROLLED, {"first_to": 9}, "the first die move is recorded"),
        (MOVED, {"first_kind": 0}, "the first die move is recorded"),
        (TO_ROLL, {"used": (0, 1)}, "the first die move is recorded"),
    ],
)
def test_a_broken_state_is_noticed(position: str, plant: Any, text: str) -> None:
    s = at(position).state
    plant(s) if callable(plant) else change(s, plant)
    assert text in broken(GAME, s)


@pytest.mark.clause("QX-08", "QX-62")
@pytest.mark.parametrize(
    ("position", "then", "plant", "text"),
    [
        (TO_ROLL, "3", moved(PIP, (0, 0), (0, 7)), "QX-62"),
        (ROLLED, "Rd1-d5", moved(PIP, (1, 0), (1, 7)), "nobody moves enemy pieces"),
        (ROLLED, "Rd1-d5", moved(RING, (1, 0), (1, 7)), "nobody moves enemy pieces"),
        ("red 4-4 Pd1-d5", "Rd5-d9", {"turn_seat": 0}, "the turn passes"),
        (ROLLED, "", {"turn_seat": 1, "mover": 1}, "the turn passes"),
    ],
)
def test_a_broken_step_is_noticed(position: str, then: str, plant: Any, text: str) -> None:
    before = at(position).state
    s = at(f"{position} {then}").state
    assert not broken(GAME, s, before)
    plant(s) if callable(plant) else change(s, plant)
    assert text in broken(GAME, s, before)
