"""PPO whose runners step hundreds of games in one compiled call, and send arrays instead of episodes.

    config = self_play(BatchPPOConfig(), "quatrix", opponents={"greedy": 0.2}, share_past=0.3)
    config.env_runners(num_env_runners=2, num_envs_per_env_runner=128, rollout_fragment_length=32)

RLlib's own runner makes Python objects of every decision, and its connectors take them apart again. Here a
module answers for all games in which it is to move at once, random and greedy policies play inside the compiled
loop, and the runner estimates the advantages. Learner, loss and configuration are RLlib's.

Episodes do not exist, so callbacks for episodes and samples are not called, and there are no connectors. The
`policy_mapping_fn` gets an object that has only the episode's `id_`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.env.vector.sync_vector_multi_agent_env import SyncVectorMultiAgentEnv
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.execution.rollout_ops import synchronous_parallel_sample
from ray.rllib.policy.sample_batch import MultiAgentBatch, SampleBatch
from ray.rllib.utils.metrics import (
    ENV_RUNNER_RESULTS,
    ENV_RUNNER_SAMPLING_TIMER,
    EPISODE_LEN_MEAN,
    LEARNER_RESULTS,
    LEARNER_UPDATE_TIMER,
    NUM_ENV_STEPS_SAMPLED,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
    NUM_EPISODES,
    SAMPLE_TIMER,
    SYNCH_WORKER_WEIGHTS_TIMER,
    TIMERS,
)

from polytrix.core.calls import fresh_seed
from polytrix.core.drivers import EXTERNAL
from polytrix.core.state import IntArray
from polytrix.learning import passes, sparse
from polytrix.learning.workers import one_blas_thread

from .env import ACTION_MASK, OBSERVATIONS, RUNNER_SEEDS, MultiAgentGame
from .league import DECISIONS, LEARNER, TALLY
from .learner import BatchPPOLearner
from .modules import LEGAL_ACTIONS, FrozenNetwork, LearningNetwork, PolicyModule
from .rollout import NOTHING, Games, listed

Columnar = dict[str, npt.NDArray[Any]]


class BatchPPOConfig(PPOConfig):  # type: ignore[misc]  # Any where Ray is not installed
    """A `PPOConfig` for `self_play`, with `BatchPPO` and its runners, and without the KL loss."""

    def __init__(self, algo_class: type | None = None) -> None:
        super().__init__(algo_class or BatchPPO)
        self.env_runner_cls = BatchEnvRunner
        self.use_kl_loss = False

    def get_default_learner_class(self) -> type:
        """The learner; called by RLlib."""
        return BatchPPOLearner

    def validate(self) -> None:
        """Check the configuration; called by RLlib.

        Raises:
            ValueError: the KL loss is on, which needs the logits of all actions, the value loss is off, or a
                module is none with which the runners can play.
        """
        super().validate()
        if self.use_kl_loss:
            raise ValueError("use_kl_loss is True; BatchPPOConfig allows only False")
        if not self.use_critic:
            raise ValueError("use_critic is False; BatchPPOConfig allows only True")
        for name, spec in getattr(self._rl_module_spec, "rl_module_specs", {}).items():
            allowed = (LearningNetwork,) if name == LEARNER else (FrozenNetwork, PolicyModule)
            if not issubclass(spec.module_class or object, allowed):
                raise ValueError(
                    f"the class of module {name} is {spec.module_class}; BatchPPOConfig allows "
                    f"{' and '.join(each.__name__ for each in allowed)} and classes derived from them, "
                    "PPOConfig any module"
                )


class BatchEnvRunner(MultiAgentEnvRunner):  # type: ignore[misc]
    """Plays `num_envs_per_env_runner` games at once with one `Simulator`."""

    def __init__(self, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        if self.env is not None:
            self.compile()

    def compile(self) -> None:
        """Call all that `sample` calls, in games that nobody keeps: RLlib waits for `sample` only a minute."""
        with one_blas_thread(), torch.random.fork_rng(devices=()):
            self.weights: dict[str, npt.NDArray[np.float32]] = {}
            self.games: Games | None = self.begin(1)
            self.choose(LEARNER, np.arange(1), self.games.unrecorded.records(slice(1)))
            self.games.step(self.choose)
            self.games.take(self.config.gamma, self.config.lambda_)
        self.games = None

    def make_env(self) -> None:
        """Make one environment, which knows game, options and spaces; it is not played."""
        self.env = SyncVectorMultiAgentEnv([partial(MultiAgentGame, self.config.env, **self.config.env_config)])
        self.num_envs = self.config.num_envs_per_env_runner
        self.games = None

    def begin(self, steps: int) -> Games:
        """Begin the first games. Seeds depend on the runner, and on the decisions that were made before."""
        env: MultiAgentGame = self.env.envs[0]
        seed = fresh_seed() if self.config.seed is None else self.config.seed
        seed += (self.worker_index or 0) * RUNNER_SEEDS + int(self.num_env_steps_sampled_lifetime)
        options, shaping = dict(env.options), (env.shaping, env.gamma)
        games = Games(env.game, options, self.num_envs, steps, seed, LEARNER, *shaping)
        games.begin(np.arange(self.num_envs), self.config.policy_mapping_fn, self.kind_of)
        return games

    def kind_of(self, name: str) -> int:
        """The number of a module among the game's built-in policies, or EXTERNAL."""
        module = self.module[name].unwrapped()
        return module.built_in if isinstance(module, PolicyModule) else EXTERNAL

    def sample(self, **kwargs: Any) -> Columnar:
        """Make `rollout_fragment_length` decisions in each game, by the learner or another module.

        Args:
            **kwargs: RLlib's other ways to sample, of which there is none.

        Returns:
            The learner's decisions whose outcome is known, see `Games.take`.
        """
        if kwargs:
            raise ValueError(f"arguments are {', '.join(kwargs)}; BatchEnvRunner.sample takes none")
        steps = self.config.get_rollout_fragment_length(self.worker_index)
        self.weights = {}  # of the modules that are asked
        with self.metrics.log_time(SAMPLE_TIMER), one_blas_thread():
            self.games = games = self.games or self.begin(steps)
            before = games.decisions.size
            for _ in range(steps):
                over = games.step(self.choose)
                games.begin(over, self.config.policy_mapping_fn, self.kind_of)
            decisions = games.decisions.size - before
            taken = games.take(self.config.gamma, self.config.lambda_)
        self.log(steps * self.num_envs, decisions)
        return taken

    def log(self, steps: int, decisions: int) -> None:
        """Log what RLlib, the league and the training script count."""
        assert self.games is not None
        metrics, lengths = self.metrics, self.games.lengths
        self.num_env_steps_sampled_lifetime += steps
        metrics.log_value(NUM_ENV_STEPS_SAMPLED, steps, reduce="sum")
        metrics.log_value(NUM_ENV_STEPS_SAMPLED_LIFETIME, steps, reduce="lifetime_sum", with_throughput=True)
        metrics.log_value(NUM_EPISODES, len(lengths), reduce="sum")
        metrics.log_value(DECISIONS, decisions, reduce="sum")
        if lengths:
            metrics.log_value(EPISODE_LEN_MEAN, float(np.mean(lengths)), window=1)
        for opponent, tally in self.games.tally.items():
            for name in ("games", "won"):
                metrics.log_value((TALLY, opponent, name), tally[name], reduce="sum")
        self.games.tally, self.games.lengths = {}, []

    @torch.no_grad()
    def choose(self, name: str, rows: IntArray, out: passes.Records) -> IntArray:
        """A module's actions in some rows, see `Games.step`. A network on a CPU takes one compiled call."""
        assert self.games is not None
        simulator, module = self.games.simulator, self.module[name].unwrapped()
        if not isinstance(module, FrozenNetwork):
            seen = {OBSERVATIONS: simulator.observation[rows], ACTION_MASK: simulator.mask[rows]}
            return np.asarray(module.forward_exploration({Columns.OBS: seen})[Columns.ACTIONS])
        drawn = torch.rand(len(rows))
        if module.compiles:
            if name not in self.weights:
                self.weights[name] = module.vector().numpy()
            actions: IntArray = passes.decide(
                self.weights[name],
                module.sizes(),
                module.scale.numpy(),
                rows,
                simulator.observation,
                simulator.legal_ids,
                simulator.num_legal,
                drawn.numpy(),
                out,
            )
            return actions
        self.games.see(rows, out)
        legal, count = torch.from_numpy(listed(out.legal, out.num_legal)), torch.from_numpy(out.num_legal)
        batch = {Columns.OBS: {OBSERVATIONS: torch.from_numpy(out.observation), LEGAL_ACTIONS: legal}}
        features = module.features(batch)
        place, log_probability = sparse.draw(features, module.policy, legal, count, drawn)
        if isinstance(module, LearningNetwork):
            out.place[:], out.log_probability[:] = place, log_probability
            out.value[:] = module.compute_values(batch, features)
        return np.asarray(legal.gather(1, place[:, None])[:, 0])

    def assert_healthy(self) -> None:
        """Check that the constructor has finished; called by RLlib."""
        assert self.env and self.module


class BatchPPO(PPO):  # type: ignore[misc]
    """RLlib's PPO, with arrays from the runners to the learner."""

    def training_step(self) -> None:
        """One rollout of all runners, and one update."""
        config, metrics = self.config, self.metrics
        with metrics.log_time((TIMERS, ENV_RUNNER_SAMPLING_TIMER)):
            rollouts, results = synchronous_parallel_sample(
                worker_set=self.env_runner_group,
                max_env_steps=config.total_train_batch_size,
                sample_timeout_s=config.sample_timeout_s,
                concat=False,
                _uses_new_env_runners=True,
                _return_metrics=True,
            )
            metrics.aggregate(results, key=ENV_RUNNER_RESULTS)
        batch = train_batch(rollouts)
        if not len(batch):  # all runners are lost, or no seat has had two decisions
            return
        with metrics.log_time((TIMERS, LEARNER_UPDATE_TIMER)):
            steps = (ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME)
            learned = self.learner_group.update(
                batch=MultiAgentBatch({LEARNER: batch}, env_steps=len(batch)),
                timesteps={NUM_ENV_STEPS_SAMPLED_LIFETIME: metrics.peek(steps)},
                num_epochs=config.num_epochs,
                minibatch_size=config.minibatch_size,
                shuffle_batch_per_epoch=config.shuffle_batch_per_epoch,
            )
            metrics.aggregate(learned, key=LEARNER_RESULTS)
        with metrics.log_time((TIMERS, SYNCH_WORKER_WEIGHTS_TIMER)):
            self.env_runner_group.sync_weights(
                from_worker_or_learner_group=self.learner_group, policies=[LEARNER], inference_only=True
            )


def train_batch(rollouts: Sequence[Columnar]) -> SampleBatch:
    """The rollouts as one batch for RLlib's learner, shuffled, with standardised advantages."""
    if not rollouts:
        return SampleBatch({})
    given = {name: np.concatenate([each[name] for each in rollouts]) for name in rollouts[0]}
    advantage, legal = given["advantage"], given["legal"]
    widest = int((legal != NOTHING).any(axis=0).sum())
    batch = SampleBatch(
        {
            Columns.OBS: {OBSERVATIONS: given["observation"], LEGAL_ACTIONS: legal[:, :widest]},
            Columns.ACTIONS: given["place"],
            Columns.ACTION_LOGP: given["log_probability"],
            Columns.ACTION_DIST_INPUTS: np.zeros((len(advantage), 1), np.float32),  # for the KL loss alone
            Postprocessing.ADVANTAGES: (advantage - advantage.mean()) / max(1e-4, advantage.std()),
            Postprocessing.VALUE_TARGETS: given["target"],
        }
    )
    return batch.shuffle()
