"""The greedy policy chooses well where the choice is obvious."""

from __future__ import annotations

from pathlib import Path

import pytest

from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.greedy import HABITS
from tests.games.ratings import best

from .positions import Table, placed


def chosen(table: Table, name: str = "greedy") -> set[str]:
    """The actions with the highest rating."""
    return best(GAME, table.s, name)


CASES = Path(__file__).with_name("greedy_positions.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]


@pytest.mark.parametrize("case", CASES)
def test_choices(case: str) -> None:
    position, _, expected = case.partition("\n! ")
    assert chosen(placed(position)) == set(expected.split(", "))


BOTH = "R2 V / 0: L=Knight Va=Gunner hand=Witch,Oracle / 1: L=Scientist*13 Va=Healer Vb=Fighter Fa=Mystic"
POWER = "R2 R / 0: L=Knight Va=Fighter Ra=Assassin / 1: L=Scientist*14 Va=Witch"
ORDER = "R1 V / 0: L=Knight hand=Pyromancer deck=- / 1: L=Healer Va=Oracle Vb=Pyromancer Vc=Gunner"
DOWN = "R2 V / 0: L=Knight Va=x.Witch Vb=x.Gunner Vc=x.Oracle deck=- hand=Witch / 1: L=Healer"
RECRUIT = "R1 F / 0: L=Knight hand=Assassin deck=- / 1: L=Healer"
WEAK_HERO = "R2 V / 0: L=Knight Va=Oracle / 1: L=Healer Va=Oracle*2 Vc=Knight\n> melee Va"
WEAK_LEADER = "R2 V / 0: L=Knight Va=Oracle / 1: L=Healer*14 Va=Oracle*2 Vc=Knight\n> melee Va"


@pytest.mark.parametrize(
    ("habit", "position", "by_greedy", "expected"),
    [
        ("contrary", BOTH, "ranged Va", {"pass", "order Witch"}),
        ("melee-only", BOTH, "ranged Va", {"melee Va"}),
        ("melee-only", POWER, "power Ra", {"draw"}),
        ("no-orders", ORDER, "order Pyromancer", {"recruit Pyromancer b"}),
        ("draws-first", BOTH, "ranged Va", {"draw"}),
        ("recruits-first", BOTH, "ranged Va", {"recruit Witch b"}),
        ("attacks-leader", WEAK_HERO, "foe Va", {"foe L"}),
        ("never-clears", DOWN, "clear Vb", {"pass", "order Witch"}),
        ("unseen-spares-leader", WEAK_LEADER, "foe L", {"foe Va"}),
        ("unseen-orders-first", BOTH, "ranged Va", {"order Oracle"}),
        ("unseen-left-column", RECRUIT, "recruit Assassin c", {"recruit Assassin a"}),
    ],
)
def test_choices_by_habit(habit: str, position: str, by_greedy: str, expected: set[str]) -> None:
    """Where greedy makes another choice; elsewhere the habit is greedy."""
    assert by_greedy in chosen(placed(position))
    assert chosen(placed(position), habit) == expected


@pytest.mark.parametrize("habit", HABITS[1:])
def test_a_habit_is_greedy_where_it_has_no_say(habit: str) -> None:
    others = {"melee-only": ORDER, "no-orders": BOTH, "draws-first": ORDER, "recruits-first": POWER,
              "unseen-orders-first": POWER}.get(habit, BOTH)  # fmt: skip
    assert chosen(placed(others), habit) == chosen(placed(others))
