"""Public fields show in observations, see `check_public`."""

from __future__ import annotations

from polytrix.core.simulator import Simulator
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.state import Phase
from polytrix.testing import check_public

from .play import observed

NEVER_ALONE = {
    "mover": "follows from roles and dice",
    "num_players": "it is an option",
    "phase": "ban, hint and dice say it too",
    "kvanter": "he is asked, or the first or last to set his die",
    "pair": "it is there twice",
}
"""Public fields that cannot change alone, and why."""


def test_everything_public_that_can_change_alone_is_seen() -> None:
    """`waited` only in a game that is cut off before the first die."""
    changed = check_public(GAME, {"max_decisions": 11}, games=40, decisions=12) | {
        name: count for name, count in check_public(GAME, games=12).items() if count
    }
    assert {name for name, count in changed.items() if not count} == NEVER_ALONE.keys()


def test_turns_are_told_apart_while_127_or_fewer_are_left() -> None:
    """The only field that is public by the rules and partly shown: of earlier turns, whether they are even."""
    simulator = Simulator(GAME, options={"max_turns": 1000}, seed=3)
    s = simulator.states[0]
    while s.phase != Phase.BAN or s.turn < 5:
        simulator.step(simulator.random_actions())
        simulator.restart(simulator.over.nonzero()[0])
    looks = set()
    for turn in range(800, 1001):
        s.turn = turn
        assert GAME.check(s, s) == 0
        looks.add(observed(s, 0).tobytes())
    assert len(looks) == 128
