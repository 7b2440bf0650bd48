"""Check a game's invariants in a single state."""

from __future__ import annotations

from polytrix.core.game import Game
from polytrix.core.inspection import broken_invariant
from polytrix.core.state import Record


def check_invariants(game: Game, s: Record, where: str = "") -> None:
    """Assert that a state satisfies all invariants of its game, except those that compare two states.

    Args:
        game: the game.
        s: one of its states; the check runs in plain Python.
        where: a description of the state for the error message.

    Raises:
        AssertionError: with the text of the first invariant that does not hold.
    """
    number = game.check(s, s)
    assert number == 0, f"{where or game.name}: {broken_invariant(game, number)}"
