"""Games from the deal on, in plain Python, with chance in the tests' hands."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode, program
from polytrix.core.drivers import advance, begin
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER, new_records
from polytrix.games.pressure_matrix import GAME, rules
from polytrix.games.pressure_matrix.notation import legal_ids

BEGIN = program(begin, GAME.replacements, Mode.PLAIN, "begin")
ADVANCE = program(advance, GAME.replacements, Mode.PLAIN, "advance")


def new_game(players: int = 2, **options: Any) -> Any:
    """One game before its deal, as an array of one state."""
    states = new_records(1, GAME.state)
    GAME.options.write(states["options"], GAME.options.validate({"players": players, **options}))
    states["num_players"] = players
    BEGIN(states[0])
    return states


def go(states: Any, *actions: int | str) -> Any:
    """Carry out actions, by number or in notation, and chance outcomes; the state."""
    for action in actions:
        number = GAME.parse_action(states[0], action) if isinstance(action, str) else action
        ADVANCE(states, np.array([number]))
    return states[0]


def dealt(players: int = 2, **options: Any) -> Any:
    """A game in which every deal has brought outcome 0, before the bids."""
    states = new_game(players, **options)
    while states[0].mover == CHANCE:
        go(states, 0)
    return states


def bid(states: Any, bids: Iterable[int], *dice: int) -> Any:
    """All bids, and the pips of the roll-off; the state."""
    return go(states, *(f"bid {credits}" for credits in bids), *(pips - 1 for pips in dice))


def positions(players: int, count: int, seed: int, **options: Any) -> Iterator[Any]:
    """States of compiled random games, the ends included; each is good until the next is asked for."""
    simulator = Simulator(GAME, 8, {"players": players, **options}, seed=seed)
    choose = random.Random(seed)
    for _ in range(count):
        yield simulator.states[choose.randrange(8)]
        running = np.flatnonzero(~simulator.over)
        simulator.restart(np.flatnonzero(simulator.over))
        simulator.step(simulator.random_actions(running), running)


def play_on(states: Any, choose: random.Random) -> Any:
    """Play at random to the end; the last state."""
    while states[0].mover != OVER:
        s = states[0]
        go(states, choose.randrange(rules.chance(s)) if s.mover == CHANCE else choose.choice(legal_ids(s)))
    return states[0]


def met(fits: Callable[[Any], Any], players: int = 3, **options: Any) -> Any:
    """The first state of compiled random games that fits, as an array of one state.

    Args:
        fits: says of an array of states which do.
        players: how many take part.
        options: others.
    """
    simulator = Simulator(GAME, 256, {"players": players, **options}, seed=1)
    for _ in range(3000):
        found = np.flatnonzero(fits(simulator.states) & ~simulator.over)
        if len(found):
            return simulator.states[found[:1]].copy()
        simulator.step(
            simulator.random_actions(np.flatnonzero(~simulator.over)), np.flatnonzero(~simulator.over)
        )
        simulator.restart(np.flatnonzero(simulator.over))
    raise AssertionError("no such state was met")
