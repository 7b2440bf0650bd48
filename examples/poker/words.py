"""Actions, cards and positions in words."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER
from polytrix.core.viewers import Viewer

from .rules import card_left, is_shown, winner
from .state import ACTIONS, NONE, State

SEATS = ("first", "second")
NAMES = tuple(block.name for block in ACTIONS)
RANK_NAMES = "JQK"
SUIT_NAMES = "sh"
LEGEND = "For each seat its card, then its chips in the pot. Ranks are J, Q, K; suits are s, h; ? is hidden."


def card_name(s: State, card: int) -> str:
    """A card, such as `Qh`, or `Q` if there is one suit only; `-` for none."""
    if card == NONE:
        return "-"
    rank, suit = divmod(card, s.suits)
    return RANK_NAMES[rank] + (SUIT_NAMES[suit] if s.suits > 1 else "")


def seen_card(s: State, seat: int, viewer: Viewer) -> str:
    """A seat's card, as a viewer sees it."""
    hidden = s.hand[seat] != NONE and viewer is not None and viewer != seat and not is_shown(s)
    return "?" if hidden else card_name(s, int(s.hand[seat]))


def format_action(s: State, action: int) -> str:
    """The action's name.

    Raises:
        IndexError: there is no action of this number.
    """
    if not 0 <= action < len(NAMES):
        raise IndexError(f"action {action} does not exist; allowed: 0..{len(NAMES) - 1}")
    return NAMES[action]


def format_chance(s: State, outcome: int) -> str:
    """The card that is dealt, and to whom."""
    place = next((name for name, card in zip(SEATS, s.hand, strict=True) if card == NONE), "public")
    return f"{place} {card_name(s, card_left(s, outcome))}"


def secret(s: State, event: int, seat: int) -> bool:
    """Whether a seat is not told of a card that is dealt: that of the other seat."""
    receiver = 0 if s.hand[0] == NONE else 1
    return bool(s.mover == CHANCE and s.hand[1] == NONE and receiver != seat)


def rounds_of(s: State) -> list[str]:
    """The actions of each round that has begun."""
    return [
        " ".join(NAMES[action] for action in s.betting[number] if action != NONE)
        for number in range(s.street + 1)
    ]


def status(s: State) -> str:
    """Whose turn it is, or the result."""
    if s.mover == CHANCE:
        return "a card is dealt"
    if s.mover != OVER:
        return f"{SEATS[s.mover]} to move"
    if s.truncated:
        return "truncated"
    seat = winner(s)
    return "the pot is split" if seat == NONE else f"{SEATS[seat]} wins {s.paid[1 - seat]}"


def text(s: State, seat: Viewer) -> str:
    """Cards, chips and betting, for a terminal."""
    lines = [f"{name:<7} {seen_card(s, i, seat):<3} {s.paid[i]:>2}" for i, name in enumerate(SEATS)]
    if s.rounds > 1:
        lines.append(f"public  {card_name(s, s.public)}")
    betting = [f"round {number}: {taken or '-'}" for number, taken in enumerate(rounds_of(s), 1)]
    return "\n".join([*lines, *betting, status(s)])
