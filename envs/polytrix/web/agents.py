"""Agents of tables: they think in threads, and what they need is compiled in another process."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from polytrix.agents.policy import Policy, needs_states
from polytrix.core.game import Game
from polytrix.play.opponents import agent, compile_policy
from polytrix.play.session import Session

from .settings import short_name
from .threads import in_thread

T = TypeVar("T")

COMPILE = (
    "import json, sys; from polytrix.play.opponents import compile_agent; compile_agent(**json.load(sys.stdin))"
)
"""Code for another process, which is told game, data and agent on its standard input."""

Tell = Callable[[str], None]
"""Tells the pages of a table what is going on; "" for nothing."""


@dataclass
class Loaded:
    """An agent. It thinks about one position at a time."""

    policy: Policy
    free: asyncio.Lock = field(default_factory=asyncio.Lock)


class Agents:
    """The agents of all tables, each loaded once for a game. Two may think at the same time."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="agents")
        self._loading: dict[tuple[Game, str], asyncio.Task[Loaded]] = {}

    def close(self) -> None:
        """Let no agent begin to think."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def ask(self, session: Session, spec: str, tell: Tell, about: Callable[[Session, Policy], T]) -> T:
        """Call with a game and an agent, in a thread, while nobody else asks the agent.

        Args:
            session: the game; nobody else may use it.
            spec: what the agent is called.
            tell: is told what takes time.
            about: what is called.

        Raises:
            PolicyError: there is no such agent, or it cannot answer.
        """
        loaded = await self._ready(session.game, spec, tell)
        async with loaded.free:
            return await in_thread(self._threads, about, session, loaded.policy)

    async def _ready(self, game: Game, spec: str, tell: Tell) -> Loaded:
        """The agent, compiled if it must be. Several tables wait for it together."""
        key = game, spec
        if key not in self._loading:
            self._loading[key] = asyncio.create_task(self._load(game, spec))
        task = self._loading[key]
        if not task.done():
            tell(f"{short_name(spec)} is being prepared. The first time, a search is compiled: up to a minute.")
        try:
            return await asyncio.shield(task)
        except Exception:
            self._loading.pop(key, None)
            raise

    async def _load(self, game: Game, spec: str) -> Loaded:
        policy = await in_thread(self._threads, agent, spec, game)
        if needs_states(policy):
            await _compile_elsewhere(game, spec)
            await in_thread(self._threads, compile_policy, game, policy)
        return Loaded(policy)


async def _compile_elsewhere(game: Game, spec: str) -> None:
    """Compile an agent's programs in a process of its own, into the cache.

    Compiling here would make all pages wait. If the process fails, for example for a game that only this one
    knows, the programs are compiled here after all.
    """
    wanted = json.dumps({"game": game.id, "data": dict(game.replaced), "agent": spec})
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        COMPILE,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await process.communicate(wanted.encode())
    except asyncio.CancelledError:
        process.kill()
        raise
