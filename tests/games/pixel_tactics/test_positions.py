"""The worked positions, a position for each of the 125 effects, and more for single clauses."""

from __future__ import annotations

import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.games.pixel_tactics.cards.cards import EFFECT_IDS

from .positions import EFFECTS, MORE, WORKED, Table, blocks

CASES = [
    pytest.param(lines, id=name, marks=pytest.mark.clause(*clauses))
    for script in (WORKED, EFFECTS, MORE)
    for name, clauses, lines in blocks(script)
]


def test_all_are_there() -> None:
    assert [name for name, *_ in blocks(WORKED)] == [f"W{number:02}" for number in range(1, 72)]
    assert [f"PT-{name}" for name, *_ in blocks(EFFECTS)] == sorted(EFFECT_IDS, key=by_card)


def by_card(effect: str) -> tuple[str, int]:
    """The five effects of a card together, in the order of its rows."""
    return effect[3:6], "VFROL".index(effect[-1])


@pytest.mark.parametrize("mode", [Mode.PLAIN, Mode.COMPILED], ids=lambda mode: mode.value)
@pytest.mark.parametrize("lines", CASES)
def test_position(lines: list[str], mode: Mode) -> None:
    Table(lines[0], mode).run(lines[1:])


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ("= 1.L=Oracle*1", "1.L is Oracle, not Oracle\\*1"),
        ("? only draw: -", "legal are \\['draw'\\]"),
        ("? 1 draw", "the mover is 0"),
        ("> melee L", "'melee L' is not among"),
        ("~ Witch", "no chance event"),
        ("= 0.hand=Witch", "0.hand is set"),
    ],
)
def test_a_wrong_step_is_noticed(step: str, error: str) -> None:
    with pytest.raises(AssertionError, match=error):
        Table("R2 V / 0: L=Berserker / 1: L=Oracle").run([step])
