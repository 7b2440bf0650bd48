"""A server that speaks the OpenAI protocol: a scripted player, now and then wrong, or silent."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

import numpy as np

from tests.llm.scripted import listed_moves

Server = TypeVar("Server", bound=ThreadingHTTPServer)


class ScriptedServer(ThreadingHTTPServer):
    """Answers chats like a model would, and counts what it has done.

    Args:
        seed: of its choices.
        shares: how often it does what, by name; see `Handler`. Otherwise it plays a random listed move.
        before: called before each answer, with the number of answers so far.
        message: further fields of each message.
        usage: further fields of what each answer has used; None: nothing is told of that.
        finish: why each answer has ended.

    Attributes:
        done: how often it has done what; "move" for legal moves.
        tokens: that it has reported, of prompts and answers.
        requests: bodies of all requests.
    """

    def __init__(
        self,
        seed: int = 0,
        shares: dict[str, float] | None = None,
        before: Callable[[int], None] = lambda answered: None,
        message: dict[str, Any] | None = None,
        usage: dict[str, Any] | None = {},  # noqa: B006  # it is not changed
        finish: str = "stop",
    ) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.message, self.usage, self.finish = message or {}, usage, finish
        self.rng, self.shares, self.before = np.random.default_rng(seed), dict(shares or {}), before
        self.done: Counter[str] = Counter()
        self.tokens: Counter[str] = Counter()
        self.requests: list[dict[str, Any]] = []
        self.keys: set[str | None] = set()
        self.lock = threading.Lock()
        self.most_at_once = self.now = 0

    @property
    def url(self) -> str:
        """Address of the API."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def answered(self) -> int:
        """Number of answers."""
        return sum(self.done[kind] for kind in ("move", "malformed", "illegal"))

    def next_kind(self, chat: list[dict[str, str]]) -> str:
        """What to do with a chat. A question that was answered wrongly is answered well."""
        kind = "move"
        drawn = float(self.rng.random())
        for name, share in self.shares.items():
            if drawn < share and not (
                name in ("malformed", "illegal") and "was refused" in chat[-1]["content"]
            ):
                kind = name
                break
            drawn -= share
        return kind


class Handler(BaseHTTPRequestHandler):
    """One request: an answer, "busy" (429), "broken" (500), "cut" (no response)."""

    server: ScriptedServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # headers and content are two packets, and the second one should not wait

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with server.lock:
            server.now += 1
            server.most_at_once = max(server.most_at_once, server.now)
            server.requests.append(body)
            server.keys.add(self.headers.get("Authorization"))
            kind = server.next_kind(body["messages"])
            server.before(server.answered)
            text = self.answer(kind, body["messages"])
            server.done[kind] += 1
        try:
            self.respond(kind, text, body)
        finally:
            with server.lock:
                server.now -= 1

    def answer(self, kind: str, chat: list[dict[str, str]]) -> str:
        """The text of an answer."""
        if kind == "malformed":
            return "I pass the salt."
        if kind == "illegal":
            return "MOVE: xyzzy"
        moves = listed_moves(chat)  # type: ignore[arg-type]
        return f"One of {len(moves)}.\nMOVE: {moves[int(self.server.rng.integers(len(moves)))][1]}"

    def respond(self, kind: str, text: str, body: dict[str, Any]) -> None:
        """Send the response."""
        if kind == "cut":
            self.close_connection = True
            return
        status = {"busy": 429, "broken": 500}.get(kind, 200)
        counts = {
            "prompt_tokens": sum(len(m["content"]) for m in body["messages"]),
            "completion_tokens": len(text),
        }
        if kind in ("move", "malformed", "illegal"):
            with self.server.lock:
                self.server.tokens.update(counts)
        message = {"role": "assistant", "content": text, **self.server.message}
        completion: dict[str, Any] = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, "finish_reason": self.server.finish, "message": message}],
        }
        if self.server.usage is not None:
            completion["usage"] = {**counts, "total_tokens": sum(counts.values()), **self.server.usage}
        failure = {"error": {"message": "planted", "type": "planted"}}
        content = json.dumps(completion if status == 200 else failure).encode()
        try:
            self.send_response(status)
            if kind == "busy":
                self.send_header("Retry-After", "0")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except OSError:  # the client has gone
            self.close_connection = True


@contextmanager
def serving(kind: type[ScriptedServer] | None = None, **settings: Any) -> Iterator[ScriptedServer]:
    """A scripted server that runs."""
    with running((kind or ScriptedServer)(**settings)) as server:
        yield server


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """A server that runs in a thread."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
