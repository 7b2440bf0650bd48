"""Train a policy by self-play with MaskablePPO: one file, read from top to bottom.

    python training/ppo.py quatrix

The learner sits in one seat of many games at once and changes seats from game to game. In
the other seats sit the random policy, the greedy one, and frozen copies of its earlier
selves, drawn for each game and seat. Where more than two can play, `--options.players 4`
says how many do. Stop it at any time (Ctrl-C, kill -9): the same command goes on where the last
checkpoint was, as if nothing had happened. At the end it plays held-out games and leaves,
in the run's folder, the network (`policy.npz`, playable without torch), the curve, a card
and TensorBoard logs.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for frozen selves; threads of its own spin on busy cores

import numpy as np
import torch
import tyro
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from stable_baselines3.common.logger import configure
from tqdm import tqdm

import polytrix
from polytrix.agents import NetworkPolicy, save_network
from polytrix.api.sb3 import SelfPlayVecEnv
from polytrix.api.sb3_network import ScaledInputs, layers_of, policy_of

sys.path.insert(0, str(Path(__file__).parent))
import checkpoints
from arguments import SETTINGS, frozen, settings_from
from evaluation import Result, evaluate
from reports import held_out, measured, origin, run_name, show, write_report


@dataclass(frozen=True)
class Settings:
    """Everything that shapes a run."""

    game: tyro.conf.Positional[str]
    """Name of the game, for example quatrix."""
    out: Path | None = None
    """Folder of the run; by default runs/GAME, or runs/GAME-playersN for another number of players than
    the game's usual one. A run found there is continued."""
    restart: bool = False
    """Delete the run in the folder and begin anew."""

    minutes: float = 8.0
    """Train for so long, evaluation at the end not counted."""
    total_steps: int = 0
    """Stop after so many decisions of the learner, if that comes first; 0: no such limit."""
    checkpoint_seconds: float = 30.0
    """Save a checkpoint about this often."""
    evaluation_seconds: float = 45.0
    """Play the games of the curve about this often."""
    curve_games: int = 100
    """Games of each point of the curve, against each opponent."""
    final_games: int = 400
    """Held-out games at the end, against each opponent."""
    seed: int = 1
    """Of everything random."""
    torch_threads: int = 1
    """CPU threads of the learner. Small networks gain little from more, and lose much on a busy machine."""

    num_envs: int = 256
    """Games played at once."""
    num_steps: int = 64
    """Decisions in each game between two updates."""
    batch_size: int = 2048
    """Decisions in a gradient step."""
    epochs: int = 4
    """Passes over the decisions of an update."""
    learning_rate: float = 3e-4
    """Of Adam; falls linearly to a tenth over the run."""
    gamma: float = 0.99
    """Discount per decision of the learner."""
    gae_lambda: float = 0.95
    """Of the generalised advantage estimate."""
    clip_range: float = 0.2
    """Of PPO's ratio."""
    entropy: float = 0.01
    """Weight of the entropy bonus."""
    value_weight: float = 0.5
    """Weight of the value loss."""
    max_grad_norm: float = 0.5
    """Gradients longer than this are shortened."""
    layers: tuple[int, ...] = (128, 128)
    """Hidden layers, the same for policy and value."""
    shaping: float = 0.0
    """Weight of the game's potential-based shaping reward."""
    shaping_gamma: float = 1.0
    """Discount in the shaping term. Equal to `gamma` the term changes no policy's rank, and is no help
    as long as nobody wins: the value function learns to cancel it. 1 rewards progress as such."""

    weight_random: float = 0.3
    """Share of the other seats for the random policy."""
    weight_greedy: float = 0.2
    """Share of the other seats for the greedy policy."""
    weight_self: float = 0.5
    """Share of the other seats for past selves, the youngest of which is never older than the next setting."""
    freeze_every_iterations: int = 20
    """A frozen copy of the learner joins the pool this often."""
    pool_size: int = 5
    """Past selves kept; then the oldest but the first leave."""

    options: dict[str, Any] = field(default_factory=dict)
    """Options of the game, and paths of data files of your own; an empty path means the shipped file."""


def read_settings(arguments: list[str]) -> Settings:
    """The game's settings file, overridden by the command line."""
    return settings_from(Settings, arguments, SETTINGS, __doc__)


# -- the network ------------------------------------------------------------------------------


def make_model(env: SelfPlayVecEnv, settings: Settings) -> MaskablePPO:
    """MaskablePPO with the run's settings."""
    torch.set_num_threads(settings.torch_threads)
    torch.distributions.Distribution.set_default_validate_args(False)  # checked masks: a tenth of the time
    return MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=lambda left: settings.learning_rate * (0.1 + 0.9 * left),
        n_steps=settings.num_steps,
        batch_size=settings.batch_size,
        n_epochs=settings.epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        clip_range=settings.clip_range,
        ent_coef=settings.entropy,
        vf_coef=settings.value_weight,
        max_grad_norm=settings.max_grad_norm,
        policy_kwargs={
            "net_arch": list(settings.layers),
            "activation_fn": torch.nn.ReLU,
            "features_extractor_class": ScaledInputs,
        },
        seed=settings.seed,
        device="cpu",
    )


# -- the run ----------------------------------------------------------------------------------


@dataclass
class Progress:
    """How far a run has come: all that is not inside of the model or the environment."""

    iteration: int = 0
    steps: int = 0
    seconds: float = 0.0
    pool: list[tuple[str, list[tuple[Any, Any]]]] = field(default_factory=list)
    curve: list[dict[str, float]] = field(default_factory=list)


class Run:
    """A training run in a folder."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.given = {name: value for name, value in settings.options.items() if value != ""}
        self.game, options = polytrix.find(settings.game).configured(self.given)
        self.options: dict[str, Any] = {**options}
        self.players = self.game.num_players(self.options)
        self.folder = settings.out or Path("runs") / run_name(self.game, self.options)
        if settings.restart and self.folder.exists():
            shutil.rmtree(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.checkpoint = self.folder / "checkpoint.pt"
        self.progress = Progress()
        self.env = SelfPlayVecEnv(
            self.game,
            settings.num_envs,
            opponents=("random", "greedy"),
            weights=(settings.weight_random, settings.weight_greedy),
            seed=settings.seed,
            shaping=settings.shaping,
            gamma=settings.shaping_gamma,
            **self.options,
        )
        self.model = make_model(self.env, settings)
        self.model.set_logger(configure(str(self.folder / "tensorboard"), ["tensorboard"]))
        _, self.callback = self.model._setup_learn(1 << 60, CallbackList([Silent()]), False, "", False)
        if self.checkpoint.exists():
            self.restore()

    # -- saving and resuming ---------------------------------------------------------------

    def save(self) -> None:
        """Write the whole state of the run; a crash leaves the old checkpoint or the new one, never half."""
        model = self.model
        state = {
            "settings": frozen(self.settings),
            "progress": asdict(self.progress),
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
        checkpoints.write(self.checkpoint, state)

    def restore(self) -> None:
        """Go on from the checkpoint, exactly as if the run had not stopped."""
        state = checkpoints.read(self.checkpoint, frozen(self.settings))
        model = self.model
        self.progress = Progress(**state["progress"])
        self.refill_pool()
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model.num_timesteps = state["num_timesteps"]
        model._n_updates = state["updates"]
        model._last_obs = state["last_observation"]
        model._last_episode_starts = state["last_starts"]
        self.env.load(state["environment"], self.selves(state["opponents"]))
        torch.set_rng_state(state["torch_generator"])
        np.random.set_state(state["numpy_generator"])

    # -- the loop --------------------------------------------------------------------------

    @property
    def done(self) -> float:
        """Share of the run that is over, 0..1."""
        share = self.progress.seconds / (60 * self.settings.minutes)
        if self.settings.total_steps:
            share = max(share, self.progress.steps / self.settings.total_steps)
        return min(share, 1.0)

    def train(self) -> None:
        """Alternate between playing and learning until the time or the steps are used up."""
        if self.done >= 1.0:
            return
        saved = evaluated = time.monotonic()
        unit = "{desc}: {percentage:3.0f}%|{bar}| {elapsed} < {remaining} {postfix}"
        with tqdm(total=1.0, initial=self.done, bar_format=unit, desc=f"training {self.game.name}") as bar:
            while self.done < 1.0:
                began = time.monotonic()
                self.iterate()
                self.progress.seconds += time.monotonic() - began
                now = time.monotonic()
                if now - evaluated > self.settings.evaluation_seconds:
                    self.add_point()
                    evaluated = now = time.monotonic()
                if now - saved > self.settings.checkpoint_seconds or self.done >= 1.0:
                    self.save()
                    saved = now
                rate = self.progress.steps / self.progress.seconds
                bar.set_postfix_str(self.postfix(rate))
                bar.update(self.done - bar.n)

    def iterate(self) -> None:
        """One rollout and one update."""
        settings, model, progress = self.settings, self.model, self.progress
        model._current_progress_remaining = 1.0 - self.done
        model.collect_rollouts(self.env, self.callback, model.rollout_buffer, settings.num_steps, True)
        model.train()
        progress.iteration += 1
        progress.steps += settings.num_envs * settings.num_steps
        if progress.iteration % settings.freeze_every_iterations == 0:
            name = f"self-{progress.iteration}"
            progress.pool.append((name, policy_of(model, self.game, name).layers))
            if len(progress.pool) > settings.pool_size:
                del progress.pool[1]
            self.refill_pool()
        for opponent, tally in self.env.take_results().items():
            group = "self" if opponent.startswith("self") else opponent
            model.logger.record_mean(f"wins/{group}", tally.wins / tally.games)
        model.logger.record("charts/steps_per_second", progress.steps / max(progress.seconds, 1e-9))
        model.logger.dump(progress.steps)

    def refill_pool(self) -> None:
        """The opponents of the next games: random, greedy, and the past selves in equal shares."""
        settings, pool = self.settings, self.progress.pool
        opponents: list[Any] = ["random", "greedy"]
        opponents += self.selves(pool)
        weights = [settings.weight_random, settings.weight_greedy]
        weights += [settings.weight_self / max(1, len(pool))] * len(pool)
        self.env.set_opponents(opponents, weights)

    def learner(self) -> NetworkPolicy:
        """The present policy as it is measured: it plays its most probable action."""
        return policy_of(self.model, self.game, "learner", deterministic=True)

    def selves(self, networks: list[tuple[str, list[tuple[Any, Any]]]]) -> list[NetworkPolicy]:
        """Frozen networks as opponents."""
        return [NetworkPolicy(self.game, layers, "relu", name=name) for name, layers in networks]

    def add_point(self) -> None:
        """Measure the learner for the curve."""
        policy = self.learner()
        point = {"steps": float(self.progress.steps), "seconds": self.progress.seconds}
        for opponent in ("random", "greedy"):
            result = evaluate(
                self.game, policy, opponent, self.settings.curve_games, self.options, seed=1 << 39
            )
            point[opponent] = result.rate
            self.model.logger.record(f"evaluation/{opponent}", result.rate)
            self.model.logger.record(f"evaluation/{opponent}_payoff", result.payoff)
        self.progress.curve.append(point)

    def postfix(self, rate: float) -> str:
        """Rate and latest strength, behind the bar."""
        text = f"{self.progress.steps / 1e6:.2f}M steps, {rate:,.0f}/s"
        if self.progress.curve:
            last = self.progress.curve[-1]
            text += f", wins {last['random']:.0%} random {last['greedy']:.0%} greedy"
        return text

    # -- the end ---------------------------------------------------------------------------

    def finish(self) -> list[Result]:
        """Play the held-out games, and write network, curve, card and results."""
        if not self.progress.curve or self.progress.curve[-1]["steps"] != self.progress.steps:
            self.add_point()
        notes = {"steps": self.progress.steps, "seconds": round(self.progress.seconds)}
        save_network(self.folder / "policy.npz", self.game, *layers_of(self.model), notes)
        results = held_out(self.game, self.learner(), self.settings.final_games, self.options)
        write_report(self.folder, self.game, self.record(results))
        return results

    def record(self, results: list[Result]) -> dict[str, Any]:
        """The run in machine-readable form."""
        settings = {**frozen(self.settings), "options": self.given, "minutes": self.settings.minutes}
        return {
            **origin(self.game, self.players, "ppo.py", ("stable-baselines3", "sb3-contrib")),
            "settings": settings,
            "steps": self.progress.steps,
            "training_seconds": round(self.progress.seconds, 1),
            "results": measured(results),
            "curve": self.progress.curve,
        }


class Silent(BaseCallback):
    """The rollout collection wants a callback; this one only lets it go on."""

    def _on_step(self) -> bool:
        return True


def main() -> None:
    """Train, measure, report."""
    settings = read_settings(sys.argv[1:])
    run = Run(settings)
    console = Console()
    if run.progress.steps:
        console.print(f"Continuing {run.folder}: {run.progress.steps:,} steps in {run.progress.seconds:.0f} s")
    try:
        run.train()
    except KeyboardInterrupt:
        console.print(f"\nStopped. The same command continues from {run.checkpoint}.")
        raise SystemExit(130) from None
    results = run.finish()
    show(console, run.game, run.folder, results, run.progress.steps, run.settings.options)


if __name__ == "__main__":
    main()
