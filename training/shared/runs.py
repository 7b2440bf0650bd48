"""What the training scripts share: a run's folder, checkpoints, evaluation schedule and report."""

from __future__ import annotations

import errno
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
import tyro
from rich.console import Console
from tqdm import tqdm

import polytrix
from polytrix.agents import Policy
from polytrix.core.errors import CheckpointError, PolicyError
from polytrix.training.shared.arguments import (
    Amount,
    Count,
    Positive,
    Seed,
    Share,
    Weight,
    frozen,
    given_options,
)
from polytrix.training.shared.checkpoints import Checkpoints, check_like, must_match
from polytrix.training.shared.evaluation import Result, evaluate
from polytrix.training.shared.reports import held_out, measured, origin, run_name, show, write_report


@dataclass(frozen=True)
class RunSettings:
    """Settings of all training scripts."""

    game: tyro.conf.Positional[str]
    """Name of the game, for example quatrix."""
    out: Path | None = None
    """Folder of the run. By default a folder in runs/ with the name of the game, and the number of players
    if it is not the default. A run in this folder is continued."""
    restart: bool = False
    """Delete the run in the folder and start again."""

    minutes: Positive = 8.0
    """Budget: minutes of training, without evaluation. They count only if no other budget is given."""
    cpu_minutes: Weight = 0.0
    """Budget: minutes of CPU time of this process, all threads together, without evaluation; 0: none is given.
    A busy machine or a low priority makes such a run longer, not worse."""
    total_steps: Amount = 0
    """Budget: decisions of the learner; 0: none is given. If both are given, the first one ends the run."""
    checkpoint_seconds: Weight = 30.0
    """Seconds between checkpoints, approximately."""
    evaluation_seconds: Weight = 45.0
    """Seconds between points of the learning curve, approximately."""
    curve_games: Count = 100
    """Games against each opponent, for each point of the learning curve."""
    final_games: Count = 400
    """Games against each opponent at the end, on held-out seeds."""
    seed: Seed = 1
    """Random seed."""
    num_envs: Count = 256
    """Number of parallel games."""

    options: dict[str, Any] = field(default_factory=dict)
    """Options of the game, and data files: names of shipped ones or paths of your own; empty: the usual one."""


@dataclass(frozen=True)
class PPOSettings(RunSettings):
    """Settings of the scripts that learn by PPO."""

    gamma: Share = 0.99
    """Discount factor per decision of a learning seat."""
    gae_lambda: Share = 0.95
    """Lambda of generalised advantage estimation."""
    clip_range: Positive = 0.2
    """Clipping range of PPO's probability ratio."""
    entropy: Weight = 0.01
    """Weight of the entropy bonus."""
    value_weight: Weight = 0.5
    """Weight of the value loss."""
    max_grad_norm: Positive = 0.5
    """Maximum norm of the gradient."""
    shaping: Weight = 0.0
    """Weight of the game's potential-based shaping reward."""
    shaping_gamma: Share = 1.0
    """Discount factor in the shaping term. If it equals `gamma`, shaping does not change which policies are
    optimal, but does not help while nobody wins: the value function learns to cancel it. 1 rewards progress."""
    pool_size: Count = 5
    """Maximum number of past selves. The first one stays; of the others the oldest is dropped."""


MOST = 1 << 53
"""No run makes so many steps, and seeds that are counted up from them stay in their range."""


@dataclass
class Progress:
    """How far a run has come."""

    iteration: int = 0
    steps: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    curve: list[dict[str, float]] = field(default_factory=list)

    @staticmethod
    def read(saved: Any, figures: Iterable[str]) -> Progress:
        """The progress of a checkpoint.

        Args:
            saved: from the checkpoint, once `asdict` of a progress.
            figures: what is measured at each point of the curve.

        Raises:
            CheckpointError: it is none, or no run has come so far.
        """
        point = dict.fromkeys(("steps", "seconds", "cpu_seconds", *figures), 0.0)
        expected = asdict(Progress()) | {"curve": [point] * len(saved["curve"])}
        check_like(saved, expected, "progress")
        progress = Progress(**saved)
        counts = progress.iteration, progress.steps, progress.seconds, progress.cpu_seconds
        if not all(0 <= each < MOST for each in counts):
            raise CheckpointError(f"progress is {counts} iterations, steps and seconds; expected 0 to 2**53")
        return progress


class Clock:
    """Measures wall and CPU time of named activities.

    Args:
        cpu_time: the clock of CPU time, for example `time.thread_time`; by default that of the process.

    Attributes:
        seconds_of: wall and CPU seconds, by name.
    """

    def __init__(self, cpu_time: Callable[[], float] | None = None) -> None:
        self._cpu_time = cpu_time or time.process_time
        self.seconds_of: dict[str, tuple[float, float]] = {}
        self._open: list[str] = []
        self._counted = (0.0, 0.0)  # time of the last count

    @contextmanager
    def __call__(self, what: str) -> Iterator[None]:
        """Add the time of a `with` block to `what`, without the time of timed blocks inside it."""
        self._count()
        self._open.append(what)
        try:
            yield
        finally:
            self._count()
            self._open.pop()

    def take(self, other: Clock, beside: int = 1) -> None:
        """Move what another clock has measured to this one; `beside` clocks ran at the same time."""
        for what, (wall, cpu) in other.seconds_of.items():
            before = self.seconds_of.get(what, (0.0, 0.0))
            self.seconds_of[what] = before[0] + wall / beside, before[1] + cpu
        other.seconds_of = {}

    def _count(self) -> None:
        """Add the time since the last call to the innermost block."""
        now = time.perf_counter(), self._cpu_time()
        if self._open:
            wall, cpu = self.seconds_of.get(self._open[-1], (0.0, 0.0))
            self.seconds_of[self._open[-1]] = wall + now[0] - self._counted[0], cpu + now[1] - self._counted[1]
        self._counted = now


class Run(ABC):
    """A training run in a folder.

    Args:
        settings: of the run.
        script: file name of the training script.
        prefix: of the folder's name in runs/.
        packages: packages of this script whose versions are recorded.
    """

    curve_figures: tuple[str, ...] = ("random", "greedy")
    """What is measured at each point of the learning curve."""

    def __init__(
        self, settings: RunSettings, script: str, prefix: str = "", packages: tuple[str, ...] = ()
    ) -> None:
        self.script, self.packages = script, packages
        self.given = given_options(settings)
        self.game, options = polytrix.find(settings.game).configured(self.given)
        self.options: dict[str, Any] = {**options}
        self.players = self.game.num_players(self.options)
        self.folder = settings.out or Path("runs") / (prefix + run_name(self.game, self.options))
        self.checkpoints = Checkpoints(self.folder, settings.restart)
        self.progress = Progress()
        self.saved_steps = 0
        self.clock = Clock()
        self.settings = settings

    # -- defined by each script -------------------------------------------------------------

    @abstractmethod
    def train(self) -> None:
        """The training loop: iterate until `done` is 1, in the context of `schedule`.

        Each iteration adds its steps to `progress`, and measures its time with `clock` as `environment`,
        `inference` and `learning`.
        """

    @abstractmethod
    def iterate(self) -> None:
        """Make some decisions, and learn from them."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Everything needed to continue the run, except settings and progress."""

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """An example of what a result of `state` must be like, for `check_like`.

        Args:
            state: what is to be compared. The example has as much as this of what there may be more or less of.
        """
        return self.state()

    @abstractmethod
    def load_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a result of `state`."""

    @abstractmethod
    def learned(self) -> Iterable[torch.Tensor]:
        """The weights and the state of the optimiser."""

    @abstractmethod
    def learner(self) -> Policy:
        """The current policy, for evaluation: it plays the most probable action."""

    @abstractmethod
    def log(self, figures: Mapping[str, float]) -> None:
        """Write figures to the TensorBoard log."""

    @abstractmethod
    def export(self, file: Path) -> None:
        """Write the network to a file that `polytrix.agents.load` reads."""

    def close(self) -> None:
        """Close files, stop processes that the run has started, and let others use the folder."""
        self.checkpoints.close()

    def extra_record(self) -> dict[str, Any]:
        """Entries that the script adds to `result.json`."""
        return {}

    # -- saving and resuming ----------------------------------------------------------------

    def save(self) -> None:
        """Write a checkpoint."""
        own = {
            "settings": frozen(self.settings),
            "progress": asdict(self.progress),
            "seconds_of": self.clock.seconds_of,
        }
        self.checkpoints.write(own | self.state())
        self.saved_steps = self.progress.steps

    def restore(self) -> None:
        """Continue from the last intact checkpoint, if there is one, exactly as if the run had not stopped.

        Raises:
            SystemExit: there are checkpoints, but none is intact and belongs to this run.
        """
        try:
            self._restore()
        except BaseException:
            self.checkpoints.close()  # a notebook keeps the error, and with it the run
            raise
        self.saved_steps = self.progress.steps

    def _restore(self) -> None:
        found = self.checkpoints.read(frozen(self.settings))
        if found is None:
            return
        state, problem = found
        if problem:
            Console(stderr=True).print(problem, soft_wrap=True, markup=False)
        own = {name: state.pop(name, None) for name in ("settings", "progress", "seconds_of")}
        with must_match(self.folder):
            check_like(own["seconds_of"], dict.fromkeys(own["seconds_of"], (0.0, 0.0)), "seconds_of")
            self.clock.seconds_of = own["seconds_of"]
            self.go_on(own["progress"], state)

    def go_on(self, progress: Any, state: Any) -> None:
        """Continue from a progress and a result of `state`, after comparing all of both with this run.

        Raises:
            CheckpointError: they are not of such a run; for what libraries check, other errors of `NO_MATCH`.
        """
        self.progress = Progress.read(progress, self.curve_figures)
        check_like(state, self.state_like(state))
        self.load_state(state)

    # -- around the loop --------------------------------------------------------------------

    @property
    def done(self) -> float:
        """Fraction of the run that is done, 0 to 1."""
        progress, settings = self.progress, self.settings
        shares = []
        if settings.cpu_minutes:
            shares.append(progress.cpu_seconds / (60 * settings.cpu_minutes))
        if settings.total_steps:
            shares.append(progress.steps / settings.total_steps)
        return min(max(shares or [progress.seconds / (60 * settings.minutes)]), 1.0)

    @contextmanager
    def schedule(self) -> Iterator[Callable[[], None]]:
        """A context for the training loop, with a progress bar.

        Yields:
            A function to call after each iteration. It counts the time, logs the speed, updates the bar, and
            evaluates the policy and saves a checkpoint when that is due, after checking the weights.
        """
        settings, progress = self.settings, self.progress
        began, cpu = time.monotonic(), time.process_time()
        saved = evaluated = began
        form = "{desc}: {percentage:3.0f}%|{bar}| {elapsed} < {remaining} {postfix}"

        def after_iteration() -> None:
            nonlocal began, cpu, saved, evaluated
            progress.seconds += time.monotonic() - began
            progress.cpu_seconds += time.process_time() - cpu
            speed = progress.steps / progress.seconds
            self.log({"charts/steps_per_second": speed})
            now = time.monotonic()
            if now - evaluated > settings.evaluation_seconds:
                self.check()
                self.add_point()
                evaluated = now = time.monotonic()
            if now - saved > settings.checkpoint_seconds or self.done >= 1.0:
                self.check()
                self.save()
                saved = now
            bar.set_postfix_str(self.postfix(speed))
            bar.update(self.done - bar.n)
            began, cpu = time.monotonic(), time.process_time()

        with tqdm(total=1.0, initial=self.done, bar_format=form, desc=f"training {self.game.name}") as bar:
            try:
                yield after_iteration
            except (ValueError, RuntimeError):  # raised by PyTorch and others if weights are not finite
                self.check()
                raise

    def check(self) -> None:
        """Stop the run if weights are not finite, or so large that outputs may not be finite.

        Raises:
            SystemExit: the run has diverged. The last checkpoint is unchanged.
        """
        try:
            self.learner()
            if all(bool(tensor.isfinite().all()) for tensor in self.learned()):
                return
            problem = "weights, or what the optimiser remembers of them, are not finite"
        except PolicyError as error:
            problem = str(error)
        kept = (
            f"{self.checkpoints.last} is of {self.saved_steps:,} steps"
            if self.saved_steps
            else "Nothing is saved"
        )
        raise SystemExit(
            f"The run has diverged after {self.progress.steps:,} steps: {problem}. {kept}. Start again with "
            "--restart, and a lower --learning-rate or --max-grad-norm."
        )

    def add_point(self) -> None:
        """Evaluate the policy and add a point to the learning curve."""
        policy, progress = self.learner(), self.progress
        point = {
            "steps": float(progress.steps),
            "seconds": progress.seconds,
            "cpu_seconds": progress.cpu_seconds,
        }
        figures: dict[str, float] = {}
        for opponent in self.curve_figures:
            games = self.settings.curve_games
            result = evaluate(self.game, policy, opponent, games, self.options, seed=1 << 39)
            point[opponent] = result.rate
            figures |= {f"evaluation/{opponent}": result.rate, f"evaluation/{opponent}_payoff": result.payoff}
        progress.curve.append(point)
        self.log(figures)

    def postfix(self, rate: float) -> str:
        """Speed and latest win rates, shown after the progress bar."""
        text = f"{self.progress.steps / 1e6:.2f}M steps, {rate:,.0f}/s"
        if self.progress.curve:
            last = self.progress.curve[-1]
            text += f", wins {last['random']:.0%} random {last['greedy']:.0%} greedy"
        return text

    # -- the end ----------------------------------------------------------------------------

    def finish(self) -> list[Result]:
        """Play the held-out games, and write the network, the curve, the card and the results."""
        self.check()
        if not self.progress.curve or self.progress.curve[-1]["steps"] != self.progress.steps:
            self.add_point()
        self.export(self.folder / "policy.npz")
        results = held_out(self.game, self.learner(), self.settings.final_games, self.options)
        write_report(self.folder, self.game, self.record(results))
        return results

    def report(self, console: Console) -> None:
        """Measure the policy, write the files and print the results."""
        results, options = self.finish(), self.settings.options
        show(console, self.game, self.folder, results, self.progress.steps, options)

    def record(self, results: list[Result]) -> dict[str, Any]:
        """The content of `result.json`."""
        settings = self.settings
        budget = {name: getattr(settings, name) for name in ("minutes", "cpu_minutes", "total_steps")}
        return {
            **origin(self.game, self.players, self.script, self.packages),
            "settings": {**frozen(settings), "options": self.given, **budget},
            "steps": self.progress.steps,
            "training_seconds": round(self.progress.seconds, 1),
            "training_cpu_seconds": round(self.progress.cpu_seconds, 1),
            "seconds_of": self.clock.seconds_of,
            **self.extra_record(),
            "results": measured(results),
            "curve": self.progress.curve,
        }


CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM)


def carry_out(make: Callable[[], Run]) -> None:
    """Train, evaluate and report.

    Args:
        make: creates the run, or loads it from its last checkpoint.
    """
    console = Console()
    try:
        run = make()
        try:
            _carry_out(run, console)
        finally:
            run.close()
    except OSError as error:
        if error.errno not in CANNOT_WRITE:
            raise
        place = error.filename or "a file of the run"
        raise SystemExit(
            f"{place} cannot be written ({error.strerror}). "
            "The same command continues from the last checkpoint."
        ) from None


def _carry_out(run: Run, console: Console) -> None:
    progress = run.progress
    if progress.steps:
        console.print(f"Continuing {run.folder}: {progress.steps:,} steps in {progress.seconds:.0f} s")
    try:
        if run.done < 1.0:
            run.train()
        run.report(console)
    except KeyboardInterrupt:
        console.print(f"\nStopped. The same command continues from {run.checkpoints.last}.")
        raise SystemExit(130) from None
