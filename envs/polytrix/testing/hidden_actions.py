"""Check the rules about actions that other seats see later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from polytrix.core.game import Game
from polytrix.core.search.tree import NONE
from polytrix.core.simulator import Simulator
from polytrix.core.state import ByteArray, RecordArray, bytes_of

from .random_play import play_on

GAMES, DECISIONS = 4, 50
"""Games played side by side, and decisions checked in each."""

IDLE = 3
"""Actions that are put in vain where there is no hidden one."""


def check_hidden_actions(
    game: Game,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
) -> int:
    """Assert that `hidden_action` and `set_hidden_action` agree with each other, and with what seats see.

    In positions of random games: a seat's hidden action is one that it has taken, and another seat cannot
    tell which; `redeal` neither changes a seat's own one nor whether there is one; after `set_hidden_action`
    the seat has taken that action, or nothing has changed.

    Args:
        game: the game.
        options: values for its options.
        seed: seed of the first game.

    Returns:
        The number of hidden actions that were put in place of others; 0 for a game without the two rules. For
        others assert that it is positive.

    Raises:
        AssertionError: with the seat, the position and the difference.
    """
    sim = Simulator(game, GAMES, options, seed=seed)
    if game.hidden_action is None:
        return 0
    put = 0
    rng = np.random.default_rng(seed)
    taken = np.full((GAMES, game.max_players), NONE)
    for number in range(DECISIONS):
        for row in range(GAMES):
            for seat in range(int(sim.num_players[row])):
                where = f"{game.name}, seed {seed}, step {number}, row {row}, seat {seat}"
                put += _check(game, sim.states[row : row + 1], seat, int(taken[row, seat]), rng, where)
        going_on, mover = np.flatnonzero(~sim.over), sim.mover.copy()
        taken[going_on, mover[going_on]] = play_on(sim)[going_on]
    return put


def _check(game: Game, states: RecordArray, seat: int, taken: int, rng: np.random.Generator, where: str) -> int:
    """Check a seat's hidden action in `states[0]`; the number of actions that took its place."""
    assert game.hidden_action is not None and game.set_hidden_action is not None
    s = states[0]
    hidden = game.hidden_action(s, seat)
    assert hidden in (NONE, taken), f"{where}: the hidden action is {hidden}, and the last one was {taken}"
    others = [other for other in range(int(s.num_players)) if other != seat]
    for viewer in (seat, *others):
        dealt = states.copy()
        dealt["generator"]["key"] = rng.integers(1 << 62)
        game.redeal(dealt[0], viewer)
        other = game.hidden_action(dealt[0], seat)
        assert (other == NONE) == (hidden == NONE), (
            f"{where}: whether there is a hidden action changes when redealt for seat {viewer}"
        )
        assert viewer != seat or other == hidden, f"{where}: redeal changes the own hidden action"
    put = 0
    seen = {} if hidden == NONE else {viewer: _observation(game, states, viewer) for viewer in others}
    actions = rng.permutation(game.actions.size)
    for action in (actions[:IDLE] if hidden == NONE else actions).tolist():
        twin = states.copy()
        game.set_hidden_action(twin[0], seat, action)
        after = game.hidden_action(twin[0], seat)
        if hidden == NONE or after != action or after == hidden:
            same = np.array_equal(bytes_of(twin), bytes_of(states))
            assert same, f"{where}: in vain putting action {action} changed something"
            continue
        put += 1
        for viewer in others:
            same = np.array_equal(_observation(game, twin, viewer), seen[viewer])
            assert same, f"{where}: seat {viewer} sees that action {action} was put"
    return put


def _observation(game: Game, states: RecordArray, seat: int) -> ByteArray:
    """What a seat sees in `states[0]`."""
    out = np.zeros(game.observations.size, np.int8)
    game.observe(states[0], seat, out)
    return out
