"""Self-play in RLlib: one learner against frozen past selves and other policies, with any number of seats.

    config = self_play(PPOConfig(), "quatrix", opponents={"greedy": 0.2}, share_past=0.3)
    algorithm = config.build_algo()

By default the learner plays every seat and learns from all of them. In a given share of the games it plays
one random seat and one opponent plays the others. When it wins enough of its games against past selves, a
frozen copy joins them.
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
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS

from polytrix.arena.statistics import shares_of_wins
from polytrix.core.game import Game

from ..shared.arguments import configure_game
from .env import MultiAgentGame, register_game
from .modules import FrozenNetwork, network, player

LEARNER = "learner"
"""Id of the learning module."""

DECISIONS = "learner_decisions"
"""Metric of the runners: decisions of the learner since the last results."""

TALLY = "league"
"""Metric of the runners: `games` and `won` by opponent, since the last results."""

PAST = "past_"
"""Prefix of the module ids of past selves."""


def past(number: int) -> str:
    """The module id of a past self."""
    return f"{PAST}{number}"


def module_name(policy: str) -> str:
    """The module id of a policy, safe to use in file names.

    >>> module_name("greedy"), module_name("runs/quatrix/policy.npz")
    ('greedy', 'runs_quatrix_policy_npz')
    """
    return re.sub(r"\W+", "_", policy)


@dataclass(frozen=True)
class LineUp:
    """Which module plays which seat: RLlib's `policy_mapping_fn`.

    The line-up depends only on the episode's id, so it is the same for all seats and on any machine.

    Args:
        players: the number of players.
        shares: opponent modules with their shares of the games, in which they play all other seats.
        share_past: share of the games against a past self.
        selves: the number of past selves to draw from.
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
    """Counts the learner's games, and freezes a copy of it when it wins enough of them.

    Args:
        line_up: the initial line-up.
        lead: how far the share of wins against past selves must exceed the fair share, from -1 (no wins
            needed) through 0 (the fair share) to 1 (every game).
        games: the number of games against past selves to judge by.
        pool_size: the most past selves kept; after that a new one replaces the oldest except the first.

    Attributes:
        line_up: the current line-up.
        frozen: how many past selves have been created so far.
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
        """Count a game between the learner and another module."""
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

    def on_algorithm_init(self, *, algorithm: Any, **kwargs: Any) -> None:
        """Check that past selves can be copies of the learner.

        Raises:
            ValueError: they are other networks.
        """
        learner, copy = (algorithm.get_module(name) for name in (LEARNER, past(0)))
        given, needed = ({name: w.shape for name, w in each.get_state().items()} for each in (learner, copy))
        unfit = [name for name, shape in needed.items() if given.get(name) != shape]
        if unfit:
            raise ValueError(
                f"{past(0)} is {type(copy).__name__}, to which {unfit[0]} of {LEARNER}, "
                f"{type(learner).__name__}, does not fit; give both by self_play(..., module=...)"
            )

    def on_train_result(self, *, algorithm: Any, result: dict[str, Any], **kwargs: Any) -> None:
        """Freeze the learner if it has won enough of its recent games against past selves."""
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
        """Give recreated runners the current line-up; RLlib restores only modules and weights."""
        env_runner_group.foreach_env_runner(
            partial(_set_line_up, self.line_up), remote_worker_ids=env_runner_indices, local_env_runner=False
        )

    def freeze(self, algorithm: Any) -> None:
        """Add a frozen copy of the learner to the past selves."""
        number = self.frozen
        if number >= self.pool_size:
            number = 1 + (number - self.pool_size) % (self.pool_size - 1)
        self.frozen += 1
        weights = algorithm.get_module(LEARNER).get_state()
        self.resume(algorithm, self.frozen)
        algorithm.set_state({"learner_group": {"learner": {"rl_module": {past(number): weights}}}})
        # The runners ignored these weights, since they already have some with the same sequence number.
        algorithm.env_runner_group.foreach_env_runner(partial(_set_weights, past(number), weights))

    def resume(self, algorithm: Any, frozen: int) -> None:
        """Add modules for the past selves that `frozen` implies; their weights are set later."""
        self.frozen = frozen
        module, specs = algorithm.get_module(LEARNER), algorithm.config.rl_module_spec.rl_module_specs
        while self.line_up.selves < min(frozen, self.pool_size):
            self.line_up = replace(self.line_up, selves=self.line_up.selves + 1)
            spec = replace(
                specs[past(0)],
                observation_space=module.observation_space,
                action_space=module.action_space,
            )
            name = past(self.line_up.selves - 1)
            algorithm.add_module(name, spec, new_agent_to_module_mapping_fn=self.line_up)


def _set_line_up(line_up: LineUp, runner: Any) -> None:
    runner.config.multi_agent(policy_mapping_fn=line_up)


def _set_weights(name: str, weights: Any, runner: Any) -> None:
    runner.module[name].set_state(weights)


def tallies(result: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """The learner's `games` and `won` by opponent in a result of `Algorithm.train`."""
    counted = result.get(ENV_RUNNER_RESULTS, {}).get(TALLY, {})  # no results if no runner has answered in time
    return {
        opponent: {name: float(number) for name, number in tally.items()}
        for opponent, tally in counted.items()
        if not math.isnan(tally["games"])  # RLlib reports NaN if there was none
    }


def decisions(result: Mapping[str, Any]) -> int:
    """The learner's decisions in a result of `Algorithm.train`."""
    counted = float(result.get(ENV_RUNNER_RESULTS, {}).get(DECISIONS, math.nan))
    return 0 if math.isnan(counted) else int(counted)


def league_of(algorithm: Any) -> League:
    """The league of an algorithm configured by `self_play`."""
    league: League = next(each for each in algorithm.callbacks if isinstance(each, League))
    return league


def self_play(
    config: AlgorithmConfig,
    game: Game | str,
    *,
    layers: tuple[int, ...] = (128, 128),
    module: RLModuleSpec | None = None,
    opponents: Mapping[str, float] | None = None,
    share_past: float = 0.0,
    lead: float = 0.2,
    games: int = 200,
    pool_size: int = 5,
    shaping: float = 0.0,
    gamma: float = 1.0,
    **options: Any,
) -> AlgorithmConfig:
    """Set a configuration's environment, modules, policy mapping and league; leave the rest unchanged.

    Args:
        config: for example `PPOConfig()`.
        game: a game or its name.
        layers: units of the hidden layers.
        module: in place of a `network` with these layers, a module of your own for the learner and its past
            selves. For `BatchPPOConfig` its class is derived from `LearningNetwork`.
        opponents: policies as `polytrix.agents.resolve` accepts them, with their shares of the games.
        share_past: share of the games against past selves, the first of which is untrained. In the
            remaining games the learner plays all seats.
        lead, games, pool_size: see `League`.
        shaping, gamma: see `MultiAgentGame`.
        **options: game options, and data files by name, each as a name, path or content.

    Returns:
        The configuration.

    Raises:
        ValueError: negative shares, shares that exceed 1 in total, or a pool that is too small.
        OptionError, DataError, UnknownGameError: invalid arguments.
    """
    shares = dict(opponents or {})
    if min((*shares.values(), share_past)) < 0 or sum(shares.values()) + share_past > 1:
        raise ValueError(
            f"opponents {shares} and share_past {share_past} must be shares of all games: "
            "at least 0, at most 1 in total"
        )
    if pool_size < 2:
        raise ValueError(f"pool_size is {pool_size}; allowed: from 2")
    found, values = configure_game(game, options, self_play)
    by_module = tuple((module_name(spec), share) for spec, share in shares.items())
    line_up = LineUp(found.num_players(values), by_module, share_past)
    frozen = module or RLModuleSpec(module_class=FrozenNetwork, model_config={"layers": tuple(layers)})
    modules = {LEARNER: module or network(layers), past(0): frozen}
    modules |= {module_name(spec): player(found, spec) for spec in shares}
    settings = {**values, **found.replaced, "shaping": shaping, "gamma": gamma}
    register_game(found)  # a cluster started after another one in this process does not know it
    return (
        config.environment(found.id, env_config=settings)
        .multi_agent(policies=set(modules), policy_mapping_fn=line_up, policies_to_train=[LEARNER])
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=modules))
        .callbacks(partial(League, line_up, lead, games, pool_size))
    )
