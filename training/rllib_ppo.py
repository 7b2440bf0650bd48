"""Train a policy by self-play with PPO of Ray RLlib, on this machine or on a Ray cluster.

    python training/rllib_ppo.py quatrix
    python training/rllib_ppo.py quatrix --address auto --env-runners 64

Env runners in separate processes play the games. One network plays all seats, or one seat against the random
policy, the greedy policy or a frozen past self. A copy of the network joins the past selves when it wins
enough games against them. A lost runner is restarted; meanwhile the run continues without it.

The run can be stopped at any time (Ctrl-C, kill -9). The same command continues from the last checkpoint with
new games. It writes the same files as `fast_ppo.py`, which makes many more decisions per second on one
machine. `shared/` has what all training scripts share.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import ray
import torch
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.core import COMPONENT_METRICS_LOGGER
from tqdm import tqdm

from polytrix.agents import Policy
from polytrix.api.rllib.batch import BatchPPOConfig
from polytrix.api.rllib.league import LEARNER, decisions, league_of, self_play, tallies
from polytrix.api.rllib.learner import THREADS
from polytrix.api.rllib.modules import policy_of
from polytrix.core.errors import CheckpointError
from polytrix.core.game import Game
from polytrix.learning.workers import usable_cores
from polytrix.training.shared.arguments import (
    Amount,
    Count,
    Share,
    Within,
    check_shares,
    settings_from,
)
from polytrix.training.shared.cluster import QUIET, join
from polytrix.training.shared.runs import Clock, check_count, ends_in_words
from polytrix.training.shared.scripts import CLIP_RANGE, MAX_GRAD_NORM, VALUE_WEIGHT, PPOSettings, ScriptRun

MEMORY = 300 * 2**20
"""Shared memory of Ray in bytes, if it is started for the run."""


@dataclass(frozen=True)
class Settings(PPOSettings):
    """Settings of a run."""

    address: str = ""
    """Address of a Ray cluster: HOST:PORT, or auto for the one that this machine belongs to. Without it, Ray
    is started on this machine for the run."""
    env_runners: Amount = 2
    """Number of processes that play, each on its own core."""
    threads: Amount = 0
    """CPU threads of the learner, which waits while the runners play; 0: one for each core that the process
    may use."""

    num_envs: Count = 128
    """Number of parallel games, of all runners together. A runner steps its share of them in one call."""
    batch_size: Count = 512
    epochs: Count = 3

    share_random: Share = 0.1
    """Fraction of the games in which one seat learns and the random policy plays the others."""
    share_greedy: Share = 0.2
    """Fraction of the games in which one seat learns and the greedy policy plays the others."""
    share_past: Share = 0.2
    """Fraction of the games in which one seat learns and a past self plays the others."""
    lead: Annotated[float, Within(-1, 1)] = 0.2
    """Win rate against past selves at which the learner becomes one of them, on a scale where 0 is the fair
    share and 1 is all games. At -1 it becomes one after every `league_games` games, whatever their results."""
    league_games: Count = 200
    """Number of games against past selves over which this win rate is measured."""


def read_settings(arguments: list[str]) -> Settings:
    """Settings from the game's settings file, overridden by the command line."""
    settings = settings_from(Settings, arguments, "rllib_ppo", __doc__)
    check_shares(settings.share_random, settings.share_greedy, settings.share_past)
    return settings


def start_ray(settings: Settings) -> None:
    """Join the cluster, or start Ray on this machine.

    Raises:
        SystemExit: the cluster does not exist or has too few cores.
    """
    if not settings.address:
        cores = max(1, settings.env_runners)  # Ray's count; processes may share cores of the machine
        local: dict[str, Any] = {"num_cpus": cores, "object_store_memory": MEMORY, "include_dashboard": False}
        ray.init(address="local", **local, **QUIET)
        return
    join(settings.address)
    cores = int(ray.cluster_resources().get("CPU", 0))
    if cores < settings.env_runners:
        raise SystemExit(f"the cluster has {cores} cores; give at most --env-runners {cores}")


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Delay the first Ctrl-C until the end of a `with` block: Ray may swallow it."""
    asked = False

    def ask(number: int, frame: Any) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if asked:
        raise KeyboardInterrupt


class Learner:
    """RLlib's PPO in self-play.

    Args:
        settings: of the run.
        game, options: what is learned, and the values of all options.
        clock: measures `learning`.
    """

    def __init__(self, settings: Settings, game: Game, options: Mapping[str, Any], clock: Clock) -> None:
        self.settings, self.game, self.options, self.clock = settings, game, options, clock
        self.decisions = 0
        torch.set_num_threads(1)  # of each operation: the learner has threads of its own
        start_ray(settings)
        self.algorithm = self.config().build_algo()
        self.playing = settings.env_runners

    def config(self) -> AlgorithmConfig:
        """The configuration of RLlib."""
        settings = self.settings
        runners = max(1, settings.env_runners)
        config = self_play(
            BatchPPOConfig(),
            self.game,
            layers=settings.layers,
            opponents={"random": settings.share_random, "greedy": settings.share_greedy},
            share_past=settings.share_past,
            lead=settings.lead,
            games=settings.league_games,
            shaping=settings.shaping,
            gamma=1.0,
            **self.options,
        )
        games = max(1, settings.num_envs // runners)
        return (
            config.env_runners(
                num_env_runners=settings.env_runners,
                num_envs_per_env_runner=games,
                rollout_fragment_length=settings.num_steps,
            )
            .training(
                train_batch_size_per_learner=games * runners * settings.num_steps,
                minibatch_size=settings.batch_size,
                num_epochs=settings.epochs,
                lr=settings.learning_rate,
                gamma=settings.gamma,
                lambda_=settings.gae_lambda,
                clip_param=CLIP_RANGE,
                entropy_coeff=settings.entropy,
                vf_loss_coeff=VALUE_WEIGHT,
                vf_clip_param=float("inf"),
                grad_clip=MAX_GRAD_NORM,
            )
            .fault_tolerance(
                restart_failed_env_runners=True,
                max_num_env_runner_restarts=1000,
                delay_between_env_runner_restarts_s=1.0,
                num_consecutive_env_runner_failures_tolerance=100,
            )
            .learners(learner_config_dict={THREADS: settings.threads or usable_cores()})
            .debugging(seed=settings.seed, log_level="ERROR")
        )

    # -- saving and resuming ---------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything needed to go on, with new games."""
        state = self.algorithm.get_state()
        for figures in (state, state["learner_group"]["learner"]):  # what has been counted since the start
            del figures[COMPONENT_METRICS_LOGGER]
        return {"decisions": self.decisions, "algorithm": state, "frozen": league_of(self.algorithm).frozen}

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """An example of what a state must be like."""
        check_count(state["frozen"], "frozen")
        league_of(self.algorithm).resume(self.algorithm, state["frozen"])
        own = self.state()
        example = remembered(own["algorithm"])
        example["state"] = {}  # before the first step
        if remembered(state["algorithm"])["state"]:
            learner = self.algorithm.learner_group._learner
            (group,) = learner.get_optimizer(LEARNER).param_groups
            arrays = [np.zeros(each.shape, np.float32) for each in group["params"]]
            example["state"] = {
                number: {"step": 1.0, "exp_avg": array, "exp_avg_sq": array}
                for number, array in enumerate(arrays)
            }
        return own

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a result of `state`."""
        check_count(state["decisions"], "decisions")
        groups = remembered(state["algorithm"])["param_groups"]
        if groups != remembered(self.algorithm.get_state())["param_groups"]:
            raise CheckpointError(f"Adam has other settings: {groups!s:.100}")
        self.algorithm.set_state(state["algorithm"])
        self.decisions = state["decisions"]

    # -- playing and learning --------------------------------------------------------------

    def iterate(self, done: float) -> dict[str, float]:
        """One rollout and one update; figures to log. Nothing depends on how much is `done`."""
        with self.clock("learning"), interrupts_wait():
            result = self.algorithm.train()
        self.decisions += decisions(result)
        learned = result.get("learners", {}).get(LEARNER, {})
        figures = {f"train/{name}": float(learned[name]) for name in LOGGED if name in learned}
        for opponent, tally in tallies(result).items():
            figures[f"wins/{opponent}"] = tally["won"] / tally["games"]
        return figures | {"league/size": result["league_size"], "charts/runners": self.count_runners()}

    def count_runners(self) -> int:
        """The number of runners that play; says when it has changed."""
        playing: int = self.algorithm.env_runner_group.num_healthy_remote_workers()
        if playing != self.playing:
            wanted = self.settings.env_runners
            lost = "; the others are lost until Ray has room to start them again" if playing < wanted else ""
            tqdm.write(f"{playing} of {wanted} runners play{lost}", file=sys.stderr)
        self.playing = playing
        return playing

    def policy(self) -> Policy:
        """The current policy: it plays the most probable action."""
        return policy_of(self.algorithm.get_module(LEARNER), self.game, deterministic=True)

    def close(self) -> None:
        """Stop the runners, and Ray if it was started for the run."""
        self.algorithm.stop()
        ray.shutdown()


def remembered(algorithm: dict[str, Any]) -> dict[str, Any]:
    """The state of the learner's optimiser in the state of an algorithm."""
    optimizers: dict[str, Any] = algorithm["learner_group"]["learner"]["optimizer"]
    state: dict[str, Any] = optimizers[f"{LEARNER}_default_optimizer"]["state"]
    return state


LOGGED = ("policy_loss", "vf_loss", "entropy", "vf_explained_var")
"""Figures of RLlib's learner to log."""


def main() -> None:
    """Train, evaluate and report."""
    settings = read_settings(sys.argv[1:])
    with (
        ends_in_words(),
        ScriptRun(settings, "rllib_ppo.py", "rllib-", ("ray", "gymnasium")) as run,
        closing(Learner(settings, run.game, run.options, run.clock)) as learner,
    ):
        run.train(learner)
        run.report(learner.policy, past_selves=league_of(learner.algorithm).frozen)


if __name__ == "__main__":
    main()
