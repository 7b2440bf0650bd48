"""The web application: pages, the lobby's requests, and the connections of tables."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from polytrix.core.catalogue import find
from polytrix.core.errors import PolytrixError
from polytrix.drawing.font import font_file

from . import lobby, messages, networks, rules
from .guard import Guard
from .limits import (
    CONNECTIONS_OF_AN_ADDRESS,
    LONGEST_BODY,
    LONGEST_NETWORK,
    MOST_TABLES,
    SECONDS_TO_ASK,
    SECONDS_TO_JOIN,
    SLOWEST_LINE,
    Rate,
)
from .replays import Finished
from .rooms import House, Page, Room
from .store import Store

STATIC = Path(__file__).parent / "static"

LOGGER = logging.getLogger("polytrix.web")

NO_TABLE, TOO_FAST, BAD = 4404, 4429, 4400
"""Why a connection was closed: then a page does not connect again by itself."""

NEWEST_TABLES = 30


class RequestError(PolytrixError):
    """A request that is refused, with its HTTP status."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


def application(store: Store, hosts: Collection[str] = ()) -> ASGIApp:
    """The web application.

    Args:
        store: keeps the tables.
        hosts: see `Guard`.
    """
    house = House(store)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        house.close()

    def with_house(endpoint: Callable[[House, Any], Awaitable[Any]]) -> Callable[[Any], Awaitable[Any]]:
        return partial(endpoint, house)

    def answered(
        endpoint: Callable[[House, Request], Awaitable[Response]],
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            try:
                return await endpoint(house, request)
            except RequestError as error:
                return JSONResponse({"error": str(error)}, error.status)
            except PolytrixError as error:
                return JSONResponse({"error": str(error)}, 400)

        return answer

    def for_host(
        endpoint: Callable[[House, Request], Awaitable[Response]],
    ) -> Callable[[Request], Awaitable[Response]]:
        async def checked(house: House, request: Request) -> Response:
            check_key(request, store.key)
            return await endpoint(house, request)

        return answered(checked)

    create_rate = Rate(per_second=0.5, burst=30)

    async def create(house: House, request: Request) -> Response:
        if not create_rate.allows():
            raise RequestError("Tables are set up too fast. Wait a few seconds.", 429)
        return await set_up(house, request)

    app = Starlette(
        routes=[
            Route("/", lambda _: FileResponse(STATIC / "lobby.html")),
            Route("/table", lambda _: FileResponse(STATIC / "table.html")),
            Route("/replay", lambda _: FileResponse(STATIC / "replay.html")),
            Route("/font.ttf", with_house(font)),
            Route("/games/{name}/picture.svg", with_house(picture)),
            Route("/games/{name}/rules.json", with_house(chapters)),
            Route("/api/games", for_host(games)),
            Route("/api/tables", for_host(tables)),
            Route("/api/tables", for_host(create), methods=["POST"]),
            Route("/api/networks", for_host(upload), methods=["POST"]),
            Route("/api/tables/forget", for_host(forget), methods=["POST"]),
            Route("/api/replay", answered(replay), methods=["POST"]),
            Route("/api/thoughts", answered(thoughts), methods=["POST"]),
            WebSocketRoute("/socket", with_house(connection)),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        lifespan=lifespan,
    )
    return Guard(app, hosts)


# -- the lobby --------------------------------------------------------------------------------


def has_key(request: Request, key: str) -> bool:
    """Whether a request brings the lobby's secret."""
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    return secrets.compare_digest(given.encode(), key.encode())


def check_key(request: Request, key: str) -> None:
    """Refuse a request without the lobby's secret."""
    if not has_key(request, key):
        raise RequestError(
            "This page lacks the key of the lobby: open the address that `polytrix table` prints.", 401
        )


async def content(request: Request, longest: int) -> bytes:
    """What a request brings along.

    Raises:
        RequestError: it is too long, too slow, or breaks off.
    """
    try:
        return await asyncio.wait_for(receive(request, longest), SECONDS_TO_ASK + longest / SLOWEST_LINE)
    except asyncio.TimeoutError:
        raise RequestError("the request comes too slowly", 408) from None
    except ClientDisconnect:
        raise RequestError("the request breaks off") from None


async def receive(request: Request, longest: int) -> bytes:
    """What a request brings along, however long it takes."""
    read = bytearray()
    async for part in request.stream():
        read += part
        if len(read) > longest:
            raise RequestError(f"this has more than {longest} bytes; choose a smaller file", 413)
    return bytes(read)


async def body(house: House, request: Request, longest: int) -> Any:
    """The JSON in a request.

    Raises:
        RequestError: see `content`.
        MessageError: it is no JSON.
    """
    return await house.call(messages.parse, await content(request, longest))


async def games(house: House, request: Request) -> Response:
    """All games."""
    return JSONResponse(await house.call(lobby.games))


async def tables(house: House, request: Request) -> Response:
    """The tables used last."""
    found = await house.call(house.store.newest, NEWEST_TABLES)
    return JSONResponse([lobby.table_row(*table[:3]) for table in found if is_known(table[1].game)])


def is_known(game_id: str) -> bool:
    """Whether a game is still registered."""
    with suppress(PolytrixError):
        return find(game_id).id == game_id
    return False


async def set_up(house: House, request: Request) -> Response:
    """Set up the table of a form."""
    form = await body(house, request, LONGEST_BODY)
    if await house.call(house.store.count) >= MOST_TABLES:
        raise RequestError(f"There are {MOST_TABLES} tables. Delete some that you do not need.")
    settings, seed = await house.call(lobby.settings_of, form)
    table = await house.set_up(settings, seed)
    return JSONResponse(lobby.table_row(table.id, settings, 0), 201)


async def forget(house: House, request: Request) -> Response:
    """Delete a table."""
    form = await body(house, request, LONGEST_BODY)
    if not isinstance(form, dict) or not isinstance(form.get("id"), str):
        raise RequestError("the form names the id of a table")
    await house.forget(form["id"])
    return JSONResponse({})


async def upload(house: House, request: Request) -> Response:
    """Keep a saved network, and tell what it is called as an agent."""
    name, game = request.query_params.get("name", ""), find(request.query_params.get("game", ""))
    sent = await content(request, LONGEST_NETWORK)
    file = await house.call(networks.keep, house.store.folder, game, name, sent)
    return JSONResponse({"agent": str(file)}, 201)


# -- what everybody may see -------------------------------------------------------------------


async def font(house: House, request: Request) -> Response:
    """The font of all pictures."""
    return FileResponse(await house.call(font_file), media_type="font/ttf")


async def picture(house: House, request: Request) -> Response:
    """A position of a game."""
    try:
        drawn = await house.call(lobby.picture, find(request.path_params["name"]))
    except PolytrixError as error:
        return JSONResponse({"error": str(error)}, 404)
    return Response(drawn, media_type="image/svg+xml")


async def chapters(house: House, request: Request) -> Response:
    """The rules of a game."""
    try:
        return JSONResponse(await house.call(rules.chapters, find(request.path_params["name"])))
    except PolytrixError as error:
        return JSONResponse({"error": str(error)}, 404)


# -- games that are over ----------------------------------------------------------------------


async def game_of(house: House, request: Request) -> tuple[Finished, dict[str, Any]]:
    """The game that a request names, and the request.

    Everybody may name a game by the link of its table; transcripts are for the host alone, since to check them
    takes time. Whatever is long is a transcript.
    """
    key = house.store.key
    try:
        wanted = await body(house, request, LONGEST_BODY if has_key(request, key) else messages.LONGEST_MESSAGE)
    except RequestError as error:
        if error.status == 413:
            check_key(request, key)
        raise
    match wanted:
        case {"token": str(token), "game": int(game)} if 0 <= game < messages.MOST:
            return await house.replays.of_table(token, game), wanted
        case {"transcript": str(text)}:
            check_key(request, key)
            return await house.replays.of_text(text), wanted
    raise RequestError('a request names a "transcript", or the "token" of a table and the number of a "game"')


async def replay(house: House, request: Request) -> Response:
    """A game to look at again."""
    game, _ = await game_of(house, request)
    return Response(await house.replays.replay(game), media_type="application/json")


async def thoughts(house: House, request: Request) -> Response:
    """What an agent thinks in the course of a game: a line of JSON for each position."""
    game, wanted = await game_of(house, request)
    lines = house.replays.thoughts(game, wanted.get("agent"))
    return StreamingResponse(lines, media_type="application/x-ndjson")


# -- tables -----------------------------------------------------------------------------------


async def connection(house: House, socket: WebSocket) -> None:
    """A page's connection to its table, from its first message on."""
    if house.joining.count(address_of(socket)) >= CONNECTIONS_OF_AN_ADDRESS:
        await socket.close()
        return
    try:
        joined = messages.read(await first_message(house, socket))
        if not isinstance(joined, messages.Join):
            raise messages.MessageError("the first message is 'join'")
        room, seat = await house.open(joined.token)
        page = await room.enter(seat, joined.seen)
    except (PolytrixError, asyncio.TimeoutError) as error:
        with suppress(RuntimeError, WebSocketDisconnect):
            text = str(error) or "the first message is 'join'"
            await socket.send_json({"type": "closed", "text": text})
            await socket.close(NO_TABLE)
        return
    except (WebSocketDisconnect, KeyError):  # KeyError: bytes instead of text
        return
    sending = asyncio.create_task(send_news(socket, room, page))
    try:
        await receive_all(socket, room, page)
    except (WebSocketDisconnect, KeyError, RuntimeError):
        pass
    finally:
        room.leave(page)
        sending.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await sending


def address_of(socket: WebSocket) -> str:
    """Where a connection comes from."""
    return socket.client.host if socket.client else ""


async def first_message(house: House, socket: WebSocket) -> str:
    """What a page sends first; until then it counts as joining."""
    house.joining.append(address_of(socket))
    try:
        await socket.accept()
        return await asyncio.wait_for(socket.receive_text(), SECONDS_TO_JOIN)
    finally:
        house.joining.remove(address_of(socket))


async def send_news(socket: WebSocket, room: Room, page: Page) -> None:
    """Send a page what happens, as long as it is connected."""
    try:
        while True:
            for message in await room.news(page):
                await socket.send_json(message)
    except (WebSocketDisconnect, RuntimeError):
        pass
    except Exception:
        LOGGER.exception("a page of table %s cannot be sent its news", room.table.id)
        with suppress(Exception):
            await socket.close(1011)


async def receive_all(socket: WebSocket, room: Room, page: Page) -> None:
    """Do what a page asks for, until it goes away; what is refused changes nothing."""
    rate, patience = Rate(per_second=20, burst=60), Rate(per_second=5, burst=200)
    while True:
        text = await socket.receive_text()
        if not rate.allows():
            if not patience.allows():
                await socket.close(TOO_FAST)
                return
            await asyncio.sleep(0.05)
        try:
            await room.receive(page, messages.read(text))
        except PolytrixError as error:
            page.reply({"type": "refused", "text": str(error)})
        except Exception:
            LOGGER.exception("table %s could not do what a page asks for", room.table.id)
            page.reply({"type": "refused", "text": "That has failed; the terminal of the server tells why."})
