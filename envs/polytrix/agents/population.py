"""The population of a game: bots with different flaws, for games with strangers."""

from __future__ import annotations

import numpy as np

from polytrix.core.baselines import EXPERT, PPO, baseline_files
from polytrix.core.game import Game
from polytrix.core.state import ByteArray, IntArray

from .choice import uniform
from .policy import Policy

POPULATION = "population"
"""What stands for all bots at once, where that is allowed."""

UNSEEN = "unseen-"
"""Begins the names of bots that nobody trains with: they measure how an agent plays with strangers."""

NOISY = "noisy:"
"""Begins the spec of a `NoisyPolicy`: "noisy:0.3,greedy"."""

SHARED = {
    "noisy": "noisy:0.3,greedy",
    "hasty": "search:6",
    "unseen-dreamer": "search:20,rollout=random",
}
"""Bots of every game that has the policy "greedy", with their specs."""


def population(game: Game, players: int | None = None) -> dict[str, str]:
    """The specs of a game's bots by name: its heuristics, its habits, and others that need no code of the game.

    Args:
        game: the game.
        players: with networks for so many players only; None for all.

    >>> import polytrix
    >>> population(polytrix.find("quatrix"))["noisy"]
    'noisy:0.3,greedy'
    """
    networks = {} if game.replaced else baseline_files(game, players)  # other data, perhaps another layout
    return (
        {name: name for name in (*game.heuristics, *game.habits)}
        | (SHARED if game.greedy else {})
        | {f"sampling-{name}": f"{NOISY}0,{name}" for name in networks if name.startswith(PPO)}
        | {f"{UNSEEN}noisy-{name}": f"{NOISY}0.3,{name}" for name in networks if name.startswith(EXPERT)}
    )


class NoisyPolicy:
    """Makes a share of another policy's decisions at random.

    Args:
        game: the game that it plays.
        share: the probability that a decision is random, 0 to 1.
        policy: makes the others, from observations alone. A saved network samples.
        spec: stands for that policy.
    """

    def __init__(self, game: Game, share: float, policy: Policy, spec: str) -> None:
        self.game, self.share, self.policy, self.spec = game, share, policy, spec
        self.name = f"{NOISY}{share:g},{spec}"

    def __call__(self, observation: ByteArray, mask: ByteArray, rng: np.random.Generator) -> IntArray:
        actions = np.asarray(self.policy(observation, mask, rng), np.int64)
        return np.where(rng.random(len(mask)) < self.share, uniform(mask, rng), actions)
