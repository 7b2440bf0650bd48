"""Bad calls of the API for Tianshou, as in `tests/shared/test_bad_calls.py`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tianshou", reason="needs the extra tianshou: make test-integrations")

from polytrix.api.tianshou import MaskedVectorEnv
from polytrix.core.game import Game
from tests.every_game import every_game
from tests.shared.bad_calls import all_refused, only_while_open
from tests.shared.batch_targets import NO_ARRAY, LearnerTarget, as_arrays
from tests.shared.targets import BAD_ROWS, Bad, bad, seeding


class TianshouTarget(LearnerTarget):
    """Tianshou; row 0 of three is tested."""

    name = "tianshou"

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        super().__init__(game, seed, **options)
        self.envs = MaskedVectorEnv(game, 3, opponents=["random"], seed=seed, **options)
        self.batch = self.envs.batch

    def reset(self, seed: int) -> None:
        self.envs.reset(seed=seed)

    def step(self, action: Any) -> None:
        self.envs.step([action], [0])

    def memory(self) -> bytes:
        return super().memory() + self.envs._fresh.tobytes()

    def close(self) -> None:
        self.envs.close()

    def bad_calls(self) -> Iterator[Bad]:
        envs = self.envs
        yield from as_arrays(super().bad_calls())
        good = self.batch.mask().argmax(axis=1)
        for actions in (good[:2], good[None], good * 1.0, good.astype(bool), [], None, "abc", [[], [1]]):
            yield bad(NO_ARRAY, envs.step, actions)
        for rows in BAD_ROWS:
            if np.shape(np.array(rows, object)) or isinstance(rows, str):  # Tianshou accepts a single number
                yield bad(IndexError, envs.step, good[:1], rows)
                yield bad(IndexError, envs.reset, rows)
        yield from seeding(lambda seed: envs.reset(seed=seed))
        for seed in (-1, 2**63 - 1, 1.5, "a", True, [1], [1, 2, -1], [1, 2, 3, 4], (1, 2), np.arange(3)):
            yield bad(ValueError, envs.seed, seed)


@every_game
def test_bad_calls_are_refused_and_change_nothing(game: Game) -> None:
    assert all_refused(TianshouTarget, game) > 50


@every_game
def test_a_step_before_reset_and_after_close(game: Game) -> None:
    only_while_open(TianshouTarget, game)
