"""Self-play in RLlib: one learner, its frozen past selves and other policies, for any number of seats.

    config = self_play(PPOConfig(), "quatrix", opponents={"greedy": 0.2}, share_past=0.3)
    algorithm = config.build_algo()

In most games the learner has every seat, and learns from all of them. In the others it has one, any of them
equally often, and one opponent has the rest. When it wins enough of its games against past selves, it is
frozen as a further one.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from polytrix.arena.statistics import shares_of_wins
from polytrix.core.errors import MissingExtraError
from polytrix.core.game import Game

from ..shared.arguments import chosen_game
from .env import MultiAgentGame
from .modules import FrozenNetwork, network, player

try:
    from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
    from ray.rllib.callbacks.callbacks import RLlibCallback
    from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
    from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS
except ImportError:
    raise MissingExtraError("polytrix.api.rllib.league", "rllib") from None

LEARNER = "learner"
"""The module that learns."""

DECISIONS = "learner_decisions"
"""Among the results of the runners: decisions of the learner since the last results."""

TALLY = "league"
"""Among the results of the runners: by opponent `games` and `won`, since the last results."""

PAST = "past_"
"""How the names of past selves' modules begin."""


def past(number: int) -> str:
    """The module of a past self."""
    return f"{PAST}{number}"


def module_name(policy: str) -> str:
    """A policy as the name of a module, which may be part of a file's name.

    >>> module_name("greedy"), module_name("runs/quatrix/policy.npz")
    ('greedy', 'runs_quatrix_policy_npz')
    """
    return re.sub(r"\W+", "_", policy)


@dataclass(frozen=True)
class LineUp:
    """Which module has a seat: RLlib's `policy_mapping_fn`.

    All follows from the number of the episode, so that every seat of a game is told the same, on any machine.

    Args:
        players: how many take part.
        shares: modules with their shares of the games, in which one of them has all seats but the learner's.
        share_past: share of the games in which a past self has them.
        selves: how many past selves there are to draw from.
    """

    players: int
    shares: tuple[tuple[str, float], ...] = ()
    share_past: float = 0.0
    selves: int = 1

    def __call__(self, agent_id: str, episode: Any, **kwargs: Any) -> str:
        rng = random.Random(episode.id_)
        seat, place = rng.randrange(self.players), rng.random()
        opponent = past(rng.randrange(self.selves))
        for name, share in (*self.shares, (opponent, self.share_past)):
            if place < share:
                return LEARNER if agent_id == f"player_{seat}" else name
            place -= share
        return LEARNER


class League(RLlibCallback):  # type: ignore[misc]  # Any where Ray is not installed
    """Counts the learner's games, and freezes it when it wins enough of them.

    Args:
        line_up: the first one.
        lead: how far above the fair share its wins against past selves must be, from -1 (no wins needed)
            through 0 (the fair share itself) to 1 (every game).
        games: of how many such games.
        pool_size: past selves kept; then the oldest but the first makes way.

    Attributes:
        line_up: the present one.
        frozen: how many past selves there have been.
    """

    def __init__(self, line_up: LineUp, lead: float = 0.2, games: int = 200, pool_size: int = 5) -> None:
        super().__init__()
        fair = 1 / line_up.players
        self.enough = fair + lead * (1 - fair)
        self.line_up, self.games, self.pool_size = line_up, games, pool_size
        self.frozen = line_up.selves
        self._played = self._won = 0.0

    # -- in the runners ---------------------------------------------------------------------

    def on_episode_end(
        self, *, episode: Any, metrics_logger: Any, env: Any, env_index: int, **kwargs: Any
    ) -> None:
        """Count a game of the learner with somebody else."""
        game: MultiAgentGame = env.envs[env_index].unwrapped
        modules = [episode.module_for(agent) for agent in game.possible_agents]
        for opponent in set(modules) - {LEARNER}:
            payoffs = np.array([[game.payoffs[agent] for agent in game.possible_agents]])
            won = float(shares_of_wins(payoffs)[0, modules.index(LEARNER)])
            metrics_logger.log_value((TALLY, opponent, "games"), 1, reduce="sum")
            metrics_logger.log_value((TALLY, opponent, "won"), won, reduce="sum")

    def on_sample_end(self, *, metrics_logger: Any, samples: Sequence[Any], **kwargs: Any) -> None:
        """Count the decisions of the learner."""
        decisions = sum(
            len(seat)
            for episode in samples
            for seat in episode.agent_episodes.values()
            if seat.module_id == LEARNER
        )
        metrics_logger.log_value(DECISIONS, decisions, reduce="sum")

    # -- in the algorithm -------------------------------------------------------------------

    def on_train_result(self, *, algorithm: Any, result: dict[str, Any], **kwargs: Any) -> None:
        """Freeze the learner if it has won enough of its last games against past selves."""
        for opponent, tally in tallies(result).items():
            if opponent.startswith(PAST):
                self._played += tally["games"]
                self._won += tally["won"]
        if self._played >= self.games:
            if self._won >= self.enough * self._played:
                self.freeze(algorithm)
            self._played = self._won = 0.0
        result["league_size"] = self.line_up.selves + len(self.line_up.shares) + 1

    def on_env_runners_recreated(
        self, *, env_runner_group: Any, env_runner_indices: list[int], **kwargs: Any
    ) -> None:
        """Tell runners that came back who is in the league: RLlib restores modules and weights alone."""
        env_runner_group.foreach_env_runner(
            partial(_set_line_up, self.line_up), remote_worker_ids=env_runner_indices, local_env_runner=False
        )

    def freeze(self, algorithm: Any) -> None:
        """Let the present learner be a past self from now on."""
        number = self.frozen
        if number >= self.pool_size:
            number = 1 + (number - self.pool_size) % (self.pool_size - 1)
        self.frozen += 1
        weights = algorithm.get_module(LEARNER).get_state()
        self.resume(algorithm, self.frozen)
        algorithm.set_state({"learner_group": {"learner": {"rl_module": {past(number): weights}}}})
        # The runners have refused these weights: they bear the number of those that they have already.
        algorithm.env_runner_group.foreach_env_runner(partial(_set_weights, past(number), weights))

    def resume(self, algorithm: Any, frozen: int) -> None:
        """Make room for as many past selves as belong to `frozen`; their weights are still to come."""
        self.frozen = frozen
        module = algorithm.get_module(LEARNER)
        while self.line_up.selves < min(frozen, self.pool_size):
            self.line_up = replace(self.line_up, selves=self.line_up.selves + 1)
            spec = RLModuleSpec(
                module_class=FrozenNetwork,
                observation_space=module.observation_space,
                action_space=module.action_space,
                model_config=module.model_config,
            )
            name = past(self.line_up.selves - 1)
            algorithm.add_module(name, spec, new_agent_to_module_mapping_fn=self.line_up)


def _set_line_up(line_up: LineUp, runner: Any) -> None:
    runner.config.multi_agent(policy_mapping_fn=line_up)


def _set_weights(name: str, weights: Any, runner: Any) -> None:
    runner.module[name].set_state(weights)


def tallies(result: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Games of the learner in a result of `Algorithm.train`, by opponent: `games` and `won`."""
    counted = result[ENV_RUNNER_RESULTS].get(TALLY, {})
    return {
        opponent: {name: float(number) for name, number in tally.items()}
        for opponent, tally in counted.items()
        if not math.isnan(tally["games"])  # RLlib's way of saying that there was none
    }


def decisions(result: Mapping[str, Any]) -> int:
    """Decisions of the learner in a result of `Algorithm.train`."""
    counted = float(result[ENV_RUNNER_RESULTS].get(DECISIONS, math.nan))
    return 0 if math.isnan(counted) else int(counted)


def league_of(algorithm: Any) -> League:
    """The league of an algorithm that `self_play` has configured."""
    league: League = next(each for each in algorithm.callbacks if isinstance(each, League))
    return league


def self_play(
    config: AlgorithmConfig,
    game: Game | str,
    *,
    layers: tuple[int, ...] = (128, 128),
    opponents: Mapping[str, float] | None = None,
    share_past: float = 0.0,
    lead: float = 0.2,
    games: int = 200,
    pool_size: int = 5,
    shaping: float = 0.0,
    gamma: float = 1.0,
    **options: Any,
) -> AlgorithmConfig:
    """Set environment, modules, mapping and league of a configuration; all else stays as it is.

    Args:
        config: for example `PPOConfig()`.
        game: a game or the name of one.
        layers: units of the networks' hidden layers.
        opponents: policies as `polytrix.agents.resolve` takes them, with their shares of the games.
        share_past: share of the games against past selves; the first of them is untrained. In the rest of
            the games the learner has all seats.
        lead, games, pool_size: see `League`.
        shaping, gamma: see `MultiAgentGame`.
        **options: of the game, and its data files: a path, or the content, by name.

    Returns:
        The configuration.

    Raises:
        ValueError: shares that are negative or more than all games, or too small a pool.
        OptionError, DataError, UnknownGameError: for what is not allowed.
    """
    shares = dict(opponents or {})
    if min((*shares.values(), share_past)) < 0 or sum(shares.values()) + share_past > 1:
        raise ValueError(
            f"opponents {shares} and share_past {share_past} are shares of all games: from 0, in sum at most 1"
        )
    if pool_size < 2:
        raise ValueError(f"pool_size is {pool_size}; allowed: from 2")
    found, values = chosen_game(game, options, self_play)
    by_module = tuple((module_name(spec), share) for spec, share in shares.items())
    line_up = LineUp(found.num_players(values), by_module, share_past)
    modules = {LEARNER: network(layers)} | {module_name(spec): player(found, spec) for spec in shares}
    modules[past(0)] = RLModuleSpec(module_class=FrozenNetwork, model_config={"layers": tuple(layers)})
    settings = {**values, **found.replaced, "shaping": shaping, "gamma": gamma}
    return (
        config.environment(found.id, env_config=settings)
        .multi_agent(policies=set(modules), policy_mapping_fn=line_up, policies_to_train=[LEARNER])
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=modules))
        .callbacks(partial(League, line_up, lead, games, pool_size))
    )
