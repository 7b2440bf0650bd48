"""Fuzz endpoints of language models: an evaluation ends in time, and goes on later with a good server."""

from __future__ import annotations

import json
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.core.game import Game
from tests.llm.scripted import listed_moves

from .answers import an_answer
from .commands import ESCAPES, said_by
from .damage import STRANGE, damaged, damaged_json, deflated_zeros, planted

Generator = np.random.Generator
SHORT = "max_decisions=6"
TIMEOUT = 1.0
PATIENCE = 20.0
"""Seconds for a request; and those after which a slow server sees that its client did not give up."""
HOSTILE = 0.3
"""Share of the answers of a hostile server that are."""
BOMB = 1 << 30
"""Bytes of an answer that a client must not take in."""


class Server(ThreadingHTTPServer):
    """Answers chats well, or in one of the ways of `Handler`.

    Attributes:
        rng: of the hostile answers; None: all are good.
        reached: number of requests.
        waited: whether a client has waited for all of a very slow answer.
        other: address of a server that no request is meant for.
    """

    daemon_threads = True

    def __init__(self, other: str = "") -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.rng: Generator | None = None
        self.reached, self.waited, self.other = 0, False, other
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that have gone."""

    @property
    def address(self) -> str:
        """Of the API."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


def prepare(game: Game, folder: Path) -> Callable[[Generator], str]:
    """Each try evaluates a model behind a hostile endpoint, and then goes on with a good one.

    Args:
        game: a registered game.
        folder: an empty folder.

    Returns:
        The function that makes a try. Outcomes: "finished" or "refused", whatever the first run did.
    """
    stranger = Server()
    server = Server(stranger.address)
    for each in (server, stranger):
        weakref.finalize(each, each.shutdown)
    number = 0

    def evaluated(result: Path) -> bool:
        """Whether a run ends well; otherwise it has said why."""
        models = ["--base-url", server.address, "--model-deals", 1, "--timeout", TIMEOUT, "--retries", 0]
        brief = ["-o", SHORT, "--deals", 1, "--concurrency", 1, "--json", result]
        said = said_by("arena", game.name, "llm:some", "random", "--table", "random", *models, *brief)
        assert stranger.reached == 0, "another server than the named one was asked"
        assert not server.waited, f"a client waited more than {PATIENCE:.0f} s; its limit is {TIMEOUT:.0f} s"
        if not said.refused:
            check_figures(result)
        return not said.refused

    def attempt(rng: Generator) -> str:
        nonlocal number
        number += 1
        result = folder / f"{number}.json"
        stranger.reached, server.waited = 0, False
        server.rng = rng
        finished = evaluated(result)
        server.rng = None
        assert evaluated(result), "a good server does not help after a hostile one"
        return "finished" if finished else "refused"

    return attempt


def check_figures(result: Path) -> None:
    """Assert that the figures of a model are numbers that can be."""

    def no_number(name: str) -> None:
        raise AssertionError(f"{result.name} holds {name}")

    found = json.loads(result.read_text(encoding="utf-8"), parse_constant=no_number)
    for figures in found["language_models"]["models"].values():
        for name, figure in figures.items():
            assert figure is None or 0 <= figure < 1e12, f"{name} is {figure}"


class Handler(BaseHTTPRequestHandler):
    """One request, answered well or in a hostile way."""

    server: Server
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Nobody should ask for anything."""
        self.do_POST()

    def do_POST(self) -> None:
        self.server.reached += 1
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        rng = self.server.rng
        moves = [notation for _, notation in listed_moves(body["messages"])] if "messages" in body else ["0"]
        with suppress(ConnectionError):
            if rng is None or rng.random() > HOSTILE:
                self.send(json.dumps(completion(f"MOVE: {moves[-1]}")).encode())
            else:
                WAYS[rng.integers(len(WAYS))](self, rng, moves)

    def send(self, content: bytes, status: int = 200, **headers: object) -> None:
        """Send a response."""
        self.send_response(status)
        for name, value in {
            "Content_Type": "application/json",
            "Content_Length": len(content),
            **headers,
        }.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(content)

    # -- hostile ways ---------------------------------------------------------------------------

    def text(self, rng: Generator, moves: list[str]) -> None:
        """A strange text as answer or as thoughts."""
        thoughts = {("reasoning", "reasoning_content")[rng.integers(2)]: an_answer(moves, rng)}
        message = thoughts if rng.random() < 0.5 else {}
        self.send(json.dumps(completion(an_answer(moves, rng), **message)).encode())

    def values(self, rng: Generator, moves: list[str]) -> None:
        """Strange values in the JSON."""
        text = json.dumps(completion(f"MOVE: {moves[-1]}"))
        self.send((damaged_json(text, rng) if rng.random() < 0.7 else planted(text, ESCAPES, rng)).encode())

    def usage(self, rng: Generator, moves: list[str]) -> None:
        """Strange counts and prices."""
        content = completion(f"MOVE: {moves[-1]}")
        names = ("prompt_tokens", "completion_tokens", "cost")
        content["usage"][names[rng.integers(3)]] = STRANGE[rng.integers(len(STRANGE))]
        self.send(json.dumps(content).encode())

    def damage(self, rng: Generator, moves: list[str]) -> None:
        """A response with damaged bytes."""
        content = json.dumps(completion(f"MOVE: {moves[-1]}")).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        self.wfile.write(damaged(head.encode() + content, rng))
        self.close_connection = True

    def failure(self, rng: Generator, moves: list[str]) -> None:
        """An error, now and then in a response that says all is well."""
        message = ESCAPES[rng.integers(len(ESCAPES))] * int(rng.integers(1, 100))
        error = {"error": {"message": message, "code": 400}}
        errors: tuple[Any, ...] = error, {"error": message}, message, None, [], {"choices": None}
        status = (200, 400, 401, 404, 429, 500, 503, 204, 299)[rng.integers(9)]
        self.send(json.dumps(errors[rng.integers(len(errors))]).encode(), status, Retry_After="1e9")

    def elsewhere(self, rng: Generator, moves: list[str]) -> None:
        """To another server."""
        place = f"{self.server.other}/chat/completions"
        self.send(b"", (301, 302, 303, 307, 308)[rng.integers(5)], Location=place)

    def slowly(self, rng: Generator, moves: list[str]) -> None:
        """Nothing, or a byte now and then."""
        drips = rng.random() < 0.5
        self.send(b"", Content_Length=1 << 40) if drips else None
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            time.sleep(TIMEOUT / 4)
            if drips:
                self.wfile.write(b" ")
            elif not self.there():
                return
        self.server.waited = True

    def there(self) -> bool:
        """Whether the client has not gone."""
        self.connection.setblocking(False)
        try:
            return bool(self.connection.recv(1))
        except BlockingIOError:
            return True
        finally:
            self.connection.setblocking(True)

    def bomb(self, rng: Generator, moves: list[str]) -> None:
        """Far too much, compressed or not, or nested deeply."""
        way = rng.integers(3)
        if way == 0:
            header = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
            self.send(header + deflated_zeros(BOMB), Content_Encoding="gzip")
        elif way == 1:
            self.send(b"", Content_Length=BOMB)
            for _ in range(BOMB >> 20):
                self.wfile.write(b" " * (1 << 20))
        else:
            self.send(b"[" * 200_000 + b"]" * 200_000)


WAYS = (
    *(Handler.text, Handler.values, Handler.usage, Handler.damage, Handler.failure) * 5,
    *(Handler.elsewhere, Handler.slowly, Handler.bomb),
)
"""The hostile ways; the last ones take long, and are rarer."""


def completion(text: str, **message: Any) -> dict[str, Any]:
    """A good response with this answer."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text, **message}}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15, "cost": 0.01}
    of_server = {"id": "1", "object": "chat.completion", "created": 0, "model": "some"}
    return {**of_server, "choices": [choice], "usage": usage}
