"""Which seat the learner has in a game, and who has the others.

All of it follows from the row's seed and from how many games the row has begun since.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.random import philox
from polytrix.core.state import IntArray

from .arguments import SeatRule
from .opponents import Bits, Opponents

LEARNER = -1
"""In the place of an opponent's number: the learner itself."""

NOBODY = -2
"""In the place of an opponent's number: the seat takes no part."""

_DRAWS = 1 << 63  # keys and counters of these draws: no game or policy uses them


def bits_of(origin: Bits, begun: Bits, count: int) -> Bits:
    """Random bits (n, count) of the games number `begun` (n,) in rows of seeds `origin` (n,)."""
    key = origin[:, None] | np.uint64(_DRAWS)
    first = np.uint64(_DRAWS) + begun[:, None] * np.uint64(count)
    bits = philox(key, first + np.arange(count, dtype=np.uint64))  # type: ignore[arg-type]
    return np.asarray(bits, np.uint64)  # the rules' generator works on whole arrays as well


def learners_seats(rule: SeatRule, players: IntArray, turns: Bits, bits: Bits) -> IntArray:
    """The learner's seat in n games with the given numbers of players, shape (n,).

    Args:
        rule: see `SeatRule`.
        players: (n,) how many take part in each game.
        turns: (n,) how many turns the seats have taken, for "rotate".
        bits: (n,) random bits, for "random".
    """
    bound = players.astype(np.uint64)
    if rule == "rotate":
        return (turns % bound).astype(np.int64)
    if rule == "random":
        return ((bits >> np.uint64(32)) * bound >> np.uint64(32)).astype(np.int64)
    return np.full(len(players), rule, np.int64)


def table_of(learner: IntArray, players: IntArray, seats: int, opponents: Opponents, bits: Bits) -> IntArray:
    """Who sits where: opponents by number, LEARNER or NOBODY, (n, seats).

    Args:
        learner: (n,) the learner's seat in each game.
        players: (n,) how many take part in each game.
        seats: the most players that the game can have.
        opponents: draws the other players.
        bits: (n, m) random bits for them, where the largest game has m + 1 players.
    """
    table = np.full((len(learner), seats), NOBODY, np.int64)
    distance = np.arange(1, bits.shape[1] + 1)  # from the learner on
    game, place = np.nonzero(distance < players[:, None])
    others = (learner[:, None] + distance) % players[:, None]
    table[game, others[game, place]] = opponents.draw(bits)[game, place]
    table[np.arange(len(learner)), learner] = LEARNER
    return table
