"""Agents in the terminal: what is shown while one compiles."""

from __future__ import annotations

from polytrix.agents import Policy
from polytrix.agents.policy import name_of, needs_states
from polytrix.core.game import Game
from polytrix.play.opponents import compile_policy

from .screen import err


class Compiled:
    """The policies of a game that have been compiled, if they must be."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._ready: list[Policy] = []

    def make_ready(self, policy: Policy) -> None:
        """Compile a search before its first choice, and show a message while that takes time."""
        compiles = needs_states(policy)
        if not compiles or any(policy is other for other in self._ready):
            return
        what = f"{name_of(policy)} is being compiled for {self._game.title}; that is kept for the next time ..."
        with err.status(what):
            compile_policy(self._game, policy)
        self._ready.append(policy)
