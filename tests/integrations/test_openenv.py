"""Games in OpenEnv: server and client, seeds, sessions side by side, bad calls."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("openenv", reason="needs the extra openenv: make test-integrations")

import uvicorn
from fastapi import FastAPI
from openenv import GenericEnvClient
from openenv.cli._validation import validate_running_environment
from websockets.sync.client import connect

from polytrix.core.errors import GameOverError, PolicyError
from polytrix.llm import MODEL, Episode
from polytrix.llm.openenv import GameAction, GameClient, GameEnvironment, GameObservation, GameState, app
from tests.llm.cases import Case, Play, Played, check_games, every_game_by_text
from tests.llm.scripted import ClumsyModel

from .examples import run_python_of

MODEL_ANSWERS = ClumsyModel(0.0)


@contextmanager
def serving(application: Any) -> Iterator[str]:
    """A server in a thread; its address."""
    server = uvicorn.Server(uvicorn.Config(application, port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def play() -> Iterator[Play]:
    """One server, which has a path for each kind of game."""
    parent, paths = FastAPI(), dict[str, str]()
    with serving(parent) as address:

        def play(case: Case) -> Played:
            kind = repr((case.game, case.setup))
            if kind not in paths:
                paths[kind] = f"/{len(paths)}"
                parent.mount(paths[kind], app(case.game, **case.setup))
            return through(GameClient(address + paths[kind]), case)

        yield play


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server of games against random."""
    with serving(app("resistor", sessions=4, seats=[MODEL, "random"])) as where:
        yield where


def through(client: Any, case: Case) -> Played:
    """One game, in a session of its own."""
    model, refused = case.model, 0
    with client.sync() as env:
        result = env.reset(seed=case.seed)
        while not result.done:
            result = env.step(GameAction(text=model(result.observation.messages)))
            refused += result.observation.error is not None
        state, rewards = env.state(), result.observation.rewards
    assert state.seed == case.seed and state.refused == refused
    seats = [seat for seat, name in enumerate(state.seats) if name == MODEL]
    if len(seats) == 1:
        assert result.reward == rewards[seats[0]]
    return Played(
        transcript=state.transcript(),
        rewards={seat: rewards[seat] for seat in seats},
        forfeited=state.forfeited,
        refused=refused,
    )


@every_game_by_text
def test_games_and_rewards_are_right(game: str, episodes: int, play: Play) -> None:
    check_games(play, game, episodes)


def test_openenvs_own_validation_passes(address: str) -> None:
    report = validate_running_environment(address)
    assert report["passed"], report
    assert len(report["criteria"]) >= 5


def finished(env: Any, seed: int) -> GameState:
    result = env.reset(seed=seed)
    while not result.done:
        result = env.step(GameAction(text=MODEL_ANSWERS(result.observation.messages)))
    state = env.state()
    assert isinstance(state, GameState) and isinstance(result.observation, GameObservation)
    return state


def test_sessions_side_by_side_do_not_touch_each_other(address: str) -> None:
    async def one(seed: int) -> GameState:
        async with GameClient(address) as env:
            result = await env.reset(seed=seed, episode_id=f"number {seed}")
            while not result.done:
                answer = MODEL_ANSWERS(result.observation.messages)
                result = await env.step(GameAction(text=answer))
            return await env.state()

    async def several() -> list[GameState]:
        return await asyncio.gather(*(one(seed) for seed in range(4)))

    for seed, state in enumerate(asyncio.run(several())):
        assert state.episode_id == f"number {seed}"
        with GameClient(address).sync() as env:
            assert finished(env, seed).actions == state.actions


def test_a_client_without_polytrix(address: str) -> None:
    with GenericEnvClient(address).sync() as env:
        result = env.reset(seed=8)
        assert result.observation["messages"][0]["role"] == "system"
        result = env.step({"text": "no idea"})
        assert "no idea" in result.observation["error"] and not result.done


def test_shaped_rewards_sum_to_the_payoff_and_the_first_potential() -> None:
    options = {"max_decisions": 40}
    server = app("quatrix", seats=[MODEL, "random"], options=options, shaping=0.5)
    with serving(server) as where, GameClient(where).sync() as env:
        result, rewards = env.reset(seed=2), []
        while not result.done:
            result = env.step(GameAction(text=MODEL_ANSWERS(result.observation.messages)))
            rewards.append(result.reward)
    episode = Episode("quatrix", [MODEL, "random"], options=options, seed=2)
    while not episode.over:
        episode.answer(MODEL_ANSWERS(episode.messages()))
    assert rewards == pytest.approx(episode.turn_rewards(0.5)) and len(set(rewards)) > 3


def test_bad_calls_are_told_and_change_nothing(address: str) -> None:
    with GameClient(address).sync() as env:
        for call, said in (
            (lambda: env.step(GameAction(text="MOVE: D")), "call reset"),
            (lambda: env.reset(seed=-1), "seed is -1"),
            (lambda: env.reset(seed="7"), "seed is '7'"),
            (lambda: env.reset(sed=7), "unknown argument 'sed'; allowed: seed, episode_id"),
        ):
            with pytest.raises(RuntimeError, match=said):
                call()
        assert env.state().game == "" and env.state().seed is None
        with pytest.raises(GameOverError, match="call reset"):
            env.state().transcript()
        before = finished(env, 5)
        with pytest.raises(RuntimeError, match="game is over"):
            env.step(GameAction(text="MOVE: D"))
        with pytest.raises(RuntimeError, match=r"seed is 1\.5"):
            env.reset(seed=1.5)
        assert env.state() == before


def test_an_answer_that_is_too_long_is_refused(address: str) -> None:
    with connect(address.replace("http", "ws") + "/ws") as socket:
        text = "x" * 200_000
        socket.send(f'{{"type": "step", "data": {{"text": "{text}"}}}}')
        assert "VALIDATION_ERROR" in str(socket.recv())


def test_shaping_is_for_one_model() -> None:
    with pytest.raises(ValueError, match=r"shaping is 0\.5 where models play 2 seats"):
        app("resistor", seats=[MODEL] * 2, shaping=0.5)
    assert GameEnvironment.SUPPORTS_CONCURRENT_SESSIONS


def test_the_page_runs() -> None:
    assert run_python_of("openenv.md")["result"].done


def test_no_client_starts_a_program(address: str) -> None:
    with pytest.raises(PolicyError, match="no client of a server may start a program"):
        app("resistor", seats=[MODEL, "process:true"])
    with GameClient(address).sync() as env, pytest.raises(RuntimeError, match="unknown argument 'seats'"):
        env.reset(seats=[MODEL, "process:true"])
