"""Tables in use: the pages that look at them, and the agents that play there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from polytrix.agents.policy import Policy
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import PolytrixError
from polytrix.core.viewers import SPECTATOR
from polytrix.play.session import Session

from . import messages, views
from .agents import Agents
from .limits import MOST_OPEN, MOST_PAGES, PAGES_OF_A_LINK, SLOWEST
from .replays import Replays
from .settings import YOU
from .store import Store
from .table import RefusedError, Table
from .threads import in_thread

T = TypeVar("T")

LOGGER = logging.getLogger("polytrix.web")


class Page:
    """A page that looks at a table. It is sent the newest position only, however many there were.

    Args:
        seat: its seat, or SPECTATOR.
        version: the version that it shows, or -1.
    """

    def __init__(self, seat: int, version: int) -> None:
        self.seat = seat
        self.version = version
        self.round = -1
        self.decisions = -1
        self.going_on = ""
        self.pace: float | None = -1.0
        self.replies: list[views.Message] = []
        self.news = asyncio.Event()

    def reply(self, message: views.Message) -> None:
        """Send a message to this page alone."""
        self.replies.append(message)
        self.news.set()


class Room:
    """A table in use, and where it stands."""

    def __init__(self, table: Table, house: House) -> None:
        self.table = table
        self.pages: set[Page] = set()
        self.going_on = ""
        self.pace: float | None = table.settings.pace
        """Seconds before each decision of an agent; None while they pause."""
        self._house = house
        self._lock = asyncio.Lock()
        self._pace_news = asyncio.Event()
        self._playing: asyncio.Task[None] | None = None

    async def enter(self, seat: int, seen: int) -> Page:
        """Let a page look; `seen` is the version that it shows already, or -1.

        Raises:
            RefusedError: there are too many pages.
        """
        if len(self.pages) >= PAGES_OF_A_LINK * (1 + len(self.table.settings.chairs)) or (
            sum(page.seat == seat for page in self.pages) >= PAGES_OF_A_LINK
        ):
            raise RefusedError(f"This link is open in {PAGES_OF_A_LINK} pages already. Close one of them.")
        page = Page(seat, seen)
        self.pages.add(page)
        page.news.set()
        self._wake()
        return page

    def leave(self, page: Page) -> None:
        """Forget a page."""
        self.pages.discard(page)
        self._pace_news.set()

    async def news(self, page: Page) -> list[views.Message]:
        """Wait until there is something to send to a page, and return it."""
        await page.news.wait()
        page.news.clear()
        found, page.replies = page.replies, []
        async with self._lock:
            table = self.table
            if page.version != table.version:
                known = page.decisions if page.round == table.round else -1
                found.insert(0, await self._house.call(views.view, table, page.seat, known))
            elif page.round < 0:
                found.insert(0, {"type": "current", "version": table.version})
            page.version, page.round = table.version, table.round
            page.decisions = len(table.session.actions)
        if page.going_on != self.going_on:
            page.going_on = self.going_on
            found.append({"type": "going_on", "text": self.going_on})
        if page.pace != self.pace and not self.table.settings.has_people:
            page.pace = self.pace
            found.append({"type": "pace", "milliseconds": -1 if self.pace is None else round(1000 * self.pace)})
        return found

    async def receive(self, page: Page, message: messages.Message) -> None:
        """Do what a page asks for.

        Raises:
            PolytrixError: says why it is not possible; nothing has changed.
        """
        table, seat = self.table, page.seat
        version = message.version if isinstance(message, messages.Asking) else None
        match message:
            case messages.Hint(agent=agent):
                await self._hint(page, agent, message.version)
            case messages.Pace(milliseconds=milliseconds):
                self._set_pace(milliseconds)
            case messages.Log():
                page.reply(await self._call_locked(None, lambda: views.whole_log(table, seat)))
            case messages.Record():
                page.reply(await self._call_locked(None, lambda: record(table)))
            case messages.Move(action=action):
                await self._change(version, lambda: table.move(seat, action))
            case messages.Say(text=text):
                await self._change(version, lambda: table.move(seat, table.read(seat, text)))
            case messages.TakeBack():
                await self._change(version, lambda: table.take_back(seat))
            case messages.Resign():
                await self._change(version, lambda: table.resign(seat))
            case messages.Begin():
                await self._change(version, lambda: table.begin_next(seat))
            case messages.Join():
                raise RefusedError("This page has already joined.")

    async def _change(self, version: int | None, change: Callable[[], None]) -> None:
        await self._call_locked(version, change)
        self._show()
        self._wake()

    async def _call_locked(self, version: int | None, call: Callable[[], T]) -> T:
        """Call in a thread, while nothing else happens at this table.

        Raises:
            RefusedError: the table has another version.
        """
        async with self._lock:
            if version is not None and version != self.table.version:
                raise RefusedError("The position has changed meanwhile. Look again, then choose.")
            return await self._house.call(call)

    async def _hint(self, page: Page, agent: str, version: int) -> None:
        table = self.table
        allowed = views.advisers(table.session.game)
        if agent not in allowed:
            raise RefusedError(f"There is no hint from {agent!r}; allowed: {', '.join(allowed)}.")
        if not table.may_move(page.seat):
            raise RefusedError("Hints are for the seat to move.")
        session = await self._call_locked(version, table.session.fork)
        told: list[str] = []

        def tell(text: str) -> None:
            told.append(text)
            page.reply({"type": "going_on", "text": text})

        page.reply({**await self._house.agents.ask(session, agent, tell, views.hint), "version": version})
        if told:
            page.reply({"type": "going_on", "text": self.going_on})

    # -- agents -----------------------------------------------------------------------------

    def _wake(self) -> None:
        """Let agents play if it is their turn."""
        if self._playing is None or self._playing.done():
            self._playing = asyncio.create_task(self._play())

    async def _play(self) -> None:
        """Let agents decide until a person is to move, or nobody looks."""
        while self.pages and (spec := self.table.agent_to_move) is not None:
            table, version = self.table, self.table.version
            seat = table.session.seat_name()
            try:
                await self._wait()
                guided = table.settings.guided
                action = await self._call_locked(version, table.guided_action) if guided else None
                if action is None:
                    session = await self._call_locked(version, table.session.fork)
                    action = await self._house.agents.ask(session, spec, self._tell, choose)
                await self._call_locked(version, partial(table.decide, action))
            except RefusedError:  # taken back, or resigned, in the meantime
                continue
            except Exception:
                LOGGER.exception("the agent %s of table %s has failed", spec, table.id)
                self._tell(f"The agent of {seat} has failed; the server's terminal says why.")
                return
            self._tell("")
            self._show()

    async def _wait(self) -> None:
        """Wait before an agent's decision; a new pace counts at once."""
        while self.pages:
            self._pace_news.clear()
            try:
                await asyncio.wait_for(self._pace_news.wait(), self.pace)
            except asyncio.TimeoutError:
                return

    def _set_pace(self, milliseconds: int) -> None:
        """Let agents play faster or slower, or pause, for all who watch."""
        if self.table.settings.has_people:
            raise RefusedError("The pace can be set where only agents play.")
        if milliseconds > 1000 * SLOWEST:
            raise RefusedError(f"The pace is {milliseconds} milliseconds; allowed: up to {1000 * SLOWEST:g}.")
        self.pace = None if milliseconds < 0 else milliseconds / 1000
        self._pace_news.set()
        self._show()

    def _tell(self, text: str) -> None:
        """Tell all pages what is going on."""
        self.going_on = text
        self._show()

    def _show(self) -> None:
        for page in self.pages:
            page.news.set()

    def close(self) -> None:
        """Stop the agents."""
        if self._playing is not None:
            self._playing.cancel()

    @property
    def idle(self) -> bool:
        """Whether nobody looks and nobody thinks."""
        return not self.pages and (self._playing is None or self._playing.done())


class House:
    """All tables, and what keeps them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.agents = Agents()
        self.replays = Replays(store, self.agents)
        self.joining: list[str] = []
        """Where the connections come from that have not joined a table yet."""
        self._rooms: dict[str, Room] = {}
        self._statuses: dict[str, tuple[int, str]] = {}
        """What was said of tables, by id, and of which version."""
        self._opening = asyncio.Lock()
        self._threads = ThreadPoolExecutor(8, thread_name_prefix="tables")  # most wait for the disk

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call in a thread, so that pages need not wait for it."""
        return await in_thread(self._threads, function, *arguments)

    async def open(self, token: str) -> tuple[Room, int]:
        """The table of a token, and the seat.

        Raises:
            RefusedError: there is no such table, or too many are in use.
        """
        found = await self.call(self.store.find, token)
        if found is None:
            raise RefusedError("This link leads nowhere: it is incomplete, or its table has been deleted.")
        table_id, seat = found
        if sum(len(room.pages) for room in self._rooms.values()) >= MOST_PAGES:
            raise RefusedError("Too many pages are open. Close some, and try again.")
        async with self._opening:
            if table_id not in self._rooms:
                self._make_room()
                table = await self.call(lambda: Table(self.store.load(table_id), self.store))
                self._rooms[table_id] = Room(table, self)
            return self._rooms[table_id], seat

    def _make_room(self) -> None:
        for table_id in [key for key, room in self._rooms.items() if room.idle]:
            if len(self._rooms) >= MOST_OPEN:
                self._rooms.pop(table_id).close()
        if len(self._rooms) >= MOST_OPEN:
            raise RefusedError("Too many tables are in use. Try again later.")

    async def status(self, table_id: str, version: int) -> str:
        """Who is to move at a table of this version, or how its game ended, for the host."""
        said = self._statuses.get(table_id)
        if said is None or said[0] != version:
            said = version, await self.call(self._look, table_id)
            self._statuses[table_id] = said
        return said[1]

    def _look(self, table_id: str) -> str:
        try:
            table = Table(self.store.load(table_id), self.store)
        except (PolytrixError, KeyError):  # KeyError: just deleted
            return "This table cannot be opened: its game has changed."
        kinds = [chair.kind for chair in table.settings.chairs]
        return views.status(table, kinds.index(YOU) if YOU in kinds else SPECTATOR)

    async def forget(self, table_id: str) -> None:
        """Delete a table."""
        room = self._rooms.pop(table_id, None)
        self._statuses.pop(table_id, None)
        if room is not None:
            room.close()
            for page in room.pages:
                page.reply({"type": "closed", "text": "This table has been deleted."})
        await self.call(self.store.forget, table_id)

    def close(self) -> None:
        """Stop everything, and close the file."""
        for room in self._rooms.values():
            room.close()
        self.replays.close()
        self.agents.close()
        self._threads.shutdown()
        self.store.close()


def choose(session: Session, policy: Policy) -> int:
    """An agent's action for the seat to move."""
    session.recall(policy, [session.state.mover])
    return session.choose(policy)


def record(table: Table) -> views.Message:
    """The transcript of a game that is over; it holds the seed, and so everything that was hidden.

    Raises:
        RefusedError: the game goes on.
    """
    if not table.over:
        raise RefusedError("The game can be saved once it is over: its file tells what the seats hide.")
    name = f"{table.session.game.name}-{table.session.seed}.json"
    return {"type": "record", "name": name, "text": table.session.transcript().to_text(Mode.PLAIN)}
