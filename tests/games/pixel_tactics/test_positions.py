"""The worked positions, a position for each of the 125 effects, and more for single clauses."""

from __future__ import annotations

import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.games.pixel_tactics.cards.cards import CARDS, OPERATIONS
from polytrix.games.pixel_tactics.cards.effects import Operation
from tests.games.scripts import cases, every_mode

from .positions import EFFECTS, MORE, WORKED, Table, blocks


def test_every_effect_has_a_position() -> None:
    assert {name for name, *_ in blocks(EFFECTS)} == {
        f"{card.code}-{letter}" for card in CARDS for letter in "VFROL"
    }


def test_every_operation_is_one_of_an_effect() -> None:
    assert set(OPERATIONS[..., 0].flat) == set(Operation) == set(range(len(Operation)))


@every_mode
@pytest.mark.parametrize("lines", cases([*blocks(WORKED), *blocks(EFFECTS), *blocks(MORE)]))
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
