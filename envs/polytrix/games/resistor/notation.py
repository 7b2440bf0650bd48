"""Actions and outcomes of chance as text.

Actions have the same names in every position, from the mover's side: positions from the own MainFrame, `o`
for the own hand and `e` for the enemy's, `+` for the left edge of the arrow-up face toward the own MainFrame.

    F3     flip the card at position 3         L4       lock the card at position 4
    D      draw from the deck                  R2       resolve the Resistor at position 2
    Pa Pb  draw from the discards, side a      U K      undo the flip, or keep it
           or b toward the mover
    To1    trash own hand card 1 for the       S3e2-    switch row card 3 and enemy hand card 2,
           drawn one (To2, Te1, Te2 likewise)           which comes to lie turned
    T-     trash the drawn card

Outcomes of chance are card ids with a side: `=17a+` lies in the row with side a up, `+` as Red
sees it; `=17a` comes from the deck with side a toward Red.
"""

from __future__ import annotations

from polytrix.core.viewers import Viewer, side_of

from .deck import CARDS
from .state import ACTIONS, HAND_SIZE, SWITCHES, Phase, State
from .tables import DIAMOND

SIDES = "ab"
SIGNS = "+-"  # lying straight, turned
HAND_LETTERS = "oe"


def format_action(s: State, action: int) -> str:
    """The action in notation, whether or not it is legal here."""
    return action_name(action)


def action_name(action: int) -> str:
    """An action in notation.

    >>> [action_name(action) for action in (2, 7, 14, 38, 86)]
    ['F3', 'D', 'T-', 'S3e2-', 'K']
    """
    block, where = ACTIONS.locate(action)
    first = where[0]
    if block.name == "draw":
        return "D"
    if block.name == "recycle":
        return "P" + SIDES[first]
    if block.name == "trash":
        return "T-" if first == 4 else f"T{HAND_LETTERS[first // 2]}{first % 2 + 1}"
    if block.name == "switch":
        _, hand, slot, turned = where
        return f"S{first + 1}{HAND_LETTERS[hand]}{slot + 1}{SIGNS[turned]}"
    if block.name == "undo":
        return "UK"[first]
    return f"{block.name[0].upper()}{first + 1}"


def as_seen(s: State, action: int, viewer: Viewer) -> int:
    """The action with positions, hands and the arrow as a viewer at the table sees them; None: as the mover."""
    if viewer is None or side_of(viewer) == s.mover:
        return action
    block, (first, *others) = ACTIONS.locate(action)
    elsewhere = s.length - 1 - 2 * first
    if block.name in ("flip", "lock", "resolve"):
        return action + elsewhere
    if block.name == "switch":
        hand, _, turned = others
        return action + SWITCHES * elsewhere + 2 * HAND_SIZE * (1 - 2 * hand) + 1 - 2 * turned
    if block.name == "trash" and first < 2 * HAND_SIZE:
        return action + HAND_SIZE * (1 - 2 * (first // HAND_SIZE))
    return action


def format_chance(s: State, outcome: int) -> str:
    """The card that chance picks, and its orientation or the side that faces Red."""
    number, way = divmod(outcome, 2)
    if s.phase in (Phase.LAY, Phase.TIE):
        card, side = layable(s)[number]
        return f"={card}{SIDES[side]}{SIGNS[way]}"
    return f"={deck_cards(s)[number]}{SIDES[way]}"


def deck_cards(s: State) -> list[int]:
    """The cards in the deck, ascending."""
    return [card for card in range(CARDS) if s.deck >> card & 1]


def layable(s: State) -> list[tuple[int, int]]:
    """Cards in the deck with each of their sides that shows no diamond."""
    return [(card, side) for card in deck_cards(s) for side in range(2) if not DIAMOND[card, side]]
