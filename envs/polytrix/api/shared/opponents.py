"""Who sits where in each game: the learner, and its opponents, a fixed line-up or drawn from a pool.

Seats and opponents depend only on the row's seed and on how many games the row has begun since.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from polytrix.agents import NetworkPolicy, Policy, name_of, resolve
from polytrix.agents.policy import remembers
from polytrix.agents.resolve import PolicySpec
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.random import philox
from polytrix.core.state import IntArray

from .arguments import SeatRule

Bits = npt.NDArray[np.uint64]

Weighted: TypeAlias = "Mapping[PolicySpec, float]"
"""Policies with their relative probabilities."""

LEARNER = -1
"""In place of an opponent's number: the learner itself."""

NOBODY = -2
"""In place of an opponent's number: an unused seat."""

_DRAWS = 1 << 63  # offset of the keys and counters of these draws; no game or policy uses them


class Opponents(Protocol):
    """Policies, and a rule that assigns them to seats."""

    policies: tuple[Policy, ...]

    def draw(self, bits: Bits) -> IntArray:
        """Indices into `policies` for the seats after the learner's, (n, others), by 64 random bits each."""
        ...


def opponent(spec: PolicySpec, game: Game) -> Policy:
    """The policy that `resolve` finds, or PolicyError for one with memory.

    Here games start at different times, and may be copied halfway without the policy's memory.
    """
    policy = resolve(spec, game)
    if remembers(policy):
        raise PolicyError(
            f"policy {name_of(policy)!r} remembers its games, and cannot play in an environment; give one "
            "that does not, or use polytrix.agents.ask_rows, the arena or the command polytrix play"
        )
    return policy


def opponents_of(
    game: Game, given: PolicySpec | Sequence[PolicySpec] | Weighted, players: int | None = None
) -> Opponents:
    """The opponents that a user gives: a `Pool` for a mapping, otherwise a `LineUp`."""
    return Pool(game, given) if isinstance(given, Mapping) else LineUp(game, given, players)


class LineUp:
    """The same policies in every game.

    Args:
        game: the game they play.
        spec: one policy for all other seats, or a list with one for each, from the seat after the learner's on.
            In games with fewer players than others the last ones do not play.
        players: number of players with the learner; by default the most that the game has.

    Raises:
        PolicyError: a list of another length, or what `opponent` rejects.
    """

    def __init__(self, game: Game, spec: PolicySpec | Sequence[PolicySpec], players: int | None = None) -> None:
        others = (players or game.max_players) - 1
        if isinstance(spec, (list, tuple)):
            if len(spec) != others:
                raise PolicyError(
                    f"{len(spec)} opponents are given; this game of {game.id} has {others} other seats: "
                    "give one policy for all of them, or a list of that length"
                )
            self.policies = tuple(opponent(each, game) for each in spec)
        else:
            self.policies = (opponent(spec, game),) * others  # type: ignore[arg-type]  # a list was handled

    def draw(self, bits: Bits) -> IntArray:
        others = bits.shape[1]
        if others > len(self.policies):
            raise PolicyError(f"the line-up is for {len(self.policies)} other seats; a game has {others}")
        return np.broadcast_to(np.arange(others), bits.shape)


class Pool:
    """Draws one policy for each game and seat.

    Args:
        game: the game they play.
        specs: policies of different names, in a list or with their relative probabilities. Networks of one
            name are called by their paths.

    Raises:
        PolicyError: an empty pool, equal names, or what `opponent` rejects.
        ValueError: weights that are negative, not finite or all 0.
    """

    def __init__(self, game: Game, specs: Sequence[PolicySpec] | Weighted) -> None:
        if isinstance(specs, str) or not isinstance(specs, (Sequence, Mapping)) or not specs:
            raise PolicyError(
                f"opponents are {specs!r}; give a list of at least one policy, or policies with their weights"
            )
        weights = [*specs.values()] if isinstance(specs, Mapping) else [1.0] * len(specs)
        self.policies = tuple(opponent(spec, game) for spec in specs)
        names = [*map(name_of, self.policies)]
        for spec, policy in zip(specs, self.policies, strict=True):
            if isinstance(policy, NetworkPolicy) and names.count(policy.name) > 1 and not callable(spec):
                policy.name = os.fspath(spec)
        names = [*map(name_of, self.policies)]
        if len(set(names)) < len(names):
            raise PolicyError(f"opponents are called {', '.join(names)}; give each a `name` of its own")
        given = np.asarray(weights, np.float64)
        if not np.isfinite(given).all() or given.min() < 0 or not given.any():
            raise ValueError(f"weights are {weights!r}; allowed: numbers, none negative, not all zero")
        self._below = np.cumsum(given) / given.sum()
        self._last = int(np.flatnonzero(given)[-1])

    def draw(self, bits: Bits) -> IntArray:
        chances = (bits >> np.uint64(11)) * 2.0**-53
        return np.minimum(np.searchsorted(self._below, chances, side="right"), self._last)


# -- seats ------------------------------------------------------------------------------------


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
