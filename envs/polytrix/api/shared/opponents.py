"""Who plays the seats that the learner does not: a fixed line-up, or a pool drawn from for each game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from polytrix.agents import Policy, name_of, resolve
from polytrix.agents.policy import remembers
from polytrix.agents.resolve import PolicySpec
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.state import IntArray

Bits = npt.NDArray[np.uint64]


class Opponents(Protocol):
    """Policies, and which of them plays where."""

    policies: tuple[Policy, ...]

    def draw(self, bits: Bits) -> IntArray:
        """Indices into `policies` for the seats after the learner's, of the shape of `bits` (n, others).

        Args:
            bits: 64 random bits for each of these seats; of the largest game, where sizes differ.
        """
        ...


def opponent(spec: PolicySpec, game: Game) -> Policy:
    """The policy that `spec` means; see `resolve`.

    Raises:
        PolicyError: what `resolve` refuses, or a policy that remembers its games. Here each begins at a
            time of its own, and may be copied in its middle, memories or not.
    """
    policy = resolve(spec, game)
    if remembers(policy):
        raise PolicyError(
            f"policy {name_of(policy)!r} remembers its games, and cannot play in an environment; give one "
            "that does not, or play by polytrix.agents.ask_rows, the arena or the command polytrix play"
        )
    return policy


class LineUp:
    """The same policies in every game.

    Args:
        game: what they play.
        spec: one policy for all other seats, or a list: for the seat after the learner's, the next, ...
        players: how many players there are, the learner included; by default the most that the game
            can have. Where games with fewer run beside, the last policies of the list have no seat there.

    Raises:
        PolicyError: a list of another length than there are other seats, or what `opponent` refuses.
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
    """For each game and seat one policy is drawn.

    Args:
        game: what they play.
        specs: the policies, with names that differ.
        weights: how likely each is, up to a common factor; by default all are equally likely.

    Raises:
        PolicyError: an empty pool, equal names, or what `opponent` refuses.
        ValueError: weights that are not one non-negative number per policy.
    """

    def __init__(self, game: Game, specs: Sequence[PolicySpec], weights: Sequence[float] | None = None) -> None:
        if isinstance(specs, str) or not isinstance(specs, Sequence) or not specs:
            raise PolicyError(f"opponents are {specs!r}; give a list of at least one policy")
        self.policies = tuple(opponent(spec, game) for spec in specs)
        names = [name_of(policy) for policy in self.policies]
        if len(set(names)) < len(names):
            raise PolicyError(f"opponents are called {', '.join(names)}; give each a `name` of its own")
        given = np.ones(len(names)) if weights is None else np.asarray(weights, np.float64)
        if given.shape != (len(names),) or not np.isfinite(given).all() or given.min() < 0 or not given.any():
            raise ValueError(
                f"weights are {weights!r}; allowed: {len(names)} numbers, none negative, not all zero"
            )
        self._below = np.cumsum(given) / given.sum()
        self._last = int(np.flatnonzero(given)[-1])

    def draw(self, bits: Bits) -> IntArray:
        chances = (bits >> np.uint64(11)) * 2.0**-53
        return np.minimum(np.searchsorted(self._below, chances, side="right"), self._last)
