"""The record of a game of poker, and the layouts of actions and observations.

Kuhn and Leduc poker are one game with different numbers: `suits`, `rounds`, `raises` and `bet`. They are fields
of the record, so that both games have the same rules. A card is a number from 0: its rank times the number of
suits, plus its suit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from polytrix.core.layout import Block, Layout, block
from polytrix.core.state import Array, Field, Record, Seen, field, fields_of

RANKS = 3
"""Jack, queen and king."""
NONE = -1
"""In place of a card, an action or a seat."""


class Act(Layout):
    """What a seat can do."""

    FOLD = block(meaning="give up the pot")
    CALL = block(meaning="pay what the other seat has paid; where nothing is to be paid, a check")
    RAISE = block(meaning="pay more than the other seat; the first raise of a round is a bet")


ACTIONS = Act()
CHOICES = ACTIONS.size


class State(Record):
    """The state of one game."""

    suits: int = field(np.int8, 1, 2)
    rounds: int = field(np.int8, 1, 2)  # of betting; a public card is dealt before the second one
    raises: int = field(np.int8, 1, 2)  # the most in a round
    bet: int = field(np.int8, 1, 2)  # chips that a raise adds in the first round; twice as many in the second

    hand: Array = field(np.int8, NONE, 5, shape=2, seen=Seen.PRIVATE)  # [seat]: its card
    public: int = field(np.int8, NONE, 5)  # card
    street: int = field(np.int8, 0, 1)  # the round of betting, from 0
    taken: int = field(np.int8, 0, 4)  # actions in it
    raised: int = field(np.int8, 0, 2)  # raises in it
    betting: Array = field(np.int8, NONE, Act.RAISE, shape=(2, 4))  # [street, number]: actions
    paid: Array = field(np.int8, 1, 13, shape=2)  # [seat]: its chips in the pot
    folded: int = field(np.int8, NONE, 1)  # seat


def fields(numbers: Mapping[str, int]) -> list[Field]:
    """The fields of the record; those that are numbers of the game have this one value."""
    return [
        replace(each, low=numbers[each.name], high=numbers[each.name]) if each.name in numbers else each
        for each in fields_of(State)
    ]


def longest_round(raises: int) -> int:
    """The most actions in a round: a check, all raises, and a call."""
    return raises + 2


def observations(suits: int, rounds: int, raises: int) -> Layout:
    """The layout of a game's observations; `observe` writes them in this order."""
    cards = (RANKS, suits)
    public = [Block("public", cards, "the public card")] if rounds > 1 else []
    betting = (rounds, longest_round(raises), CHOICES)
    return Layout(
        Block("begins", (1,), "whether the viewer is the first seat"),
        Block("own", cards, "the viewer's card: jack, queen, king"),
        Block("other", cards, "the other seat's card, after a showdown"),
        *public,
        Block("betting", betting, "the actions of each round, in order: fold, call, raise"),
    )
