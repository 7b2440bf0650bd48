"""Connections that ask for nothing, or slowly, keep nobody out."""

from __future__ import annotations

import json
import logging
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

import polytrix
from polytrix.web import connections, limits
from polytrix.web.connections import Connection
from polytrix.web.serve import Reports
from tests.fuzz.table_server import PATIENCE, Page, Server

HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(polytrix.find("quatrix"), tmp_path)
    yield made
    made.stop()


def opened(server: Server, sent: bytes = b"") -> socket.socket:
    """A connection that has sent something."""
    made = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    made.sendall(sent)
    return made


def is_closed(connection: socket.socket) -> bool:
    """Whether the server closes a connection, instead of waiting."""
    try:
        return connection.recv(1 << 16) == b""
    except ConnectionError:
        return True


def post(server: Server, path: str, length: int, *headers: str) -> bytes:
    """The headers of a request with a body of some length."""
    own = (f"Host: 127.0.0.1:{server.port}", f"Origin: {server.address}", f"Content-Length: {length}")
    return "\r\n".join([f"POST {path} HTTP/1.1", *own, *headers, "", ""]).encode()


@pytest.mark.parametrize("sent", [b"", HALF], ids=["nothing", "half a request"])
def test_who_asks_for_nothing_keeps_nobody_out(
    server: Server, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SECONDS_TO_ASK", 10 * PATIENCE)
    with ExitStack() as stack:
        held = [stack.enter_context(opened(server, sent)) for _ in range(limits.CONNECTIONS_OF_AN_ADDRESS + 50)]
        assert urlopen(server.address, timeout=PATIENCE).status == 200
        assert all(is_closed(each) for each in held[:50])  # the oldest


def test_a_request_has_little_time(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SECONDS_TO_ASK", 0.2)
    with opened(server, HALF) as half, opened(server) as empty:
        assert is_closed(half) and is_closed(empty)


def test_so_has_the_next_one_on_the_same_connection(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(server) as connection:
        ask_for_nothing(connection)
        monkeypatch.setattr(connections, "SECONDS_TO_ASK", 0.2)
        ask_for_nothing(connection)
        with pytest.raises(ConnectionError):
            drip(connection)


def ask_for_nothing(connection: socket.socket) -> None:
    """A request and its whole answer."""
    connection.sendall(b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    received = b""
    while not received.endswith(b"</html>\n"):
        received += connection.recv(1 << 16)


def drip(connection: socket.socket) -> None:
    """Send a byte again and again: each of them ends uvicorn's own time limit."""
    while True:
        connection.sendall(b"G")
        time.sleep(0.05)


def answered(server: Server) -> socket.socket:
    """A connection with a request that the server has begun to answer: it has asked for the body."""
    made = opened(server, post(server, "/api/replay", 2, "Expect: 100-continue"))
    assert b"100 Continue" in made.recv(1 << 16)
    return made


def test_who_is_answered_has_time(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[tuple[Connection, Any]] = []
    monkeypatch.setattr(Connection, "_expect_request", lambda self: held.append((self, self.cycle)))
    page = Page(server, 0)
    with answered(server) as slow, opened(server) as empty:
        while len(held) < 3:
            time.sleep(0.01)
        for connection, before in held:  # the time is over
            connection.loop.call_soon_threadsafe(connection._close_without, before)
        assert is_closed(empty)
        slow.sendall(b"{}")
        assert b"400" in slow.recv(1 << 16)
    assert page.say('{"type": "log"}') is not None
    page.close()


def test_who_is_answered_keeps_the_connection_longer_than_who_asks_for_nothing(server: Server) -> None:
    with ExitStack() as stack:
        slow = stack.enter_context(answered(server))
        for _ in range(limits.CONNECTIONS_OF_AN_ADDRESS + 20):
            stack.enter_context(opened(server, HALF))
        assert urlopen(server.address, timeout=PATIENCE).status == 200
        slow.sendall(b"{}")
        assert b"400" in slow.recv(1 << 16)


def test_a_slow_body_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.web.app.SECONDS_TO_ASK", 0.2)
    with opened(server, post(server, "/api/replay", 2)) as slow:
        assert b"408" in slow.recv(1 << 16)


def test_reports_show_control_characters() -> None:
    try:
        raise ValueError("of \x1b[2J")
    except ValueError:
        record = logging.LogRecord("a", logging.ERROR, "", 1, "about %s", ("\x9b",), sys.exc_info())
    told = Reports("%(message)s").format(record)
    assert told.startswith(r"about \x9b") and told.endswith(r"of \x1b[2J")


def test_pages_that_do_not_join_keep_nobody_out(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.web.app.CONNECTIONS_OF_AN_ADDRESS", 3)
    address, origin = f"ws://127.0.0.1:{server.port}/socket", Origin(server.address)
    joined = [Page(server, 0) for _ in range(5)]  # who has joined is not counted
    with ExitStack() as stack:
        waiting = [stack.enter_context(connect(address, origin=origin)) for _ in range(3)]
        with pytest.raises(InvalidStatus), connect(address, origin=origin):
            pass
        join = {"type": "join", "token": server.token(1), "seen": -1}
        waiting[0].send(json.dumps(join))
        assert json.loads(waiting[0].recv(PATIENCE))["type"] == "view"
        stack.enter_context(connect(address, origin=origin))
    for page in joined:
        page.close()
