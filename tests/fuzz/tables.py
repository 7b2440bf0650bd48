"""Fuzz a running server of `polytrix table`: only legal moves may change a game, and the server goes on."""

from __future__ import annotations

import json
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.viewers import SPECTATOR
from polytrix.web.settings import new_token

from .commands import ESCAPES
from .damage import damaged, damaged_json, planted
from .table_server import SHORT, Page, Server

Generator = np.random.Generator


def prepare(game: Game, folder: Path) -> Callable[[Generator], str]:
    """Each try sends something to a server with a table of people, on whatever way there is.

    Outcomes: "taken" (the game has changed, as it may), "answered" (nothing has), "refused" (with a
    reason), "closed" (the connection).
    """
    fuzzed = _Fuzzed(Server(game, folder))
    weakref.finalize(fuzzed, fuzzed.server.stop)
    return fuzzed.attempt


class _Fuzzed:
    """A server, the pages that talk to it, and the game as it must be."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.kept, self.session = server.kept(), server.session()
        self.page = Page(server, 0)

    def attempt(self, rng: Generator) -> str:
        """Make a try."""
        way = WAYS[rng.choice(len(WAYS), p=list(SHARES))]
        outcome = way(self, rng)
        self.check()
        return outcome

    # -- messages of a page -----------------------------------------------------------------------

    def message(self, rng: Generator) -> str:
        """Send a damaged message, or one that is out of place."""
        if self.page.left <= 0:
            self.page.close()
            self.page = Page(self.server, int(rng.integers(-1, len(self.session.seats))))
            assert self.page.joined is not None and self.page.joined["type"] == "view", "a page cannot join"
        return self.send(self.any_text(rng), rng)

    def legal(self, rng: Generator) -> str:
        """Make a legal move, or begin the next game."""
        wanted = 0 if self.session.over else int(self.session.state.mover)
        if self.page.left <= 0 or self.page.seat != wanted:
            self.page.close()
            self.page = Page(self.server, wanted)
        outcome = self.send(json.dumps(self.valid(rng, "begin" if self.session.over else "move")), rng)
        assert outcome == "taken", "a legal move was refused"
        return outcome

    def send(self, text: str | bytes, rng: Generator) -> str:
        """Send a message, and follow the game if it has changed it."""
        answer = self.page.say(text)
        now = self.server.kept()
        if now == self.kept:
            return "closed" if answer is None else "refused" if answer["type"] == "refused" else "answered"
        assert isinstance(text, str), "bytes have changed a game"
        assert self.may_change(text), f"{text[:300]} has changed the game"
        if now.round > self.kept.round:
            self.kept, self.session = now, self.server.session()
        else:
            assert now.actions[:-1] == self.kept.actions, "a message has made several moves"
            self.session.play(now.actions[-1])
            self.kept = now
        return "taken"

    def may_change(self, text: str) -> bool:
        """Whether a message from the present page may change the game."""
        match json.loads(text):
            case {"type": "begin", "version": int(version), **others}:
                allowed = self.session.over and self.page.seat != SPECTATOR
            case {"type": "move", "version": int(version), "action": int(action), **others}:
                allowed = self.moves() and action in self.session.legal()
            case {"type": "say", "version": int(version), "text": str(_), **others}:
                allowed = self.moves()  # the session refuses what is illegal
            case _:
                return False
        return allowed and not others and type(version) is int and version == self.kept.version

    def moves(self) -> bool:
        """Whether it is the present page's turn."""
        return int(self.session.state.mover) == self.page.seat

    # -- texts ------------------------------------------------------------------------------------

    def any_text(self, rng: Generator) -> str | bytes:
        """A text or bytes of any kind."""
        kind = rng.integers(8)
        if kind == 0:
            return rng.bytes(int(rng.integers(200))).decode("latin-1")
        if kind == 1:
            return rng.bytes(int(rng.integers(200)))
        if kind == 2:
            text = "x" * int(rng.integers(20_000))
            return json.dumps({"type": "say", "version": self.kept.version, "text": text})
        valid = json.dumps(self.valid(rng))
        if kind == 3:
            return valid
        if kind == 4:
            return damaged(valid.encode(), rng, json.dumps(self.valid(rng)).encode()).decode("latin-1")
        return damaged_json(valid, rng)

    def valid(self, rng: Generator, kind: str = "") -> dict[str, Any]:
        """A message that is valid, though perhaps not now or not for the present page."""
        legal = [] if self.session.over else self.session.legal()
        version, action = int(rng.integers(-1, self.kept.version + 2)), int(rng.integers(-1, 3000))
        if kind or rng.random() < 0.7:
            version = self.kept.version
        if legal and (kind or rng.random() < 0.5):
            action = int(rng.choice(legal))
        game = self.session.game
        said = game.format_action(self.session.state, action) if action in legal else "nothing"
        now = {"version": version}
        messages: dict[str, dict[str, Any]] = {
            "move": {**now, "action": action},
            "say": {**now, "text": said},
            "hint": {**now, "agent": ("greedy", "random", "os:system")[rng.integers(3)]},
            "take_back": now,
            "begin": now,
            "log": {},
            "record": {},
            "join": {"token": self.server.token(0), "seen": -1},
        }
        kind = kind or list(messages)[rng.integers(len(messages))]
        return {"type": kind, **messages[kind]}

    # -- other ways -------------------------------------------------------------------------------

    def joining(self, rng: Generator) -> str:
        """Begin with something that is not a message to join, or with a secret that leads nowhere."""
        token = new_token() if rng.random() < 0.5 else self.server.token(0)[: rng.integers(1, 22)]
        joins: str | bytes = json.dumps({"type": "join", "token": token, "seen": -1})
        if rng.random() < 0.5:
            joins = self.any_text(rng) or "{}"
        page = Page(self.server, 0, joins)
        page.close()
        if page.joined is None:
            return "closed"
        has_joined = page.joined["type"] != "closed"
        assert not has_joined or self.server.token(0) in str(joins), "a page without a link has joined"
        return "refused"

    def raw(self, rng: Generator) -> str:
        """Send damaged requests and frames below the level of messages."""
        kept = self.server.store.key if rng.random() < 0.8 else "x"
        here = f"Host: 127.0.0.1:{self.server.port}\r\nOrigin: {self.server.address}\r\n"
        upgrade = (
            f"GET /socket HTTP/1.1\r\n{here}Connection: Upgrade\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        ).encode() + rng.bytes(int(rng.integers(60)))
        body = json.dumps(self.a_form())
        post = (
            f"POST /api/tables HTTP/1.1\r\n{here}Authorization: Bearer {kept}\r\nConnection: close\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}"
        ).encode()
        get = f"GET /static/table.js HTTP/1.1\r\n{here}Connection: close\r\n\r\n".encode()
        requests = [upgrade, post, get]
        first, other = (requests[rng.integers(len(requests))] for _ in range(2))
        return self.outcome(self.server.exchange(damaged(first, rng, other)))

    def api(self, rng: Generator) -> str:
        """Send damaged JSON to each address that takes some, with the host's key or without."""
        token = self.server.token(0)
        game = {"token": token, "game": 0, "agent": "greedy"}
        transcript = {"transcript": self.session.transcript().to_text(Mode.PLAIN), "agent": "random"}
        forms: tuple[tuple[str, dict[str, Any]], ...] = (
            ("replay", game), ("thoughts", game), ("replay", transcript), ("thoughts", transcript),
            ("tables/forget", {"id": "x"}), ("tables", self.a_form()),
        )  # fmt: skip
        address, form = forms[rng.integers(len(forms))]
        text = json.dumps(form)
        content = (damaged_json(text, rng) if rng.random() < 0.5 else planted(text, ESCAPES, rng)).encode()
        key = f"Authorization: Bearer {self.server.store.key}\r\n" if rng.random() < 0.7 else ""
        here = f"Host: 127.0.0.1:{self.server.port}\r\nOrigin: {self.server.address}\r\nConnection: close\r\n"
        head = f"POST /api/{address} HTTP/1.1\r\n{here}{key}Content-Length: {len(content)}\r\n\r\n"
        return self.outcome(self.server.exchange(head.encode() + content, whole=True))

    def outcome(self, answer: bytes) -> str:
        """What an answer says."""
        assert not answer.startswith(b"HTTP/1.1 5"), f"the server has failed: {answer[:300]!r}"
        return "closed" if not answer else "answered" if answer.startswith(b"HTTP/1.1 2") else "refused"

    def a_form(self) -> dict[str, Any]:
        """A valid form."""
        game = self.session.game
        seats = [{"kind": "agent", "agent": "greedy"}] * len(self.session.seats)
        options = {**game.options.defaults, **SHORT}
        return {"game": game.id, "options": options, "data": {}, "seats": seats, "seed": 1, "pace": 0.5}

    def check(self) -> None:
        """The game is as it must be."""
        assert self.server.kept() == self.kept, "the game has changed by itself"
        errors = self.server.errors()
        assert not errors, f"the server reports {errors[0][:300]}"


WAYS = (_Fuzzed.message, _Fuzzed.legal, _Fuzzed.joining, _Fuzzed.raw, _Fuzzed.api)
SHARES = (0.7, 0.1, 0.05, 0.05, 0.1)
"""How many of the tries go each way."""
