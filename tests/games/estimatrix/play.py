"""Games played by hand: tests choose actions and chance outcomes. In plain Python or compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode, program
from polytrix.core.compile.programs import programs
from polytrix.core.drivers import begin
from polytrix.core.state import CHANCE, new_records
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.lexicon import WORD

BEGIN = program(begin, GAME.replacements, Mode.PLAIN, "begin")


def word(name: str) -> int:
    """The number of a word of the shipped lexicon."""
    return WORD.tolist().index(name)


def new_game(**options: Any) -> Any:
    """A game before all chance events, as an array of one state."""
    states = new_records(1, GAME.state)
    GAME.write_options(states, GAME.options.validate(options))
    BEGIN(states[0])
    return states


def go(states: Any, *actions: int | str, mode: Mode = Mode.PLAIN) -> Any:
    """Carry out actions (numbers or notation) and chance outcomes; returns the state."""
    for action in actions:
        number = GAME.parse_action(states[0], action) if isinstance(action, str) else action
        programs(GAME, mode).advance(states, np.array([number]))
    return states[0]


def dealt(negater: int = 0, **options: Any) -> Any:
    """A game after its set-up. All outcomes after the first one are 0, so all seats read alike."""
    states = new_game(**options)
    go(states, negater)
    while states[0].mover == CHANCE and states[0].phase == 0:
        go(states, 0)
    return states


def observed(s: Any, seat: int) -> np.ndarray:
    """A seat's observation, in plain Python."""
    out = np.zeros(GAME.observations.size, np.int8)
    GAME.observe(s, seat, out)
    return out
