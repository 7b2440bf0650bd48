"""Games with chance in the tests' hands, in plain Python or compiled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode, program
from polytrix.core.compile.programs import programs
from polytrix.core.drivers import begin
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, new_records
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.lexicon import WORD

BEGIN = program(begin, GAME.replacements, Mode.PLAIN, "begin")


def word(name: str) -> int:
    """The number of a word of the shipped lexicon."""
    return WORD.tolist().index(name)


def new_game(**options: Any) -> Any:
    """One game before all chance, as an array of one state."""
    states = new_records(1, GAME.state)
    GAME.write_options(states, GAME.options.validate(options))
    BEGIN(states[0])
    return states


def go(states: Any, *actions: int | str, mode: Mode = Mode.PLAIN) -> Any:
    """Carry out actions, by number or in notation, and chance outcomes; the state."""
    for action in actions:
        number = GAME.parse_action(states[0], action) if isinstance(action, str) else action
        programs(GAME, mode).advance(states, np.array([number]))
    return states[0]


def dealt(negater: int = 0, **options: Any) -> Any:
    """A game in which all further chance of the set-up has had outcome 0: all read alike."""
    states = new_game(**options)
    go(states, negater)
    while states[0].mover == CHANCE and states[0].phase == 0:
        go(states, 0)
    return states


def random_states(
    options: Sequence[dict[str, Any]] | dict[str, Any], steps: int, seed: int, games: int = 8
) -> Iterator[Simulator]:
    """Random games side by side, at every step; ended ones are followed by the next."""
    simulator = Simulator(GAME, games, options, seed=seed)
    for _ in range(steps):
        yield simulator
        running = np.flatnonzero(~simulator.over)
        simulator.restart(np.flatnonzero(simulator.over))
        simulator.step(simulator.random_actions(running), running)


def observed(s: Any, seat: int) -> np.ndarray:
    """What a seat sees, by the rule in plain Python."""
    out = np.zeros(GAME.observations.size, np.int8)
    GAME.observe(s, seat, out)
    return out


VARIETY: tuple[dict[str, Any], ...] = (
    {},
    {"players": 3, "acquaintance": 2},
    {"players": 6, "advanced": True, "wavelengths": 2},
    {"players": 5, "ban": "rolled", "domains": 13, "max_turns": 7},
    {"players": 4, "hints": "symbols", "advanced": True, "domains": 32},
    {"players": 3, "hints": "none", "max_decisions": 37},
    {"players": 6, "acquaintance": 0, "max_turns": 3},
    {"players": 5, "advanced": True, "acquaintance": 2, "wavelengths": 2, "domains": 2, "max_decisions": 90},
)
"""Options of eight games that differ in every respect."""
