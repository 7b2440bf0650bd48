"""The games in verifiers: tasks are seeds, an episode is a game, each seat of a model has a trace of its own.

>>> from polytrix.llm.verifiers import load_environment
>>> env = load_environment("resistor", seats=["model", "greedy"], seed=7)
>>> [task.data.name for task in env.taskset.take(2)]
['resistor, seed 7', 'resistor, seed 8']

`vf-eval polytrix-verifiers --env.taskset.game resistor` does the same from a command line.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import fields
from itertools import count
from typing import Any, Literal

from pydantic import BaseModel, Field

from polytrix.core.errors import MissingExtraError

from .episode import Episode
from .prompts import Message, Prompts
from .setup import Setup

try:
    import verifiers.v1 as vf
except ImportError:
    raise MissingExtraError("polytrix.llm.verifiers", "verifiers") from None

import httpx
from verifiers.v1.dialects.chat import message_to_wire

__all__ = ["ChatHarness", "GameEnv", "GameTaskset", "load_environment"]


class Games(BaseModel):
    """What the games have in common; see `Setup` and `Prompts` for the meanings.

    All of the chat is kept unless `memory` limits it, so that a trace is one chat that grows: one sample for
    the trainer instead of one for each turn.
    """

    game: str = "quatrix"
    seats: list[str] | None = None
    rotate: bool = True
    options: dict[str, Any] = Field(default_factory=dict)
    attempts: int = 3
    failure: Literal["forfeit", "random"] = "forfeit"
    rules: bool = True
    notation: bool = True
    legal_moves: bool | Literal["notation"] = True
    memory: int | None = None
    strict: bool = False

    def setup(self) -> Setup:
        """The same as `Setup`.

        Raises:
            OptionError, PolicyError, ValueError: as `Setup`.
        """
        return Setup(
            self.game,
            self.seats,
            rotate=self.rotate,
            options=self.options,
            prompts=Prompts(**{each.name: getattr(self, each.name) for each in fields(Prompts)}),
            attempts=self.attempts,
            failure=self.failure,
        )


class GameTaskData(vf.TaskData, Games):  # type: ignore[misc]  # untyped where verifiers is not installed
    """One game: what all have in common, and its seed."""

    seed: int


class GameTask(vf.Task[GameTaskData]):  # type: ignore[misc]
    """One game."""

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the game begins and a model is asked something."""
        episode = await asyncio.to_thread(self.data.setup().episode, self.data.seed)
        return not episode.over


class GamesConfig(vf.TasksetConfig, Games):  # type: ignore[misc]
    """`--env.taskset.game` and so on."""

    seed: int = 0
    """Of the first game; task i has seed `seed + i`."""


class GameTaskset(vf.Taskset[GameTask, GamesConfig]):  # type: ignore[misc]
    """Endless games of consecutive seeds; `-n 100` takes the first hundred."""

    INFINITE = True

    def load(self) -> Iterator[GameTask]:
        """The games.

        Raises:
            OptionError, PolicyError, ValueError: as `Setup`.
        """
        games = {name: getattr(self.config, name) for name in Games.model_fields}
        name = self.config.setup().game.name
        for seed in count(self.config.seed):
            data = GameTaskData(name=f"{name}, seed {seed}", seed=seed, **games)
            yield GameTask(data, self.config.task)


class ChatHarness(vf.Harness[vf.HarnessConfig]):  # type: ignore[misc]
    """A chat without tools, in this process: no program is started for a turn.

    The messages of a turn are the whole chat, except the system prompt of the task.
    """

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def session(self, *arguments: Any, **named: Any) -> vf.HarnessSession:
        """The chat of one seat in one game."""
        return _ChatSession(self, *arguments, **named)

    async def launch(self, *arguments: Any, **named: Any) -> vf.ProgramResult:
        """Not used: the session answers."""
        raise NotImplementedError("ChatHarness answers within a session")


class _ChatSession(vf.HarnessSession):  # type: ignore[misc]
    """Sends the chat to the model, by way of verifiers' interception, which records it."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._client = httpx.AsyncClient(timeout=None, headers={"Authorization": f"Bearer {self.secret}"})

    async def _run(self, messages: vf.Messages | None) -> vf.ProgramResult:
        chat = [vf.SystemMessage(content=self.data.system_prompt), *(messages or [])]
        reply = await self._client.post(
            f"{self.endpoint}/chat/completions",
            json={"model": self.ctx.model, "messages": [message_to_wire(each) for each in chat]},
        )
        return vf.ProgramResult(exit_code=int(reply.is_error), stdout="", stderr=reply.text)

    async def close(self) -> None:
        await super().close()
        await self._client.aclose()


class GameEnvConfig(vf.EnvConfig):  # type: ignore[misc]
    """One agent, `player`, sits in all seats of models."""

    player: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    shaping: float = 0.0
    """Weight of the game's potential in `info["turn_rewards"]`, see `Episode.turn_rewards`."""


class GameEnv(vf.Env[GameEnvConfig]):  # type: ignore[misc]
    """Plays one game for each task.

    Each seat of a model is an interaction of `player`, with a trace of its own: in self-play, several in one
    episode. A trace's reward is the payoff of its seat. A seat that is never asked, as when another one
    forfeits at once, has no trace.
    """

    async def run(self, task: GameTask, agents: vf.Agents) -> None:
        """Play the game of the task.

        A seat that reaches a limit (`max_turns`, tokens, time) forfeits. If a model cannot be reached, the
        episode fails and has no rewards.

        Raises:
            ValueError: the player has another harness than `ChatHarness`.
            RuntimeError: a model cannot be reached.
        """
        if not isinstance(agents.player.harness, ChatHarness):
            given = agents.player.harness.config.id
            raise ValueError(f"the harness of player is {given!r}; allowed: {PLUGIN!r}, the default")
        episode = await asyncio.to_thread(task.data.setup().episode, task.data.seed)
        seated: dict[int, vf.Interaction] = {}
        async with AsyncExitStack() as stack:
            while (seat := episode.seat) is not None:
                if seat not in seated:
                    told = task.with_data(prompt=None, system_prompt=episode.tasks[seat])
                    seated[seat] = await stack.enter_async_context(agents.player.interaction(told))
                segment = await seated[seat].turn([as_said(each) for each in episode.messages()[1:]])
                if not segment.terminated:
                    await asyncio.to_thread(episode.answer, Said.by(segment.messages[-1]))
                elif error := seated[seat].trace.last_error:
                    raise RuntimeError(f"the model in seat {seat} has failed: {error.message}")
                else:
                    episode.forfeit()
        for seat, interaction in seated.items():
            record(interaction.trace, episode, seat, self.config.shaping)


class Said(str):
    """What a model has said.

    Attributes:
        message: it belongs to. It also has the model's reasoning, without which a chat would not begin with
            the one before: each turn would be a branch of the trace.
    """

    message: vf.AssistantMessage

    @classmethod
    def by(cls, message: vf.AssistantMessage) -> Said:
        """What a message says."""
        said = cls(message.content or "")
        said.message = message
        return said


def as_said(message: Message) -> Message | vf.AssistantMessage:
    """A message of a chat for verifiers; a model's own as it came from there."""
    said = message["content"]
    return said.message if isinstance(said, Said) else message


def record(trace: vf.Trace, episode: Episode, seat: int, shaping: float) -> None:
    """Write into a seat's trace how the game has ended.

    Args:
        trace: of the seat.
        episode: the game, which is over.
        seat: of a model.
        shaping: weight of the potential in the rewards of turns.
    """
    turns = zip(episode.answered, episode.turn_rewards(shaping), strict=True)
    own = [(each, reward) for each, reward in turns if each.seat == seat]
    trace.record_reward("payoff", episode.rewards[seat])
    trace.record_metrics(
        {
            "decisions": float(len(own)),
            "refused": float(sum(len(each.errors) for each, _ in own)),
            "loose": float(sum(each.loose for each, _ in own)),
            "forfeited": float(episode.forfeited == seat),
        }
    )
    transcript = episode.transcript()
    trace.info.update(
        seat=seat,
        actions=list(transcript.actions),
        options=dict(transcript.options),
        turn_rewards=[reward for _, reward in own],
    )


def load_environment(
    game: str = "quatrix",
    *,
    seed: int = 0,
    shaping: float = 0.0,
    player: dict[str, Any] | None = None,
    **games: Any,
) -> GameEnv:
    """The environment of a game, for Python.

    Args:
        game: the game's name.
        seed: of the first task's game.
        shaping: see `GameEnvConfig`.
        player: fields of verifiers' `AgentConfig` for the models, such as `max_turns`.
        **games: further fields of `Games`.

    Raises:
        OptionError, PolicyError, ValueError: for bad arguments.
    """
    taskset = {"id": PLUGIN, "game": game, "seed": seed, **games}
    config = {"taskset": taskset, "shaping": shaping, "player": player or {}}
    env: GameEnv = vf.load_environment(vf.resolve_env_config(config))
    env.taskset.config.setup()  # raises at once
    return env


PLUGIN = "polytrix-verifiers"
"""The id under which verifiers finds the games, see the package `polytrix_verifiers`."""
