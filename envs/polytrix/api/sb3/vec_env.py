"""A Stable-Baselines3 vector environment for self-play, for MaskablePPO of sb3-contrib."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv

from polytrix.agents import name_of
from polytrix.agents.resolve import PolicySpec
from polytrix.core.calls import check_seed
from polytrix.core.entrance import Entrance, plays
from polytrix.core.errors import GameOverError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import ByteArray, IntArray

from ..shared.arguments import ObservationType, SeatRule, Seen, configure_rows
from ..shared.learner import LearnerBatch
from ..shared.opponents import Pool, Weighted
from ..shared.rendering import RENDER_FPS, Renderer, pixels
from ..shared.spaces import action_space, observation_space


@dataclass
class Tally:
    """Results of the learner's finished games in which an opponent played at least one seat.

    A win is a positive payoff, a loss a negative one.
    """

    wins: int = 0
    losses: int = 0
    draws: int = 0
    truncated: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws + self.truncated


class SelfPlayVecEnv(VecEnv):
    """Many games at once, each with the learner in one seat and opponents drawn from a pool.

    The learner gets only its own transitions, with its own final payoff, even when an opponent makes the
    last move.

    Args:
        game: a game or its id.
        num_envs: the number of games.
        opponents: the pool, see `Pool`: "random", "greedy", "ppo", paths of saved networks, or
            callables; in a list, or with their relative probabilities: `{"greedy": 0.2, "a/policy.npz": 0.3}`.
        seat, seed, shaping, gamma, dtype: as for `LearnerBatch`. Use the `gamma` of the learning algorithm.
        num_threads: the number of threads; it does not affect results.
        render_mode: None, "rgb_array", "ansi" or "human" (a window; needs the extra `human`), see `render`.
        **options: game options, and data files by name, each as a name, path or content. An option may be
            a list of values, assigned to the games in turn: `players=(2, 3, 4)` trains on all three.

    >>> env = SelfPlayVecEnv("quatrix", 8, opponents=["random"], seed=3, max_decisions=40)
    >>> observation = env.reset()
    >>> masks = np.stack(env.env_method("action_masks"))
    >>> observation, rewards, dones, infos = env.step(masks.argmax(axis=1))
    >>> observation.shape, masks.shape
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
        shaping: float = 0.0,
        gamma: float = 1.0,
        dtype: ObservationType = "int8",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game, values = configure_rows(game, options, num_envs, type(self))
        simulator = Simulator(self.game, num_envs, values, num_threads=num_threads)
        self.batch = LearnerBatch(
            simulator,
            Pool(self.game, opponents),
            seat=seat,
            seed=seed,
            shaping=shaping,
            gamma=gamma,
            dtype=dtype,
        )
        self._attributes: dict[str, list[Any]] = {"render_mode": [render_mode] * num_envs}
        self._renderer = Renderer(self.game, render_mode)
        self._tallies: dict[str, Tally] = {}
        self._untouched = True  # no step since the games were seeded or loaded
        self._begun = False  # no reset yet
        self._actions = np.zeros(num_envs, np.int64)
        self._started = np.full(num_envs, time.time())
        super().__init__(num_envs, observation_space(self.game, self.batch.dtype), action_space(self.game))
        cast("dict[str, Any]", self.metadata)["render_fps"] = RENDER_FPS

    # -- playing ----------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.id}, num_envs={self.num_envs})"

    def reset(self) -> Seen:
        """Begin new games: at first those of `seed`. After `load`, continue the loaded games instead."""
        if self._seeds[0] is not None:
            self.batch.seed(self._seeds[0])
        elif not self._untouched:
            self.batch.restart()
        self._untouched = self._begun = True
        self._started[:] = time.time()
        self._reset_seeds()
        self._reset_options()
        return self.batch.observation()

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[Seen, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Take the actions; a finished game is followed by the next one at once.

        Errors leave the environment unchanged.

        Returns:
            Observation (B, O), reward (B,) float32, done (B,) bool, and infos. The info of a finished
            game has `terminal_observation`, `truncated` (cut off by a limit), `payoff` (without shaping),
            `seat`, `players` and `episode` (r: return, l: the learner's decisions, t: seconds).

        Raises:
            TypeError, ValueError, IllegalActionError: not one legal action per row.
            GameOverError: before the first `reset`.
            ClosedError: after `close`.
        """
        batch = self.batch
        if not self._begun:
            raise GameOverError("no games have begun; call reset() first")
        reward, terminated, truncated = batch.step(self._actions)
        self._untouched = False
        done = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]  # wrappers write into them
        ended = np.flatnonzero(done)
        if len(ended):
            self._finish(ended, truncated, infos)
            batch.restart(ended)
        return batch.observation(), reward, done, infos

    def _finish(self, rows: IntArray, truncated: npt.NDArray[np.bool_], infos: list[dict[str, Any]]) -> None:
        """Fill in the infos of finished games and count their results."""
        batch, now = self.batch, time.time()
        payoffs = batch.payoff(rows)
        for row, seen, payoff in zip(rows, batch.view(rows), payoffs, strict=True):
            infos[row] = {
                "terminal_observation": seen,
                "TimeLimit.truncated": False,  # do not bootstrap: payoffs are final and the clock is observed
                "truncated": bool(truncated[row]),
                "payoff": float(payoff),
                "seat": int(batch.seat[row]),
                "players": int(batch.players[row]),
                "episode": {
                    "r": round(float(batch.returned[row]), 6),
                    "l": int(batch.length[row]),
                    "t": round(now - self._started[row], 6),
                },
            }
            self._count(row, float(payoff), bool(truncated[row]))
        self._started[rows] = now

    def _count(self, row: int, payoff: float, truncated: bool) -> None:
        player = self.batch.player[row]
        for number in np.unique(player[player >= 0]):
            tally = self._tallies.setdefault(name_of(self.batch.policies[number]), Tally())
            if truncated:
                tally.truncated += 1
            elif payoff > 0:
                tally.wins += 1
            elif payoff < 0:
                tally.losses += 1
            else:
                tally.draws += 1

    def action_masks(self) -> ByteArray:
        """The learner's legal actions, (B, A) int8 of 0 and 1, a new array."""
        return self.batch.mask()

    # -- rendering --------------------------------------------------------------------------

    def get_images(self) -> Sequence[npt.NDArray[np.uint8]]:
        """A picture of each game as its learner sees it, (height, width, 3)."""
        states, seats = self.batch.simulator.states, self.batch.seat
        return [pixels(self.game, states[row], int(seats[row])) for row in range(self.num_envs)]

    def render(self, mode: str | None = None) -> Any:
        """Render the games as their learners see them.

        Args:
            mode: the environment's `render_mode`, or None for the same. Stable-Baselines3 warns about others.

        Returns:
            "rgb_array": one picture with all games as tiles, (height, width, 3) uint8, as `VecVideoRecorder`
            records it. "ansi": the texts of all games. "human": None; a window shows the first game.
        """
        if self.render_mode not in ("ansi", "human") or mode not in (None, self.render_mode):
            return super().render(mode)
        shown = range(self.num_envs) if self.render_mode == "ansi" else [0]
        states, seats = self.batch.simulator.states, self.batch.seat
        rendered = [self._renderer.render(states[row], int(seats[row])) for row in shown]
        return "\n\n".join(map(str, rendered)) if self.render_mode == "ansi" else None

    # -- opponents --------------------------------------------------------------------------

    def set_opponents(self, opponents: Sequence[PolicySpec] | Weighted) -> None:
        """Draw opponents from this pool for new games; games in progress keep theirs."""
        self.batch.set_opponents(Pool(self.game, opponents))

    def take_results(self) -> dict[str, Tally]:
        """Results, by opponent, of the games finished since the last call."""
        taken, self._tallies = self._tallies, {}
        return taken

    # -- resuming ---------------------------------------------------------------------------

    def save(self) -> bytes:
        """The games, random generators and counters, for an exact resume. Opponents are saved by name only."""
        return self.batch.save()

    def load(self, data: bytes, opponents: Sequence[PolicySpec] = ()) -> None:
        """Resume from the bytes of `save`; the next `reset` returns the loaded games' observations.

        Call it after the learning algorithm has received this environment, since that may seed it.

        `opponents` are those of games in progress that are not in the current pool.

        Raises:
            SnapshotError, PolicyError: the environment is unchanged.
        """
        self.batch.load(data, Pool(self.game, opponents).policies if opponents else ())
        self._untouched = self._begun = True
        self._reset_seeds()

    # -- the rest of the VecEnv interface ---------------------------------------------------

    @property
    def entrance(self) -> Entrance:
        """The batch's entrance: it refuses a second call, and all calls after `close`."""
        return self.batch.entrance

    @plays
    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Make the next `reset` begin the games of `seed`, `seed + 1`, ...; ValueError for an invalid one."""
        if seed is not None:
            seed = check_seed(seed, self.num_envs)
        seeds: Sequence[int | None] = super().seed(seed)
        return seeds

    def close(self) -> None:
        """Close the window, if any, and stop the threads. The environment cannot be used afterwards."""
        self._renderer.close()
        self.batch.close()

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        if attr_name == "action_masks":
            return [lambda row=row: self.batch.mask()[row] for row in self._get_indices(indices)]
        if attr_name not in self._attributes:
            raise AttributeError(
                f"the games have no attribute {attr_name!r}; there are: action_masks, "
                + ", ".join(self._attributes)
            )
        return [self._attributes[attr_name][row] for row in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        values = self._attributes.setdefault(attr_name, [None] * self.num_envs)
        for row in self._get_indices(indices):
            values[row] = value

    def env_method(
        self, method_name: str, *method_args: Any, indices: int | Iterable[int] | None = None, **kwargs: Any
    ) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(f"the games have no method {method_name!r}; there is: action_masks")
        masks = self.batch.mask()
        return list(masks) if indices is None else [masks[row] for row in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[Any], indices: int | Iterable[int] | None = None
    ) -> list[bool]:
        return [False for _ in self._get_indices(indices)]
