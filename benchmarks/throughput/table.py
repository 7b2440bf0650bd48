"""Measure `polytrix table` with many tables at once: the time from a move to the board, and the memory.

    python benchmarks/throughput/table.py --pace 5 --moves 4000
    python benchmarks/throughput/table.py --pace 0 --moves 144000 --json benchmarks/throughput/table.json

A server of its own has the tables, the games taking turns; an agent sits in each seat but the first. In that
seat plays a page of this process at random, game after game. A move takes from the moment when the page sends
it to the moment when it has received the position after it, over the loopback interface.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import psutil
import tyro
from websockets.asyncio.client import connect

import polytrix
from polytrix.bench import machine, versions
from polytrix.core.calls import fresh_seed
from polytrix.core.files import write_json
from polytrix.core.game import Game
from polytrix.web.serve import FILE
from polytrix.web.settings import AGENT, YOU, Chair, Settings, new_token
from polytrix.web.store import VARIABLE, Store
from polytrix.web.table import Table

SAMPLES = 40
"""How often memory is looked at."""


@dataclass(frozen=True)
class Arguments:
    """What is measured."""

    tables: int = 200
    """Tables at once."""
    pace: float = 5.0
    """Seconds from a page's move to its next one, on average; 0: as fast as the server."""
    moves: int = 4000
    """Moves of all pages together."""
    games: tuple[str, ...] = tuple(game.name for game in polytrix.all_games())
    """Names of the games."""
    agent: str = "greedy"
    """Who plays the other seats."""
    json: Path | None = None
    """Add a receipt to this file."""


@dataclass
class Measured:
    """What the pages have seen.

    Attributes:
        moves: made by pages.
        decisions: made by everybody.
        board: milliseconds from each move to the position after it.
        turn: milliseconds from each move to the page's next turn, with what the agents did in between.
        memory: the server's, in MB, each with the number of moves.
    """

    moves: int = 0
    decisions: int = 0
    board: list[float] = field(default_factory=list)
    turn: list[float] = field(default_factory=list)
    memory: list[tuple[int, float]] = field(default_factory=list)


def main(arguments: Arguments) -> None:
    """Measure, and print what was found."""
    with tempfile.TemporaryDirectory() as folder:
        tokens = set_up(arguments, Path(folder))
        with serving(Path(folder)) as (address, server):
            before, began = cpu_seconds(server), time.perf_counter()
            found = asyncio.run(play(arguments, address, tokens, server))
            seconds, spent = time.perf_counter() - began, cpu_seconds(server) - before
    result = {
        **{name: value for name, value in asdict(arguments).items() if name != "json"},
        "moves": found.moves,
        "decisions": found.decisions,
        "seconds": round(seconds, 1),
        "moves_per_second": round(found.moves / seconds, 1),
        "move_to_board_ms": percentiles(found.board),
        "move_to_next_turn_ms": percentiles(found.turn),
        "server_cpu_ms_per_move": round(1000 * spent / found.moves, 2),
        "server_memory_mb": [(moves, round(memory, 1)) for moves, memory in found.memory],
        "load_average": os.getloadavg(),
    }
    print(json.dumps(result, indent=1))
    if arguments.json:
        receipt = {
            "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "command": " ".join(["python", "benchmarks/throughput/table.py", *sys.argv[1:]]),
            "machine": machine(),
            "versions": versions("numpy", "starlette", "uvicorn", "websockets"),
            "result": result,
        }
        kept = json.loads(arguments.json.read_text(encoding="utf-8")) if arguments.json.exists() else []
        write_json(arguments.json, [*kept, receipt])


def set_up(arguments: Arguments, folder: Path) -> list[str]:
    """Put the tables into a server's folder; the secrets of the pages' links."""
    games = [polytrix.find(name) for name in arguments.games]
    store = Store(folder / FILE)
    made = [settings(games[i % len(games)], arguments.agent) for i in range(arguments.tables)]
    for each in made:
        Table.new(each, fresh_seed(), store)
    store.close()
    return [each.chairs[0].token for each in made]


def settings(game: Game, agent: str) -> Settings:
    """A table with a page in the first seat and an agent in the others."""
    options = game.options.defaults
    chairs = [Chair(YOU, token=new_token()), *[Chair(AGENT, agent)] * (game.num_players(options) - 1)]
    return Settings(game.id, options, tuple(chairs), new_token())


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, psutil.Process]]:
    """A server with the tables of a folder: its address and its process."""
    command = [sys.executable, "-u", "-m", "polytrix.cli", "table", "--no-open", "--port", "0"]
    environment = {**os.environ, VARIABLE: str(folder)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1].partition("/#")[0]
            yield address, psutil.Process(process.pid)
        finally:
            process.kill()


async def play(arguments: Arguments, address: str, tokens: list[str], server: psutil.Process) -> Measured:
    """Let all pages play at the same time."""
    found = Measured()
    pages = [Page(arguments, address, token, random.Random(i), found) for i, token in enumerate(tokens)]
    await asyncio.gather(watch_memory(arguments, server, found), *(page.play() for page in pages))
    return found


async def watch_memory(arguments: Arguments, server: psutil.Process, found: Measured) -> None:
    """Look at the server's memory from time to time."""
    while found.moves < arguments.moves:
        if found.moves * SAMPLES >= arguments.moves * len(found.memory):
            found.memory.append((found.moves, server.memory_info().rss / 1e6))
        await asyncio.sleep(0.05)
    found.memory.append((found.moves, server.memory_info().rss / 1e6))


class Page:
    """A page that plays at random, game after game, until all pages have made their moves."""

    def __init__(
        self, arguments: Arguments, address: str, token: str, rng: random.Random, found: Measured
    ) -> None:
        self.arguments, self.address, self.token, self.rng, self.found = arguments, address, token, rng, found
        self.view: dict[str, Any] = {}

    async def play(self) -> None:
        """Join, and play."""
        await asyncio.sleep(self.rng.uniform(0, self.arguments.pace))
        socket = f"{self.address.replace('http', 'ws', 1)}/socket"
        async with connect(socket, origin=self.address, max_size=None) as self.socket:  # type: ignore[arg-type]
            await self.send({"type": "join", "token": self.token, "seen": -1})
            await self.next_position()
            await self.next_turn()
            while self.found.moves < self.arguments.moves:
                await (self.begin() if self.view["over"] else self.move())

    async def begin(self) -> None:
        """Begin the next game."""
        await self.send({"type": "begin", "version": self.view["version"]})
        await self.next_position()
        await self.next_turn()

    async def move(self) -> None:
        """Make a move, and wait for the next turn."""
        self.found.moves += 1
        action = self.rng.choice(self.view["moves"])["action"]
        sent = time.perf_counter()
        await self.send({"type": "move", "version": self.view["version"], "action": action})
        await self.next_position()
        self.found.board.append(1000 * (time.perf_counter() - sent))
        await self.next_turn()
        self.found.turn.append(1000 * (time.perf_counter() - sent))
        await asyncio.sleep(self.rng.uniform(0, 2 * self.arguments.pace))

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        await self.socket.send(json.dumps(message))

    async def next_turn(self) -> None:
        """Wait until it is the page's turn, or the game is over."""
        while not (self.view["may"]["move"] or self.view["over"]):
            await self.next_position()

    async def next_position(self) -> None:
        """Wait for the next position that the page is sent."""
        while True:
            message = json.loads(await self.socket.recv())
            if message["type"] in ("refused", "closed"):
                raise RuntimeError(message["text"])
            if message["type"] == "view":
                same_game = self.view and self.view["round"] == message["round"]
                self.found.decisions += message["log"]["count"] - (
                    self.view["log"]["count"] if same_game else 0
                )
                self.view = message
                return


def cpu_seconds(process: psutil.Process) -> float:
    """CPU time of a process so far."""
    times = process.cpu_times()
    return float(times.user + times.system)


def percentiles(milliseconds: list[float]) -> dict[str, float]:
    """Median, 95th and 99th percentile, and the largest."""
    cuts = statistics.quantiles(milliseconds, n=100)
    found = {"median": cuts[49], "p95": cuts[94], "p99": cuts[98], "most": max(milliseconds)}
    return {name: round(value, 1) for name, value in found.items()}


if __name__ == "__main__":
    main(tyro.cli(Arguments, description=__doc__))
