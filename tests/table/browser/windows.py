"""Windows of a browser, as a person uses them: what is shown is read, what can be clicked is clicked."""

from __future__ import annotations

import json
import random
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, ElementHandle, Page, Request, Route, WebSocket

HERE = ("127.0.0.1", "localhost")
EXPECTED = ("WebSocket connection to", "Failed to load resource: the server responded with a status of 400")
"""What the browser itself prints while a server is away, and when a form is refused."""


class Window:
    """A window, which tells what went wrong in it and what its sockets have received.

    Attributes:
        page: the page, see Playwright.
        trouble: errors of scripts, warnings, and requests that would have left this machine.
        frames, sent: the messages of the server and of the page, in order.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.trouble: list[str] = []
        self.frames: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("console", self._hear)
        page.on("websocket", self._listen)
        page.route("**/*", self._let_through)

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning") and not said.text.startswith(EXPECTED):
            self.trouble.append(said.text)

    def _listen(self, socket: WebSocket) -> None:
        if urlsplit(socket.url).hostname not in HERE:
            self.trouble.append(f"a socket to {socket.url}")
        socket.on("framereceived", lambda text: self.frames.append(json.loads(text)))
        socket.on("framesent", lambda text: self.sent.append(json.loads(text)))

    def _let_through(self, route: Route, request: Request) -> None:
        if urlsplit(request.url).hostname in HERE:
            route.continue_()
        else:
            self.trouble.append(f"a request of {request.url}")
            route.abort()

    @property
    def views(self) -> list[dict[str, Any]]:
        """The positions that the page was sent."""
        return [message for message in self.frames if message["type"] == "view"]

    # -- the lobby ----------------------------------------------------------------------------

    def choose(self, address: str, game: str) -> None:
        """Open the lobby, and the form of a game."""
        self.page.goto(address)
        self.page.click(f"#game-{game}")

    def start(self, seed: int) -> None:
        """Start the game of a seed."""
        self.page.click("summary:text-is('More')")
        self.page.fill("#seed", str(seed))
        self.page.click("#form button[type=submit]")

    def links(self) -> list[str]:
        """The links of people, and last that of spectators."""
        self.page.wait_for_selector("#links[open]")
        return [link.input_value() for link in self.page.locator("#links input").all()]

    # -- the table ----------------------------------------------------------------------------

    def my_turn(self) -> bool:
        """Wait until it is this window's turn, or the game is over; whether it is its turn."""
        self.page.wait_for_function(
            "() => document.querySelector('#list .move') || document.getElementById('end')?.hidden === false"
        )
        return not self.page.is_visible("#end")

    def drawing(self) -> ElementHandle:
        """The board of now; each position has another one."""
        found = self.page.wait_for_selector("#board svg")
        assert found is not None
        return found

    def next_position(self, before: ElementHandle) -> None:
        """Wait until the page shows another position than the one of this drawing."""
        self.page.wait_for_function("drawing => !drawing.isConnected", arg=before)

    def move(self, rng: random.Random) -> None:
        """Make a random move of the list."""
        before = self.drawing()
        moves = self.page.locator("#list .move")
        moves.nth(rng.randrange(moves.count())).click()
        self.next_position(before)

    def play_on(self, rng: random.Random) -> None:
        """Play at random to the end."""
        while self.my_turn():
            self.move(rng)
