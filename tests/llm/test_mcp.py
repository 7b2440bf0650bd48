"""Tools of the Model Context Protocol: whole games, what a seat may know, bad calls, limits."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import numpy as np
import pytest

import polytrix
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import PolytrixError
from polytrix.core.pages import notation_text, page_text, rules_text
from polytrix.core.transcript import Transcript
from polytrix.play.opponents import agent
from tests.commands import with_sources
from tests.pages import ROOT, blocks, run_blocks

pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")

from mcp import Client, StdioServerParameters, stdio_client

from polytrix.llm import mcp
from polytrix.llm.mcp import Tools

COMMAND = (sys.executable, "-m", "polytrix.cli", "mcp")
ENVIRONMENT = with_sources()
SEED = 12  # of games that are soon over


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool answers; it must not refuse the call."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    content = result.structured_content
    assert content is not None
    return content["result"] if content.keys() == {"result"} else content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Why a tool refuses a call."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result
    (content,) = result.content
    return str(content.text)  # type: ignore[union-attr]


# -- whole games ---------------------------------------------------------------------------------


class Table(NamedTuple):
    game: str
    seats: list[str]
    options: dict[str, Any]


TABLES = [
    Table("quatrix", ["model", "greedy"], {}),
    Table("resistor", ["ppo", "model"], {}),
    Table("pressure_matrix", ["model", "expert"], {}),
    Table("pressure_matrix", ["greedy", "random", "model", "ppo-players4"], {"players": 4}),
    Table("estimatrix", ["random", "model", "greedy", "noisy"], {"players": 4}),
    Table("pixel_tactics", ["model", "greedy"], {}),
]


class Finished(NamedTuple):
    """A game, and what the client was told of it."""

    table: Table
    paid: float
    last: str
    transcript: str


async def finish(client: Client, table: Table, seed: int) -> Finished:
    """Play a game with random moves among those that the tools give."""
    begun = await call(
        client, "start_game", game_name=table.game, seats=table.seats, options=table.options, seed=seed
    )
    (session,) = begun.values()
    at, rng = {"session_id": session}, np.random.default_rng(seed)
    told = await call(client, "get_observation", **at)
    while await call(client, "current_player", **at) != mcp.TERMINAL:
        assert await call(client, "current_player", **at) == table.seats.index("model")
        assert await call(client, "get_return", **at) == 0
        legal = await call(client, "legal_actions", **at)
        assert all(f"  {notation} " in told for notation in legal)
        told = await call(client, "play_action", **at, action=str(rng.choice(list(legal))))
    assert told == await call(client, "get_observation", **at)
    paid = await call(client, "get_return", **at)
    return Finished(table, paid, told, await call(client, "get_transcript", **at))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> list[Finished]:
    """A game at each table, all at the same time, through the command and the official client."""
    errors = tmp_path_factory.mktemp("server") / "stderr"

    async def play() -> list[Finished]:
        command = StdioServerParameters(command=COMMAND[0], args=list(COMMAND[1:]), env=ENVIRONMENT)
        with errors.open("w", encoding="utf-8") as log:
            async with Client(stdio_client(command, log)) as client:
                return list(await asyncio.gather(*(finish(client, table, SEED) for table in TABLES)))

    games = asyncio.run(play())
    told = errors.read_text(encoding="utf-8").splitlines()
    assert [line for line in told if not line.startswith("polytrix: compil")] == []
    return games


@pytest.mark.parametrize("number", range(len(TABLES)))  # no games in the ids: these tests stay together
def test_a_client_plays_a_whole_game(number: int, finished: list[Finished]) -> None:
    table, paid, last, text = finished[number]
    transcript = Transcript.from_text(text, Mode.PLAIN)
    assert (transcript.description().name, transcript.seed) == (table.game, SEED)
    payoffs = transcript.payoffs(Mode.PLAIN)
    assert payoffs is not None and payoffs[table.seats.index("model")] == paid
    seats = polytrix.find(table.game).seats
    assert ", ".join(f"{seat} {payoff:+g}" for seat, payoff in zip(seats, payoffs, strict=False)) in last
    assert "The game is over. Payoffs: " in last and "since your last decision" in last


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal for one process")
def test_ctrl_c_ends_the_server() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait() == -signal.SIGINT


# -- what is told --------------------------------------------------------------------------------


def with_client(play: Callable[[Client], Any]) -> None:
    """Call with a client of a new server in this process."""

    async def connected() -> None:
        async with Client(mcp.server()) as client:
            await play(client)

    asyncio.run(connected())


def test_games_and_their_rules_are_told() -> None:
    async def ask(client: Client) -> None:
        assert [*await call(client, "list_games")] == [game.name for game in polytrix.all_games()]
        pages = {str(each.uri): each for each in (await client.list_resources()).resources}
        for game in polytrix.all_games():
            (page,) = (await client.read_resource(f"polytrix://rules/{game.name}")).contents
            assert page.text == page_text(game)  # type: ignore[union-attr]
            assert pages.pop(str(page.uri)).mime_type == "text/markdown"
            info = await call(client, "game_info", game_name=game.name)
            assert info["rules"].startswith(rules_text(game)) and info["rules"].endswith(
                notation_text(game).strip()
            )
            assert info["players"] == list(game.player_counts) and info["seats"] == list(game.seats)
            assert {"max_decisions", *(file.name for file in game.data)} <= info["options"].keys()
            assert {"random", "greedy", "ppo", "expert", "master", "noisy"} <= {*info["opponents"]}
        assert not pages

    with_client(ask)


def test_every_opponent_that_is_named_can_be_met() -> None:
    for game in [*polytrix.all_games(), polytrix.find("resistor").with_data(deck="micro")]:
        for name in mcp.opponents(game):
            assert callable(agent(name, game)) and not {*name} & {*":/\\."}


def test_moves_may_be_named_by_number() -> None:
    tools = Tools()
    (session,) = tools.start_game("resistor", seed=7).values()
    assert "0  F1  flip the card" in tools.get_observation(session)
    assert "you: F1 - must flip a card" in tools.play_action(session, 0)


def test_the_seed_decides_and_is_not_told() -> None:
    tools, seed = Tools(), 987654321
    (session,) = tools.start_game("resistor", options={"deck": "micro"}, seed=seed).values()
    games = []
    for _ in range(2):
        told = [tools.reset_game(session, seed)]
        while tools.current_player(session) != mcp.TERMINAL:
            told.append(tools.play_action(session, next(iter(tools.legal_actions(session)))))
        assert str(seed) not in "".join(told) and str(seed) in tools.get_transcript(session)
        games.append(told)
    assert games[0] == games[1] != [tools.reset_game(session)]


# -- several seats -------------------------------------------------------------------------------


def test_two_clients_play_each_other_and_move_in_turn() -> None:
    tools = Tools()
    sessions = list(tools.start_game("quatrix", ["model", "model"], {"max_decisions": 6}, seed=1).values())
    while (mover := tools.current_player(sessions[0])) != mcp.TERMINAL:
        waiting = sessions[1 - mover]
        before = [tools.get_observation(each) for each in sessions]
        for refuse in (tools.legal_actions, lambda at: tools.play_action(at, 0)):
            with pytest.raises(PolytrixError, match=r"it is not your turn: .* is to move"):
                refuse(waiting)
        with pytest.raises(PolytrixError, match="other models play this game too"):
            tools.reset_game(waiting)
        assert before == [tools.get_observation(each) for each in sessions]
        assert "Legal moves" in before[mover] and "Legal moves" not in before[1 - mover]
        tools.play_action(sessions[mover], next(iter(tools.legal_actions(sessions[mover]))))
    assert tools.get_transcript(sessions[0]) == tools.get_transcript(sessions[1])
    tools.reset_game(sessions[1])
    assert [tools.current_player(each) for each in sessions] != [mcp.TERMINAL] * 2


# -- bad calls -----------------------------------------------------------------------------------

BAD_GAMES: list[tuple[dict[str, Any], str]] = [
    ({"game_name": "resistr"}, "unknown game 'resistr'. Games: .* Did you mean 'resistor'?"),
    ({"game_name": "../resistor"}, "unknown game"),
    ({"game_name": "x" * 10**6}, "at most 100 characters"),
    ({}, "game_name\n  Field required"),
    ({"seed": -1}, "greater than or equal to 0"),
    ({"seed": 2**63}, "less than 9223372036854775808"),
    ({"seed": "soon"}, "valid integer"),
    ({"seats": ["model"]}, "1 seats are given; this game of resistor has 2 players"),
    ({"seats": ["model"] * 10**5}, "at most 10 items"),
    ({"seats": ["greedy", "greedy"]}, "no seat is that of a model; write 'model'"),
    ({"seats": ["model", "gredy"]}, "a seat is 'gredy'; allowed: model, random, .* Did you mean 'greedy'?"),
    *(
        ({"seats": ["model", stranger]}, "a seat is '.*'; allowed: model, random, greedy, ")
        for stranger in (
            "process:touch PWNED",
            "noisy:0.1,process:touch PWNED",
            "program",
            "os:system",
            "polytrix.agents:RandomPolicy",
            "checkpoints/resistor-v0",
            "checkpoints/resistor-v0/policy.npz",
            "search:1000000000",
            "search:9,network=checkpoints/resistor-v0",
            "llm:gpt",
            "",
        )
    ),
    (
        {"seats": ["model", "ppo"], "options": {"deck": "micro"}},
        "a seat is 'ppo'; allowed: model, random, greedy, ",
    ),
    ({"options": {"playrs": 2}}, "unknown option 'playrs'. Options: "),
    ({"options": {"lock_down": "maybe"}}, "option 'lock_down' is 'maybe'; allowed: True or False"),
    ({"options": {"lock_down": 10**90}}, "option 'lock_down' is 1000.*; allowed: True or False"),
    ({"options": {"max_decisions": 2001}}, "option 'max_decisions' is 2001; allowed: up to 2000"),
    ({"options": {"max_decisions": 10**18}}, "option 'max_decisions' is 10+; allowed: a whole number from 1"),
    ({"options": {"max_decisions": 0}}, "option 'max_decisions' is 0; allowed: "),
    ({"options": {f"o{i}": 1 for i in range(10**4)}}, "at most 20 items"),
    ({"options": {"deck": "/etc/passwd"}}, "deck is '/etc/passwd'; shipped: deck, micro"),
    ({"options": {"deck": "cards.json"}}, "deck is 'cards.json'; shipped: deck, micro"),
    ({"options": {"deck": {"cards": []}}}, "options.deck"),
]


def test_bad_games_do_not_begin() -> None:
    async def ask(client: Client) -> None:
        for arguments, said in BAD_GAMES:
            given = arguments if not arguments else {"game_name": "resistor"} | arguments
            told = await refused(client, "start_game", **given)
            assert re.search(said, told), f"{str(arguments)[:100]}: {told}"
            assert len(told) < 2000
        assert "unknown game" in await refused(client, "game_info", game_name="chess")

    with_client(ask)
    assert not Path("PWNED").exists()


def test_bad_calls_are_told_and_change_nothing() -> None:
    async def ask(client: Client) -> None:
        begun = await call(client, "start_game", game_name="resistor", options={"deck": "micro"}, seed=3)
        at = {"session_id": next(iter(begun.values()))}
        while True:
            before = await call(client, "get_observation", **at)
            over = await call(client, "current_player", **at) == mcp.TERMINAL
            for action, said in (
                ("xyzzy", "'xyzzy' names no legal action; legal are F1"),
                ("L1", "'L1' names no legal action; legal are F1"),
                (10**6, "there is no action 1000000; legal are F1"),
                ("9" * 90, "names no legal action"),
                ("", "names no legal action"),
                ("D" * 10**6, "at most 100 characters"),
                (-1, "greater than or equal to 0"),
                (10**30, "less than"),
                (None, "valid string"),
                (["F1"], "valid string"),
            ):
                told = await refused(client, "play_action", **at, action=action)
                assert ("the game is over" if over and "is" in said.split()[:3] else said) in told or over, told
                assert len(told) < 2000
            assert "unknown session 'abc'; start_game gives one" in await refused(
                client, "play_action", session_id="abc", action="D"
            )
            assert "Field required" in await refused(client, "play_action", action="D")
            assert "less than" in await refused(client, "reset_game", **at, seed=2**70)
            assert before == await call(client, "get_observation", **at)
            if over:
                break
            assert "once the game is over" in await refused(client, "get_transcript", **at)
            await call(
                client, "play_action", **at, action=next(iter(await call(client, "legal_actions", **at)))
            )
        assert "the game is over; call get_return" in await refused(client, "play_action", **at, action="D")
        assert "the game is over; call get_return" in await refused(client, "legal_actions", **at)
        assert await call(client, "get_return", **at) in (-1, 0, 1)

    with_client(ask)


# -- limits --------------------------------------------------------------------------------------


def test_idle_sessions_make_room_and_others_stay() -> None:
    tools = Tools()
    sessions: list[str] = []
    while len(sessions) < mcp.MOST_SESSIONS:
        sessions += tools.start_game("quatrix", ["model", "model"], seed=1).values()
    with pytest.raises(PolytrixError, match="100 sessions are in use; allowed: 100"):
        tools.start_game("quatrix", seed=1)
    for match, _ in tools._seats.values():
        match.used -= mcp.IDLE
    tools.get_observation(sessions[0])
    tools.start_game("quatrix", seed=1)
    assert len(tools._seats) == 3  # both seats of the game in which something has happened, and the new one
    tools.get_observation(sessions[1])
    with pytest.raises(PolytrixError, match="nobody has used for 60 minutes"):
        tools.get_observation(sessions[2])


def test_a_game_ends_even_if_its_default_has_no_such_limit() -> None:
    game = polytrix.find("pixel_tactics")
    assert int(game.options.defaults["max_decisions"]) > mcp.LONGEST_GAME
    tools = Tools()
    (session,) = tools.start_game(game.name, seed=1).values()
    assert f"max_decisions={mcp.LONGEST_GAME}" in tools.get_observation(session)


# -- over HTTP -----------------------------------------------------------------------------------


@asynccontextmanager
async def listening() -> AsyncIterator[str]:
    """The address of the command's server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        *COMMAND, "--port", str(port), env=ENVIRONMENT, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        address = (await process.stdout.readline()).decode().strip()
        assert address == f"http://127.0.0.1:{port}/mcp"
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                break
            except OSError:
                await asyncio.sleep(0.1)
        writer.close()
        yield address
    finally:
        process.terminate()
        await process.wait()


def test_clients_share_a_server_over_http() -> None:
    async def play() -> None:
        async with listening() as address, Client(address) as red, Client(address) as blue:
            begun = await call(red, "start_game", game_name="resistor", seats=["model"] * 2, seed=2)
            clients = [
                (client, {"session_id": at}) for client, at in zip((red, blue), begun.values(), strict=True)
            ]
            for _ in range(4):
                client, at = clients[await call(red, "current_player", **clients[0][1])]
                await call(
                    client, "play_action", **at, action=next(iter(await call(client, "legal_actions", **at)))
                )
            assert "Decisions made in this game, by all: 4" in await call(
                red, "get_observation", **clients[0][1]
            )
            async with httpx2.AsyncClient() as stranger:
                huge = await stranger.post(address, content=b" " * (mcp.LONGEST_BODY + 1))
                foreign = await stranger.post(address, json={}, headers={"Host": "evil.example"})
            assert huge.status_code == 413 and foreign.status_code == 421

    asyncio.run(play())


# -- the page ------------------------------------------------------------------------------------


def test_the_dialogue_of_the_page_is_true(tmp_path: Path) -> None:
    page = ROOT / "docs" / "mcp.md"
    (dialogue,) = [block.content for block in blocks(page) if block.kind == "text"]
    assert run_blocks(page, tmp_path) == dialogue


def test_the_configuration_of_the_page_starts_the_server() -> None:
    (configuration,) = [block.content for block in blocks(ROOT / "docs" / "mcp.md") if block.kind == "json"]
    (entry,) = json.loads(configuration)["mcpServers"].values()
    assert entry == {"command": "polytrix", "args": list(COMMAND[3:])}
