"""The features that steps show."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.games.quatrix.features import FEATURES, cover

from .play import Position


def shown(table: Position, action: str) -> set[str]:
    """The features that an action in notation shows."""
    before = table.state.copy()
    seen = np.zeros(len(FEATURES), np.int64)
    cover(before, table.play(action).state, seen)
    assert seen.max() <= 1
    return {feature for feature, count in zip(FEATURES, seen, strict=True) if count}


def thrown(table: Position, *numbers: int) -> set[str]:
    """The features that the last of these dice shows."""
    table.chance(*numbers[:-1])
    before = table.state.copy()
    seen = np.zeros(len(FEATURES), np.int64)
    cover(before, table.chance(numbers[-1]).state, seen)
    return {feature for feature, count in zip(FEATURES, seen, strict=True) if count}


def test_dice() -> None:
    assert thrown(Position(), 3, 4, 2, 5) == {"tie in the opening roll"}
    table = Position()
    assert thrown(table, 6, 4, 2, 5) == set()
    assert thrown(table, 3, 3) == {"doubles"}
    assert thrown(Position().chance(6, 6, 1, 1), 3, 4) == set()


def test_moves_from_the_start() -> None:
    table = Position().roll("red 4-2")
    assert shown(table, "Rd1-d5") == set()
    assert shown(table, "Rd5-d7") == {"one unit goes straight on with both dice"}
    table = Position().roll("red 4-2").play("Rd1-d5")
    assert shown(table, "Rd5-b5") == {"one unit turns with both dice"}
    table = Position().roll("red 3-2").play("Rd1-d4")
    assert shown(table, "Rb1+d1") == {"a ring joins a disc"}
    table = Position().roll("red 4-4")
    assert shown(table, "Pd1-d5") == {"a pip moves as a unit"}
    assert shown(table, "Rd5-d9") == {"one unit goes straight on with both dice"}
    table = Position().roll("red 4-4").play("Rd1-d5")
    assert shown(table, "Pa1-a5") == {"a pip moves as a unit"}


def test_a_pop_and_the_return() -> None:
    table = Position("""
        11 R R R R R . .
        6 . . . R . . .
        4 . . . d . . .""").roll("red 2-1")
    assert shown(table, "Dd4xd6") == {"a ring is popped"}
    assert shown(table, "@f11") == {"a popped ring comes back"}
    table = (
        Position("""
        11 . . D . . . .
        6 . . . R . . .
        4 . . . d . . .""")
        .roll("red 2-1")
        .play("Dd4xd6")
    )
    assert shown(table, "@c11") == {"a popped ring comes back", "a popped ring comes back as part of a pip"}
    table = Position(
        """
        6 . . . R . . .
        4 . . . d . . .""",
        max_decisions=1,
    ).roll("red 2-1")
    assert shown(table, "Dd4xd6") == {
        "a ring is popped",
        "truncated",
        "truncated before a popped ring comes back",
    }


def test_forfeits() -> None:
    picture = """
        10 . . . r . . .
        5 . . . D . . .
        4 . . . {} . . ."""
    table = Position(picture.format("D")).roll("red 6-5")
    assert shown(table, "pass") == {"a die is forfeited"}
    table = Position(picture.format(".").replace("D", ".")).roll("red 6-5")
    assert shown(table, "Rd10-d5") == {"a die is forfeited"}


@pytest.mark.parametrize(
    ("loser", "odds"), [("5 . . . P . . .", 1), ("9 . . . D . . .", 2), ("11 P . . . . . .", 3)]
)
def test_home_and_wins(loser: str, odds: int) -> None:
    table = Position(f"""
        {loser}
        10 p p p p p p .
        8 . . . . . . r
        7 . . . . . . d""").roll("red 2-1")
    assert shown(table, "Dg7+g8") == {"a disc joins a ring"}
    table = Position(f"""
        {loser}
        10 p p p p p p r
        8 . . . . . . d""").roll("red 2-1")
    assert shown(table, "Dg8+g10#") == {
        "a disc joins a ring",
        "a pip comes home",
        "a win with a die unused",
        f"a win with odds {odds}",
    }


def test_leaving_home() -> None:
    table = Position("10 p . . . . . .").roll("red 2-1")
    assert shown(table, "Ra10-a9") == {"a home pip is left or taken apart"}
