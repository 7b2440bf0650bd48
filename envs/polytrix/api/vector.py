"""The Gymnasium vector API: many games at once, each with a learner in one seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from polytrix.agents.resolve import PolicySpec
from polytrix.core.calls import check_actions, seeds_from, shown
from polytrix.core.errors import GameOverError, OptionError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import ByteArray, IntArray

from .shared.arguments import IllegalAction, ObservationType, SeatRule, Seen, configure_rows, reset_options
from .shared.learner import BoolArray, LearnerBatch
from .shared.opponents import Weighted, opponents_of
from .shared.rendering import RENDER_MODES, Renderer, metadata
from .shared.spaces import action_space, observation_space, shorten

Step = tuple[Seen, npt.NDArray[np.float64], BoolArray, BoolArray, dict[str, Any]]


class VectorEnv(GymnasiumVectorEnv[Seen, IntArray, npt.NDArray[Any]]):
    """B games stepped together; row i plays the same games as a `SingleEnv` seeded with `seed + i`.

    `info` has `action_mask`, (B, A) int8, and `seat`, (B,) int64, for the observations returned with it.
    The mask of a finished game is all 0.

    Args:
        game: a game or its id.
        num_envs: the number of games, B.
        opponent, seat, illegal_action, shaping, gamma, dtype: as for `SingleEnv`. A list of opponents must
            cover the other seats of the largest game.
        num_threads: the number of threads; it does not affect results.
        autoreset_mode: when the next game of a row begins: at the step after the final one (NEXT_STEP,
            which ignores that step's action), at the final step itself (SAME_STEP, which returns
            `final_obs` and `final_info`), or when the caller resets it (DISABLED, with
            `reset(options={"reset_mask": finished})`).
        render_mode: None, "ansi" or "rgb_array".
        **options: game options, and data files by name, each as a name, path or content. An option may be
            a list of values, assigned to the rows in turn: row i has `values[i % len(values)]`.

    Raises:
        OptionError, DataError, PolicyError: invalid arguments.

    >>> import gymnasium, polytrix
    >>> envs = gymnasium.make_vec("polytrix/quatrix-v0", num_envs=3, opponent="random", num_threads=1)
    >>> observation, info = envs.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = envs.step(info["action_mask"].argmax(axis=1))
    >>> observation.shape, info["action_mask"].shape
    ((3, 577), (3, 848))
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        *,
        opponent: PolicySpec | Sequence[PolicySpec] | Weighted = "random",
        seat: SeatRule = "random",
        num_threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        illegal_action: IllegalAction = "forfeit",
        shaping: float = 0.0,
        gamma: float = 1.0,
        dtype: ObservationType = "int8",
        **options: Any,
    ) -> None:
        self.game, values = configure_rows(game, options, num_envs, type(self))
        self.num_envs = num_envs
        self.autoreset_mode = _check_mode(autoreset_mode)
        modes = [mode for mode in RENDER_MODES if mode != "human"]
        self._renderer = Renderer(self.game, render_mode, modes)
        self.metadata = metadata(self.game) | {"render_modes": modes, "autoreset_mode": self.autoreset_mode}
        simulator = Simulator(self.game, num_envs, values, num_threads=num_threads)
        self._batch = LearnerBatch(
            simulator,
            opponents_of(self.game, opponent, int(simulator.num_players.max())),
            seat=seat,
            shaping=shaping,
            gamma=gamma,
            illegal_action=illegal_action,
            dtype=dtype,
        )
        self.render_mode = render_mode
        self.single_observation_space = observation_space(self.game, self._batch.dtype)
        self.single_action_space = action_space(self.game)
        self.observation_space = shorten(batch_space(self.single_observation_space, num_envs))
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begun = np.zeros(num_envs, np.bool_)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.id}, num_envs={self.num_envs})"

    # -- beginning games --------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin games.

        Args:
            seed: row i begins the game of `seed + i`, or of `seed[i]`. None begins each row's next game.
            options: `{"reset_mask": (B,) bool}` begins games only where it is True.

        Returns:
            Observation (B, O), int8 unless `dtype` says otherwise, and info of all rows, as new objects.

        Raises:
            TypeError, ValueError, OptionError, ClosedError: the environment is unchanged.
        """
        rows = np.flatnonzero(self._reset_mask(reset_options(options)))
        seeds = self._seeds(seed)
        given = {int(row): each for row in rows if (each := seeds[row]) is not None}
        self._batch.seed([*given.values()], [*given])
        self._batch.restart([int(row) for row in rows if row not in given])
        self._begun[rows] = True
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
        return self._batch.observation(), self._info()

    def _reset_mask(self, options: Mapping[str, Any]) -> BoolArray:
        """Which rows to reset, after checking the argument."""
        if "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        mask = options["reset_mask"]
        allowed = f"allowed: a NumPy array of bool, shape ({self.num_envs},), with at least one True"
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"reset_mask is {shown(mask)}; {allowed}")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"reset_mask is {shown(mask)}; {allowed}")
        return mask

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """The seed of each row."""
        if seed is None:
            return [None] * self.num_envs
        if not isinstance(seed, Sequence):
            return list[int | None](seeds_from(seed, self.num_envs).tolist())
        seeds_from([0 if each is None else each for each in seed], self.num_envs)
        return list(seed)

    # -- playing ----------------------------------------------------------------------------

    def step(self, actions: IntArray) -> Step:
        """Take one action in each row and let the opponents play.

        Errors leave the environment unchanged.

        Args:
            actions: (B,) integers.

        Returns:
            Observation (B, O), reward (B,) float64, terminated and truncated (B,) bool,
            and info, as new objects.

        Raises:
            TypeError, ValueError: not one integer per row.
            GameOverError: before the first reset, or for a finished game if autoreset is disabled.
            IllegalActionError: there is no such action, or it is illegal and `illegal_action="raise"`.
            ClosedError: after `close`.
        """
        given = check_actions(actions, self.num_envs)
        if not self._begun.all():
            raise GameOverError("no games have begun; call reset() first")
        batch, final = self._batch, dict[str, Any]()
        over = batch.over
        if self.autoreset_mode is AutoresetMode.NEXT_STEP and over.any():
            live = np.flatnonzero(~over)
            reward = batch.step(given[live], live).reward
            batch.restart(np.flatnonzero(over))
            terminated, truncated = batch.terminated, batch.truncated
        else:
            reward, terminated, truncated = batch.step(given)
            ended = np.flatnonzero(terminated | truncated)
            if self.autoreset_mode is AutoresetMode.SAME_STEP and len(ended):
                final = self._final(ended)
                batch.restart(ended)
        return batch.observation(), reward.astype(np.float64), terminated, truncated, final | self._info()

    def _final(self, rows: IntArray) -> dict[str, Any]:
        """`final_obs` and `final_info` of the finished games, before the next ones begin."""
        here = np.zeros(self.num_envs, np.bool_)
        here[rows] = True
        observations = np.full(self.num_envs, None, object)
        for row, seen in zip(rows, self._batch.view(rows), strict=True):
            observations[row] = seen
        nothing = np.zeros((self.num_envs, self.game.actions.size), np.int8)  # unlike zeros_like, takes no time
        info = self._info_of(here, nothing)
        return {"final_obs": observations, "_final_obs": here, "final_info": info, "_final_info": here.copy()}

    def _info(self) -> dict[str, Any]:
        return self._info_of(np.ones(self.num_envs, np.bool_), self._batch.mask())

    def _info_of(self, here: BoolArray, mask: ByteArray) -> dict[str, Any]:
        seat = np.where(here, self._batch.seat, 0)
        return {"action_mask": mask, "_action_mask": here.copy(), "seat": seat, "_seat": here.copy()}

    def action_masks(self) -> ByteArray:
        """The learners' action masks, (B, A) int8, a new array; all 0 in finished games."""
        return self._batch.mask()

    def render(self) -> tuple[Any, ...] | None:
        """Render the positions as the learners see them, according to `render_mode`."""
        states, seats = self._batch.simulator.states, self._batch.seat
        return tuple(self._renderer.render(states[row], int(seats[row])) for row in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the threads. The environment cannot be used afterwards."""
        if hasattr(self, "_batch"):  # Gymnasium also closes an environment whose constructor failed
            self._batch.close()


def _check_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """An autoreset mode, given as such or by its name or value."""
    for known in AutoresetMode:
        if mode in (known, known.name, known.value):
            return known
    allowed = ", ".join(f"AutoresetMode.{known.name} or {known.value!r}" for known in AutoresetMode)
    raise OptionError(f"autoreset_mode is {mode!r}; allowed: {allowed}")
