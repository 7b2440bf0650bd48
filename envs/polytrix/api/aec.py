"""The PettingZoo API: one AEC environment class for every game.

It checks turn order, bounds and legality itself: PettingZoo's wrappers for this would take four
fifths of the time of a step.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Space
from pettingzoo.utils.env import AECEnv

from polytrix.core import snapshot
from polytrix.core.calls import check_seed, shown
from polytrix.core.drivers import FORFEIT
from polytrix.core.errors import GameOverError, IllegalActionError, OptionError, SnapshotError
from polytrix.core.game import Game
from polytrix.core.loaded import refusing
from polytrix.core.notation import some_of, whose_decision
from polytrix.core.options import Value
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, ByteArray, Record
from polytrix.core.transcript import Transcript

from .shared import spaces
from .shared.arguments import (
    IllegalAction,
    ObservationType,
    Seen,
    check_dtype,
    check_flag,
    check_illegal_action,
    configure_game,
    reset_options,
    shaping_weights,
    whole_number,
)
from .shared.rendering import Renderer, metadata

Observation: TypeAlias = Any
"""A dict of `observation` and `action_mask`; with `flatten` the array `observation` alone."""

_PROBE = {"options"}
"""PettingZoo's `api_test` resets with `options={"options": 1}` and expects no effect."""


class AECGame(AECEnv[str, Observation, "int | None"]):  # type: ignore[misc]  # PettingZoo is untyped
    """A game as a PettingZoo environment; its players are the agents `player_0`, `player_1`, ...

    Observations, actions and `state()` have the same size for every number of players.

    An observation is a dict of `observation`, (O,) int8, what the agent may know, and `action_mask`, (A,) int8,
    1 where an action is legal. Both are new arrays each time. The mask is all 0 unless the agent is to move.
    With `flatten=True` an observation is the array `observation` alone, and `infos` have the `action_mask`: for
    wrappers that cannot read a dict. An agent may act several times in a row. When the game ends, every agent
    gets its payoff, and then takes one last step with None.

    Args:
        game: a game or its name.
        render_mode: "ansi", "rgb_array", "human" (a window; needs the extra `human`) or None. Hidden
            information is shown.
        illegal_action: "raise" raises IllegalActionError and changes nothing; "forfeit" ends the
            game with -1 for the offender and 0 for the others.
        shaping: weight of potential-based reward shaping. After each action every agent gets
            `shaping * (gamma * potential(after) - potential(before))`; the potential of a finished
            game is 0.
        gamma: the discount in that term.
        dtype: of `observation` and of `state()`, "int8" or "float32" (four times the memory; for code that
            multiplies them).
        flatten: observations without a dict around them; the mask is in the infos.
        **options: game options, and data files by name (see `game.data`), each as a name, path or content.

    Attributes:
        game: the game.
        begun: whether there has been a `reset` or `load`.
        state_space: the space of `state()`.

    Raises:
        OptionError: an invalid argument.
        DataError: a data file that cannot be read or is invalid.
        UnknownGameError: no such game.
        MissingExtraError: render mode "human" without the extra `human`.

    >>> env = AECGame("polytrix/quatrix-v0")
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter(max_iter=100):
    ...     observation, reward, termination, truncation, info = env.last()
    ...     over = termination or truncation
    ...     env.step(None if over else int(np.flatnonzero(observation["action_mask"])[0]))
    >>> env.observe("player_1")["observation"].shape
    (577,)
    """

    def __init__(
        self,
        game: Game | str,
        *,
        render_mode: str | None = None,
        illegal_action: IllegalAction = "raise",
        shaping: float = 0.0,
        gamma: float = 1.0,
        dtype: ObservationType = "int8",
        flatten: bool = False,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game, values = configure_game(game, options, type(self))
        self.illegal_action = check_illegal_action(illegal_action)
        self.shaping, self.gamma = shaping_weights(self.game, shaping, gamma)
        self.dtype = check_dtype(dtype)
        self.flatten = check_flag("flatten", flatten)
        self.render_mode = render_mode
        self.metadata = {**metadata(self.game), "is_parallelizable": False}
        self._renderer = Renderer(self.game, render_mode)
        self._simulator = Simulator(self.game, 1, values, keep_actions=True)
        self._look_up_arrays()

        players = self.game.num_players(values)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space = spaces.observation_space if self.flatten else spaces.masked_space
        self.observation_spaces = {agent: space(self.game, self.dtype) for agent in self._seat}
        self.action_spaces = {agent: spaces.action_space(self.game) for agent in self._seat}
        self.state_space = spaces.state_space(self.game, players, self.dtype)

        self.begun = False
        self._mover: str | None = None  # the agent to act; None before the first game and when the game is over
        self._potential = [0.0] * self.game.max_players  # before the next action; used for shaping only
        self.agent_selection = self.possible_agents[0]
        self._seat_agents([])

    def _look_up_arrays(self) -> None:
        """Keep views of row 0 of the simulator's outputs, which it writes in place."""
        self._observation: ByteArray = self._simulator.observation[0]
        self._mask: ByteArray = self._simulator.mask[0]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.id})"

    @property
    def record(self) -> Record:
        """The state of the game. Change it only through `step` and `load`."""
        record: Record = self._simulator.states[0]
        return record

    @property
    def options(self) -> dict[str, Value]:
        """The options of this game."""
        return self.game.options.read(self.record["options"])

    def observation_space(self, agent: str) -> Space[Any]:
        """The observation space of an agent; the same object on every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The action space of an agent; the same object on every call."""
        return self.action_spaces[agent]

    # -- playing ----------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: seed of the game. None begins the next game of the current seed, or, if there is no
                seed yet, takes one from the operating system.
            options: must be empty; pass game options when you create the environment.

        Raises:
            ValueError, OptionError, ClosedError: the environment is unchanged.
        """
        unknown = sorted(map(str, reset_options(options).keys() - _PROBE))
        if unknown:
            raise OptionError(
                f"reset options {', '.join(map(repr, unknown))} are unknown; reset takes none. "
                f"Pass game options to the environment: env({unknown[0]}=...)"
            )
        if seed is None:
            self._simulator.restart()
        else:
            self._simulator.seed(check_seed(seed))
        self._open()

    def step(self, action: int | None) -> None:
        """Take the action of `agent_selection` and play on to the next decision of any agent.

        Errors leave the environment unchanged.

        Args:
            action: a legal action of any integer type; None once the game is over.

        Raises:
            TypeError: the action is not an integer.
            IllegalActionError: there is no such action, or it is illegal and `illegal_action="raise"`.
            GameOverError: the game is over, or `reset` was not called.
            ClosedError: after `close`.
        """
        mover = self._mover
        if mover is None:
            self._leave(action)
            return
        if type(action) is not int:
            action = whole_number(action)
        simulator = self._simulator
        before = simulator.copies() if simulator.careful else None
        seat = simulator.step_one(action)
        if seat is None:
            if self.illegal_action == "forfeit" and 0 <= action < self._mask.shape[0]:
                self._forfeit(mover)
                return
            raise self._illegal(action)
        shaping = self.shaping
        if shaping or self.render_mode == "human":
            potential = self._look(before)
        self._cumulative_rewards[mover] = 0.0
        if seat == OVER:
            self._finish(self._simulator.reward[0].tolist(), bool(self.record["truncated"]))
        else:
            self._mover = self.agent_selection = self.possible_agents[seat]
            if shaping:
                self._clear_rewards()
        if self.flatten:
            self._inform()
        else:
            self.infos[mover] = {}
        if shaping:
            self._shape(potential)
        if shaping or seat == OVER:
            self._accumulate_rewards()

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """The observation, reward and status of `agent_selection`.

        Returns:
            Observation (None if `observe` is False), reward since its last step, terminated, truncated, info.

        Raises:
            GameOverError: no agent is left, or `reset` was not called.
        """
        agent = self.agent_selection
        if agent not in self.terminations:
            raise self._nobody_left()
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Observation:
        """The current observation and action mask of an agent, as new arrays; without the mask if `flatten`.

        Raises:
            ValueError: no such agent.
            GameOverError: `reset` was not called.
        """
        if agent == self._mover and agent is not None:
            seen = self._observation.astype(self.dtype)
            return seen if self.flatten else {"observation": seen, "action_mask": self._mask.copy()}
        if not isinstance(agent, str) or agent not in self._seat:
            raise ValueError(f"agent is {shown(agent)}; allowed: {', '.join(self.possible_agents)}")
        self._need_game()
        observation, _ = self._simulator.view(self._seat[agent])
        seen = observation[0].astype(self.dtype, copy=False)
        return seen if self.flatten else {"observation": seen, "action_mask": np.zeros_like(self._mask)}

    def state(self) -> Seen:
        """The observations of all seats, concatenated, (P * O,): input for a centralised critic.

        P is the maximum number of players of the game; unused seats are zeros.
        """
        self._need_game()
        everything: ByteArray = self._simulator.global_state()[0]
        return everything.astype(self.dtype, copy=False)

    # -- turns and ends ---------------------------------------------------------------------

    def _open(self, before: snapshot.Copies | None = None) -> None:
        """Begin anew with the game in the simulator, whatever its position; `before` as for `_look`."""
        self._potential = self._look(before)
        self.begun = True
        self._seat_agents(self.possible_agents[:])
        self._skip_agent_selection = None
        seat = self._simulator.mover.item(0)
        if seat == OVER:
            self._finish(self._simulator.reward[0].tolist(), bool(self.record["truncated"]))
            self._accumulate_rewards()
        else:
            self._mover = self.agent_selection = self.possible_agents[seat]
        self._inform()

    def _seat_agents(self, agents: list[str]) -> None:
        """Let these agents take part, who have got nothing yet."""
        self.agents = agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {}

    def _look(self, before: snapshot.Copies | None) -> list[float]:
        """The potential of each seat, if shaping needs it. The window shows the position, if there is one.

        Raises:
            SnapshotError: a loaded position cannot be rated or shown. The game `before` is put back.
        """
        try:
            potential = self._simulator.potential()[0].tolist() if self.shaping else self._potential
            self._renderer.refresh(self.record, None)
        except SnapshotError:
            if before is not None:
                self._simulator.put(before)
            raise
        return potential

    def _inform(self) -> None:
        """Renew the infos of all agents; with `flatten` they have the masks."""
        self.infos = {agent: {} for agent in self.agents}
        if self.flatten:
            for agent, info in self.infos.items():
                info["action_mask"] = self._mask.copy() if agent == self._mover else np.zeros_like(self._mask)

    def _finish(self, payoffs: list[float], truncated: bool = False) -> None:
        """End the game with a payoff for each seat."""
        self.rewards = dict(zip(self.agents, payoffs, strict=False))  # some seats may not play
        ends = dict.fromkeys(self.agents, True)
        if truncated:
            self.truncations = ends
        else:
            self.terminations = ends
        self._mover, self.agent_selection = None, self.agents[0]

    def _forfeit(self, offender: str) -> None:
        """End the game with a penalty for one agent. The simulator keeps the position."""
        self._finish([FORFEIT if agent == offender else 0.0 for agent in self.agents])
        self._cumulative_rewards[offender] = 0.0
        self._inform()
        if self.shaping:
            self._shape([0.0] * len(self._potential))
        self._accumulate_rewards()

    def _shape(self, after: list[float]) -> None:
        """Add the shaping term to the rewards."""
        for agent in self.agents:
            seat = self._seat[agent]
            self.rewards[agent] += self.shaping * (self.gamma * after[seat] - self._potential[seat])
        self._potential = after

    def _leave(self, action: int | None) -> None:
        """Take the last step of an agent whose game is over."""
        if not self.agents:
            raise self._nobody_left()
        if action is not None:
            raise GameOverError(
                f"the game is over and {self.agent_selection} cannot act (given: {shown(action)}); "
                "step(None), or begin the next game with reset()"
            )
        self._was_dead_step(None)

    def _illegal(self, action: int) -> IllegalActionError:
        """The error for an action that is not legal."""
        size = self.game.actions.size
        if not 0 <= action < size:
            return IllegalActionError(
                f"action {shown(action)} does not exist; {self.game.name} has 0..{size - 1}"
            )
        some = some_of(self.legal_actions(), "the action mask")
        return IllegalActionError(
            f"action {action} ({self.format_action(action)}) is illegal here; {some}; "
            + whose_decision(self.agent_selection, self.record)
        )

    def _need_game(self) -> None:
        if not self.begun:
            raise self._nobody_left()

    def _nobody_left(self) -> GameOverError:
        if self.begun:
            return GameOverError("the game is over and every agent has left; begin the next with reset()")
        return GameOverError("no game has begun; call reset() first")

    # -- notation -------------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """The legal actions of `agent_selection` in ascending order; empty once the game is over."""
        if self._mover is None:
            return []
        ids: list[int] = self._simulator.legal_ids[0, : self._simulator.num_legal[0]].tolist()
        return ids

    def format_action(self, action: int) -> str:
        """An action in this position, in the game's notation.

        Raises:
            TypeError, IndexError: the action is not an integer, or does not exist.
        """
        self._need_game()
        number = whole_number(action)
        if not 0 <= number < self.game.actions.size:
            raise IndexError(f"action {shown(action)} does not exist; see env.game.actions")
        with refusing(self.record):
            return self.game.format_action(self.record, number)

    def parse_action(self, text: str) -> int:
        """The legal action that `text` names in this position.

        Raises:
            GameOverError: `reset` was not called.
            NotationError: the text names none.
        """
        self._need_game()
        with refusing(self.record):
            return self.game.parse_action(self.record, text)

    def transcript(self) -> Transcript:
        """The game so far, with its seed: for `polytrix.show`, or to save it for `polytrix replay`.

        Raises:
            GameOverError: `reset` was not called.
            TranscriptError: the game was loaded, or its record was changed.
        """
        self._need_game()
        return Transcript.of(self._simulator)

    # -- rendering ------------------------------------------------------------------------------

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Render the position as text or as a uint8 array (height, width, 3); a window returns None."""
        self._need_game()
        return self._renderer.render(self.record, None)

    def close(self) -> None:
        """Close the window, if any. The environment cannot be used afterwards; closing twice is fine."""
        self._renderer.close()
        self._simulator.close()

    # -- copying --------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The game as bytes, for `load` here, in another process or in a `Simulator`.

        Accumulated rewards that no agent has received yet are not saved, nor is a forfeit; `pickle`
        and `copy.deepcopy` keep everything.

        Raises:
            GameOverError: `reset` was not called.
        """
        self._need_game()
        return self._simulator.save()

    def load(self, data: bytes) -> None:
        """Continue a saved game with its own options.

        The bytes may come from anywhere: if no game leads there, later calls may raise SnapshotError too.

        Raises:
            SnapshotError: damaged bytes, another game or version, or another number of players
                (`possible_agents` never changes). The environment is unchanged.
        """
        copies = snapshot.read(self.game, data, 1)
        saved, players = int(copies.states["num_players"][0]), len(self.possible_agents)
        if saved != players:
            raise SnapshotError(
                f"the saved game has {saved} players; this environment has {players}. "
                f"Load it into one made with players={saved}"
            )
        before = self._simulator.copies()
        self._simulator.put(copies)
        self._open(before)

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._look_up_arrays()  # the copies of the views are of no use
