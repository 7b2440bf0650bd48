"""Bad calls of the API for RLlib, as in `tests/shared/test_bad_calls.py`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="needs the extra rllib: make test-integrations")

from polytrix.api.rllib.env import MultiAgentGame
from polytrix.core.errors import IllegalActionError
from polytrix.core.game import Game
from tests.every_game import every_game
from tests.shared.bad_calls import all_refused, only_while_open
from tests.shared.targets import Bad, Target, bad, seeding


class RLlibTarget(Target):
    """RLlib."""

    name = "rllib"

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        super().__init__(game, seed, **options)
        self.env = MultiAgentGame(game, illegal_action="raise", **options)

    def reset(self, seed: int) -> None:
        self.env.reset(seed=seed)

    def legal(self) -> list[int]:
        legal: list[int] = np.flatnonzero(self.env._simulator.mask[0]).tolist()
        return legal

    def step(self, action: Any) -> None:
        self.env.step({self.env._aec.agent_selection: action})

    def memory(self) -> bytes:
        env = self.env
        told = (
            env.payoffs,
            env.truncated,
            env._aec.agent_selection,
            env._before,
            env._simulator.mask.tobytes(),
        )
        return env._simulator.save() + repr(told).encode()

    def close(self) -> None:
        self.env.close()

    def bad_calls(self) -> Iterator[Bad]:
        env = self.env
        yield from super().bad_calls()
        yield from seeding(lambda seed: env.reset(seed=seed))
        if not self.legal():
            return
        mover = env._aec.agent_selection
        other = next(agent for agent in env.agents if agent != mover)
        wrong: tuple[Any, ...] = (
            {}, {other: 0}, {mover: 0, other: 0}, {"player_9": 0}, {0: 0, "a": 1}, {None: 0},
        )  # fmt: skip
        for actions in wrong:
            yield bad(ValueError, env.step, actions)
        for thing in (None, 0, [0], "player_0", {mover}):
            yield bad(TypeError, env.step, thing)


@every_game
def test_bad_calls_are_refused_and_change_nothing(game: Game) -> None:
    assert all_refused(RLlibTarget, game) > 50


@every_game
def test_a_step_before_reset_and_after_close(game: Game) -> None:
    only_while_open(RLlibTarget, game)


@every_game
def test_a_number_that_is_no_action_is_no_forfeit(game: Game) -> None:
    """As in PettingZoo: an illegal action ends the game, a mistake does not."""
    env = MultiAgentGame(game)
    seen, _ = env.reset(seed=1)
    (mover,) = seen
    before = env.record.tobytes()
    for number in (-1, game.actions.size, 10**9):
        with pytest.raises(IllegalActionError):
            env.step({mover: number})
    assert env.record.tobytes() == before and not env.payoffs


def test_a_runner_whose_seeds_would_be_too_large() -> None:
    env = MultiAgentGame("quatrix", runner=3)
    with pytest.raises(ValueError, match="allowed: a whole number from 0"):
        env.reset(seed=2**63 - 2**32)
