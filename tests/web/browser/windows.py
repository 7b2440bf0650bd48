"""Windows of a browser, as a person uses them: what is shown is read, what can be clicked is clicked."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    ElementHandle,
    Locator,
    Page,
    Request,
    Route,
    WebSocket,
    sync_playwright,
)

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Programs that can be used, from the system: nothing is downloaded."""

HERE = ("127.0.0.1", "localhost")
EXPECTED = ("WebSocket connection to", "Failed to load resource: the server responded with a status of 400")
"""What the browser itself prints while a server is away, and when a form is refused."""

FREE_POINT = """name => {
  const shape = document.querySelector(`[data-place="${CSS.escape(name)}"]`);
  shape.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const { x, y, width, height } = shape.getBoundingClientRect();
  for (const down of [0.5, 0.1, 0.9, 0.3, 0.7]) for (const along of [0.5, 0.1, 0.9, 0.3, 0.7]) {
    const point = [x + along * width, y + down * height];
    if (document.elementFromPoint(...point) === shape) return point;
  }
  return null;
}"""
"""Where a place is not covered by another one."""


def browser_program() -> str | None:
    """The path of a browser, None if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def running_browser(program: str) -> Iterator[Browser]:
    """A browser, which is closed in the end."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"] if root else [])
        yield browser
        browser.close()


def open_window(browser: Browser, **settings: Any) -> Window:
    """A window that shares nothing with others.

    Without motion, so that the moves of others are shown at once.

    Args:
        browser: where.
        settings: of the context, see Playwright.
    """
    usual = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
    context = browser.new_context(**{**usual, **settings})
    context.set_default_timeout(60_000)
    return Window(context.new_page())


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

    def start(self, seed: int, pace: str = "") -> None:
        """Start the game of a seed; agents move after a pause of so many seconds, if it is given."""
        self.page.click("summary:text-is('More')")
        self.page.fill("#seed", str(seed))
        self.page.fill("#pace", pace)
        self.page.click("#form button[type=submit]")

    def sit_down(self, address: str, game: str, seed: int, *others: str) -> None:
        """Start a game against these agents, or the usual ones, and wait for one's turn."""
        self.choose(address, game)
        for seat, other in enumerate(others, start=1):
            self.page.select_option(f"#seat-{seat}", other)
        self.start(seed)
        assert self.my_turn()

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

    def make(self, move: dict[str, Any]) -> None:
        """Make a move, by touching the board where that is possible, and wait for another position."""
        before = self.drawing()
        if move["touch"] is None:
            self.play_listed(self.page.locator("#list .move").nth(self.views[-1]["moves"].index(move)))
        else:
            self.select(move)
            self.page.click("#offer button.main")
        self.next_position(before)

    def move(self, rng: random.Random) -> None:
        """Make a random move."""
        self.make(rng.choice(self.views[-1]["moves"]))

    def play_listed(self, row: Locator) -> None:
        """Make a move of the list, or of a hint: on a board that can be touched it is chosen first."""
        row.click()
        if self.views[-1]["by_touch"]:
            self.page.click("#offer button.main")

    def select(self, move: dict[str, Any]) -> None:
        """Touch the places of a move one after the other; choose below the board if they do not tell which."""
        for name in move["touch"]:
            found = self.page.evaluate(FREE_POINT, name)
            assert found, f"the place {name} of {move['notation']} cannot be touched"
            self.page.mouse.click(*found)
        option = self.page.locator(f'#offer .option[data-action="{move["action"]}"]')
        if option.count():
            option.click()

    def play_on(self, rng: random.Random) -> None:
        """Play at random to the end."""
        while self.my_turn():
            self.move(rng)
