"""The runs of the training scripts: their settings, the learning curve, and the report at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from rich.console import Console

import polytrix
from polytrix.agents import NetworkPolicy, Policy, save_network
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.training.shared.arguments import (
    Amount,
    Count,
    Positive,
    Seed,
    Share,
    Sizes,
    Weight,
    frozen,
    given_options,
)
from polytrix.training.shared.checkpoints import Checkpoints
from polytrix.training.shared.evaluation import Result, evaluate
from polytrix.training.shared.reports import (
    card,
    draw_curve,
    held_out,
    measured,
    method,
    origin,
    play_command,
    run_name,
    write_report,
)
from polytrix.training.shared.runs import Budget, MakePolicy, MakeState, Run

POINTS = 20
"""Points of a learning curve."""
CURVE_GAMES = 100
"""Most games against each opponent, for each of them."""


@dataclass(frozen=True)
class RunSettings:
    """Settings of all training scripts."""

    game: tyro.conf.Positional[str]
    """Name of the game, for example quatrix."""
    out: Path | None = None
    """Folder of the run. By default a folder in runs/ with the name of the game, and the number of players
    if it is not the default. A run in this folder is continued."""

    minutes: Positive = 8.0
    """Budget: minutes of training, without evaluation. They count only if no other budget is given."""
    cpu_minutes: Weight = 0.0
    """Budget: minutes of CPU time, of all threads and processes together, without evaluation; 0: none is given.
    A busy machine or a low priority makes such a run longer, not worse."""
    total_steps: Amount = 0
    """Budget: decisions of the learner; 0: none is given. If both are given, the first one ends the run."""
    checkpoint_seconds: Weight = 30.0
    """Seconds between checkpoints, approximately."""
    final_games: Count = 400
    """Games against each opponent at the end, on held-out seeds. For a point of the learning curve as many are
    played, but at most 100."""
    seed: Seed = 1
    """Random seed."""
    num_envs: Count = 256
    """Number of parallel games."""

    options: dict[str, Any] = field(default_factory=dict)
    """Options of the game, and data files: names of shipped ones or paths of your own; empty: the usual one."""


@dataclass(frozen=True)
class PPOSettings(RunSettings):
    """Settings of the scripts that learn by PPO."""

    num_steps: Count = 32
    """Decisions in each game per rollout."""
    batch_size: Count = 1024
    """Decisions per minibatch."""
    epochs: Count = 2
    """Passes over the rollout per update. Where games are fast, a new decision costs less than a pass over an
    old one."""
    learning_rate: Positive = 1e-3
    """Initial learning rate of Adam; decreases linearly to 0 over the run. In `rllib_ppo.py` it stays."""
    layers: Sizes = (128, 128)
    """Sizes of the hidden layers, for policy and value."""
    gamma: Share = 0.99
    """Discount factor per decision of a learning seat."""
    gae_lambda: Share = 0.95
    """Lambda of generalised advantage estimation."""
    entropy: Weight = 0.01
    """Weight of the entropy bonus. In `fast_ppo.py` and `ppo.py` it decreases linearly to 0 over the run."""
    shaping: Weight = 0.0
    """Weight of the game's potential in rewards: progress is rewarded, without discount."""


CLIP_RANGE = 0.2
"""Clipping range of PPO's probability ratio."""
MAX_GRAD_NORM = 0.5
"""Maximum norm of a gradient of PPO."""
VALUE_WEIGHT = 0.5
"""Weight of the value loss of PPO."""
POOL_SIZE = 5
"""Maximum number of past selves. The first one stays; of the others the oldest is dropped."""


def faded(weight: float, until: float, done: float) -> float:
    """A weight that decreases linearly to 0 at the fraction `until` of the run; constant if `until` is 0.

    >>> faded(2.0, 0.5, 0.25), faded(2.0, 0.5, 0.75), faded(2.0, 0.0, 0.75)
    (1.0, 0.0, 2.0)
    """
    return weight * max(0.0, 1.0 - done / until) if until else weight


class ScriptRun(Run):
    """The run of a training script. Its curve are the games won against `random` and `greedy`.

    Args:
        settings: of the run.
        script: file name of the script.
        prefix: of the folder's name in runs/.
        packages: packages of this script whose versions are recorded.

    Attributes:
        game, options, players: what is learned; the values of all options, and the number of players.
        given: the options that are given.
    """

    figures: Mapping[str, float] = dict.fromkeys(("steps", "seconds", "cpu_seconds", "random", "greedy"), 0.0)

    def __init__(
        self, settings: RunSettings, script: str, prefix: str = "", packages: tuple[str, ...] = ()
    ) -> None:
        self.settings, self.script, self.packages = settings, script, packages
        self.given = given_options(settings)
        self.game, options = polytrix.find(settings.game).configured(self.given)
        self.options: dict[str, Any] = {**options}
        self.players = self.game.num_players(self.options)
        minutes = 0.0 if settings.cpu_minutes or settings.total_steps else settings.minutes
        folder = settings.out or Path("runs") / (prefix + run_name(self.game, self.options))
        self._asked: tuple[MakePolicy, MakeState | None] | None = None  # with what `goes_on` was asked last
        super().__init__(
            folder,
            frozen(settings),
            Budget(minutes, settings.cpu_minutes, settings.total_steps),
            Checkpoints(folder),
            settings.checkpoint_seconds,
            POINTS,
            f"training {self.game.name}",
        )
        self._saved_steps = self.used.decisions
        if self.used.decisions:
            Console().print(f"Continuing {folder}: {self.used.decisions:,} steps in {self.used.seconds:.0f} s")

    # -- around the loop --------------------------------------------------------------------

    def after_iteration(self, policy: MakePolicy, state: MakeState | None, due: int) -> None:
        self._asked = policy, state
        if self.used.seconds:
            self.log({"charts/steps_per_second": self.used.decisions / self.used.seconds})
        if due:
            self.check(policy, state)
            self.add_point(policy)
        assert self.bar is not None
        self.bar.set_postfix_str(self.postfix(), refresh=False)

    def save(self, state: MakeState) -> None:
        assert self._asked is not None
        self.check(*self._asked)
        super().save(state)
        self._saved_steps = self.used.decisions

    def check(self, policy: MakePolicy, state: MakeState | None) -> None:
        """Stop the run if weights are not finite, or so large that outputs may not be finite.

        Raises:
            SystemExit: the run has diverged. The last checkpoint is unchanged.
        """
        try:
            policy()
            if state is None or all_finite(state()):
                return
            problem = "weights, or what the optimiser remembers of them, are not finite"
        except PolicyError as error:
            problem = str(error)
        saved = self._saved_steps
        kept = f"The last checkpoint is of {saved:,} steps" if saved else "Nothing is saved"
        raise SystemExit(
            f"The run has diverged after {self.used.decisions:,} steps: {problem}. {kept}. Start again in "
            "another folder, with a lower --learning-rate."
        )

    def __exit__(self, *error: object) -> None:
        try:
            # PyTorch and others raise these if weights are not finite
            if isinstance(error[1], (ValueError, RuntimeError)) and self._asked is not None:
                self.check(*self._asked)
        finally:
            self.close()

    # -- the curve --------------------------------------------------------------------------

    def add_point(self, policy: MakePolicy) -> None:
        """Measure the policy and add a point to the curve."""
        used = self.used
        point = {"steps": float(used.decisions), "seconds": used.seconds, "cpu_seconds": used.cpu_seconds}
        self.curve.append(point | self.measure(policy()))

    def measure(self, policy: Policy) -> dict[str, float]:
        """The figures of a point of the curve."""
        found: dict[str, float] = {}
        figures: dict[str, float] = {}
        for opponent in ("random", "greedy"):
            result = self.against(policy, opponent)
            found[opponent] = result.rate
            figures |= {f"evaluation/{opponent}": result.rate, f"evaluation/{opponent}_payoff": result.payoff}
        self.log(figures)
        return found

    def against(self, policy: Policy, opponent: str | Policy) -> Result:
        """What a policy does against an opponent, in the games of the curve."""
        games = min(CURVE_GAMES, self.settings.final_games)
        return evaluate(self.game, policy, opponent, games, self.options, seed=1 << 39)

    def postfix(self) -> str:
        """Speed and the latest figures, shown after the progress bar."""
        rate = self.used.decisions / max(self.used.seconds, 1e-9)
        text = f"{self.used.decisions / 1e6:.2f}M steps, {rate:,.0f}/s"
        return f"{text}, {self.told(self.curve[-1])}" if self.curve else text

    def told(self, point: Mapping[str, float]) -> str:
        """A point of the curve in words."""
        return f"wins {point['random']:.0%} random {point['greedy']:.0%} greedy"

    # -- the end ----------------------------------------------------------------------------

    def end_curve(self, policy: MakePolicy) -> None:
        """Add the last point of the curve, unless it is there."""
        if not self.curve or self.curve[-1]["steps"] != self.used.decisions:
            self.add_point(policy)

    def report(self, policy: MakePolicy, **more: Any) -> None:
        """Play the held-out games; write the network, the curve, the card and the results, and print them.

        Args:
            policy: makes the policy that has been learned.
            more: further entries of `result.json`.
        """
        self.end_curve(policy)
        learned, steps = policy(), self.used.decisions
        save_policy(
            self.folder / "policy.npz",
            self.game,
            learned,
            {"steps": steps, "seconds": round(self.used.seconds)},
        )
        results = held_out(self.game, learned, self.settings.final_games, self.options)
        record = self.record() | more | {"results": measured(results)}
        title = f"{self.game.title}, {self.players} players: {method(record)}"
        told = {opponent: f"against {opponent}" for opponent in ("greedy", "random")}
        draw = partial(
            draw_curve, title=title, curve=self.curve, told=told, level=1 / self.players, label="games won"
        )
        write_report(self.folder, record, card(record, "policy.npz"), draw)
        print(play_command(self.game.name, self.folder / "policy.npz", self.settings.options))

    def record(self) -> dict[str, Any]:
        """The content of `result.json`, but for results."""
        settings = self.settings
        budget = {name: getattr(settings, name) for name in ("minutes", "cpu_minutes", "total_steps")}
        return {
            **origin(self.game, self.players, self.script, self.packages),
            "settings": {**frozen(settings), "options": self.given, **budget},
            "steps": self.used.decisions,
            "training_seconds": round(self.used.seconds, 1),
            "training_cpu_seconds": round(self.used.cpu_seconds, 1),
            "seconds_of": self.clock.seconds_of,
            "curve": self.curve,
        }


def save_policy(file: Path, game: Game, policy: Policy, notes: Mapping[str, Any]) -> None:
    """Write a network, with what it notes and with these notes, to a file that `polytrix.agents.load` reads."""
    assert isinstance(policy, NetworkPolicy)
    told = {**policy.notes, **notes}
    save_network(file, game, policy.layers, policy.activation, told, policy.values, policy.beliefs)


def all_finite(value: Any) -> bool:
    """Whether all numbers in the tensors and arrays of a state are finite."""
    if isinstance(value, Mapping):
        return all(map(all_finite, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(all_finite, value))
    if isinstance(value, torch.Tensor):
        return not value.is_floating_point() or bool(value.isfinite().all())
    if isinstance(value, np.ndarray):
        return value.dtype.kind != "f" or bool(np.isfinite(value).all())
    return True
