"""Who stops waiting for a thread lets nobody else in before it has ended."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import polytrix
from polytrix.core.viewers import SPECTATOR
from polytrix.play.session import Session
from polytrix.web import views
from polytrix.web.agents import Agents
from polytrix.web.rooms import House, Room
from polytrix.web.settings import YOU, Chair, Settings
from polytrix.web.store import Store
from polytrix.web.table import Table
from polytrix.web.threads import in_thread

GAME = polytrix.find("quatrix")


class Held:
    """A function that does not end until it may."""

    def __init__(self) -> None:
        self.begun, self.may_end, self.has_ended = threading.Event(), threading.Event(), False

    def __call__(self, *_: object) -> None:
        self.begun.set()
        assert self.may_end.wait(30)
        self.has_ended = True

    async def until_begun(self) -> None:
        await asyncio.to_thread(self.begun.wait, 30)


async def check_the_next_one_waits(
    held: Held, first: Coroutine[Any, Any, Any], then: Coroutine[Any, Any, bool]
) -> None:
    """`first` calls `held` and is cancelled, twice; `then` returns whether `held` has ended."""
    calling = asyncio.create_task(first)
    await held.until_begun()
    waiting = asyncio.create_task(then)
    for _ in range(2):
        calling.cancel()
        await asyncio.wait([waiting], timeout=0.1)
    held.may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await calling
    assert await waiting


def test_an_agent_thinks_for_one_at_a_time() -> None:
    async def ask() -> None:
        agents, held = Agents(), Held()
        session = Session(GAME, GAME.options.defaults, seed=1)

        def asked(about: Callable[..., Any]) -> Coroutine[Any, Any, Any]:
            return agents.ask(session, "greedy", lambda text: None, about)

        await check_the_next_one_waits(held, asked(held), asked(lambda *_: held.has_ended))

    asyncio.run(ask())


def test_a_table_is_used_by_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held()
    monkeypatch.setattr(views, "view", held)
    chairs = (Chair(YOU, token="a"), Chair(YOU, token="b"))

    async def look() -> None:
        house = House(Store(tmp_path / "tables.sqlite"))
        settings = Settings(GAME.id, GAME.options.defaults, chairs, "c")
        room = Room(Table.new(settings, 1, house.store), house)
        page = await room.enter(SPECTATOR, -1)
        changing = room._call_locked(None, lambda: held.has_ended)
        await check_the_next_one_waits(held, room.news(page), changing)
        house.close()

    asyncio.run(look())


def test_what_has_not_begun_is_dropped() -> None:
    async def drop() -> None:
        held, called = Held(), list[int]()
        with ThreadPoolExecutor(1) as threads:
            first = asyncio.create_task(in_thread(threads, held))
            await held.until_begun()
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(in_thread(threads, called.append, 1), 0.1)
            held.may_end.set()
            await first
        assert called == []

    asyncio.run(drop())
