"""Actions and chance outcomes as text.

Slots are `Va Vb Vc Fa L Fc Ra Rb Rc`, columns `a b c`, the same for both seats; `own` and `foe` are as the
mover sees them. Names of cards have no spaces: `DragonMage`.
"""

from __future__ import annotations

from polytrix.core.bits import nth
from polytrix.core.layout import Block

from .cards.cards import TOKENS, TYPES
from .rules import chance_cards
from .state import COLUMN_NAMES, COLUMNS, ROW_NAMES, SLOT_NAMES, SLOTS, Act, Chance, State


def argument_names(block: Block) -> list[str]:
    """The text after the name of the block, for each of its actions."""
    if block.shape == (TYPES, COLUMNS):
        return [f" {card} {column}" for card in TOKENS for column in COLUMN_NAMES]
    if block.shape == (SLOTS, COLUMNS):
        return [f" {slot} {column}" for slot in SLOT_NAMES for column in COLUMN_NAMES]
    if block.size == SLOTS:
        return [f" {slot}" for slot in SLOT_NAMES]
    if block.size == TYPES:
        return [f" {card}" for card in TOKENS]
    if block.name == "amount":
        return [f" {number}" for number in range(1, block.size + 1)]
    if block.name == "column":
        return [f" {column}" for column in COLUMN_NAMES]
    if block.name == "row":
        return [f" {side} {row}" for side in ("own", "foe") for row in ROW_NAMES]
    return [""]


NAMES = tuple(block.name + argument for block in Act() for argument in argument_names(block))
"""All actions by number; a text means the same action in every position."""


def format_action(s: State, action: int) -> str:
    """The action in notation; it need not be legal."""
    Act().locate(action)
    return NAMES[action]


def format_chance(s: State, outcome: int) -> str:
    """The chance outcome in notation: `top 0 Knight`, the next card of seat 0's deck; `lost 1 Witch` and
    `stolen 1 Witch`, cards of seat 1's hand; `first 1`, the first player.
    """
    if s.chance_kind == Chance.FIRST:
        if not 0 <= outcome < 2:
            raise IndexError(f"outcome {outcome}; the coin has 0 and 1")
        return f"first {outcome}"
    cards = chance_cards(s)
    if not 0 <= outcome < cards.bit_count():
        raise IndexError(f"outcome {outcome}; there are {cards.bit_count()} cards")
    word = {Chance.DECK: "top", Chance.DISCARD: "lost"}.get(s.chance_kind, "stolen")
    return f"{word} {s.chance_seat} {TOKENS[nth(cards, outcome)]}"
