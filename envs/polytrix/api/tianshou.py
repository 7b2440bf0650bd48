"""A Tianshou vector environment: one compiled batch instead of one worker per game.

It puts the masks into the observation, where Tianshou's policies look for them, and keeps the
transitions of the seats apart, which Tianshou's own PettingZoo wrapper mixes up (see docs/tianshou.md).
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

from .shared.arguments import IllegalAction, ObservationType, SeatRule, configure_rows
from .shared.learner import BoolArray, LearnerBatch
from .shared.opponents import Pool, Weighted

try:
    from tianshou.data import Batch
    from tianshou.env import BaseVectorEnv
except ImportError:
    raise MissingExtraError("polytrix.api.tianshou", "tianshou") from None

from .shared.spaces import action_space, observation_space

Rows = Sequence[int] | IntArray | int | None


class MaskedVectorEnv(BaseVectorEnv):  # type: ignore[misc]  # untyped where Tianshou is not installed
    """Many games at once, each with the learner in one seat and opponents drawn from a pool.

    Observations are a `Batch` of `obs`, (n, O), and `mask`, (n, A) bool, True where an action is legal. The
    learner gets only its own transitions, with its own final payoff. Infos have `env_id`, `seat` and
    `truncated`; a game cut off by a limit (`max_decisions`, or one of its own such as `max_turns`) has a final
    payoff, so it is reported as terminated.

    Args:
        game: a game or its id.
        num_envs: the number of games.
        opponents: the pool, see `Pool`: "random", "greedy", "ppo", paths of saved networks, or
            callables; in a list, or with their relative probabilities: `{"greedy": 0.2, "a/policy.npz": 0.3}`.
        seat, seed, shaping, gamma, illegal_action, dtype: as for `LearnerBatch`.
        num_threads: the number of threads; it does not affect results.
        **options: game options, and data files by name, each as a name, path or content. An option may be
            a list of values, assigned to the games in turn.

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
        opponents: Sequence[PolicySpec] | Weighted = ("random", "greedy"),
        seat: SeatRule = "rotate",
        seed: int | None = None,
        num_threads: int = 1,
        illegal_action: IllegalAction = "raise",
        shaping: float = 0.0,
        gamma: float = 1.0,
        dtype: ObservationType = "int8",
        **options: Any,
    ) -> None:
        self.game, values = configure_rows(game, options, num_envs, type(self))
        self.batch = LearnerBatch(
            Simulator(self.game, num_envs, values, num_threads=num_threads),
            Pool(self.game, opponents),
            seat=seat,
            seed=seed,
            shaping=shaping,
            gamma=gamma,
            illegal_action=illegal_action,
            dtype=dtype,
        )
        self._spaces: dict[str, Space[Any]] = {
            "observation_space": Dict(
                obs=observation_space(self.game, self.batch.dtype),
                mask=Box(0, 1, (self.game.actions.size,), np.bool_),
            ),
            "action_space": action_space(self.game),
        }
        self._fresh = np.ones(num_envs, np.bool_)  # games seeded but not yet returned by `reset`
        self.env_num = num_envs
        self.is_async = False
        self.is_closed = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.id}, num_envs={self.env_num})"

    # -- playing ----------------------------------------------------------------------------

    def reset(self, env_id: Rows = None, *, seed: int | None = None, **kwargs: Any) -> tuple[Batch, Any]:
        """Begin games in the given rows, all by default.

        Args:
            env_id: the row numbers.
            seed: row i begins the game of `seed + i`. None begins each row's next game.
            **kwargs: Gymnasium's `options`; ignored.

        Returns:
            Observations of these rows, and their infos, (n,) dicts.

        Raises:
            ValueError, IndexError, ClosedError: the environment is unchanged.
        """
        rows = self._rows(env_id)
        if seed is not None:
            first = check_seed(seed, self.env_num)
            self.batch.seed((first + rows).tolist(), rows)
        else:
            self.batch.restart(rows[~self._fresh[rows]])
        self._fresh[rows] = False
        return self._seen(rows), self._infos(rows)

    def step(
        self, action: npt.ArrayLike, id: Rows = None
    ) -> tuple[Batch, npt.NDArray[np.float64], BoolArray, BoolArray, Any]:
        """Take one action in each of the given rows (all by default) and let the opponents play.

        Returns:
            Observation, reward (n,) float64, terminated and truncated (n,) bool, infos (n,) dicts.

        Raises:
            TypeError, ValueError, IndexError, GameOverError, IllegalActionError, ClosedError: the environment
                is unchanged.
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

    def set_opponents(self, opponents: Sequence[PolicySpec] | Weighted) -> None:
        """Draw opponents from this pool for new games; games in progress keep theirs."""
        self.batch.set_opponents(Pool(self.game, opponents))

    # -- the rest of Tianshou's vector environment interface ------------------------------------

    def get_env_attr(self, key: str, id: Rows = None) -> list[Any]:
        """A space of the games in the given rows, the only attributes they have; the same for all."""
        if key not in self._spaces:
            raise AttributeError(f"the games have no attribute {key!r}; there are: {', '.join(self._spaces)}")
        return [self._spaces[key]] * len(self._rows(id))

    def set_env_attr(self, key: str, value: Any, id: Rows = None) -> None:
        """Raise OptionError: games of a batch have no attributes to set."""
        raise OptionError(f"{key!r} cannot be set; give options to MaskedVectorEnv(...)")

    def seed(self, seed: int | list[int] | None = None) -> list[list[int] | None]:
        """Begin the first games of `seed`, `seed + 1`, ..., or of one seed per row.

        Raises:
            ValueError, ClosedError: the environment is unchanged.
        """
        self.batch.seed(seed)
        self._fresh[:] = True
        if seed is None:
            return [None] * self.env_num
        return [[each] for each in (seed if isinstance(seed, Sequence) else range(seed, seed + self.env_num))]

    def close(self) -> None:
        """Stop the threads. The environment cannot be used afterwards."""
        self.batch.close()
        self.is_closed = True
