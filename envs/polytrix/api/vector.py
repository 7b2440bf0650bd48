"""Many games at once, each with a learner in one seat: a native Gymnasium vector environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from polytrix.agents.resolve import PolicySpec
from polytrix.core.calls import check_seed, checked_actions, shown
from polytrix.core.errors import GameOverError, OptionError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import ByteArray, IntArray

from .shared.arguments import IllegalAction, SeatRule, chosen_rows, options_given
from .shared.learner import BoolArray, LearnerBatch
from .shared.opponents import LineUp
from .shared.rendering import RENDER_MODES, Renderer, metadata
from .shared.spaces import action_space, observation_space

Step = tuple[ByteArray, npt.NDArray[np.float64], BoolArray, BoolArray, dict[str, Any]]


class VectorEnv(GymnasiumVectorEnv[ByteArray, IntArray, npt.NDArray[Any]]):
    """B games stepped together; row i seeded with `seed + i` is `SingleEnv` seeded with that number.

    `info` holds `action_mask` (B, A) int8 and `seat` (B,) int64 of the observations returned with it.
    A row whose game is over has nothing to decide: its mask is all 0.

    Args:
        game: a game or its id.
        num_envs: how many games, B.
        opponent, seat, illegal_action, shaping, gamma: as for `SingleEnv`. A list of opponents is as long
            as the largest game has other seats.
        num_threads: results do not depend on it.
        autoreset_mode: when the next game of a row begins: with the step after the last one
            (NEXT_STEP, whose action is ignored), with the last one itself (SAME_STEP, which gives
            `final_obs` and `final_info`), or when the caller says so (DISABLED, by
            `reset(options={"reset_mask": finished})`).
        render_mode: None, "ansi" or "rgb_array".
        **options: of the game, and its data files: a path, or the content, by name. An option may be a
            list of values, which the rows take in turns: row i has `values[i % len(values)]`.

    Raises:
        OptionError, DataError, PolicyError: for arguments that are not allowed.

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
        opponent: PolicySpec | Sequence[PolicySpec] = "random",
        seat: SeatRule = "random",
        num_threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        illegal_action: IllegalAction = "forfeit",
        shaping: float = 0.0,
        gamma: float = 1.0,
        **options: Any,
    ) -> None:
        self.game, values = chosen_rows(game, options, num_envs, type(self))
        self.num_envs = num_envs
        self.autoreset_mode = _checked_mode(autoreset_mode)
        modes = [mode for mode in RENDER_MODES if mode != "human"]
        if render_mode is not None and render_mode not in modes:
            raise OptionError(f"render_mode is {render_mode!r}; allowed: None, {', '.join(map(repr, modes))}")
        self.metadata = metadata(self.game) | {"render_modes": modes, "autoreset_mode": self.autoreset_mode}
        simulator = Simulator(self.game, num_envs, values, num_threads=num_threads)
        self._batch = LearnerBatch(
            simulator,
            LineUp(self.game, opponent, int(simulator.num_players.max())),
            seat=seat,
            shaping=shaping,
            gamma=gamma,
            illegal_action=illegal_action,
        )
        self.render_mode = render_mode
        self.single_observation_space = observation_space(self.game)
        self.single_action_space = action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._renderer = Renderer(self.game, render_mode)
        self._begun = np.zeros(num_envs, np.bool_)

    # -- beginning games --------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[ByteArray, dict[str, Any]]:
        """Begin games.

        Args:
            seed: row i begins the game of `seed + i`, or of `seed[i]`. None: the game after its last one.
            options: `{"reset_mask": (B,) bool}` begins games only where it is True.

        Returns:
            Observation (B, O) int8 and info of all rows, new objects.

        Raises:
            TypeError, ValueError, OptionError, ClosedError: nothing has been changed.
        """
        rows = np.flatnonzero(self._reset_mask(options_given(options)))
        seeds = self._seeds(seed)
        given = rows[[seeds[row] is not None for row in rows]]
        if len(given):
            chosen = [seed for seed in (seeds[row] for row in given) if seed is not None]
            self._batch.seed(chosen, None if len(given) == self.num_envs else given)
        self._batch.restart(rows[[seeds[row] is None and bool(self._begun[row]) for row in rows]])
        self._begun[rows] = True
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
        return self._batch.observation(), self._info()

    def _reset_mask(self, options: Mapping[str, Any]) -> BoolArray:
        """Which rows are to be reset, checked."""
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
            first = check_seed(seed, self.num_envs)
            return [first + row for row in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds are given; expected {self.num_envs}, one per row")
        return [None if each is None else check_seed(each) for each in seed]

    # -- playing ----------------------------------------------------------------------------

    def step(self, actions: IntArray) -> Step:
        """Carry out one action in each row.

        Args:
            actions: (B,) integers.

        Returns:
            Observation (B, O) int8, reward (B,) float64, terminated and truncated (B,) bool,
            and info; new objects.

        Raises:
            TypeError, ValueError: other than one integer per row.
            GameOverError: before the first reset, or, with autoreset disabled, where a game is over.
            IllegalActionError: with `illegal_action="raise"`, or for a number that is no action at all.
            ClosedError: after `close`. As for all errors, nothing has been changed.
        """
        given = checked_actions(actions, self.num_envs)
        if not self._begun.all():
            raise GameOverError("no games have begun; call reset() first")
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            return self._step_next(given)
        reward, terminated, truncated = self._batch.step(given)
        ended = np.flatnonzero(terminated | truncated)
        if self.autoreset_mode is AutoresetMode.DISABLED or not len(ended):
            return self._batch.observation(), reward.astype(np.float64), terminated, truncated, self._info()
        final = self._final(ended)
        self._batch.restart(ended)
        info = final | self._info()
        return self._batch.observation(), reward.astype(np.float64), terminated, truncated, info

    def _step_next(self, actions: npt.NDArray[Any]) -> Step:
        """A step that begins games where the last step ended one."""
        batch = self._batch
        over = batch.over
        if over.any():
            live = np.flatnonzero(~over)
            reward = batch.step(actions[live], live).reward
            batch.restart(np.flatnonzero(over))
        else:
            reward = batch.step(actions).reward
        return batch.observation(), reward.astype(np.float64), batch.terminated, batch.truncated, self._info()

    def _final(self, rows: IntArray) -> dict[str, Any]:
        """The last observations and infos of games that are over, before the next ones begin."""
        here = np.zeros(self.num_envs, np.bool_)
        here[rows] = True
        observations = np.full(self.num_envs, None, object)
        for row, seen in zip(rows, self._batch.view(rows), strict=True):
            observations[row] = seen
        info = {
            "action_mask": np.zeros((self.num_envs, self.game.actions.size), np.int8),
            "_action_mask": here.copy(),
            "seat": np.where(here, self._batch.seat, 0),
            "_seat": here.copy(),
        }
        return {"final_obs": observations, "_final_obs": here, "final_info": info, "_final_info": here.copy()}

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self._batch.mask(),
            "_action_mask": np.ones(self.num_envs, np.bool_),
            "seat": self._batch.seat.copy(),
            "_seat": np.ones(self.num_envs, np.bool_),
        }

    def action_masks(self) -> ByteArray:
        """The learners' legal actions, (B, A) int8 of 0 and 1, a new array; all 0 once over."""
        return self._batch.mask()

    def render(self) -> tuple[Any, ...] | None:
        """The positions as the learners see them, in the form that `render_mode` says."""
        states, seats = self._batch.simulator.states, self._batch.seat
        return tuple(self._renderer.render(states[row], int(seats[row])) for row in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the threads; nothing can be played any more."""
        if hasattr(self, "_batch"):  # Gymnasium closes what its constructor has refused, too
            self._batch.close()


def _checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """An autoreset mode from itself, its name or its value."""
    for known in AutoresetMode:
        if mode in (known, known.name, known.value):
            return known
    allowed = ", ".join(f"AutoresetMode.{known.name} or {known.value!r}" for known in AutoresetMode)
    raise OptionError(f"autoreset_mode is {mode!r}; allowed: {allowed}")
