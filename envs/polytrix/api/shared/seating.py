"""Assign the learner and its opponents to the seats of each game.

The assignment depends only on the row's seed and on how many games the row has begun since.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.random import philox
from polytrix.core.state import IntArray

from .arguments import SeatRule
from .opponents import Bits, Opponents

LEARNER = -1
"""In place of an opponent's number: the learner itself."""

NOBODY = -2
"""In place of an opponent's number: an unused seat."""

_DRAWS = 1 << 63  # offset of the keys and counters of these draws; no game or policy uses them


def bits_of(origin: Bits, begun: Bits, count: int) -> Bits:
    """Random bits, (n, count), for game number `begun` (n,) in the rows with seeds `origin` (n,)."""
    key = origin[:, None] | np.uint64(_DRAWS)
    first = np.uint64(_DRAWS) + begun[:, None] * np.uint64(count)
    bits = philox(key, first + np.arange(count, dtype=np.uint64))  # type: ignore[arg-type]
    return np.asarray(bits, np.uint64)


def learners_seats(rule: SeatRule, players: IntArray, turns: Bits, bits: Bits) -> IntArray:
    """The learner's seat in each of n games, (n,), from the number of players of each (n,).

    `turns` are rotations so far (n,), for "rotate", and `bits` random ones (n,), for "random".
    """
    bound = players.astype(np.uint64)
    if rule == "rotate":
        return (turns % bound).astype(np.int64)
    if rule == "random":
        return ((bits >> np.uint64(32)) * bound >> np.uint64(32)).astype(np.int64)
    return np.full(len(players), rule, np.int64)


def table_of(learner: IntArray, players: IntArray, seats: int, opponents: Opponents, bits: Bits) -> IntArray:
    """The player of each seat, (n, seats): an opponent's number, LEARNER or NOBODY.

    Args:
        learner, players: (n,) the learner's seat and the number of players in each game.
        seats: the maximum number of players of the game.
        opponents: draws the other players.
        bits: (n, m) random bits for them; the largest game has m + 1 players.
    """
    table = np.full((len(learner), seats), NOBODY, np.int64)
    distance = np.arange(1, bits.shape[1] + 1)  # from the learner's seat
    game, place = np.nonzero(distance < players[:, None])
    others = (learner[:, None] + distance) % players[:, None]
    table[game, others[game, place]] = opponents.draw(bits)[game, place]
    table[np.arange(len(learner)), learner] = LEARNER
    return table
