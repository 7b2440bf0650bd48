"""Runs in a folder: what may be used, what has been used, checkpoints, and how a run ends.

    with Run(...) as run:
        run.train(Learner(...))

Whoever has a loop of another form asks the run after each iteration whether to go on (`Run.goes_on`).

`scripts.py` has the runs of the training scripts, which measure the policy on the way, and
`training/trials/trial.py` those of the benchmark's algorithms, which keep it.
"""

from __future__ import annotations

import errno
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

import psutil
from rich.console import Console
from torch.utils.tensorboard import SummaryWriter

from polytrix.core.errors import CheckpointError, GameOverError, IllegalActionError, PolytrixError
from polytrix.learning.workers import one_blas_thread
from polytrix.training.shared.bars import Bar, share_bar
from polytrix.training.shared.checkpoints import Checkpoints, check_like, must_match

MOST = 1 << 53
"""No run makes so many decisions, and seeds that are counted up from them stay in their range."""

MakePolicy = Callable[[], Any]
"""Makes a `Policy`, or what else the run measures or keeps."""
MakeState = Callable[[], Mapping[str, Any]]

CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM)


@dataclass
class Used:
    """What a run has used: decisions of the seats that learn, CPU seconds and wall seconds of training."""

    decisions: int = 0
    cpu_seconds: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True)
class Budget:
    """What a run may use. The first limit that is reached ends it; 0 is no limit.

    Args:
        minutes: on the clock.
        cpu_minutes: CPU time, of all threads and of the processes that it starts together.
        decisions: decisions of the seats that learn.
    """

    minutes: float = 0.0
    cpu_minutes: float = 0.0
    decisions: int = 0

    def __post_init__(self) -> None:
        if not (self.minutes or self.cpu_minutes or self.decisions):
            raise ValueError("the budget has neither minutes nor decisions: the run would never end")
        for name in ("minutes", "cpu_minutes"):
            object.__setattr__(self, name, float(getattr(self, name)))  # a checkpoint tells 5 from 5.0

    def share(self, used: Used) -> float:
        """The fraction of the budget that is used, 0 to 1."""
        shares = [
            have / limit
            for have, limit in (
                (used.seconds, 60 * self.minutes),
                (used.cpu_seconds, 60 * self.cpu_minutes),
                (used.decisions, self.decisions),
            )
            if limit
        ]
        return min(max(shares), 1.0)


class Learner(Protocol):
    """What a run trains."""

    @property
    def decisions(self) -> int:
        """Those of the seats that learn, so far."""

    def iterate(self, done: float) -> dict[str, float]:
        """Make decisions and learn from them; figures to log. `done` is the used fraction of the budget."""

    def policy(self) -> Any:
        """The current policy, as it should play if this were the end."""

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """An example of what a result of `state` must be like, for `check_like`.

        Args:
            state: what is to be compared. The example has as much as this of what there may be more or less of.
        """

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a result of `state` that is like the example."""


def go_on(learner: Learner, state: Any) -> None:
    """Let a learner go on from a state, after comparing all of it.

    Raises:
        CheckpointError: it is not of such a learner; for what libraries check, other errors of `NO_MATCH`.
    """
    check_like(state, learner.state_like(state))
    learner.load_state(state)


def check_count(count: int, name: str, most: int = MOST) -> None:
    """Raise CheckpointError unless a number from a checkpoint is from 0 to below `most`."""
    if not 0 <= count < most:
        raise CheckpointError(f"{name} is {count}; expected 0 to {most - 1}")


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
    """A run in a folder, which is locked until `close`, or until the process ends.

    Args:
        folder: for checkpoints and logs.
        settings: must be the same when the run is continued.
        budget: what it may use.
        checkpoints: of the folder; None: the run has ended.
        checkpoint_seconds: wall seconds between checkpoints.
        points: of the curve, at even fractions of the budget.
        label: of the progress bar.

    Attributes:
        used: what has been used so far.
        curve: the points so far.
        clock: for the activities of a learner.
        saved: the state of the learner in the last checkpoint; None if the run begins.
        bar: of the budget, from the first iteration on.
    """

    figures: Mapping[str, float]
    """An example of a point of the curve."""

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, Any],
        budget: Budget,
        checkpoints: Checkpoints | None,
        checkpoint_seconds: float,
        points: int,
        label: str,
    ) -> None:
        self.folder, self.budget, self.points = folder, budget, points
        self.used, self.clock = Used(), Clock()
        self.curve: list[dict[str, Any]] = []
        self.saved: Mapping[str, Any] | None = None
        self.bar: Bar | None = None
        self._settings, self._checkpoints, self._label = settings, checkpoints, label
        self._checkpoint_seconds, self._saved_at = checkpoint_seconds, time.monotonic()
        self._times: tuple[float, float] | None = None  # wall and CPU time when training went on
        self._writer: SummaryWriter | None = None
        try:
            self._read()
        except BaseException:
            self.close()  # a notebook keeps the error, and with it the run
            raise
        self._shown = self.done  # at the last point of the curve that was due

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close files and the bar, and let others use the folder."""
        if self.bar is not None:
            self.bar.close()
        if self._writer is not None:
            self._writer.close()
        if self._checkpoints is not None:
            self._checkpoints.close()
        self._writer = self._checkpoints = None

    @property
    def done(self) -> float:
        """Fraction of the budget that is used, 0 to 1."""
        return self.budget.share(self.used)

    def train(self, learner: Learner, warm_up: Callable[[], None] | None = None) -> None:
        """Let a learner go on from the last checkpoint, if there is one, until the budget is used up.

        `warm_up` compiles what it needs, and changes nothing: this time does not count.
        """
        self.restore(learner)
        if warm_up is not None:
            with Console(stderr=True).status("compiling, once on this machine"):
                warm_up()
        while self.goes_on(learner.decisions, learner.policy, learner.state):
            self.log(learner.iterate(self.done))

    def restore(self, learner: Learner) -> None:
        """Let a learner go on from the last checkpoint, if there is one, as if the run had not stopped.

        Raises:
            SystemExit: the checkpoint is not of such a learner.
        """
        if self.saved is not None:
            with must_match(self.folder):
                go_on(learner, self.saved)

    def goes_on(self, decisions: int, policy: MakePolicy, state: MakeState | None = None) -> bool:
        """Whether some of the budget is left. To be asked before the first iteration and after each.

        Before it is asked for the first time, time does not count: compile there.

        Args:
            decisions: of the seats that learn, so far.
            policy: makes the current policy, as it should play if this were the end.
            state: makes the state of the learner, for `saved`: anything that `write_checkpoint` can write.
                None: a run that was killed begins again.
        """
        if self._checkpoints is None:
            return False
        now, cpu = time.monotonic(), cpu_seconds()
        if self._times is not None:
            self.used.seconds += now - self._times[0]
            self.used.cpu_seconds += cpu - self._times[1]
        self.used.decisions = int(decisions)
        ended = self.done >= 1.0
        try:
            due = int(self.done * self.points) - int(self._shown * self.points)
            self._shown = self.done
            if self.bar is None:
                self.bar = share_bar(self.done, self._label)
            self.after_iteration(policy, state, due)
            self.bar.upto(self.done)
            old = time.monotonic() - self._saved_at > self._checkpoint_seconds
            begun = self._times is not None
            if ended:
                self.bar.close()
                self.end(state)
            elif state is not None and begun and old:
                self.save(state)
        except BaseException:
            self.close()
            raise
        self._times = time.monotonic(), cpu_seconds()
        return not ended

    def save(self, state: MakeState) -> None:
        """Write a checkpoint."""
        assert self._checkpoints is not None
        own = {"used": asdict(self.used), "curve": self.curve, "seconds_of": self.clock.seconds_of}
        self._checkpoints.write({"settings": self._settings, **own, "state": state()})
        self._saved_at = time.monotonic()

    def log(self, figures: Mapping[str, float]) -> None:
        """Write figures to the TensorBoard log."""
        if self._writer is None:
            self._writer = SummaryWriter(str(self.folder / "tensorboard"), purge_step=self.used.decisions)
        for name, figure in figures.items():
            self._writer.add_scalar(name, figure, self.used.decisions)

    # -- what kinds of runs differ in -------------------------------------------------------

    @abstractmethod
    def after_iteration(self, policy: MakePolicy, state: MakeState | None, due: int) -> None:
        """Add to the curve.

        Args:
            policy, state: as for `goes_on`.
            due: number of points that have become due.
        """

    def end(self, state: MakeState | None) -> None:
        """Do what is to be done once the budget is used up. A larger one lets the run go on from there."""
        if state is not None:
            self.save(state)

    # -- resuming ---------------------------------------------------------------------------

    def _read(self) -> None:
        """Take over the last checkpoint, if there is one."""
        state = self._checkpoints.read(self._settings) if self._checkpoints is not None else None
        if state is None:
            return
        with must_match(self.folder):
            check_like(state["seconds_of"], dict.fromkeys(state["seconds_of"], (0.0, 0.0)), "seconds_of")
            self._take(state["used"], state["curve"])
            self.clock.seconds_of, self.saved = state["seconds_of"], state["state"]

    def _take(self, used: Any, curve: Any) -> None:
        """Take over what has been used so far, or raise one of `NO_MATCH`."""
        check_like(used, asdict(Used()), "what has been used")
        check_like(curve, self.curve_like(curve), "the curve")
        if not all(0 <= each < MOST for each in used.values()):
            raise CheckpointError(f"{used} has been used; expected 0 to 2**53 of each")
        self.used, self.curve = Used(**used), curve

    def curve_like(self, curve: Any) -> list[Any]:
        """An example of what a curve must be like, with as many points as this one."""
        return [dict(self.figures)] * len(curve)


def cpu_seconds() -> float:
    """CPU time of this process and of all processes that it has started."""
    me = psutil.Process()
    total = 0.0
    for process in (me, *me.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.Error:  # it has just ended
            continue
        total += times.user + times.system
        if process is me:
            total += times.children_user + times.children_system
    return total


@contextmanager
def ends_in_words() -> Iterator[None]:
    """A block for a command that can be continued, which Ctrl-C, full disks and bad input end with a sentence.

    Matrix products of evaluations have one thread meanwhile: more slow them down on busy cores.

    Raises:
        SystemExit: the block was stopped so.
    """
    again = "the same command continues from here"
    try:
        with one_blas_thread():
            yield
    except KeyboardInterrupt:
        Console().print(f"\nstopped; {again}")
        raise SystemExit(130) from None
    except (IllegalActionError, GameOverError):  # a mistake in an algorithm: the traceback says where
        raise
    except PolytrixError as error:
        raise SystemExit(str(error)) from None
    except OSError as error:
        if error.errno not in CANNOT_WRITE:
            raise
        place = error.filename or "a file of the run"
        raise SystemExit(f"{place} cannot be written ({error.strerror}); {again}") from None
