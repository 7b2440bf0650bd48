"""Games in verifiers: its own validation and evaluation, rewards, limits, failures, episodes side by side."""

from __future__ import annotations

import asyncio
import doctest
import json
import os
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verifiers", reason="needs the extra verifiers: make test-integrations")

import verifiers.v1 as vf

from polytrix.core import catalogue
from polytrix.core.transcript import Transcript
from polytrix.llm import MODEL, Message
from polytrix.llm import verifiers as module
from polytrix.llm.conversation import SILENCE
from polytrix.llm.verifiers import load_environment
from tests.commands import run, with_sources
from tests.llm.cases import Case, Play, Played, check_games, every_game_by_text
from tests.llm.scripted import HEADING, ClumsyModel
from tests.llm.server import Handler, ScriptedServer, serving
from tests.pages import ROOT, python_of


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


@pytest.fixture(scope="module")
def play() -> Iterator[Play]:
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


@pytest.fixture
def server() -> Iterator[Any]:
    with serving(ClumsyServer) as running:
        running.model = ClumsyModel(0.0)
        yield running


@every_game_by_text
def test_games_and_rewards_are_right(game: str, episodes: int, play: Play) -> None:
    check_games(play, game, episodes)


def command(name: str, *arguments: object) -> str:
    """Run one of verifiers' commands."""
    script = Path(sys.executable).with_name(name)
    env = with_sources(PYTHONPATH=os.pathsep.join(sys.path))
    return run(script, "polytrix-verifiers", *arguments, "--no-rich", env=env).stdout


def test_verifiers_own_validation_passes(tmp_path: Path) -> None:
    told = command(
        "vf-validate",
        "--taskset.game", "estimatrix", "--taskset.options", '{"players": 3}',
        "-n", 4, "--only-gold", "--runtime.type", "subprocess", "-o", tmp_path,
    )  # fmt: skip
    (summary,) = tmp_path.glob("*/summary.json")
    assert json.loads(summary.read_text())["outcomes"]["valid"] == 4, told


def test_verifiers_own_evaluation_plays_and_keeps_the_rewards(tmp_path: Path, server: Any) -> None:
    command(
        "vf-eval",
        "--env.taskset.game", "resistor", "--env.taskset.seed", 3,
        "-m", "scripted", "--client.base-url", server.url, "--client.api-key-var", "NO_KEY",
        "-n", 3, "--no-push", "-o", tmp_path,
    )  # fmt: skip
    (file,) = tmp_path.glob("*/traces.jsonl")
    found = [json.loads(line) for line in file.read_text().splitlines()]
    traces = [trace for each in found for trace in each.get("traces", [each])]
    assert sorted(trace["task"]["data"]["seed"] for trace in traces) == [3, 4, 5]
    for trace in traces:
        info, seed = trace["info"], trace["task"]["data"]["seed"]
        payoffs = Transcript("polytrix/resistor-v0", info["options"], seed, tuple(info["actions"])).payoffs()
        assert payoffs is not None and trace["rewards"]["payoff"]["score"] == payoffs[info["seat"]]


def test_episodes_side_by_side_are_the_same_games(server: Any) -> None:
    env = load_environment("resistor", seats=[MODEL, MODEL], seed=5)
    together = asyncio.run(episodes(env, server, 4))
    for seed, episode in zip(range(5, 9), together, strict=True):
        (alone,) = asyncio.run(
            episodes(load_environment("resistor", seats=[MODEL, MODEL], seed=seed), server, 1)
        )
        assert played(alone) == played(episode)
        assert len(episode.traces) == 2 and sum(trace.reward for trace in episode.traces) == 0


def test_a_seat_that_reaches_a_limit_forfeits(server: Any) -> None:
    env = load_environment("resistor", seats=[MODEL, "greedy"], player={"max_turns": 3})
    (episode,) = asyncio.run(episodes(env, server, 1))
    (trace,) = episode.traces
    assert trace.stop_condition == "max_turns" and trace.num_turns == 3
    assert trace.reward == -1.0 and trace.metrics["forfeited"] == 1.0 and trace.metrics["refused"] == 0.0


def test_a_seat_that_is_never_asked_has_no_trace(server: Any) -> None:
    server.model = ClumsyModel(1.0)
    env = load_environment("resistor", seats=[MODEL, MODEL])
    (episode,) = asyncio.run(episodes(env, server, 1))
    (trace,) = episode.traces
    assert episode.ok and trace.reward == -1.0 and trace.metrics["refused"] == 3.0


def test_an_episode_whose_model_fails_has_no_rewards() -> None:
    with serving(shares={"broken": 1.0}) as server:
        (episode,) = asyncio.run(episodes(load_environment("resistor", seats=[MODEL, "greedy"]), server, 1))
    assert not episode.ok and "planted" in episode.errors[-1].message
    assert all("payoff" not in trace.rewards for trace in episode.traces)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_is_sent_back_so_that_a_trace_is_one_branch(server: Any, field: str) -> None:
    clumsy = ClumsyModel(0.2)
    server.message = {field: "Let me see."}
    server.model = lambda chat: clumsy(chat) or "I am silent."  # where an answer is empty a trace branches
    env = load_environment("resistor", seats=[MODEL, "random"], attempts=9)
    (episode,) = asyncio.run(episodes(env, server, 1))
    (trace,) = episode.traces
    assert trace.num_branches == 1 and trace.num_turns > 20
    own = [each for each in server.requests[-1]["messages"] if each["role"] == "assistant"]
    assert len(own) == trace.num_turns - 1 and {each["reasoning_content"] for each in own} == {"Let me see."}


def test_blanks_round_an_answer_make_no_branch(server: Any) -> None:
    model = server.model
    server.model = lambda chat: f"{model(chat)}\n\n"
    (episode,) = asyncio.run(episodes(load_environment("resistor", seats=[MODEL, "random"]), server, 1))
    assert episode.traces[0].num_branches == 1


def test_memory_limits_what_the_model_is_sent(server: Any) -> None:
    env = load_environment("resistor", seats=[MODEL, "random"], attempts=9, memory=1)
    server.model = ClumsyModel(0.2)
    (episode,) = asyncio.run(episodes(env, server, 1))
    (trace,) = episode.traces
    sent = [each["messages"] for each in server.requests]
    for chat in sent:
        questions = [each for each in chat if HEADING in each["content"]]
        assert chat[0]["role"] == "system" and 1 <= len(questions) <= 2
    assert trace.num_branches > 1 and trace.num_turns == server.done["move"] > 20


def test_shaped_rewards_of_turns_are_in_the_info(server: Any) -> None:
    env = load_environment("quatrix", seats=[MODEL, "random"], options={"max_decisions": 30}, shaping=0.5)
    (episode,) = asyncio.run(episodes(env, server, 1))
    (trace,) = episode.traces
    turns = trace.info["turn_rewards"]
    assert len(turns) == trace.metrics["decisions"] == trace.num_turns and len(set(turns)) > 3


def test_another_harness_is_refused(server: Any) -> None:
    env = load_environment("resistor", player={"harness": {"id": "null"}})
    (episode,) = asyncio.run(episodes(env, server, 1))
    assert not episode.ok and "the harness of player is 'null'" in episode.errors[-1].message


def test_the_page_and_the_docstrings_run(server: Any) -> None:
    assert not doctest.testmod(module).failed
    code, address = python_of(ROOT / "docs" / "verifiers.md"), "http://localhost:8000/v1"
    assert address in code
    names: dict[str, Any] = {}
    exec(code.replace(address, server.url), names)
    assert names["episode"].ok and names["trace"].metrics["decisions"] > 5
