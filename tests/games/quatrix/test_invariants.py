"""Each invariant notices the states and steps that break it: others than those of `broken_positions.txt`.

That all hold in play, the shared tests show.
"""

from __future__ import annotations

from typing import Any

import pytest

from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import board, toggle_disc, toggle_ring
from tests.games.planted import broken, change

from .play import Position, set_board

ROLLED = "red 4-2"
MOVED = f"{ROLLED} Rd1-d5"
TO_ROLL = f"{MOVED} Rc1-c3"
POPPED = "red 6-3 Rd1-d7 Dd1-d4 blue 1-2 Rd11-d10 Rc11-c9 red 6-1 Dd4xd10"


def at(text: str) -> Position:
    """A game after rolls and moves, in which all is well; numbers alone are throws of one die."""
    table = Position()
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
        (ROLLED, share_a_square, BOTH),
        (ROLLED, moved(PIP, (0, 1), (0, 70)), BOTH),  # a pip on blue's start track
        (ROLLED, units((0, 0, 2)), "seven rings"),
        (ROLLED, units((10, 0, 5)), "seven rings"),
        (POPPED, units((0, 0, 2)), "seven rings"),
        (POPPED, units((5, 0, 4)), "seven rings"),
        (ROLLED, units((0, 0, 1)), "seven discs"),
        (ROLLED, units((0, 0, 0), (10, 3, 3), (5, 3, 6)), "nobody is on the enemy start track"),
        (ROLLED, ALL_HOME, "seven pips home"),
    ],
)
def test_a_broken_state_is_noticed(position: str, plant: Any, text: str) -> None:
    s = at(position).state
    plant(s)
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
