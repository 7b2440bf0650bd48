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
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from polytrix.agents import NetworkPolicy, Policy, resolve
from polytrix.agents.policy import name_of
from polytrix.agents.resolve import FILE
from polytrix.core.errors import CheckpointError, PolicyError, PolytrixError
from polytrix.core.files import write_json
from polytrix.core.game import Game
from polytrix.training.shared.checkpoints import Checkpoints, check_settings, must_match
from polytrix.training.shared.runs import Budget, MakePolicy, MakeState, Run, Used
from polytrix.training.shared.scripts import save_policy

RECORD = "trial.json"
"""File that a finished trial writes to its folder."""

CLASS = ".txt"
"""Ending of a file beside a policy that is no network of ours, with its class as `module:Class`."""


class Trial(Run):
    """An algorithm, a game, a seed and a budget.

    A policy is a network of ours, or an object of a class of yours with a method `save(file)`. The class is
    called with the game and the file when the policy is to play again.

    Args:
        game, options: the game, and the values of all its options.
        seed: random seed, for whatever the algorithm draws.
        budget: what it may use.
        folder: for policies, checkpoints and logs. A trial in this folder is continued.
        points: number of policies that are kept, at even fractions of the budget; the last one is the result.
        checkpoint_seconds: wall seconds between checkpoints.

    Attributes:
        curve: what had been used when each policy was kept.
    """

    figures: Mapping[str, float] = asdict(Used())

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any],
        seed: int,
        budget: Budget,
        folder: Path,
        points: int = 10,
        checkpoint_seconds: float = 60.0,
    ) -> None:
        self.game, self.options, self.seed = game, options, seed
        self._record = folder / RECORD
        settings = {
            "game": game.id,
            "options": dict(options),
            "seed": seed,
            **asdict(budget),
            "points": points,
            **({"data": game.data_marks} if game.data_marks else {}),
        }
        checkpoints = None if self._record.exists() else Checkpoints(folder)
        label = f"learning {game.name}"
        super().__init__(folder, settings, budget, checkpoints, checkpoint_seconds, points, label)

    @property
    def given(self) -> dict[str, Any]:
        """Options and own data files by name, as whoever makes the game by its name needs them."""
        return {**self.game.replaced, **self.options}

    @property
    def finished(self) -> bool:
        """Whether all policies have been kept."""
        return len(self.curve) == self.points

    def after_iteration(self, policy: MakePolicy, state: MakeState | None, due: int) -> None:
        for _ in range(due):
            self._keep(policy())

    def end(self, state: MakeState | None) -> None:
        write_json(self._record, {**self._settings, "curve": self.curve})
        assert self._checkpoints is not None
        self._checkpoints.file.unlink(missing_ok=True)
        self.close()

    def policy_file(self, point: int) -> Path:
        """The file of the policy that was kept at a point, 1 to `points`."""
        return self.folder / f"policy-{point:02d}.npz"

    def agent(self, point: int) -> str:
        """The policy that was kept at a point, as the arena and `resolve` name it."""
        file = self.policy_file(point)
        named = file.with_suffix(CLASS)
        return f"{named.read_text(encoding='utf-8')}{FILE}{file}" if named.exists() else str(file)

    def _keep(self, policy: Policy) -> None:
        """Save the policy of the next point of the curve.

        Raises:
            TypeError: it cannot be saved, or its class not be found again.
        """
        self.curve.append(asdict(self.used))
        file = self.policy_file(len(self.curve))
        file.with_suffix(CLASS).unlink(missing_ok=True)  # of an algorithm that began here before
        if isinstance(policy, NetworkPolicy):
            save_policy(file, self.game, policy, asdict(self.used))
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
                f"the policy {name_of(policy)!r} is a {type(policy).__name__}; a trial keeps a NetworkPolicy "
                "or an object with a method `save(file)`, whose class is called with the game and the file "
                "to make it again"
            )

    def _read(self) -> None:
        if not self._record.exists():
            super()._read()
            return
        self.close()  # another process may have finished the trial just now
        record = json.loads(self._record.read_text(encoding="utf-8"))
        curve = record.pop("curve")
        check_settings(self.folder, record, self._settings)
        with must_match(self.folder):
            self._take(curve[self.points - 1], curve)

    def _take(self, used: Any, curve: Any) -> None:
        super()._take(used, curve)
        if len(curve) > self.points or any(value < 0 for each in curve for value in each.values()):
            raise CheckpointError(f"{len(curve)} policies are kept, and {used} has been used")
