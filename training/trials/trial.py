"""Trials: an algorithm learns a game with a budget, and leaves policies of itself behind.

An algorithm of the benchmark is a file with one function, `train(trial)`. It asks the trial after every
iteration whether to go on:

    def train(trial: Trial) -> None:
        learner = MyLearner(trial.game, trial.options, trial.seed)
        if trial.saved is not None:
            learner.load_state(trial.saved)
        while trial.goes_on(learner.decisions, learner.policy, learner.state):
            learner.iterate(left=1.0 - trial.done)

The trial counts time, keeps a policy at even fractions of the budget, and saves the state from time to time,
so that a trial that was killed goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import psutil

from polytrix.agents import NetworkPolicy, Policy, RecurrentNetworkPolicy, resolve, save_network
from polytrix.agents.policy import name_of
from polytrix.agents.resolve import FILE
from polytrix.core.errors import CheckpointError, PolicyError, PolytrixError
from polytrix.core.files import write_json
from polytrix.core.game import Game
from polytrix.training.shared.checkpoints import Checkpoints, check_like, must_match

RECORD = "trial.json"
"""File that a finished trial writes to its folder."""

CLASS = ".txt"
"""Ending of a file beside a policy that is no network of ours, with its class as `module:Class`."""


@dataclass(frozen=True)
class Budget:
    """What an algorithm may use.

    Args:
        minutes: CPU time in minutes, of all threads and processes together; 0: no limit.
        decisions: decisions of the seats that learn; 0: no limit.
    """

    minutes: float = 0.0
    decisions: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "minutes", float(self.minutes))  # a checkpoint tells 5 from 5.0


@dataclass
class Used:
    """What a trial has used: decisions, CPU seconds and wall seconds of training."""

    decisions: int = 0
    cpu_seconds: float = 0.0
    seconds: float = 0.0


@dataclass
class Trial:
    """An algorithm, a game, a seed and a budget.

    Args:
        game, options: the game, and the values of all its options.
        seed: random seed, for whatever the algorithm draws.
        budget: what it may use.
        folder: for policies, checkpoints and logs. A trial in this folder is continued.
        points: number of policies that are kept, at even fractions of the budget; the last one is the result.
        checkpoint_seconds: wall seconds between checkpoints.

    The folder of a trial that is not finished is locked until `close`, or until the process ends.

    Attributes:
        used: what has been used so far.
        curve: what had been used when each policy was kept.
        watch: called after each iteration, for progress bars.
        saved: the state of the algorithm in the last checkpoint; None if the trial begins.
    """

    game: Game
    options: Mapping[str, Any]
    seed: int
    budget: Budget
    folder: Path
    points: int = 10
    checkpoint_seconds: float = 60.0
    used: Used = field(init=False, default_factory=Used)
    saved: Mapping[str, Any] | None = field(init=False, default=None)
    curve: list[dict[str, float]] = field(init=False, default_factory=list)
    watch: Callable[[], object] = field(init=False, default_factory=lambda: nothing)

    def __post_init__(self) -> None:
        if not (self.budget.minutes or self.budget.decisions):
            raise ValueError("the budget has neither minutes nor decisions: the trial would never end")
        self._checkpoints: Checkpoints | None = None  # of a trial that is not finished
        self._clock: tuple[float, float] | None = None  # wall and CPU time when training went on
        self._saved_at = monotonic()
        self._settings = {
            "game": self.game.id,
            "options": dict(self.options),
            "seed": self.seed,
            **asdict(self.budget),
            "points": self.points,
            **({"data": self.game.data_marks} if self.game.data_marks else {}),
        }
        record = self.folder / RECORD
        if not record.exists():
            self._checkpoints = Checkpoints(self.folder)
        try:
            if record.exists():  # perhaps since another process has finished the trial just now
                self.close()
                self._read_record()
            elif self._checkpoints is not None and (found := self._checkpoints.read(self._settings)):
                state, _ = found
                with must_match(self.folder):
                    self._go_on(state["curve"], state["used"])
                    self.saved = state["state"]
        except BaseException:
            self.close()
            raise

    @property
    def given(self) -> dict[str, Any]:
        """Options and own data files by name, as whoever makes the game by its name needs them."""
        return {**self.game.replaced, **self.options}

    @property
    def done(self) -> float:
        """Fraction of the budget that is used, 0 to 1."""
        shares = [0.0]
        if self.budget.minutes:
            shares.append(self.used.cpu_seconds / (60 * self.budget.minutes))
        if self.budget.decisions:
            shares.append(self.used.decisions / self.budget.decisions)
        return min(max(shares), 1.0)

    @property
    def finished(self) -> bool:
        """Whether all policies have been kept."""
        return len(self.curve) == self.points

    def goes_on(
        self,
        decisions: int,
        policy: Callable[[], Policy],
        state: Callable[[], Mapping[str, Any]] | None = None,
    ) -> bool:
        """Whether some of the budget is left. To be asked before the first iteration and after each.

        Before it is asked for the first time, time does not count: compile there.

        Args:
            decisions: of the seats that learn, so far.
            policy: makes the current policy, as it should play if this were the end: a network of ours, or an
                object of a class of yours with a method `save(file)`. The class is called with the game and the
                file when the policy is to play again.
            state: makes the state of the algorithm, for `saved`: anything that `write_checkpoint` can write.
                None: a trial that was killed begins again.

        Raises:
            TypeError: the policy cannot be saved, or its class not be found again.
        """
        if self._checkpoints is None:
            return False
        now, cpu = monotonic(), cpu_seconds()
        if self._clock is not None:
            self.used.seconds += now - self._clock[0]
            self.used.cpu_seconds += cpu - self._clock[1]
        self.used.decisions = int(decisions)
        try:
            while len(self.curve) < self.points and self.done >= (len(self.curve) + 1) / self.points:
                self._keep(policy())
        except BaseException:
            self.close()
            raise
        ended = self.finished
        self.watch()
        if state is not None and not ended and now - self._saved_at > self.checkpoint_seconds:
            self._checkpoints.write(
                {"settings": self._settings, "used": asdict(self.used), "curve": self.curve, "state": state()}
            )
            self._saved_at = monotonic()
        if ended:
            write_json(self.folder / RECORD, {**self._settings, "curve": self.curve})
            for checkpoint in (self._checkpoints.last, self._checkpoints.before):
                checkpoint.unlink(missing_ok=True)
            self.close()
        self._clock = monotonic(), cpu_seconds()
        return not ended

    def close(self) -> None:
        """Let others use the folder. A finished trial has done so."""
        if self._checkpoints is not None:
            self._checkpoints.close()
        self._checkpoints = None

    def policy_file(self, point: int) -> Path:
        """The file of the policy that was kept at a point, 1 to `points`."""
        return self.folder / f"policy-{point:02d}.npz"

    def agent(self, point: int) -> str:
        """The policy that was kept at a point, as the arena and `resolve` name it."""
        file = self.policy_file(point)
        named = file.with_suffix(CLASS)
        return f"{named.read_text(encoding='utf-8')}{FILE}{file}" if named.exists() else str(file)

    def _keep(self, policy: Policy) -> None:
        """Save the policy of the next point of the curve."""
        self.curve.append(asdict(self.used))
        file = self.policy_file(len(self.curve))
        file.with_suffix(CLASS).unlink(missing_ok=True)  # of an algorithm that began here before
        if isinstance(policy, NetworkPolicy):
            save_network(
                file, self.game, policy.layers, policy.activation, asdict(self.used), values=policy.values
            )
        elif isinstance(policy, RecurrentNetworkPolicy):
            save_network(file, self.game, policy.layers, policy.activation, asdict(self.used), policy.cell)
        elif callable(save := getattr(policy, "save", None)):
            made_by = f"{type(policy).__module__}:{type(policy).__qualname__}"
            save(file)
            file.with_suffix(CLASS).write_text(made_by, encoding="utf-8")
            try:
                if type(policy).__module__ == "__main__":
                    raise PolicyError("the class is in the script that was started; put it into a module")
                resolve(self.agent(len(self.curve)), self.game)
            except PolytrixError as error:
                raise TypeError(
                    f"a policy of {made_by} has been saved, but cannot be made again: {error}"
                ) from None
        else:
            raise TypeError(
                f"the policy {name_of(policy)!r} is a {type(policy).__name__}; a trial keeps a NetworkPolicy, "
                "a RecurrentNetworkPolicy, or an object with a method `save(file)`, whose class is called with "
                "the game and the file to make it again"
            )

    def _read_record(self) -> None:
        """Take over what a finished trial has used.

        Raises:
            SystemExit: it has other settings.
        """
        record = json.loads((self.folder / RECORD).read_text(encoding="utf-8"))
        names = dict.fromkeys([*self._settings, *record])
        names.pop("curve")
        changed = [name for name in names if record.get(name) != self._settings.get(name)]
        if changed:
            raise SystemExit(
                f"{self.folder} has a trial with other settings ({', '.join(changed)}). "
                "Take another folder, or delete this one."
            )
        with must_match(self.folder):
            self._go_on(record["curve"], record["curve"][self.points - 1])

    def _go_on(self, curve: Any, used: Any) -> None:
        """Take over what has been used so far, or raise one of `NO_MATCH`."""
        check_like([*curve, used], [asdict(Used())] * (len(curve) + 1), "what has been used")
        if len(curve) > self.points or min(value for each in (*curve, used) for value in each.values()) < 0:
            raise CheckpointError(f"{len(curve)} policies are kept, and {used} has been used")
        self.curve, self.used = curve, Used(**used)


def nothing() -> None:
    """Do nothing."""


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
