"""A real server, killed in the middle of a game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import ClientConnection, connect

from .running import process

FORM = {"game": "quatrix", "seats": [{"kind": "you"}, {"kind": "agent", "agent": "greedy"}], "seed": 5}


@contextmanager
def joined(address: str, token: str) -> Iterator[ClientConnection]:
    """A page at the table of a token."""
    with connect(f"{address.replace('http', 'ws', 1)}/socket", origin=address) as page:  # type: ignore[arg-type]
        page.send(json.dumps({"type": "join", "token": token, "seen": -1}))
        yield page


def my_turn(page: ClientConnection) -> dict[str, Any]:
    """The first view in which it is this page's turn."""
    while True:
        message: dict[str, Any] = json.loads(page.recv(timeout=30))
        if message["type"] == "view" and message["may"]["move"]:
            return message


def test_a_move_that_was_seen_is_there_after_kill_9(tmp_path: Path) -> None:
    with process(tmp_path) as (server, address, key):
        headers = {"Authorization": f"Bearer {key}", "Origin": address}
        asked = Request(f"{address}/api/tables", json.dumps(FORM).encode(), headers)
        token = json.load(urlopen(asked))["seats"][0]["token"]
        with joined(address, token) as page:
            for _ in range(5):
                view = my_turn(page)
                action = view["moves"][0]["action"]
                page.send(json.dumps({"type": "move", "version": view["version"], "action": action}))
            before = my_turn(page)
            server.kill()
    with process(tmp_path) as (_, address, same_key), joined(address, token) as page:
        after = my_turn(page)
        assert same_key == key
        told = [key for key in before if key != "log"]
        assert [after[key] for key in told] == [before[key] for key in told]
        assert after["log"]["entries"][-1] == before["log"]["entries"][-1]
        page.send(
            json.dumps({"type": "move", "version": after["version"], "action": after["moves"][0]["action"]})
        )
        assert json.loads(page.recv(timeout=30))["type"] == "view"
