"""Whether rules commute with what a game declares as its symmetries."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from polytrix.core.compile.programs import programs
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, RecordArray
from polytrix.core.symmetry import relabel, symmetries_of


def differences(
    declared: Game,
    which: np.ndarray,
    one: Simulator,
    other: Simulator,
    exchange: Callable[[RecordArray], RecordArray],
) -> set[str]:
    """What does not agree: "observation", "mask", "state" after an action, "payoff". Nothing if all is well.

    Args:
        declared: its symmetries are under test.
        which: by row, the number of the symmetry.
        one, other: positions in which a seat decides, and the same exchanged.
        exchange: what leads from one to the other.
    """
    symmetries, rows = symmetries_of(declared), np.arange(one.num_envs)
    seen, ids = np.zeros_like(one.observation), np.zeros_like(one.legal_ids)
    found = set()
    for place in range(declared.max_players):
        seats = place % one.num_players
        relabel(symmetries, which, rows, one.view(seats)[0], one.legal_ids, one.num_legal, seen, ids)
        if (seen != other.view(seats)[0]).any():
            found.add("observation")
    legal = [set(ids[row, :count].tolist()) for row, count in enumerate(one.num_legal)]
    if legal != [{*np.flatnonzero(mask).tolist()} for mask in other.mask]:
        found.add("mask")
    actions = one.legal_ids[rows, np.random.default_rng(1).integers(one.num_legal)].astype(np.int64)
    after, image = one.states.copy(), other.states.copy()
    programs(one.game, one.mode).advance(after, actions)
    programs(other.game, other.mode).advance(image, symmetries.actions[which, actions].astype(np.int64))
    if exchange(after).tobytes() != image.tobytes():
        found.add("state")
    ended = np.flatnonzero(after["mover"] == OVER)
    if [one.game.payoffs(s) for s in after[ended]] != [other.game.payoffs(s) for s in image[ended]]:
        found.add("payoff")
    return found
