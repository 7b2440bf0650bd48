"""Leduc poker (Southey et al. 2005): six cards, a public one among them, two rounds of two raises."""

from __future__ import annotations

import polytrix
from polytrix.core.constants import Constants

from ..game import poker
from ..rules import begin
from ..state import State


class Leduc(Constants):
    """The numbers of the game."""

    SUITS, ROUNDS, RAISES, BET = 2, 2, 2, 2


def setup(s: State) -> None:
    """PO-01: ante and deck."""
    begin(s, Leduc.SUITS, Leduc.ROUNDS, Leduc.RAISES, Leduc.BET)


GAME = poker("leduc_poker", "Leduc Poker", setup, Leduc)

polytrix.register(GAME)
