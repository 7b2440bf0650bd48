"""What the usual wrapper of a two-player environment costs a single-agent learner.

    python benchmarks/studies/wrong_wrapper.py

The wrappers found in tutorials make one stream of both seats' decisions: the observation that follows is the
other seat's, and the value of a position is learned from a next position that is somebody else's. The reward
of a step is what `last()` says after it, somebody else's as well, or at best the mover's: then the loser never
hears of its loss. In the third arm a transition leads from a decision of the learner to its own next one,
with the payoff of its own seat, as `SelfPlayVecEnv` does it.

All arms begin with the same network. It has learned by a shaped reward how to come to an end of a game, which
random play practically never does. From there each arm learns by the payoffs of the game alone. All else is
the same: MaskablePPO with the settings of `training/sb3_ppo.py` for Quatrix, self-play against itself, as
many decisions learned from, held-out games in both seats. Leaves a table, `wrong_wrapper.json` and
`wrong_wrapper.png`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is loaded: threads that wait would be counted as work

import gymnasium as gym
import tyro
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from polytrix.agents import NetworkPolicy
from polytrix.api.aec import AECGame
from polytrix.api.sb3 import SelfPlayVecEnv
from polytrix.api.sb3_network import policy_of
from polytrix.bench import machine
from polytrix.games.quatrix import GAME

sys.path.insert(0, str(Path(__file__).parents[2] / "training"))
from evaluation import Result, evaluate
from sb3_ppo import Settings, make_model, read_settings

REPORT = Path(__file__).with_suffix(".json")
OPPONENTS = ("random", "greedy")


@dataclass(frozen=True)
class Arguments:
    """How much to learn, and how closely to look."""

    opening: int = 400_000
    """Decisions that the arms learn from together first, per seat and with the shaped reward."""
    decisions: int = 1_000_000
    """Learned from in each arm afterwards."""
    shaping: float = 0.0
    """Reward for what a move gained at once, in the arms; with 0 the payoff of the game alone."""
    seeds: tuple[int, ...] = (1,)
    """Of the runs; each arm has one for each of them."""
    points: int = 10
    """Of a curve, besides the beginning."""
    point_games: int = 200
    """Games of a point, against each opponent."""
    games: int = 400
    """Held-out games at the end, against each opponent."""
    out: Path = REPORT
    """Where the figures go; the picture lies beside it."""


# -- the arms -------------------------------------------------------------------------------------


class OneStream(gym.Env):
    """The wrong wrapper: whoever is to move, its decisions are one stream, with the mover's rewards.

    A cut-off game ends like any other here, as it does in the other arms.
    """

    def __init__(self, settings: Settings) -> None:
        self.env = AECGame(GAME, shaping=settings.shaping, gamma=settings.shaping_gamma, **settings.options)
        agent = self.env.possible_agents[0]
        self.observation_space = self.env.observation_space(agent)["observation"]
        self.action_space = self.env.action_space(agent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.env.reset(seed=seed)
        return self._seen(), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        env = self.env
        mover = env.agent_selection
        env.step(int(action))
        over = env.terminations[mover] or env.truncations[mover]
        return self._seen(), self.reward(mover), over, False, {}

    def reward(self, mover: str) -> float:
        """Of the step just made."""
        return float(self.env.rewards[mover])

    def action_masks(self) -> Any:
        return self.env.observe(self.env.agent_selection)["action_mask"]

    def _seen(self) -> Any:
        return self.env.observe(self.env.agent_selection)["observation"]


class LastStream(OneStream):
    """The wrong wrapper at its shortest, `env.step(action)` and `env.last()`: rewards of whoever comes next."""

    def reward(self, mover: str) -> float:
        """Of the step just made, and not the mover's."""
        return float(self.env.last(observe=False)[1])


def streams(wrapper: type[OneStream], settings: Settings) -> VecEnv:
    """Games of which each is one stream of both seats."""
    env = DummyVecEnv([lambda: wrapper(settings)] * settings.num_envs)
    env.seed(settings.seed)
    return env


def per_seat(settings: Settings) -> VecEnv:
    """The learner's own transitions; `play_itself` seats the opponents."""
    return SelfPlayVecEnv(
        GAME,
        settings.num_envs,
        opponents=["random"],
        seed=settings.seed,
        shaping=settings.shaping,
        gamma=settings.shaping_gamma,
        **settings.options,
    )


ARMS: dict[str, Callable[[Settings], VecEnv]] = {
    "step, last": partial(streams, LastStream),
    "mover's reward": partial(streams, OneStream),
    "per seat": per_seat,
}


# -- learning -------------------------------------------------------------------------------------


class Watch(BaseCallback):
    """Measures the learner at points of the run, and keeps its opponent up to date."""

    def __init__(self, arguments: Arguments, console: Console) -> None:
        super().__init__()
        self.arguments = arguments
        self.console = console
        self.curve: list[dict[str, float]] = []
        self.measuring = 0.0  # seconds

    def _on_rollout_start(self) -> None:
        play_itself(self.model, self.training_env)
        if self.num_timesteps * self.arguments.points >= self.arguments.decisions * len(self.curve):
            self.add_point(self.arguments.point_games)

    def _on_step(self) -> bool:
        return True

    def add_point(self, games: int) -> None:
        """How the learner does now, in games of both seats."""
        began = time.monotonic()
        point: dict[str, float] = {"decisions": self.num_timesteps}
        learner = policy_of(self.model, GAME, "learner", deterministic=True)
        for opponent in OPPONENTS:
            point[opponent] = evaluate(GAME, learner, opponent, games).rate
        self.curve.append(point)
        self.measuring += time.monotonic() - began
        rates = "  ".join(f"{opponent} {point[opponent]:.1%}" for opponent in OPPONENTS)
        self.console.print(f"  {point['decisions']:>9,}  {rates}")


def play_itself(model: MaskablePPO, env: VecEnv) -> None:
    """Seat the present learner as the opponent, where the arm has one; games going on have it, too."""
    if isinstance(env, SelfPlayVecEnv):
        env.set_opponents([policy_of(model, GAME, "self")])


def open_together(seed: int, arguments: Arguments, console: Console) -> dict[str, Any]:
    """The network that all arms begin with."""
    settings = replace(read_settings(["quatrix"]), seed=seed, torch_threads=1)
    env = per_seat(settings)
    model = make_model(env, settings)
    play_itself(model, env)  # before learning begins the games
    watch = Watch(replace(arguments, decisions=max(arguments.opening, 1), points=1), console)
    model.learn(arguments.opening, callback=watch)
    env.close()
    return model.policy.state_dict()


def learn(
    arm: str, seed: int, start: dict[str, Any], arguments: Arguments, console: Console
) -> tuple[dict[str, Any], NetworkPolicy]:
    """One run: its curve, how strong it has become, and what it plays."""
    settings = replace(read_settings(["quatrix"]), seed=seed, shaping=arguments.shaping, torch_threads=1)
    env = ARMS[arm](settings)
    model = make_model(env, settings)
    model.policy.load_state_dict(start)
    play_itself(model, env)
    watch = Watch(arguments, console)
    began = time.monotonic()
    model.learn(arguments.decisions, callback=watch)
    watch.add_point(arguments.point_games)
    seconds = time.monotonic() - began - watch.measuring
    learner = policy_of(model, GAME, "learner", deterministic=True)
    results = {opponent: evaluate(GAME, learner, opponent, arguments.games) for opponent in OPPONENTS}
    env.close()
    run = {
        "arm": arm,
        "seed": seed,
        "decisions": model.num_timesteps,
        "seconds": round(seconds, 1),
        "results": {opponent: figures(result) for opponent, result in results.items()},
        "curve": watch.curve,
    }
    return run, learner


def figures(result: Result) -> dict[str, Any]:
    """A result, ready for JSON."""
    return {
        "games": result.games,
        "rate": result.rate,
        "interval": [round(bound, 4) for bound in result.interval],
        "lost": result.losses,
        "truncated": result.truncated,
        "payoff": round(result.payoff, 4),
    }


# -- the report -----------------------------------------------------------------------------------


def table(runs: list[dict[str, Any]]) -> Table:
    """All runs at a glance."""
    shown = Table(title="Quatrix, MaskablePPO: games won")
    for heading in ("arm", "seed", "learned from", *OPPONENTS):
        shown.add_column(heading, justify="left" if heading == "arm" else "right")
    for run in runs:
        rates = [
            "{rate:.1%} ({interval[0]:.1%} to {interval[1]:.1%})".format(**run["results"][opponent])
            for opponent in OPPONENTS
        ]
        shown.add_row(run["arm"], str(run["seed"]), f"{run['decisions']:,}", *rates)
    return shown


def draw(runs: list[dict[str, Any]], file: Path) -> None:
    """Games won by decisions learned from, a line for each run, coloured by arm."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    for panel, opponent in zip(panels, OPPONENTS, strict=True):
        named: set[str] = set()
        for run in runs:
            thousands = [point["decisions"] / 1000 for point in run["curve"]]
            rates = [point[opponent] for point in run["curve"]]
            label = None if run["arm"] in named else run["arm"]
            named.add(run["arm"])
            colour = f"C{list(ARMS).index(run['arm'])}"
            panel.plot(thousands, rates, "o-", markersize=3, color=colour, label=label)
        panel.axhline(0.5, color="gray", linestyle="--")
        panel.set(xlabel="thousand decisions learned from", title=f"against {opponent}", ylim=(-0.02, 1.02))
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("games won")
    panels[0].legend()
    figure.suptitle("Quatrix: one network learns on, by three ways to make transitions")
    figure.savefig(file, dpi=110)
    pyplot.close(figure)


def main(given: list[str] | None = None) -> None:
    """Learn, show, write."""
    given = sys.argv[1:] if given is None else given
    arguments = tyro.cli(Arguments, description=__doc__, args=given)
    console = Console(width=120)
    runs, duels = [], []
    for seed in arguments.seeds:
        learners = {}
        console.print(f"together, seed {seed}")
        start = open_together(seed, arguments, console)
        for arm in ARMS:
            console.print(f"{arm}, seed {seed}")
            run, learners[arm] = learn(arm, seed, start, arguments, console)
            runs.append(run)
        ours = learners.pop("per seat")
        duels.append(
            {arm: figures(evaluate(GAME, ours, other, arguments.games)) for arm, other in learners.items()}
        )
    console.print(table(runs))
    for seed, duel in zip(arguments.seeds, duels, strict=True):
        for arm, result in duel.items():
            won = "{rate:.1%} ({interval[0]:.1%} to {interval[1]:.1%})".format(**result)
            console.print(f"seed {seed}: the learner per seat wins {won} of the games against that of {arm!r}")
    report = {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "command": " ".join(["python benchmarks/studies/wrong_wrapper.py", *given]),
        "machine": machine(),
        "opening": arguments.opening,
        "shaping": arguments.shaping,
        "runs": runs,
        "per_seat_against": duels,
    }
    arguments.out.write_text(json.dumps(report, indent=1) + "\n")
    draw(runs, arguments.out.with_suffix(".png"))
    console.print(f"figures {arguments.out}\npicture {arguments.out.with_suffix('.png')}", soft_wrap=True)


if __name__ == "__main__":
    main()
