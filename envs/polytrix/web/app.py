"""The web application: pages, the lobby's requests, and the connections of tables."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from polytrix.core.catalogue import UnknownGameError, find
from polytrix.core.errors import PolytrixError
from polytrix.core.game import Game
from polytrix.drawing.font import font_bytes

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
from .table import Table

STATIC = Path(__file__).parent / "static"

LOGGER = logging.getLogger("polytrix.web")

NO_TABLE, TOO_FAST = 4404, 4429
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

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        app.state.house.close()

    app = Starlette(
        routes=[
            Route("/", lambda _: FileResponse(STATIC / "lobby.html")),
            Route("/table", lambda _: FileResponse(STATIC / "table.html")),
            Route("/replay", lambda _: FileResponse(STATIC / "replay.html")),
            Route("/font.ttf", font),
            Route("/games/{name}/picture.svg", picture),
            Route("/games/{name}/rules.json", chapters),
            Route("/api/games", games),
            Route("/api/tables", tables),
            Route("/api/tables", set_up, methods=["POST"]),
            Route("/api/networks", upload, methods=["POST"]),
            Route("/api/tables/forget", forget, methods=["POST"]),
            Route("/api/replay", replay, methods=["POST"]),
            Route("/api/thoughts", thoughts, methods=["POST"]),
            WebSocketRoute("/socket", connection),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        exception_handlers={PolytrixError: refuse, 404: missing},
        lifespan=lifespan,
    )
    app.state.house, app.state.rate = House(store), Rate(per_second=0.5, burst=30)
    return Guard(app, hosts)


async def refuse(request: Request, error: Exception) -> Response:
    """The answer to a request that is not possible."""
    return JSONResponse({"error": str(error)}, error.status if isinstance(error, RequestError) else 400)


async def missing(request: Request, error: Exception) -> Response:
    """The answer to an address that leads nowhere."""
    return FileResponse(STATIC / "missing.html", 404)


def house_of(request: HTTPConnection) -> House:
    """The tables of the application."""
    house: House = request.app.state.house
    return house


# -- the lobby --------------------------------------------------------------------------------


def has_key(request: Request, key: str) -> bool:
    """Whether a request brings the lobby's secret."""
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    return secrets.compare_digest(given.encode(), key.encode())


def check_key(request: Request) -> House:
    """The tables of the application; a request without the lobby's secret is refused."""
    house = house_of(request)
    if not has_key(request, house.store.key):
        raise RequestError(
            "This page lacks the lobby's key: open the address that `polytrix table` prints.", 401
        )
    return house


async def content(request: Request, longest: int) -> bytes:
    """What a request brings along.

    Raises:
        RequestError: it is too long, too slow, or breaks off.
    """
    try:
        return await asyncio.wait_for(receive(request, longest), SECONDS_TO_ASK + longest / SLOWEST_LINE)
    except asyncio.TimeoutError:
        raise RequestError("the request arrives too slowly", 408) from None
    except ClientDisconnect:
        raise RequestError("the request was cut off") from None


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
        MessageError: it is not JSON.
    """
    return await house.call(messages.parse, await content(request, longest))


async def games(request: Request) -> Response:
    """All games."""
    house = check_key(request)
    return JSONResponse(await house.call(lobby.games))


async def tables(request: Request) -> Response:
    """The tables used last."""
    house = check_key(request)
    found = await house.call(house.store.newest, NEWEST_TABLES)
    return JSONResponse(
        [
            lobby.table_row(table_id, settings, await house.status(table_id, version))
            for table_id, settings, version in found
            if is_known(settings.game)
        ]
    )


def is_known(game_id: str) -> bool:
    """Whether a game is still registered."""
    with suppress(PolytrixError):
        return find(game_id).id == game_id
    return False


async def set_up(request: Request) -> Response:
    """Set up the table of a form."""
    house = check_key(request)
    if not request.app.state.rate.allows():
        raise RequestError("You are setting up tables too fast. Wait a few seconds.", 429)
    form = await body(house, request, LONGEST_BODY)
    if await house.call(house.store.count) >= MOST_TABLES:
        raise RequestError(f"There are {MOST_TABLES} tables. Delete some that you do not need.")
    settings, seed = await house.call(lobby.settings_of, form)
    table = await house.call(Table.new, settings, seed, house.store)
    return JSONResponse(lobby.table_row(table.id, settings), 201)


async def forget(request: Request) -> Response:
    """Delete a table."""
    house = check_key(request)
    form = await body(house, request, LONGEST_BODY)
    if not isinstance(form, dict) or not isinstance(form.get("id"), str):
        raise RequestError("the form names the id of a table")
    await house.forget(form["id"])
    return JSONResponse({})


async def upload(request: Request) -> Response:
    """Keep a saved network, and tell what it is called as an agent."""
    house = check_key(request)
    name, game = request.query_params.get("name", ""), find(request.query_params.get("game", ""))
    sent = await content(request, LONGEST_NETWORK)
    file = await house.call(networks.keep, house.store.folder, game, name, sent)
    return JSONResponse({"agent": str(file)}, 201)


# -- what everybody may see -------------------------------------------------------------------


async def font(request: Request) -> Response:
    """The font of all pictures."""
    return Response(await house_of(request).call(font_bytes), media_type="font/ttf")


async def picture(request: Request) -> Response:
    """A position of a game."""
    drawn = await house_of(request).call(lobby.picture, game_in(request))
    return Response(drawn, media_type="image/svg+xml")


async def chapters(request: Request) -> Response:
    """The rules of a game."""
    return JSONResponse(await house_of(request).call(rules.chapters, game_in(request)))


def game_in(request: Request) -> Game:
    """The game in the path of a request."""
    try:
        return find(request.path_params["name"])
    except UnknownGameError as error:
        raise RequestError(str(error), 404) from None


# -- games that are over ----------------------------------------------------------------------


async def game_of(request: Request) -> tuple[Finished, dict[str, Any]]:
    """The game that a request names, and the request.

    Everybody may name a game by the link of its table; transcripts are for the host alone, since to check them
    takes time. Whatever is long is a transcript.
    """
    house = house_of(request)
    longest = LONGEST_BODY if has_key(request, house.store.key) else messages.LONGEST_MESSAGE
    try:
        wanted = await body(house, request, longest)
    except RequestError as error:
        if error.status == 413:
            check_key(request)
        raise
    match wanted:
        case {"token": str(token), "game": int(game)} if 0 <= game < messages.MOST:
            return await house.replays.of_table(token, game), wanted
        case {"transcript": str(text)}:
            check_key(request)
            return await house.replays.of_text(text), wanted
    raise RequestError('a request names a "transcript", or the "token" of a table and the number of a "game"')


async def replay(request: Request) -> Response:
    """A game to look at again."""
    game, _ = await game_of(request)
    return Response(await house_of(request).replays.replay(game), media_type="application/json")


async def thoughts(request: Request) -> Response:
    """What an agent thinks in the course of a game: a line of JSON for each position."""
    game, wanted = await game_of(request)
    lines = house_of(request).replays.thoughts(game, wanted.get("agent"))
    return StreamingResponse(lines, media_type="application/x-ndjson")


# -- tables -----------------------------------------------------------------------------------


async def connection(socket: WebSocket) -> None:
    """A page's connection to its table, from its first message on."""
    house = house_of(socket)
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
            page.reply({"type": "refused", "text": "That failed; the server's terminal says why."})
