"""Actions explained in words, and notes."""

from __future__ import annotations

import pytest

from polytrix.games.quatrix import GAME

from .play import Position

LAST_MOVE = """
    10 p p p p p p r
    5 . . . . . . d"""

RED_ZONE, BLUE_ZONE = "Red wins with seven pips in rows 9 to 10.", "Blue wins with seven pips in rows 2 to 3."


@pytest.mark.parametrize(
    ("colour", "picture", "dice", "move", "words"),
    [
        ("red", "1 . . . r . . .", "3-1", "Rd1-d4", "the ring goes 3 forward from d1 to d4"),
        ("red", "1 . . . r . . .", "3-1", "Rd1-e1", "the ring goes 1 right from d1 to e1"),
        ("blue", "11 . . . R . . .", "3-1", "Rd11-c11", "the ring goes 1 right from d11 to c11"),
        ("blue", "11 . . . P . . .", "3-3", "Pd11-a11", "the whole pip goes 3 right from d11 to a11"),
        ("red", "1 . . . p . . .", "3-1", "Rd1-d4", "the ring of the pip goes 3 forward from d1 to d4"),
        (
            "red",
            "8 . . . . r . .\n 5 . . . . d . .",
            "3-1",
            "De5+e8",
            "the disc goes 3 forward from e5 to e8 and joins its ring: a pip",
        ),
        (
            "red",
            "7 . . R . . . .\n 3 . . d . . . .",
            "4-1",
            "Dc3xc7",
            "the disc goes 4 forward from c3 to c7 and pops the enemy ring there",
        ),
        (
            "red",
            LAST_MOVE,
            "5-1",
            "Dg5+g10#",
            "the disc goes 5 forward from g5 to g10 and joins its ring: a pip, which wins the game",
        ),
    ],
)
def test_die_moves(colour: str, picture: str, dice: str, move: str, words: str) -> None:
    s = Position(picture).roll(f"{colour} {dice}").state
    assert GAME.explain is not None
    assert GAME.explain(s, GAME.parse_action(s, move)) == words


def test_where_a_popped_ring_goes_and_what_was_moved_before() -> None:
    table = Position("11 . . . D . . .\n 7 . . R . . . .\n 3 . . d . . . .").roll("red 4-1")
    s = table.state
    assert GAME.explain is not None and GAME.notes is not None
    assert GAME.notes(s, 1) == [BLUE_ZONE, RED_ZONE]
    table.play("Dc3xc7")
    assert GAME.explain(s, GAME.parse_action(s, "@c11")) == "put the popped ring back on c11"
    assert GAME.explain(s, GAME.parse_action(s, "@d11")).endswith("d11, where it makes a pip with its disc")
    assert GAME.notes(s, 1)[2] == "The first die move of this turn: the disc from c3 to c7."


def test_a_roll_that_allows_nothing() -> None:
    s = Position("1 r d . . . . .\n 2 P P . . . . .").state
    assert GAME.explain is not None
    assert GAME.explain(s, 847) == "nothing can be moved: forfeit the roll"


def test_a_zone_of_one_row() -> None:
    s = Position(finish_depth=1).roll("red 3-2").state
    assert GAME.notes is not None
    assert GAME.notes(s, 0) == [
        "Red wins with seven pips in row 10.",
        "Blue wins with seven pips in row 2.",
    ]
