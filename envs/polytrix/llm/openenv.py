"""The games in OpenEnv: a server, and a client for trainers.

In one process::

    serve("resistor", seats=["model", "greedy"], port=8000)

In another one::

    with GameClient("http://localhost:8000").sync() as env:
        result = env.reset(seed=7)
        while not result.done:
            result = env.step(GameAction(text=model(result.observation.messages)))
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from polytrix.agents.resolve import PROCESS
from polytrix.core.calls import seed_or_fresh, shown
from polytrix.core.errors import GameOverError, MissingExtraError, PolicyError
from polytrix.core.game import Game
from polytrix.core.transcript import Transcript
from polytrix.core.version import __version__

from .episode import Episode
from .setup import Setup

try:
    from openenv.core import Action, EnvClient, Environment, Observation, State, create_app
except ImportError:
    raise MissingExtraError("polytrix.llm.openenv", "openenv") from None

import uvicorn
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import EnvironmentMetadata
from pydantic import Field

LONGEST = 100_000
"""Number of characters that an answer may have."""


class GameAction(Action):  # type: ignore[misc]  # untyped where OpenEnv is not installed
    """A model's answer. Its last line is `MOVE: move`."""

    text: str = Field(max_length=LONGEST)


class GameObservation(Observation):  # type: ignore[misc]
    """What the model that is to answer is told.

    Attributes:
        seat: of the model that is to answer; None once the game is over.
        messages: the chat for it, as `Episode.messages` gives it; empty once the game is over.
        error: why the last answer was refused, or None.
        rewards: the payoff of each seat once the game is over, else None.
        reward: what the last answer has brought the seat that gave it; once the game is over, its payoff.
        done: whether the game is over.
    """

    seat: int | None = None
    messages: list[dict[str, str]] = Field(default_factory=list)
    error: str | None = None
    rewards: list[float] | None = None


class GameState(State):  # type: ignore[misc]
    """The game so far, for trainers: it holds what the models must not see.

    Attributes:
        game: its id; "" before the first `reset`.
        options, data, seed, actions: as in a `Transcript`.
        seats: who plays each seat.
        seat: that is to answer, or None.
        answered: number of decisions that models were asked for.
        refused: number of answers that were not legal moves.
        forfeited: the seat that has forfeited the game, or None.
    """

    game: str = ""
    options: dict[str, Any] = Field(default_factory=dict)
    data: dict[str, Any] = Field(default_factory=dict)
    seed: int | None = None
    actions: list[int] = Field(default_factory=list)
    seats: list[str] = Field(default_factory=list)
    seat: int | None = None
    answered: int = 0
    refused: int = 0
    forfeited: int | None = None

    def transcript(self) -> Transcript:
        """The game so far, for replays.

        Raises:
            GameOverError: no game has begun.
        """
        if self.seed is None:
            raise GameOverError("no game has begun; call reset")
        return Transcript(self.game, self.options, self.seed, tuple(self.actions), self.data)


class GameEnvironment(Environment):  # type: ignore[misc]
    """One session of the server: games by text, one after the other.

    Args:
        setup: what the games have in common.
        shaping: weight of the game's potential in the reward of each step, see `Episode.turn_rewards`.

    Raises:
        ValueError: shaping in self-play, where a step ends before it is known what it has brought.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, setup: Setup, shaping: float = 0.0) -> None:
        super().__init__()
        if shaping and setup.models > 1:
            raise ValueError(f"shaping is {shaping} where models play {setup.models} seats; allowed: one, or 0")
        self._setup, self._shaping = setup, shaping
        self._episode: Episode | None = None
        self._state = GameState()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **others: Any) -> GameObservation:
        """Begin a game.

        Args:
            seed: of the game and of the agents' choices, on which nothing else has an influence; None: a fresh
                one.
            episode_id: to be told by `state`; None: a fresh one.
            **others: none is known; they are refused instead of being ignored.

        Raises:
            ValueError: an invalid seed, or an unknown argument. The present game goes on.
        """
        if others:
            raise ValueError(f"unknown argument {min(others)!r}; allowed: seed, episode_id")
        number = seed_or_fresh(seed)
        self._episode = self._setup.episode(number)
        self._state = GameState(
            episode_id=episode_id or str(uuid4()),
            game=self._setup.game.id,
            options=self._setup.options,
            data=self._setup.game.replaced,
            seed=number,
            seats=[str(seat) for seat in self._setup.seats_of(number)],
        )
        return self._observation()

    def step(self, action: GameAction, timeout_s: float | None = None) -> GameObservation:
        """Give the model's answer to the game.

        Args:
            action: the answer.
            timeout_s: not used; an agent thinks as long as its name says.

        Raises:
            GameOverError: the game is over or has not begun.
        """
        if self._episode is None:
            raise GameOverError("no game has begun; call reset")
        episode, seat = self._episode, self._episode.seat
        decided, value = len(episode.answered), self._value()
        error = episode.answer(action.text)
        self._state.step_count += 1
        self._state.refused += error is not None
        reward = 0.0
        if len(episode.answered) > decided:
            reward = self._shaping * (self._value() - value)
        if episode.over and seat is not None:
            reward += episode.rewards[seat]
        return self._observation(error, reward)

    @property
    def state(self) -> GameState:
        """The game so far."""
        episode = self._episode
        if episode is not None:
            self._state.actions = list(episode.session.actions)
            self._state.seat, self._state.forfeited = episode.seat, episode.forfeited
            self._state.answered = len(episode.answered)
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """What the server tells about itself."""
        game = self._setup.game
        return EnvironmentMetadata(
            name=game.id, description=f"{game.title} by text, from polytrix", version=__version__
        )

    def _value(self) -> float:
        """The potential of the position for the model that is to answer; 0 once the game is over."""
        episode, potential = self._episode, self._setup.game.potential
        if episode is None or episode.seat is None or potential is None:
            return 0.0
        return float(potential(episode.session.state, episode.seat))

    def _observation(self, error: str | None = None, reward: float | None = None) -> GameObservation:
        episode = self._episode
        assert episode is not None
        return GameObservation(
            done=episode.over,
            reward=reward,
            seat=episode.seat,
            messages=[] if episode.over else [dict(each) for each in episode.messages()],
            error=error,
            rewards=episode.rewards if episode.over else None,
        )


class GameClient(EnvClient):  # type: ignore[misc]
    """A client of the server, asynchronous or, by `.sync()`, not. Each has a session, so a game, of its own.

    `reset(seed=...)` and `step(GameAction(...))` give a `StepResult` with a `GameObservation`, `state()` a
    `GameState`. What the server refuses is raised as a `RuntimeError` with its reason.
    """

    def _step_payload(self, action: GameAction) -> dict[str, Any]:
        return {"text": action.text}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[GameObservation]:
        told = {"done": payload.get("done", False), "reward": payload.get("reward")}
        observation = GameObservation(**{**payload["observation"], **told})
        return StepResult(observation=observation, **told)

    def _parse_state(self, payload: dict[str, Any]) -> GameState:
        return GameState(**payload)


def app(
    game: Game | str,
    *,
    sessions: int = 64,
    shaping: float = 0.0,
    **arguments: Any,
) -> Any:
    """The server as an ASGI application.

    Args:
        game: the game or its name.
        sessions: how many there may be at a time.
        shaping: see `GameEnvironment`.
        **arguments: of `Setup`: seats, rotate, options, prompts, attempts, failure. Clients cannot change them.

    Returns:
        A FastAPI application.

    Raises:
        OptionError, PolicyError, ValueError: for bad arguments.
    """
    setup = Setup(game, **arguments)
    if any(PROCESS in str(seat) for seat in setup.seats):
        raise PolicyError(
            f"seats are {shown(setup.seats)}; no client of a server may start a program ({PROCESS})"
        )

    def environment() -> GameEnvironment:
        return GameEnvironment(setup, shaping)

    environment()  # raises at once
    return create_app(
        environment,
        GameAction,
        GameObservation,
        env_name=setup.game.name,
        max_concurrent_envs=sessions,
        state_cls=GameState,
    )


def serve(game: Game | str, *, host: str = "127.0.0.1", port: int = 8000, **arguments: Any) -> None:
    """Run the server until it is stopped.

    Args:
        game: the game or its name.
        host, port: where it listens. Anyone who can reach it can play; it asks for no password.
        **arguments: of `app`.
    """
    uvicorn.run(app(game, **arguments), host=host, port=port, log_level="warning")
