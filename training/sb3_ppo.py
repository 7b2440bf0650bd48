"""Train a policy by self-play with MaskablePPO of sb3-contrib. One file, to be read from top to bottom.

    python training/sb3_ppo.py quatrix            (in a clone)
    polytrix train --script sb3_ppo quatrix       (anywhere)

The learner plays one seat of many parallel games, a different seat from game to game. The random policy, the
greedy policy and frozen past selves, drawn for each game and seat, play the other seats. For games of more
than two players, `--options.players 4` sets their number.

The run can be stopped at any time (Ctrl-C, kill -9). The same command continues from the last checkpoint,
with the same result as without the stop. At the end the script plays held-out games and writes the network
(`policy.npz`, which plays without torch), the learning curve and a card to the run's folder, beside the
TensorBoard logs. `shared/` has what all training scripts share.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from stable_baselines3.common.logger import Logger

from polytrix.agents import NetworkPolicy
from polytrix.api.sb3.network import ScaledInputs, policy_of
from polytrix.api.sb3.vec_env import SelfPlayVecEnv
from polytrix.core.errors import CheckpointError
from polytrix.core.game import Game
from polytrix.training.shared.arguments import Count, Positive, Weight, settings_from
from polytrix.training.shared.checkpoints import adam_like, load_adam
from polytrix.training.shared.runs import Clock, check_count, ends_in_words
from polytrix.training.shared.scripts import (
    CLIP_RANGE,
    MAX_GRAD_NORM,
    POOL_SIZE,
    VALUE_WEIGHT,
    PPOSettings,
    ScriptRun,
)


@dataclass(frozen=True)
class Settings(PPOSettings):
    """Settings of a run."""

    num_steps: Count = 64
    batch_size: Count = 2048
    epochs: Count = 4
    learning_rate: Positive = 3e-4

    weight_random: Weight = 0.3
    """Weight of the random policy among the players of the other seats."""
    weight_greedy: Weight = 0.2
    """Weight of the greedy policy among the players of the other seats."""
    weight_self: Weight = 0.5
    """Weight of all past selves together among the players of the other seats."""
    pool_size: Count = POOL_SIZE
    """Maximum number of past selves. The first one stays; of the others the oldest is dropped."""
    freeze_every_iterations: Count = 20
    """Iterations between two frozen copies of the learner for the pool of past selves."""


def read_settings(arguments: list[str]) -> Settings:
    """Settings from the game's settings file, overridden by the command line."""
    settings = settings_from(Settings, arguments, "sb3_ppo", __doc__)
    if settings.num_envs * settings.num_steps < 2:
        raise SystemExit("--num-envs times --num-steps is 1; an update needs at least 2 decisions")
    if not settings.weight_random + settings.weight_greedy:
        raise SystemExit("--weight-random and --weight-greedy are 0: nobody plays against the first past self")
    return settings


# -- the network ------------------------------------------------------------------------------


def make_model(env: SelfPlayVecEnv, settings: Settings) -> MaskablePPO:
    """MaskablePPO with the run's settings."""
    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)  # saves a tenth of the time
    return MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=lambda left: settings.learning_rate * left,
        n_steps=settings.num_steps,
        batch_size=settings.batch_size,
        n_epochs=settings.epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        clip_range=CLIP_RANGE,
        ent_coef=settings.entropy,
        vf_coef=VALUE_WEIGHT,
        max_grad_norm=MAX_GRAD_NORM,
        policy_kwargs={
            "net_arch": list(settings.layers),
            "activation_fn": torch.nn.ReLU,
            "features_extractor_class": ScaledInputs,
        },
        seed=settings.seed,
        device="cpu",
    )


class ClockedEnv(SelfPlayVecEnv):
    """`SelfPlayVecEnv` with its time measured; the arguments after the clock are those of `SelfPlayVecEnv`."""

    def __init__(self, clock: Clock, *args: Any, **kwargs: Any) -> None:
        self.clock = clock
        super().__init__(*args, **kwargs)

    def step_wait(self) -> Any:
        with self.clock("environment"):
            return super().step_wait()


# -- what learns ------------------------------------------------------------------------------


class Learner:
    """MaskablePPO against a pool of opponents.

    Args:
        settings: of the run.
        game, options: what is learned, and the values of all options.
        clock: measures `environment`, `inference` and `learning`.
    """

    def __init__(self, settings: Settings, game: Game, options: Mapping[str, Any], clock: Clock) -> None:
        self.settings, self.game, self.options, self.clock = settings, game, options, clock
        self.decisions = self.iteration = 0
        self.pool: list[tuple[str, list[tuple[Any, Any]]]] = []  # past selves: name and layers
        self.env = ClockedEnv(
            clock,
            game,
            settings.num_envs,
            opponents={"random": settings.weight_random, "greedy": settings.weight_greedy},
            seed=settings.seed,
            shaping=settings.shaping,
            gamma=1.0,
            **options,
        )
        self.model = make_model(self.env, settings)
        self.model.set_logger(Logger(None, []))
        _, self.callback = self.model._setup_learn(1 << 60, CallbackList([Silent()]), False, "", False)

    # -- saving and resuming ---------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        model = self.model
        return {
            "decisions": self.decisions,
            "iteration": self.iteration,
            "pool": self.pool,
            "policy": model.policy.state_dict(),
            "optimizer": model.policy.optimizer.state_dict(),
            "num_timesteps": model.num_timesteps,
            "updates": model._n_updates,
            "last_observation": model._last_obs,
            "last_starts": model._last_episode_starts,
            "environment": self.env.save(),
            "opponents": [(p.name, p.layers) for p in self.env.batch.policies if isinstance(p, NetworkPolicy)],
            "torch_generator": torch.get_rng_state(),
            "numpy_generator": np.random.get_state(),
        }

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """An example of what a state must be like."""
        past_self = ("", self.policy().layers)
        return {
            **self.state(),
            "pool": [past_self] * len(state["pool"]),
            "optimizer": adam_like(self.model.policy.optimizer, state["optimizer"]),
            "opponents": [past_self] * len(state["opponents"]),
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a result of `state`."""
        model = self.model
        check_count(state["decisions"], "decisions")
        check_count(state["iteration"], "iteration")
        _, _, place, _, _ = state["numpy_generator"]
        if not 0 <= place <= 624:  # NumPy does not look, and reads there
            raise CheckpointError(f"the generator is at its number {place}; expected 0 to 624")
        for name in ("decisions", "iteration", "pool"):
            setattr(self, name, state[name])
        self.refill_pool()
        model.policy.load_state_dict(state["policy"])
        load_adam(model.policy.optimizer, state["optimizer"])
        model.num_timesteps = state["num_timesteps"]
        model._n_updates = state["updates"]
        model._last_obs = state["last_observation"]
        model._last_episode_starts = state["last_starts"]
        self.env.load(state["environment"], self.selves(state["opponents"]))
        torch.set_rng_state(state["torch_generator"])
        np.random.set_state(state["numpy_generator"])

    # -- playing and learning --------------------------------------------------------------

    def warm_up(self) -> None:
        """Compile the games."""
        env = SelfPlayVecEnv(self.game, 8, shaping=self.settings.shaping, **self.options)
        env.reset()
        for _ in range(4):
            env.step(env.action_masks().argmax(1))
        env.close()

    def iterate(self, done: float) -> dict[str, float]:
        """One rollout and one update; figures to log. `done` is the used fraction of the budget."""
        settings, model = self.settings, self.model
        model._current_progress_remaining = 1.0 - done
        with self.clock("inference"):
            model.collect_rollouts(self.env, self.callback, model.rollout_buffer, settings.num_steps, True)
        with self.clock("learning"):
            model.train()
        self.iteration += 1
        self.decisions += settings.num_envs * settings.num_steps
        if self.iteration % settings.freeze_every_iterations == 0:
            name = f"self-{self.iteration}"
            self.pool.append((name, policy_of(model, self.game, name).layers))
            if len(self.pool) > settings.pool_size:
                del self.pool[1]
            self.refill_pool()
        for opponent, tally in self.env.take_results().items():
            group = "self" if opponent.startswith("self") else opponent
            model.logger.record_mean(f"wins/{group}", tally.wins / tally.games)
        figures = dict(model.logger.name_to_value)
        model.logger.dump()
        return figures

    def refill_pool(self) -> None:
        """Set the opponents of the next games: random, greedy, and the past selves with equal weights."""
        settings, selves = self.settings, self.selves(self.pool)
        opponents: dict[Any, float] = {"random": settings.weight_random, "greedy": settings.weight_greedy}
        self.env.set_opponents(opponents | dict.fromkeys(selves, settings.weight_self / max(1, len(selves))))

    def selves(self, networks: list[tuple[str, list[tuple[Any, Any]]]]) -> list[NetworkPolicy]:
        """Frozen networks as opponents."""
        return [NetworkPolicy(self.game, layers, "relu", name=name) for name, layers in networks]

    def policy(self) -> NetworkPolicy:
        """The current policy: it plays the most probable action."""
        return policy_of(self.model, self.game, "learner", deterministic=True)


class Silent(BaseCallback):
    """A callback that does nothing; `collect_rollouts` requires one."""

    def _on_step(self) -> bool:
        return True


def main() -> None:
    """Train, evaluate and report."""
    settings = read_settings(sys.argv[1:])
    packages = ("stable-baselines3", "sb3-contrib")
    with ends_in_words(), ScriptRun(settings, "sb3_ppo.py", packages=packages) as run:
        learner = Learner(settings, run.game, run.options, run.clock)
        run.train(learner, learner.warm_up)
        run.report(learner.policy)


if __name__ == "__main__":
    main()
