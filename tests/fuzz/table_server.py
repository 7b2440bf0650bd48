"""A server of `polytrix table` in a thread of this process, and the table that is fuzzed there."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from polytrix.core.game import Game
from polytrix.core.transcript import Transcript
from polytrix.core.viewers import SPECTATOR
from polytrix.play.session import Session
from polytrix.web.app import application
from polytrix.web.guard import LOOPBACK
from polytrix.web.serve import FILE, bind, config_of
from polytrix.web.settings import PERSON, Chair, Settings, new_token
from polytrix.web.store import Kept, Store
from polytrix.web.table import Table

SHORT = {"max_decisions": 40}
"""Short games, so that tries also reach their end."""

PATIENCE = 30.0
"""Seconds without an answer after which the server counts as hanging."""


class Server:
    """A server with a table of people.

    Args:
        game: the game of the table.
        folder: an empty folder.
    """

    def __init__(self, game: Game, folder: Path) -> None:
        self.store = Store(folder / FILE)
        options = game.options.validate(SHORT)
        chairs = tuple(Chair(PERSON, token=new_token()) for _ in range(game.num_players(options)))
        self.settings = Settings(game.id, options, chairs, new_token())
        self.id = Table.new(self.settings, 1, self.store).id
        listening = bind("127.0.0.1", 0)
        self.port = int(listening.getsockname()[1])
        self._server = uvicorn.Server(config_of(application(self.store, LOOPBACK)))
        self._errors = _Errors()  # after the server has set up its logging
        threading.Thread(target=self._server.run, args=([listening],), daemon=True).start()
        while not self._server.started:
            time.sleep(0.01)

    def stop(self) -> None:
        """Let the server end soon."""
        self._server.should_exit = True

    def errors(self) -> list[str]:
        """What the server has reported as errors since the last call."""
        found, self._errors.found = self._errors.found, []
        return found

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def kept(self) -> Kept:
        """The table as it is kept now."""
        return self.store.load(self.id)

    def session(self) -> Session:
        """The game of the table, played here once more."""
        kept = self.kept()
        game = Transcript(kept.settings.game, kept.settings.options, kept.seed, ()).description()
        session = Session(game, kept.settings.options, kept.seed)
        for action in kept.actions:
            session.play(action)
        return session

    def token(self, seat: int) -> str:
        """The secret of a seat's link, or that of spectators."""
        return self.settings.watch if seat == SPECTATOR else self.settings.chairs[seat].token

    def exchange(self, data: bytes, whole: bool = False) -> bytes:
        """What comes back for raw bytes, until the server closes the connection.

        Args:
            data: one request or a piece of one, which is the last on its connection.
            whole: whether it is a request, so that the server answers and closes; otherwise it may be told that
                nothing follows, and then perhaps does not answer.
        """
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            received = b""
            try:
                connection.sendall(data)
                if not whole:
                    connection.shutdown(socket.SHUT_WR)
                while part := connection.recv(1 << 16):
                    received += part
            except (ConnectionError, BrokenPipeError):
                pass
            return received


class _Errors(logging.Handler):
    """Keeps what is reported as an error, and lets warnings about damaged requests go."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []
        for name in ("uvicorn.error", "polytrix.web", "asyncio"):
            logger = logging.getLogger(name)
            logger.addHandler(self)
            logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a report."""
        error = record.exc_info[1] if record.exc_info else ""
        self.found.append(f"{record.getMessage()} {error!r}")


class Page:
    """A page of a server that has sent its first message.

    Args:
        server: the server.
        seat: the page's seat.
        joins: its first message.
    """

    def __init__(self, server: Server, seat: int, joins: str | bytes | None = None) -> None:
        self.seat = seat
        address = f"ws://127.0.0.1:{server.port}/socket"
        self._open = ExitStack()
        connecting = connect(address, origin=Origin(server.address), max_size=None)
        self._socket = self._open.enter_context(connecting)
        self.left = 40  # messages; a page that sends many more at once has to wait
        self._socket.send(joins or json.dumps({"type": "join", "token": server.token(seat), "seen": -1}))
        self.joined = self.answer()

    def say(self, message: str | bytes) -> dict[str, Any] | None:
        """Send a message, and wait for the answer; None if the server closes the connection."""
        self.left -= 1
        try:
            self._socket.send(message)
        except ConnectionClosed:
            self.left = 0
            return None
        return self.answer()

    def answer(self) -> dict[str, Any] | None:
        """The next message, without those that only tell what is going on."""
        try:
            while True:
                message: dict[str, Any] = json.loads(self._socket.recv(PATIENCE))
                if message["type"] != "going_on":
                    return message
        except ConnectionClosed:
            self.left = 0
            return None

    def close(self) -> None:
        """Go away."""
        self.left = 0
        self._open.close()
