"""OpenEnv: its server and our client, over a WebSocket."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("openenv", reason="needs the extra openenv: make test-integrations")

import uvicorn
from fastapi import FastAPI

from polytrix.llm import MODEL
from polytrix.llm.openenv import GameAction, GameClient, app

from .cases import Case, Played
from .interfaces import Play


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


@contextmanager
def opened() -> Iterator[Play]:
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
