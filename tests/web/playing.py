"""A server in this process, and pages that play there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from polytrix.web.app import application
from polytrix.web.guard import LOOPBACK
from polytrix.web.store import Store

BASE = "http://127.0.0.1:8765"
SOCKET = "ws://127.0.0.1:8765/socket"
ORIGIN = {"Origin": BASE}


class Server:
    """A server, as its host sees it."""

    def __init__(self, client: TestClient, store: Store) -> None:
        self.client, self.store = client, store
        self.headers = {**ORIGIN, "Authorization": f"Bearer {store.key}"}

    def set_up(self, game: str, *seats: str, **form: Any) -> dict[str, Any]:
        """Set up a table: for each seat "you", "person" or the name of an agent."""
        answer = self.try_to_set_up(game, *seats, **form)
        assert answer.status_code == 201, answer.text
        table: dict[str, Any] = answer.json()
        return table

    def try_to_set_up(self, game: str, *seats: str, **form: Any) -> Any:
        """The answer to a form."""
        chairs = [
            {"kind": seat} if seat in ("you", "person") else {"kind": "agent", "agent": seat} for seat in seats
        ]
        return self.client.post(
            "/api/tables", json={"game": game, "seats": chairs, **form}, headers=self.headers
        )

    @contextmanager
    def page(self, token: str, seen: int = -1) -> Iterator[Page]:
        """A page that has joined with the secret of a link."""
        with self.client.websocket_connect(SOCKET, headers=ORIGIN) as socket:
            socket.send_json({"type": "join", "token": token, "seen": seen})
            yield Page(socket)


class Page:
    """A page at a table."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.view: dict[str, Any] = {}

    def receive(self, kind: str) -> dict[str, Any]:
        """The next message of a type; what comes before it is taken in as by a page."""
        while True:
            message: dict[str, Any] = self.socket.receive_json()
            if message["type"] == "view":
                self.view = message
            if message["type"] == kind:
                return message
            assert message["type"] not in ("refused", "closed"), message["text"]

    def send(self, kind: str, **fields: Any) -> None:
        """Send a message; what changes the game, for the position of the view."""
        if kind in ("move", "say", "take_back", "resign", "begin", "hint"):
            fields = {"version": self.view["version"], **fields}
        self.socket.send_json({"type": kind, **fields})

    def my_turn(self) -> bool:
        """Wait until it is this page's turn, or the game is over; whether it is its turn."""
        while not (self.view and (self.view["may"]["move"] or self.view["over"])):
            self.receive("view")
        return not self.view["over"]

    def move(self, action: int | None = None) -> None:
        """Make a move, by default the first of the list, and wait until it is seen."""
        before = self.view["version"]
        self.send("move", action=self.view["moves"][0]["action"] if action is None else action)
        while self.view["version"] == before:
            self.receive("view")

    def play_on(self, rng: random.Random) -> None:
        """Play at random to the end."""
        while self.my_turn():
            self.move(rng.choice(self.view["moves"])["action"])


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """A server whose games are kept in a folder."""
    store = Store(folder / "tables.sqlite")
    with TestClient(application(store, LOOPBACK), base_url=BASE) as client:
        yield Server(client, store)
