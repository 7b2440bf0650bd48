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

import json
import os
import pickle
import platform
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for frozen selves; threads of its own spin on busy cores

import numpy as np
import torch
import tyro
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from stable_baselines3.common.logger import configure
from tqdm import tqdm

import polytrix
from polytrix.agents import NetworkPolicy, save_network
from polytrix.api.sb3 import SelfPlayVecEnv
from polytrix.api.sb3_network import ScaledInputs, layers_of, policy_of
from polytrix.core.game import Game

sys.path.insert(0, str(Path(__file__).parent))
from evaluation import Result, evaluate, even

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


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
    names = [a for a in arguments if not a.startswith("-")]
    defaults: dict[str, Any] = {}
    if names:
        game = polytrix.find(names[0])
        file = Path(__file__).parent / "settings" / f"{game.name}.toml"
        if file.exists():
            defaults = tomllib.loads(file.read_text())
            defaults["layers"] = tuple(defaults.get("layers", Settings.layers))
        shipped = dict.fromkeys((data.name for data in game.data), "")
        defaults["options"] = {**game.options.defaults, **shipped, **defaults.get("options", {})}
    unknown = set(defaults) - {f.name for f in fields(Settings)}
    if unknown:
        raise SystemExit(f"{file}: unknown settings {', '.join(sorted(unknown))}")
    if not names:
        return tyro.cli(Settings, args=arguments, description=__doc__)
    return tyro.cli(Settings, args=arguments, default=Settings(game=names[0], **defaults), description=__doc__)


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
        unfinished = self.checkpoint.with_suffix(".part")
        with unfinished.open("wb") as file:
            torch.save(state, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, self.checkpoint)

    def restore(self) -> None:
        """Go on from the checkpoint, exactly as if the run had not stopped."""
        try:
            state = torch.load(self.checkpoint, weights_only=False)
            saved = state["settings"]
        except (OSError, EOFError, RuntimeError, KeyError, pickle.UnpicklingError) as error:
            raise SystemExit(
                f"{self.checkpoint} is damaged ({error}). Delete it, or begin anew with --restart."
            ) from None
        changed = [name for name, value in frozen(self.settings).items() if saved.get(name) != value]
        if changed:
            raise SystemExit(
                f"{self.folder} holds a run with other settings ({', '.join(changed)}). "
                "Use the old ones, another --out, or begin anew with --restart."
            )
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
        policy = self.learner()
        results = []
        for opponent in ("random", "greedy"):
            count = even(self.settings.final_games, self.players)
            with tqdm(total=count, desc=f"held-out games, {opponent}", unit="game") as bar:

                def show(finished: int, bar: Any = bar) -> None:
                    bar.update(finished - bar.n)

                results.append(evaluate(self.game, policy, opponent, count, self.options, tick=show))
        title = f"{self.game.title}, {self.players} players"
        draw_curve(self.progress.curve, self.folder / "curve.png", title, 1 / self.players)
        (self.folder / "result.json").write_text(json.dumps(self.record(results), indent=2) + "\n")
        (self.folder / "card.md").write_text(card(self.record(results)))
        return results

    def record(self, results: list[Result]) -> dict[str, Any]:
        """The run in machine-readable form."""
        return {
            "environment": self.game.id,
            "players": self.players,
            "date": time.strftime("%Y-%m-%d"),
            "command": "python training/ppo.py " + " ".join(sys.argv[1:]),
            "settings": {**frozen(self.settings), "options": self.given, "minutes": self.settings.minutes},
            "steps": self.progress.steps,
            "training_seconds": round(self.progress.seconds, 1),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
            "versions": {
                name: version(name)
                for name in ("polytrix", "torch", "stable-baselines3", "sb3-contrib", "numpy", "numba")
            }
            | {"python": platform.python_version()},
            "results": [
                {
                    **asdict(r),
                    "rate": r.rate,
                    "interval": [round(x, 4) for x in r.interval],
                    "payoff_interval": [round(x, 4) for x in r.payoff_interval],
                }
                for r in results
            ],
            "curve": self.progress.curve,
        }


class Silent(BaseCallback):
    """The rollout collection wants a callback; this one only lets it go on."""

    def _on_step(self) -> bool:
        return True


def frozen(settings: Settings) -> dict[str, Any]:
    """The settings that a run cannot change when it is continued."""
    free = ("out", "restart", "minutes", "total_steps", "checkpoint_seconds", "evaluation_seconds",
            "curve_games", "final_games")  # fmt: skip
    return {name: value for name, value in asdict(settings).items() if name not in free}


def run_name(game: Game, options: Mapping[str, Any]) -> str:
    """The game, and the number of players where it is not the usual one."""
    players = game.num_players(options)
    usual = game.num_players(game.options.defaults)
    return game.name if players == usual else f"{game.name}-players{players}"


def draw_curve(curve: list[dict[str, float]], file: Path, title: str, fair_share: float) -> None:
    """Win rates over the run as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    steps = [point["steps"] / 1e6 for point in curve]
    for opponent, colour in (("random", "#3a7d44"), ("greedy", "#c8553d")):
        axes.plot(steps, [point[opponent] for point in curve], "o-", color=colour, label=f"against {opponent}")
    axes.axhline(fair_share, color="gray", linestyle="--", label="fair share")
    axes.set(xlabel="decisions of the learner, millions", ylabel="games won", ylim=(-0.02, 1.02))
    axes.set_title(f"{title}: PPO by self-play")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(file, dpi=120)
    pyplot.close(figure)


def card(record: Mapping[str, Any]) -> str:
    """The run for people: how it was trained and how strong it is."""
    rows = "\n".join(
        f"| {r['opponent']} | {r['games']} | {r['wins']:g} | {r['losses']} | {r['truncated']} "
        f"| {r['rate']:.1%} | {r['interval'][0]:.1%} to {r['interval'][1]:.1%} "
        f"| {r['payoff']:+.3f} | {r['payoff_interval'][0]:+.3f} to {r['payoff_interval'][1]:+.3f} |"
        for r in record["results"]
    )
    command = play_command(record["environment"], "policy.npz", record["settings"]["options"])
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    return f"""# {record["environment"]}, {record["players"]} players: PPO baseline

| opponent | games | won | lost | truncated | win rate | 95% interval | mean payoff | 95% interval |
|---|---|---|---|---|---|---|---|---|
{rows}

A fair share is {1 / record["players"]:.1%}. Held-out seeds, every seat equally often, the opponent in
all others, the most probable action each time. Won is a game with the highest payoff, if that is
above zero; who share it share the win.

- Trained: {record["date"]}, {record["steps"]:,} decisions of the learner in {record["training_seconds"]:.0f} s
- Command: `{record["command"]}`
- Seed: {record["settings"]["seed"]}; all settings are in `result.json`
- Machine: {record["machine"]}
- Versions: {versions}

![learning curve](curve.png)

Play against it: `{command}`
"""


def play_command(game: str, network: Path | str, options: Mapping[str, Any]) -> str:
    """How to play against a network, by the options that it was trained with."""
    usual = polytrix.find(game).options.defaults
    own = {name: value for name, value in options.items() if value != usual.get(name, "")}
    return f"polytrix play {game} --opponent {network}" + "".join(f" -o {n}={v}" for n, v in own.items())


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
    fair = f"fair share {1 / run.players:.0%}"
    table = Table(title=f"{run.game.title}, {run.players} players ({fair}), {run.progress.steps:,} decisions")
    for heading in ("opponent", "games", "won", "lost", "truncated", "win rate", "95% interval", "payoff"):
        table.add_column(heading, justify="left" if heading == "opponent" else "right")
    for r in results:
        low, high = r.interval
        table.add_row(
            r.opponent, str(r.games), f"{r.wins:g}", str(r.losses), str(r.truncated),
            f"{r.rate:.1%}", f"{low:.1%} to {high:.1%}", f"{r.payoff:+.2f}",
        )  # fmt: skip
    console.print(table)
    console.print(f"curve    {run.folder / 'curve.png'}\nnetwork  {run.folder / 'policy.npz'}")
    command = play_command(run.game.name, run.folder / "policy.npz", run.settings.options)
    console.print(f"play it  {command}", soft_wrap=True)


if __name__ == "__main__":
    main()
