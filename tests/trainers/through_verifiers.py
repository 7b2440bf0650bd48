"""verifiers: its environment, with a local server in place of the model."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("verifiers", reason="needs the extra verifiers: make test-integrations")

import verifiers.v1 as vf

from polytrix.core import catalogue
from polytrix.core.transcript import Transcript
from polytrix.llm import Message
from polytrix.llm.conversation import SILENCE
from polytrix.llm.verifiers import load_environment
from tests.llm.scripted import ClumsyModel
from tests.llm.server import Handler, ScriptedServer, serving

from .cases import Case, Played
from .interfaces import Play


class ClumsyServer(ScriptedServer):
    """Answers like a `ClumsyModel`, which may be changed between games."""

    def __init__(self) -> None:
        super().__init__()
        self.RequestHandlerClass = ClumsyHandler
        self.requests = deque(maxlen=100)  # type: ignore[assignment]
        self.model = ClumsyModel()


class ClumsyHandler(Handler):
    """As the server's model says."""

    def answer(self, kind: str, chat: list[Any]) -> str:
        model: ClumsyModel = self.server.model  # type: ignore[attr-defined]
        return model(chat)


def context(server: ScriptedServer) -> vf.ModelContext:
    """What verifiers needs to know of the model."""
    client = vf.EvalClientConfig(base_url=server.url, api_key_var="NO_KEY")
    return vf.ModelContext(model="scripted", client=client)


async def episodes(env: Any, server: ScriptedServer, number: int) -> list[Any]:
    """Play the first tasks, side by side."""
    async with env.serving():
        return await asyncio.gather(
            *(env.run_episode(task, context(server)) for task in env.taskset.take(number))
        )


@contextmanager
def opened() -> Iterator[Play]:
    """One server for all games."""
    with serving(ClumsyServer) as server:

        def play(case: Case) -> Played:
            server.model = case.model  # type: ignore[attr-defined]
            env = load_environment(case.game, seed=case.seed, **case.setup)
            (episode,) = asyncio.run(episodes(env, server, 1))
            assert episode.ok, episode.errors
            return played(episode)

        yield play


def played(episode: Any) -> Played:
    """What the traces of an episode tell."""
    told = [trace.info for trace in episode.traces]
    game = catalogue.find(episode.task.data.game)
    forfeited = [trace.info["seat"] for trace in episode.traces if trace.metrics["forfeited"]]
    chats = {trace.info["seat"]: [message(each) for each in trace.messages] for trace in episode.traces}
    for trace in episode.traces:  # one chat that grows; an empty answer is not sent back as it was
        silent = [each for each in chats[trace.info["seat"]] if each["content"] == SILENCE]
        assert trace.num_branches == 1 + len(silent)
    return Played(
        transcript=Transcript(game.id, told[0]["options"], episode.task.data.seed, tuple(told[0]["actions"])),
        rewards={trace.info["seat"]: trace.reward for trace in episode.traces},
        forfeited=forfeited[0] if forfeited else None,
        refused=int(sum(trace.metrics["refused"] for trace in episode.traces)),
        chats=chats,
    )


def message(told: Any) -> Message:
    """A message of a trace."""
    return {"role": told.role, "content": told.content or ""}
