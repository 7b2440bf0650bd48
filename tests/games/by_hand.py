"""Games that a test sets up and plays by hand: it chooses actions and chance outcomes."""

from __future__ import annotations

from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE


class ByHand:
    """One game, in plain Python or compiled; the tables of the games' positions are derived from it.

    Args:
        game: the game.
        mode: how the rules are run.
        seed: of the game.
        options: of the game.
    """

    def __init__(self, game: Game, mode: Mode, seed: int = 0, **options: Any) -> None:
        self.game = game
        self.simulator = Simulator(game, options=options, seed=seed, mode=mode)
        self.programs = programs(game, mode)

    @property
    def state(self) -> Any:
        return self.simulator.states[0]

    def set_up(self) -> None:
        """Go to the opening position, before all chance events; the options stay."""
        s = self.state
        s.decisions, s.truncated, s.mover = 0, 0, CHANCE
        self.game.setup(s)

    def advance(self, number: int) -> None:
        """Carry out an action or a chance outcome."""
        self.programs.advance(self.simulator.states, np.array([number]))

    def act(self, action: str) -> None:
        """Carry out an action in notation; it must be legal and named exactly so."""
        assert action in self.legal, f"{action!r} is not among {sorted(self.legal)}"
        self.advance(self.game.parse_action(self.state, action))

    @property
    def legal_ids(self) -> list[int]:
        """The legal actions by the mask, which must agree with the list."""
        self.simulator.refresh()
        ids: list[int] = np.flatnonzero(self.simulator.mask[0]).tolist()
        assert ids == self.simulator.legal_ids[0, : self.simulator.num_legal[0]].tolist()
        return ids

    @property
    def legal(self) -> set[str]:
        """The legal actions in notation."""
        return {self.game.format_action(self.state, action) for action in self.legal_ids}


def observed(game: Game, s: Any, seat: int) -> np.ndarray:
    """A seat's observation, in plain Python."""
    out = np.zeros(game.observations.size, np.int8)
    game.observe(s, seat, out)
    return out


def new_game(game: Game, **options: Any) -> Any:
    """A game before all chance events, as an array of one state."""
    return game.opening(game.options.validate(options))


def go(game: Game, states: Any, *actions: int | str, mode: Mode = Mode.PLAIN) -> Any:
    """Carry out actions (numbers or notation) and chance outcomes; returns the state."""
    for action in actions:
        number = game.parse_action(states[0], action) if isinstance(action, str) else action
        programs(game, mode).advance(states, np.array([number]))
    return states[0]


def dealt(game: Game, **options: Any) -> Any:
    """A game at its first decision; all chance events before it have had outcome 0."""
    states = new_game(game, **options)
    while states[0].mover == CHANCE:
        go(game, states, 0)
    return states
