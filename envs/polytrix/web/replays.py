"""Games to look at again: finished ones of tables, and transcripts of the host; what agents think of them."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from polytrix.agents.policy import Policy
from polytrix.core.calls import shown
from polytrix.core.errors import PolytrixError
from polytrix.core.transcript import Transcript
from polytrix.core.viewers import SPECTATOR
from polytrix.play.session import Session, session_of
from polytrix.play.thoughts import Mind, Thought
from polytrix.replay.chats import Told, read_game
from polytrix.replay.data import replay_of

from .agents import Agents
from .limits import MOST_DECISIONS, MOST_REPLAYS, MOST_THINKING
from .store import Store
from .table import RefusedError, Table
from .threads import in_thread
from .views import advisers, status

T = TypeVar("T")

LOGGER = logging.getLogger("polytrix.web")


@dataclass(frozen=True)
class Finished:
    """A game that all of it may be shown of.

    Attributes:
        transcript: the game.
        result: how it ended, if its moves do not tell: a seat has resigned.
        told: who played, and what else the file of the game tells besides the moves.
    """

    transcript: Transcript
    result: str = ""
    told: Told = field(default_factory=Told)

    @property
    def key(self) -> str:
        """Equal for equal games."""
        return json.dumps(asdict(self))


class Kept(OrderedDict[Any, str]):
    """The texts that were used last."""

    def use(self, key: Any) -> str | None:
        """A text, if it is kept."""
        if key in self:
            self.move_to_end(key)
        return self.get(key)

    def keep(self, key: Any, text: str) -> None:
        """Keep a text, and forget the one that was used longest ago."""
        self[key] = text
        if len(self) > MOST_REPLAYS:
            self.popitem(last=False)


class Replays:
    """What the page of a replay asks for. One game at a time is drawn, in a thread of its own."""

    def __init__(self, store: Store, agents: Agents) -> None:
        self._store, self._agents = store, agents
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="replays")
        self._waiting = 0
        self._thinking = 0
        self._replays, self._thoughts = Kept(), Kept()

    def close(self) -> None:
        """Draw no more."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    # -- which game -------------------------------------------------------------------------

    async def of_table(self, token: str, game: int) -> Finished:
        """A game of the table that a link leads to.

        Args:
            token: the secret of the link; every link will do, since all may be shown of a game that is over.
            game: its number at the table, from 0.

        Raises:
            RefusedError: there is no such game, or it is not over.
        """
        return await self._call(self._find, token, game)

    async def of_text(self, text: str) -> Finished:
        """The game of a transcript from anyone; raises TranscriptError."""
        return await self._call(_read, text)

    def _find(self, token: str, game: int) -> Finished:
        found = self._store.find(token)
        try:
            if found is None:
                raise KeyError(token)
            table = Table(self._store.load(found[0], game), self._store)
        except KeyError:
            raise RefusedError("This link leads to no game: it is incomplete, or the table is gone.") from None
        if not table.over:
            raise RefusedError("A game can be looked at again once it is over.")
        resigned = "" if table.session.over else status(table, SPECTATOR)
        players = tuple(chair.player for chair in table.settings.chairs)
        _check_length(table.session.actions)
        return Finished(table.session.transcript(), resigned, Told(players))

    # -- what is shown of it ----------------------------------------------------------------

    async def replay(self, game: Finished) -> str:
        """The replay as JSON, with the agents that may be asked.

        Raises:
            RefusedError: too many wait already.
        """
        key = game.key
        found = self._replays.use(key)
        if found is None:
            found = await self._call(_draw, game)
            self._replays.keep(key, found)
        return found

    def thoughts(self, game: Finished, spec: Any) -> AsyncIterator[str]:
        """What an agent thinks in the course of a game: a line of JSON for each position, as soon as known.

        Raises:
            RefusedError: there is no such agent, or too many think already.
        """
        allowed = advisers(game.transcript.description())
        if spec not in allowed:
            raise RefusedError(f"{shown(spec)} does not tell thoughts; allowed: {', '.join(allowed)}.")
        found = self._thoughts.use((game.key, spec))
        if found is not None:
            return _at_once(found)
        if self._thinking >= MOST_THINKING:
            raise RefusedError("Agents think about other games now. Try again in a minute.")
        return self._think(game, spec)

    async def _think(self, game: Finished, spec: str) -> AsyncIterator[str]:
        """Lines as they come. Who does not read on stops the agent."""
        lines: asyncio.Queue[str] = asyncio.Queue()
        self._thinking += 1
        task = asyncio.create_task(self._write(game, spec, lines.put_nowait))
        try:
            while line := await lines.get():
                yield line
        finally:
            task.cancel()
            self._thinking -= 1

    async def _write(self, game: Finished, spec: str, write: Callable[[str], None]) -> None:
        """Write a line for each position, and "" at the end."""
        text = ""
        try:
            async for number, thought in self._course(game, spec, lambda told: write(_line(going_on=told))):
                line = _line(at=number, thought=None if thought is None else asdict(thought))
                text += line
                write(line)
            self._thoughts.keep((game.key, spec), text)
        except PolytrixError as error:
            write(_line(failed=str(error)))
        except Exception:
            LOGGER.exception("the agent %s cannot think about a game", spec)
            write(_line(failed=f"{spec} has failed; the server's terminal says why."))
        finally:
            write("")

    async def _course(
        self, game: Finished, spec: str, tell: Callable[[str], None]
    ) -> AsyncIterator[tuple[int, Thought | None]]:
        """Each position with what the agent thinks of it. Other games have their turns in between."""
        session = await self._call(session_of, game.transcript)
        limit = float(session.game.payoff_limit(session.options))
        minds: list[Mind] = []

        def think(action: int | None, session: Session, policy: Policy) -> Thought:
            if not minds:
                minds.append(Mind(policy, limit))
            thought = minds[0].think(session, action)
            if action is not None:
                session.play(action)
            return thought

        for number, action in enumerate((*game.transcript.actions, None)):
            if session.over:
                yield number, None
            else:
                yield number, await self._agents.ask(session, spec, tell, partial(think, action))

    async def _call(self, function: Callable[..., T], *arguments: Any) -> T:
        if self._waiting >= MOST_REPLAYS:
            raise RefusedError("Too many games are being opened now. Try again in a minute.")
        self._waiting += 1
        try:
            return await in_thread(self._thread, function, *arguments)
        finally:
            self._waiting -= 1


def _read(text: str) -> Finished:
    """The game of a transcript. Its length is looked at first, since checking takes time for each decision."""
    with suppress(ValueError, RecursionError):
        content = json.loads(text)
        for moves in (content.get("actions"), content.get("moves")) if isinstance(content, dict) else ():
            _check_length(moves if isinstance(moves, list) else ())
    transcript, told = read_game(text)
    return Finished(transcript, told=told)


def _check_length(moves: Sequence[Any]) -> None:
    if len(moves) > MOST_DECISIONS:
        raise RefusedError(
            f"The game has {len(moves)} decisions; the page shows up to {MOST_DECISIONS}. "
            "`polytrix replay FILE --html OUT` has no limit."
        )


def _draw(game: Finished) -> str:
    found = replay_of(game.transcript, told=game.told)
    content = replace(found, result=game.result or found.result).to_dict()
    return json.dumps({**content, "advisers": advisers(game.transcript.description())})


def _line(**content: Any) -> str:
    return json.dumps(content) + "\n"


async def _at_once(text: str) -> AsyncIterator[str]:
    yield text
