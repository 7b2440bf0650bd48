"""Games as a vector environment of Tianshou, one compiled batch instead of a worker for each game.

Tianshou's policies look for masks in the observation, and its own wrapper of PettingZoo mixes up the
transitions of the seats (see docs/tianshou.md): so both are done here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Space

from polytrix.agents.resolve import PolicySpec
from polytrix.core.calls import as_array, check_seed, row_numbers
from polytrix.core.errors import GameOverError, MissingExtraError, OptionError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import IntArray

from .shared.arguments import IllegalAction, SeatRule, chosen_rows
from .shared.learner import BoolArray, LearnerBatch
from .shared.opponents import Pool

try:
    from tianshou.data import Batch
    from tianshou.env import BaseVectorEnv
except ImportError:
    raise MissingExtraError("polytrix.api.tianshou", "tianshou") from None

from .shared.spaces import action_space, observation_space

Rows = Sequence[int] | IntArray | int | None


class MaskedVectorEnv(BaseVectorEnv):  # type: ignore[misc]  # untyped where Tianshou is not installed
    """Many games at once, a learner in one seat of each, opponents drawn from a pool for each game.

    Observations are a `Batch` of `obs`, (n, O) int8, and `mask`, (n, A) bool, True where an action is
    legal. The learner gets its own transitions only, with its own final payoff. Infos hold `env_id`,
    `seat` and `truncated`: a game that a limit has ended (`max_decisions`, or one of its own such as
    `max_turns`) has a defined payoff, so it counts as terminated.

    Args:
        game: a game or its id.
        num_envs: how many games.
        opponents: the pool: "random", "greedy", paths of saved networks, or callables.
        weights: how likely each of them is; equally by default.
        seat: the learner's: a number, "random", or "rotate" (the seats take turns from game to game).
        seed: game i is that of `seed + i`. None: from the operating system.
        num_threads: results do not depend on it.
        illegal_action: "raise" raises IllegalActionError; "forfeit" ends the game with reward -1.
        shaping, gamma: see `LearnerBatch`.
        **options: of the game, and its data files: a path, or the content, by name. An option may be a
            list of values, which the games take in turns.

    >>> envs = MaskedVectorEnv("quatrix", 8, opponents=["random"], seed=3, max_decisions=40)
    >>> observation, info = envs.reset()
    >>> observation, reward, terminated, truncated, info = envs.step(observation.mask.argmax(axis=1))
    >>> observation.obs.shape, observation.mask.shape
    ((8, 577), (8, 848))
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        *,
        opponents: Sequence[PolicySpec] = ("random", "greedy"),
        weights: Sequence[float] | None = None,
        seat: SeatRule = "rotate",
        seed: int | None = None,
        num_threads: int = 1,
        illegal_action: IllegalAction = "raise",
        shaping: float = 0.0,
        gamma: float = 1.0,
        **options: Any,
    ) -> None:
        self.game, values = chosen_rows(game, options, num_envs, type(self))
        self.batch = LearnerBatch(
            Simulator(self.game, num_envs, values, num_threads=num_threads),
            Pool(self.game, opponents, weights),
            seat=seat,
            seed=seed,
            shaping=shaping,
            gamma=gamma,
            illegal_action=illegal_action,
        )
        self._spaces: dict[str, Space[Any]] = {
            "observation_space": Dict(
                obs=observation_space(self.game), mask=Box(0, 1, (self.game.actions.size,), np.bool_)
            ),
            "action_space": action_space(self.game),
        }
        self._fresh = np.ones(num_envs, np.bool_)  # games that nobody has seen yet
        self.env_num = num_envs
        self.is_async = False
        self.is_closed = False

    # -- playing ----------------------------------------------------------------------------

    def reset(self, env_id: Rows = None, *, seed: int | None = None, **kwargs: Any) -> tuple[Batch, Any]:
        """Begin games in the given rows, all by default.

        Args:
            env_id: their numbers.
            seed: row i begins the game of `seed + i`. None: the game after its last one.
            **kwargs: Gymnasium's `options`; nothing is read from it.

        Returns:
            Observation of these rows, and their infos, (n,) of dicts.

        Raises:
            ValueError, IndexError, ClosedError: nothing has been changed.
        """
        rows = self._rows(env_id)
        if seed is not None:
            first = check_seed(seed, self.env_num)
            everywhere = len(rows) == self.env_num
            self.batch.seed([first + int(row) for row in rows], None if everywhere else rows)
        else:
            self.batch.restart(rows[~self._fresh[rows]])
        self._fresh[rows] = False
        return self._seen(rows), self._infos(rows)

    def step(
        self, action: npt.ArrayLike, id: Rows = None
    ) -> tuple[Batch, npt.NDArray[np.float64], BoolArray, BoolArray, Any]:
        """Carry out one action in each of the given rows, all by default; the others answer.

        Returns:
            Observation, reward (n,) float64, terminated and truncated (n,) bool, infos (n,) of dicts.

        Raises:
            TypeError, ValueError, IndexError, GameOverError, IllegalActionError, ClosedError: nothing has been
                changed.
        """
        rows = self._rows(id)
        if self._fresh[rows].any():
            raise GameOverError("no games have begun in these rows; call reset() first")
        outcome = self.batch.step(action, rows)
        done = (outcome.terminated | outcome.truncated)[rows]
        reward = outcome.reward[rows].astype(np.float64)
        return self._seen(rows), reward, done, np.zeros(len(rows), np.bool_), self._infos(rows)

    def _rows(self, chosen: Rows) -> IntArray:
        if chosen is None:
            return np.arange(self.env_num)
        return row_numbers(np.atleast_1d(as_array(chosen)), self.env_num)

    def _seen(self, rows: IntArray) -> Batch:
        return Batch(obs=self.batch.observation()[rows], mask=self.batch.mask()[rows].astype(np.bool_))

    def _infos(self, rows: IntArray) -> npt.NDArray[Any]:
        seat, truncated = self.batch.seat, self.batch.truncated
        infos = np.empty(len(rows), object)
        for place, row in enumerate(rows):
            infos[place] = {"env_id": int(row), "seat": int(seat[row]), "truncated": bool(truncated[row])}
        return infos

    # -- opponents --------------------------------------------------------------------------

    def set_opponents(self, opponents: Sequence[PolicySpec], weights: Sequence[float] | None = None) -> None:
        """Draw opponents from this pool for all games that begin from now on; live games keep theirs."""
        self.batch.set_opponents(Pool(self.game, opponents, weights))

    # -- what else Tianshou asks of a vector environment ----------------------------------------

    def get_env_attr(self, key: str, id: Rows = None) -> list[Any]:
        """An attribute of the games of the given rows: one of the spaces, the same for all."""
        if key not in self._spaces:
            raise AttributeError(f"the games have no attribute {key!r}; there are: {', '.join(self._spaces)}")
        return [self._spaces[key]] * len(self._rows(id))

    def set_env_attr(self, key: str, value: Any, id: Rows = None) -> None:
        """There is nothing to set: games of a batch have no attributes of their own."""
        raise OptionError(f"{key!r} cannot be set; give options to MaskedVectorEnv(...)")

    def seed(self, seed: int | list[int] | None = None) -> list[list[int] | None]:
        """Begin the first games of `seed`, `seed + 1`, ..., or of one seed for each row.

        Raises:
            ValueError, ClosedError: nothing has been changed.
        """
        self.batch.seed(seed)
        self._fresh[:] = True
        if seed is None:
            return [None] * self.env_num
        return [[each] for each in (seed if isinstance(seed, Sequence) else range(seed, seed + self.env_num))]

    def close(self) -> None:
        """Stop the threads; nothing can be played any more."""
        self.batch.close()
        self.is_closed = True
