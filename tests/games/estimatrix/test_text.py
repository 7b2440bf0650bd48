"""Positions as text, at their end."""

from __future__ import annotations

import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.words import situation
from polytrix.games.estimatrix import GAME


@pytest.mark.clause("ES-45")
@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ({"max_turns": 1}, "cut off at another limit that its options set"),
        ({"max_decisions": 4}, "cut off at the limit of decisions"),
        ({"max_turns": 1, "max_decisions": 5}, "cut off at the limit of decisions"),
    ],
)
def test_the_end_says_which_limit_it_was(limit: dict[str, int], said: str) -> None:
    """Three seats: a ban, a hint and three dice are a turn."""
    sim = Simulator(GAME, options={"players": 3, **limit}, seed=1)
    while not sim.over[0]:
        sim.step(sim.random_actions())
    assert sim.truncated[0]
    assert situation(GAME, sim.states[0], 0).startswith(f"The game is over, {said}. Payoffs: ")
