"""The Gymnasium API: one game with a learner in one seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np

from polytrix.agents.resolve import PolicySpec
from polytrix.core.calls import check_seed
from polytrix.core.errors import GameOverError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import ByteArray, IntArray, Record
from polytrix.core.transcript import Transcript

from .shared.arguments import (
    IllegalAction,
    ObservationType,
    SeatRule,
    Seen,
    configure_game,
    reset_options,
    whole_number,
)
from .shared.learner import LearnerBatch
from .shared.opponents import Weighted, opponents_of
from .shared.rendering import RENDER_FPS, RENDER_MODES, Renderer, metadata
from .shared.spaces import action_space, observation_space


class SingleEnv(gym.Env[Seen, np.int64]):
    """One game: the learner decides in one seat, policies in the others.

    A step goes from one decision of the learner to its next, or to the end. The reward is 0 until the
    end, then the payoff of the learner's seat, plus reward shaping if enabled. `info` has `action_mask`,
    (A,) int8, 1 where an action is legal, and `seat`.

    Args:
        game: a game or its id.
        opponent: the policy of the other seats: "random", "greedy", "ppo", "expert", "master", "search:200",
            the path of a saved network, a callable (see `polytrix.agents.resolve`); a list with one for
            each seat, from the seat after the learner's; or a pool, from which one is drawn for each other
            seat of each game: `{"runs/a/policy.npz": 0.3, "greedy": 0.2}`, with relative probabilities.
        seat: the learner's seat: a number, "random" (drawn for each game) or "rotate" (the next seat
            each game).
        render_mode: None, "ansi", "rgb_array" or "human".
        illegal_action: "forfeit" ends the game with reward -1; "raise" raises IllegalActionError
            and changes nothing.
        shaping, gamma, dtype: as for `LearnerBatch`.
        **options: game options, and data files by name, each as a name, path or content.

    Attributes:
        begun: whether `reset` has been called.

    Raises:
        OptionError, DataError, PolicyError: invalid arguments.

    >>> import gymnasium, polytrix
    >>> env = gymnasium.make("polytrix/quatrix-v0", opponent="greedy", seat=0)
    >>> observation, info = env.reset(seed=1)
    >>> action = env.action_space.sample(info["action_mask"])
    >>> observation, reward, terminated, truncated, info = env.step(action)
    >>> observation.shape, reward
    ((577,), 0.0)
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012  # as in Gymnasium

    def __init__(
        self,
        game: Game | str,
        *,
        opponent: PolicySpec | Sequence[PolicySpec] | Weighted = "random",
        seat: SeatRule = "random",
        render_mode: str | None = None,
        illegal_action: IllegalAction = "forfeit",
        shaping: float = 0.0,
        gamma: float = 1.0,
        dtype: ObservationType = "int8",
        **options: Any,
    ) -> None:
        self.game, values = configure_game(game, options, type(self))
        self.metadata = metadata(self.game)
        self.render_mode = render_mode
        self._renderer = Renderer(self.game, render_mode)
        self._simulator = Simulator(self.game, 1, values, keep_actions=True)
        self._batch = LearnerBatch(
            self._simulator,
            opponents_of(self.game, opponent, self.game.num_players(values)),
            seat=seat,
            shaping=shaping,
            gamma=gamma,
            illegal_action=illegal_action,
            dtype=dtype,
        )
        self.observation_space = observation_space(self.game, self._batch.dtype)
        self.action_space = action_space(self.game)
        self.begun = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.id})"

    @property
    def record(self) -> Record:
        """The full state of the game, hidden information included. Change it only through `step`."""
        record: Record = self._batch.simulator.states[0]
        return record

    @property
    def seat(self) -> int:
        """The learner's seat in this game."""
        return int(self._batch.seat[0])

    @property
    def options(self) -> dict[str, Any]:
        """The values of the game's options."""
        return dict(self._batch.simulator.options)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin a game.

        Args:
            seed: seed of the game. None begins the next game of the current seed, or, if there is no
                seed yet, takes one from the operating system.
            options: ignored.

        Returns:
            Observation (O,), int8 unless `dtype` says otherwise, and info, as new objects.

        Raises:
            ValueError, OptionError, ClosedError: the environment is unchanged.
        """
        reset_options(options)
        if seed is not None:
            seed = check_seed(seed)
            self._batch.seed(seed)
            super().reset(seed=seed)
        else:
            self._batch.restart()
        self.begun = True
        self._show()
        return self._batch.observation()[0], self._info()

    def step(self, action: np.int64 | int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Take the learner's action and let its opponents play up to its next decision or the end.

        Raises:
            TypeError: the action is not an integer.
            GameOverError: no game is in progress.
            ClosedError: after `close`.
            IllegalActionError: there is no such action, or it is illegal and `illegal_action="raise"`;
                the environment is unchanged.
        """
        actions = _one_action(action)
        if not self.begun:
            raise GameOverError("no game has begun; call reset() first")
        reward, terminated, truncated = self._batch.step(actions)
        self._show()
        return (
            self._batch.observation()[0],
            float(reward[0]),
            bool(terminated[0]),
            bool(truncated[0]),
            self._info(),
        )

    def action_masks(self) -> ByteArray:
        """The learner's action mask, (A,) int8, a new array; all 0 once the game is over."""
        mask: ByteArray = self._batch.mask()[0]
        return mask

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": self.seat}

    def _show(self) -> None:
        self._renderer.refresh(self.record, self.seat)

    def render(self) -> Any:
        """Render the position as the learner sees it, according to `render_mode`."""
        return self._renderer.render(self.record, self.seat)

    def transcript(self) -> Transcript:
        """The game so far, with its seed: for `polytrix.show`, or to save it for `polytrix replay`.

        Raises:
            GameOverError: `reset` was not called.
            TranscriptError: the game was loaded, or its record was changed.
        """
        if not self.begun:
            raise GameOverError("no game has begun; call reset() first")
        return Transcript.of(self._simulator)

    def close(self) -> None:
        """Close the window, if any. The environment cannot be used afterwards."""
        self._renderer.close()
        self._batch.close()


def _one_action(action: Any) -> IntArray:
    """An action as an array (1,), or TypeError."""
    number = whole_number(action)
    try:
        return np.array([number], np.int64)
    except OverflowError:
        return np.array([np.iinfo(np.int64).max])  # not an action either
