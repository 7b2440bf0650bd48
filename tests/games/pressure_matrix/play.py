"""Playing games by hand from the deal on, in plain Python; tests choose the chance outcomes."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode, program
from polytrix.core.drivers import advance, begin
from polytrix.core.state import CHANCE, OVER, new_records
from polytrix.games.pressure_matrix import GAME, rules
from polytrix.games.pressure_matrix.notation import legal_ids

BEGIN = program(begin, GAME.replacements, Mode.PLAIN, "begin")
ADVANCE = program(advance, GAME.replacements, Mode.PLAIN, "advance")


def new_game(players: int = 2, **options: Any) -> Any:
    """A game before its deal, as an array of one state."""
    states = new_records(1, GAME.state)
    GAME.options.write(states["options"], GAME.options.validate({"players": players, **options}))
    states["num_players"] = players
    BEGIN(states[0])
    return states


def go(states: Any, *actions: int | str) -> Any:
    """Carry out actions, by number or in notation, and chance outcomes; return the state."""
    for action in actions:
        number = GAME.parse_action(states[0], action) if isinstance(action, str) else action
        ADVANCE(states, np.array([number]))
    return states[0]


def dealt(players: int = 2, **options: Any) -> Any:
    """A game before the bids; all deals have had outcome 0."""
    states = new_game(players, **options)
    while states[0].mover == CHANCE:
        go(states, 0)
    return states


def bid(states: Any, bids: Iterable[int], *dice: int) -> Any:
    """Make all bids and roll the dice of the roll-off; return the state."""
    return go(states, *(f"bid {credits}" for credits in bids), *(pips - 1 for pips in dice))


def play_on(states: Any, choose: random.Random) -> Any:
    """Play at random to the end; return the last state."""
    while states[0].mover != OVER:
        s = states[0]
        go(states, choose.randrange(rules.chance(s)) if s.mover == CHANCE else choose.choice(legal_ids(s)))
    return states[0]
