"""What do common wrappers of two-player environments cost a single-agent learner?

    python benchmarks/studies/wrong_wrapper.py

The wrappers in tutorials make one sequence of both seats' decisions: the next observation is the other seat's,
so the value of a position is bootstrapped from a position of the opponent. The reward of a step is either that
of `last()` after it, which is the other seat's, or the mover's, and then the loser never sees its loss. In the
third arm of this study a transition goes from a decision of the learner to its own next one, with the payoff
of its own seat, as in `SelfPlayVecEnv`.

All arms start with the same network, trained with a shaped reward to finish games, which random play
practically never does. Then each arm learns from the payoffs only. Everything else is equal: MaskablePPO with
the settings of `training/sb3_ppo.py` for Quatrix, self-play against the current policy, the number of
decisions, and held-out games in both seats. Prints a table, and writes `wrong_wrapper.json` and
`wrong_wrapper.png`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # must be set before NumPy is imported

import gymnasium as gym
import tyro
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from polytrix.agents import NetworkPolicy
from polytrix.api.aec import AECGame
from polytrix.api.sb3.network import policy_of
from polytrix.api.sb3.vec_env import SelfPlayVecEnv
from polytrix.games.quatrix import GAME

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from report import write_report

from polytrix.training.sb3_ppo import Settings, make_model, read_settings
from polytrix.training.shared.evaluation import Result, evaluate

REPORT = Path(__file__).with_suffix(".json")
OPPONENTS = ("random", "greedy")


@dataclass(frozen=True)
class Arguments:
    """Arguments of the study."""

    opening: int = 400_000
    """Decisions of the common training before the arms, with correct transitions and the shaped reward."""
    decisions: int = 1_000_000
    """Decisions of each arm after that."""
    shaping: float = 0.0
    """Weight of the shaping reward in the arms; 0: payoffs only."""
    seeds: tuple[int, ...] = (1,)
    """Random seeds of the runs; each arm has one run per seed."""
    points: int = 10
    """Points of each curve, in addition to the start."""
    point_games: int = 200
    """Games per point, against each opponent."""
    games: int = 400
    """Held-out games at the end, against each opponent."""
    out: Path = REPORT
    """File for the figures; the picture is written beside it."""


# -- the arms -------------------------------------------------------------------------------------


class OneStream(gym.Env):
    """A wrong wrapper: the decisions of both seats are one sequence, with the mover's rewards.

    Truncated games end like others, as in the other arms.
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
        """The mover's reward of the last step."""
        return float(self.env.rewards[mover])

    def action_masks(self) -> Any:
        return self.env.observe(self.env.agent_selection)["action_mask"]

    def _seen(self) -> Any:
        return self.env.observe(self.env.agent_selection)["observation"]


class LastStream(OneStream):
    """The shortest wrong wrapper, `env.step(action)` and `env.last()`: rewards of the next seat to move."""

    def reward(self, mover: str) -> float:
        """The reward of the next seat to move, not the mover's."""
        return float(self.env.last(observe=False)[1])


def streams(wrapper: type[OneStream], settings: Settings) -> VecEnv:
    """Parallel games with a wrong wrapper."""
    env = DummyVecEnv([lambda: wrapper(settings)] * settings.num_envs)
    env.seed(settings.seed)
    return env


def per_seat(settings: Settings) -> VecEnv:
    """The learner's own transitions; `play_itself` sets the opponents."""
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
    """Evaluates the learner at points of the run, and updates its opponent."""

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
        """Evaluate the learner in both seats, and add a point to the curve."""
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
    """Make the current policy the opponent if the arm has one, in running games too."""
    if isinstance(env, SelfPlayVecEnv):
        env.set_opponents([policy_of(model, GAME, "self")])


def open_together(seed: int, arguments: Arguments, console: Console) -> dict[str, Any]:
    """Train the network that all arms start with."""
    settings = replace(read_settings(["quatrix"]), seed=seed, torch_threads=1)
    env = per_seat(settings)
    model = make_model(env, settings)
    play_itself(model, env)  # before `learn` starts the games
    watch = Watch(replace(arguments, decisions=max(arguments.opening, 1), points=1), console)
    model.learn(arguments.opening, callback=watch)
    env.close()
    return model.policy.state_dict()


def learn(
    arm: str, seed: int, start: dict[str, Any], arguments: Arguments, console: Console
) -> tuple[dict[str, Any], NetworkPolicy]:
    """One run: its curve and results, and the trained policy."""
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
    """A result for JSON."""
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
    """The results as a table."""
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
    """Plot win rates by number of decisions, one line per run, coloured by arm."""
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
    """Train, print, write."""
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
        "opening": arguments.opening,
        "shaping": arguments.shaping,
        "runs": runs,
        "per_seat_against": duels,
    }
    write_report(arguments.out, __file__, given, report, partial(draw, runs), console)


if __name__ == "__main__":
    main()
