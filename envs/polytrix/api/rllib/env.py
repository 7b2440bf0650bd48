"""A game as a multi-agent environment for RLlib."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Dict

from polytrix.core.calls import check_seed, shown
from polytrix.core.catalogue import all_games
from polytrix.core.errors import GameOverError, MissingExtraError
from polytrix.core.game import Game
from polytrix.core.options import Value
from polytrix.core.state import Record

from ..aec import AECGame
from ..shared.arguments import IllegalAction, ObservationType, check_dtype, configure_game, shaping_weights
from ..shared.rendering import metadata
from ..shared.spaces import mask_space, observation_space

try:
    import torch  # noqa: F401  # the other modules need it, and are imported after this one
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
    from ray.tune.registry import register_env
except ImportError:
    raise MissingExtraError("polytrix.api.rllib", "rllib") from None

OBSERVATIONS = "observations"
ACTION_MASK = "action_mask"
"""Keys of an observation, the same as in RLlib's own `ActionMaskingTorchRLModule`."""

Seen: TypeAlias = "dict[str, npt.NDArray[Any]]"
Step: TypeAlias = "tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]"

RUNNER_SEEDS = 1 << 32
"""Distance between the seeds of consecutive runners."""


def multi_agent_space(game: Game, dtype: ObservationType = "int8") -> Dict:
    """The observation space of an agent: its seat's observation and the mask of legal actions."""
    seen = observation_space(game, check_dtype(dtype))
    return Dict({ACTION_MASK: mask_space(game), OBSERVATIONS: seen})


class MultiAgentGame(MultiAgentEnv):  # type: ignore[misc]  # Any where Ray is not installed
    """A game for RLlib; its players are the agents `player_0`, `player_1`, ...

    Only the agent to move gets an observation: a dict of `observations`, (O,) int8, what it may know, and
    `action_mask`, (A,) int8, 1 where an action is legal. It also gets its reward since its own last
    decision. After the last action all agents get a final observation (with an all-zero mask) and their
    payoff. A game cut off by a limit (`max_decisions`, or one of its own such as `max_turns`) has a final
    payoff, so it is reported as terminated.

    Args:
        game, render_mode, options: as for `AECGame`.
        illegal_action: "forfeit" or "raise", as there; RLlib's environment checker plays illegal actions.
        shaping, gamma: weight and discount of potential-based reward shaping: between two decisions of its
            own, an agent gets `shaping * (gamma * potential(later) - potential(earlier))`; the potential of a
            finished game is 0.
        dtype: of `observations`, "int8" or "float32". RLlib's own networks accept "float32" only.
        runner: the number of the environment runner, see `reset`.

    Attributes:
        game: the game.
        possible_agents, agents: the agents in seat order.
        payoffs: the payoff of every agent once the game is over, even if it never moved; empty before.
        truncated: whether a limit cut the game off.

    Raises:
        OptionError, DataError, UnknownGameError, MissingExtraError: as in the other APIs.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        render_mode: str | None = None,
        illegal_action: IllegalAction = "forfeit",
        shaping: float = 0.0,
        gamma: float = 1.0,
        dtype: ObservationType = "int8",
        runner: int = 0,
        **options: Any,
    ) -> None:
        self.game, values = configure_game(game, options, type(self))
        self.shaping, self.gamma = shaping_weights(self.game, shaping, gamma)
        settings: dict[str, Any] = {"render_mode": render_mode, "illegal_action": illegal_action, **values}
        self._aec = AECGame(self.game, dtype=dtype, **settings)
        self._simulator = self._aec._simulator
        self.runner = runner
        self.render_mode = render_mode
        self.metadata = metadata(self.game)
        self.possible_agents = self._aec.possible_agents
        self.agents = self.possible_agents[:]
        super().__init__()
        self.observation_spaces = {agent: multi_agent_space(self.game, dtype) for agent in self.agents}
        self.action_spaces = self._aec.action_spaces
        self.payoffs: dict[str, float] = {}
        self.truncated = False
        self._before: dict[str, float] = {}  # potential at an agent's last decision; used for shaping only

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.id})"

    @property
    def record(self) -> Record:
        """The state of the game. Change it only through `step`."""
        return self._aec.record

    @property
    def options(self) -> dict[str, Value]:
        """The options of this game."""
        return self._aec.options

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, Any]]:
        """Begin a game.

        Args:
            seed: seed of the game, to which `runner * 2**32` is added: RLlib gives environment i of runner r
                the seed `seed + r + i`, so neighbouring runners would otherwise play the same games. None
                begins the next game of the current seed, or, if there is no seed yet, takes one from the
                operating system.
            options: ignored.

        Returns:
            The observation of the agent to move, by agent, and empty infos.

        Raises:
            ValueError, ClosedError: the environment is unchanged.
        """
        self._aec.reset(None if seed is None else check_seed(seed) + self.runner * RUNNER_SEEDS)
        self.payoffs, self.truncated, self._before = {}, False, {}
        mover = self._aec.agent_selection
        self._shaping_reward(mover)
        return {mover: self._seen(mover)}, {}

    def step(self, action_dict: Mapping[str, Any]) -> Step:
        """Take the action of the agent to move and play on to the next decision of any agent.

        Errors leave the environment unchanged.

        Args:
            action_dict: the action, keyed by the agent to move.

        Returns:
            Observations, rewards, terminated, truncated and infos, by agent: only the next agent to move,
            or at the end all agents, whose infos have `payoff` and `truncated`.

        Raises:
            TypeError: not a dict, or the action is not an integer.
            ValueError: it is another agent's turn.
            IllegalActionError: there is no such action, or it is illegal and `illegal_action="raise"`.
            GameOverError: the game is over, or `reset` was not called.
            ClosedError: after `close`.
        """
        aec = self._aec
        if not aec.begun or self.payoffs:
            raise GameOverError("no game is in progress; begin one with reset()")
        if not isinstance(action_dict, Mapping):
            raise TypeError(f"actions are {shown(action_dict)}; allowed: a dict of the mover's action")
        mover = aec.agent_selection
        if action_dict.keys() != {mover}:
            given = list(map(str, action_dict))
            raise ValueError(f"actions are given for {given}; it is the turn of {mover} alone")
        aec.step(action_dict[mover])
        self.truncated = aec.truncations[mover]
        if self.truncated or aec.terminations[mover]:
            return self._finish()
        mover, going_on = aec.agent_selection, {"__all__": False}
        return {mover: self._seen(mover)}, {mover: self._shaping_reward(mover)}, going_on, going_on.copy(), {}

    def _seen(self, agent: str) -> Seen:
        """An agent's observation, in new arrays."""
        seen = self._aec.observe(agent)
        return {ACTION_MASK: seen["action_mask"], OBSERVATIONS: seen["observation"]}

    def _shaping_reward(self, mover: str) -> float:
        """The shaping reward of the agent to move since its last decision; 0 at its first."""
        if not self.shaping:
            return 0.0
        now = float(self._simulator.potential()[0, self.agents.index(mover)])
        before, self._before[mover] = self._before.get(mover), now
        return 0.0 if before is None else self.shaping * (self.gamma * now - before)

    def _finish(self) -> Step:
        """The final step of all agents."""
        self.payoffs = self._aec.rewards
        seen = {agent: self._seen(agent) for agent in self.agents}
        rewards = {
            agent: payoff - self.shaping * self._before.get(agent, 0.0)
            for agent, payoff in self.payoffs.items()
        }
        terminated = dict.fromkeys((*self.agents, "__all__"), True)
        infos = {agent: {"payoff": self.payoffs[agent], "truncated": self.truncated} for agent in self.agents}
        return seen, rewards, terminated, dict.fromkeys(terminated, False), infos

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Render the full position as text or as a uint8 array (height, width, 3); a window returns None."""
        return self._aec.render()

    def close(self) -> None:
        """Close the window, if any. The environment cannot be used afterwards; closing twice is fine."""
        self._aec.close()


def make(game: str, config: Mapping[str, Any]) -> MultiAgentGame:
    """Create a game as RLlib's environment runners do.

    Args:
        game: the id of the game.
        config: arguments of `MultiAgentGame`; an `EnvContext` also provides the runner's number.
    """
    return MultiAgentGame(game, **{"runner": getattr(config, "worker_index", 0), **config})


def register_game(game: Game) -> None:
    """Register a game with RLlib under its id, replacing any earlier one.

    Every process of the cluster must register the game itself, see `polytrix.register`.
    """
    register_env(game.id, partial(make, game.id))


for _game in all_games():
    register_game(_game)
