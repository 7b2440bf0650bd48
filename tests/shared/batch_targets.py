"""The simulator and the Gymnasium APIs as targets of bad calls."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from polytrix.api.shared.learner import LearnerBatch
from polytrix.api.single import SingleEnv
from polytrix.api.vector import VectorEnv
from polytrix.core.errors import (
    GameOverError,
    IllegalActionError,
    OptionError,
    PolicyError,
    SnapshotError,
)
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator

from .targets import BAD_ROWS, FAR, Bad, Target, bad, seeding

NO_ARRAY = (TypeError, ValueError)
"""Errors for actions of a wrong shape or type; IllegalActionError is a ValueError."""


def as_arrays(calls: Iterator[Bad]) -> Iterator[Bad]:
    """The same calls, for a target that converts its input to an array."""
    for each in calls:
        yield each if GameOverError in each.errors else replace(each, errors=NO_ARRAY)


class SimulatorTarget(Target):
    """Row 0 of a simulator with three rows at different positions."""

    name = "simulator"
    begins = False
    rows = 3

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        super().__init__(game, seed, **options)
        self.sim = Simulator(game, self.rows, options, seed=seed)

    def reset(self, seed: int) -> None:
        self.sim.seed(seed, [0])

    def legal(self) -> list[int]:
        ids: list[int] = self.sim.legal_ids[0, : self.sim.num_legal[0]].tolist()
        return ids

    def step(self, action: Any) -> None:
        self.sim.step([action], [0])

    def memory(self) -> bytes:
        sim = self.sim
        outputs = (sim.observation, sim.mask, sim.legal_ids, sim.num_legal, sim.mover, sim.reward, sim.policy)
        return sim.save() + b"".join(array.tobytes() for array in outputs)

    def close(self) -> None:
        self.sim.close()

    def bad_calls(self) -> Iterator[Bad]:
        sim = self.sim
        yield from as_arrays(super().bad_calls())
        good = self.legal()[:1] or [0]
        for actions in (good * 4, good[0], [good], [], None, np.zeros(3), np.zeros(3, bool), "abc", [[], [1]]):
            yield bad(NO_ARRAY, sim.step, actions)
        of_rows: list[tuple[Any, ...]] = [
            (sim.restart,), (sim.save,), (sim.copies,), (sim.random_actions,), (sim.refresh,),
            (sim.global_state,), (sim.step, good), (sim.view, 0), (sim.redeal, 0), (sim.seed, 1),
            (sim.load, b""),
        ]  # fmt: skip
        for rows in BAD_ROWS:
            for call, *given in of_rows:
                yield bad(IndexError, call, *given, rows)
            yield bad(IndexError, sim.fork, 0, rows, 1)
        players = int(sim.num_players[0])
        for seat in (-1, players, 10**9, 2**64 - 1, 0.5, float("nan"), "0", None, True, [0], [[0]], [0] * 9):
            yield bad(IndexError, sim.view, seat)
            yield bad(IndexError, sim.redeal, seat)
        for source in (-1, 3, 10**9, None, 0.0, True, [0], "0", slice(0, 1)):
            yield bad(IndexError, sim.fork, source, [1], 1)
            yield bad(IndexError, sim.options_of, source)
        yield from seeding(sim.seed)
        yield from seeding(lambda seed: sim.fork(0, [1, 2], seed))
        for seed in (2**63 - 1, 2**63 - 2):
            yield bad(ValueError, sim.seed, seed)
        yield bad(ValueError, sim.fork, 0, [1, 2], 2**63 - 1)
        for data in (None, "", b"", b"polytrix snapshot 1\n", 3, sim.save([0]), sim.save([0, 1])):
            yield bad(SnapshotError, sim.load, data)
        yield from self.bad_policies()
        for action in (*FAR, *self.illegal()):
            yield bad(IllegalActionError, self.step_one, action)

    def bad_policies(self) -> Iterator[Bad]:
        """Policies that the game does not have, assigned as a whole or written into the array."""
        for kind in (50, -1, -128, 127, max(self.game.built_in_policies.values()) + 1):
            yield bad(PolicyError, setattr, self.sim, "policy", kind)
            yield bad(PolicyError, self.restart_with, kind)
            if self.legal():
                yield bad(PolicyError, self.step_with, kind)
        for thing in (None, 1.0, "greedy", [[0]] * 9, 10**9):
            yield bad(ValueError, setattr, self.sim, "policy", thing)

    def step_one(self, action: int) -> None:
        """Step with `Simulator.step_one`, which returns None for an illegal action."""
        if self.sim.step_one(action) is None:
            raise IllegalActionError("refused")

    def step_with(self, kind: int) -> None:
        """Step while a seat has a policy that the game does not have."""
        self.sim.policy[0, -1] = kind
        try:
            self.step(self.legal()[0])
        finally:
            self.sim.policy[0, -1] = 0

    def restart_with(self, kind: int) -> None:
        """Begin a new game with such a policy."""
        self.sim.policy[1, 0] = kind
        try:
            self.sim.restart()
        finally:
            self.sim.policy[1, 0] = 0


class LearnerTarget(Target):
    """Targets built on a `LearnerBatch`, in which the learner plays one seat."""

    batch: LearnerBatch

    def legal(self) -> list[int]:
        actions: list[int] = np.flatnonzero(self.batch.mask()[0]).tolist()
        return actions

    def memory(self) -> bytes:
        batch, sim = self.batch, self.batch.simulator
        arrays = (
            sim.states, sim._generators, sim.observation, sim.mask, sim.mover, sim.reward, sim.policy,
            batch.seat, batch.player, batch.length, batch.returned, batch._forfeited, batch._origin,
            batch._begun,
        )  # fmt: skip
        return b"".join(array.tobytes() for array in arrays) + pickle.dumps(batch.rng.bit_generator.state)


class SingleTarget(LearnerTarget):
    """The Gymnasium environment."""

    name = "single"

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        super().__init__(game, seed, **options)
        self.env = SingleEnv(game, illegal_action="raise", **options)
        self.batch = self.env._batch

    def reset(self, seed: int) -> None:
        self.env.reset(seed=seed)

    def step(self, action: Any) -> None:
        self.env.step(action)

    def close(self) -> None:
        self.env.close()

    def bad_calls(self) -> Iterator[Bad]:
        yield from super().bad_calls()
        yield from seeding(lambda seed: self.env.reset(seed=seed))
        for options in (5, [1], "players"):
            yield bad(OptionError, self.env.reset, options=options)


class BatchTarget(LearnerTarget):
    """Targets that step several rows at once: three here, of which row 0 is tested."""

    rows = 3

    def step_all(self, actions: Any) -> None:
        """Step the target with one action for each row."""
        raise NotImplementedError

    def step(self, action: Any) -> None:
        others = self.batch.mask()[1:].argmax(axis=1).tolist()
        self.step_all([action, *others])

    def bad_calls(self) -> Iterator[Bad]:
        yield from as_arrays(super().bad_calls())
        good = self.batch.mask().argmax(axis=1)
        for actions in (
            good[:2], good[None], good[:, None], good[0], good.astype(float), good.astype(bool),
            good.astype(str), [], None, "abc", [[], [1], [2]], {0: 1}, np.full(3, np.nan),
            np.full(3, 2**64 - 1, np.uint64),
        ):  # fmt: skip
            yield bad(NO_ARRAY, self.step_all, actions)


class VectorTarget(BatchTarget):
    """The Gymnasium vector environment."""

    name = "vector"

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        super().__init__(game, seed, **options)
        self.envs = VectorEnv(game, self.rows, illegal_action="raise", autoreset_mode="SameStep", **options)
        self.batch = self.envs._batch

    def reset(self, seed: int) -> None:
        self.envs.reset(seed=seed)

    def step_all(self, actions: Any) -> None:
        self.envs.step(actions)

    def close(self) -> None:
        self.envs.close()

    def bad_calls(self) -> Iterator[Bad]:
        reset = self.envs.reset
        yield from super().bad_calls()
        yield from seeding(lambda seed: reset(seed=seed))
        for seed in (2**63 - 1, 2**63 - 2, [1], [1, 2, -1], [1, 2, 2.5], [1, 2, 3, 4], "abc", np.arange(3)):
            yield bad(ValueError, reset, seed=seed)
        for mask in (
            None,
            True,
            [True] * 3,
            np.ones(3),
            np.zeros(3, bool),
            np.ones(2, bool),
            np.ones((1, 3), bool),
            "abc",
        ):
            yield bad(NO_ARRAY, reset, options={"reset_mask": mask})
        for options in (5, [1], "reset_mask"):
            yield bad(OptionError, reset, options=options)
