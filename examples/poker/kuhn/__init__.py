"""Kuhn poker (Kuhn 1950): three cards, one round, one bet."""

from __future__ import annotations

import polytrix
from polytrix.core.constants import Constants

from ..game import poker
from ..rules import begin
from ..state import State


class Kuhn(Constants):
    """The numbers of the game."""

    SUITS, ROUNDS, RAISES, BET = 1, 1, 1, 1


def setup(s: State) -> None:
    """PO-01: ante and deck."""
    begin(s, Kuhn.SUITS, Kuhn.ROUNDS, Kuhn.RAISES, Kuhn.BET)


GAME = poker("kuhn_poker", "Kuhn Poker", setup, Kuhn)

polytrix.register(GAME)
