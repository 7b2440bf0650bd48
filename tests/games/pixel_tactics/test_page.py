"""Parts of README.md beyond the tables that `tests/shared/test_pages.py` compares."""

from __future__ import annotations

from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.cards.cards import (
    CARDS,
    LEADER_LIFE,
    LEADER_STRENGTH,
    LIFE,
    MARKS,
    OPERATIONS,
    STRENGTH,
)
from polytrix.games.pixel_tactics.cards.effects import Mark, Operation
from polytrix.games.pixel_tactics.reading import effect_text
from tests.shared.pages import table


def test_cards() -> None:
    rows = []
    for kind, card in enumerate(CARDS):
        shoots = "*" if MARKS[kind, 4] & Mark.RANGED_LEADER else ""
        numbers = f"{STRENGTH[kind]}/{LIFE[kind]}", f"{LEADER_STRENGTH[kind]}/{LEADER_LIFE[kind]}{shoots}"
        rows.append([str(kind), card.code, card.name, numbers[0], card.leader_name, numbers[1]])
    assert table(GAME, "Cards") == rows


def test_effects() -> None:
    rows = [
        [f"PT-{card.code}-{letter}", effect_text(kind, which), "; ".join(card.effects[which].words)]
        for kind, card in enumerate(CARDS)
        for which, letter in enumerate("VFROL")
    ]
    found = [[cell.strip("`") for cell in row] for row in table(GAME, "Effects")]
    assert found == rows


def test_every_operation_is_one_of_an_effect() -> None:
    assert set(OPERATIONS[..., 0].flat) == set(Operation) == set(range(len(Operation)))
