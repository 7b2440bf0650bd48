"""Games that are over can be looked at again, and agents think about them; games that go on cannot."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

import polytrix
from polytrix.agents import resolve
from polytrix.core.compile.compiler import Mode
from polytrix.core.transcript import Transcript, play
from polytrix.replay.chats import Told
from polytrix.replay.data import replay_of
from polytrix.web import replays

from .playing import ORIGIN, Server


def asked(server: Server, path: str = "/api/replay", host: bool = False, **wanted: Any) -> Any:
    """The answer to a page, which has the key of the lobby or has not."""
    return server.client.post(path, json=wanted, headers=server.headers if host else ORIGIN)


def finished(server: Server) -> tuple[dict[str, Any], Transcript]:
    """A table with a game that is over, and its transcript."""
    table = server.set_up("quatrix", "you", "greedy", seed=4, options={"max_decisions": 9})
    with server.page(table["seats"][0]["token"]) as page:
        page.play_on(random.Random(1))
        page.send("record")
        return table, Transcript.from_text(page.receive("record")["text"], Mode.PLAIN)


@pytest.fixture
def saved() -> str:
    """The text of a transcript."""
    return play(polytrix.find("resistor"), seed=2, decisions=6, mode=Mode.PLAIN).to_text(Mode.PLAIN)


def test_a_game_is_shown_once_it_is_over(server: Server) -> None:
    table = server.set_up("resistor", "you", "person")
    tokens = [table["watch"], *(seat["token"] for seat in table["seats"])]
    with server.page(tokens[1]) as page:
        page.receive("view")
        for token in tokens:
            answer = asked(server, token=token, game=0)
            assert answer.status_code == 400 and "once it is over" in answer.json()["error"]
        page.send("resign")
        while not page.view["over"]:
            page.receive("view")
    for token in tokens:
        answer = asked(server, token=token, game=0)
        assert answer.status_code == 200
        assert answer.json()["result"] == "red has resigned: blue wins."


def test_agents_alone_are_no_exception(server: Server) -> None:
    table = server.set_up("resistor", "greedy", "greedy", pace=10)
    assert "once it is over" in asked(server, token=table["watch"], game=0).json()["error"]


def test_an_earlier_game_of_a_table_can_still_be_shown(server: Server) -> None:
    table, transcript = finished(server)
    token = table["seats"][0]["token"]
    with server.page(token) as page:
        page.receive("view")
        page.send("begin")
        while page.view["over"]:
            page.receive("view")
    assert asked(server, token=token, game=1).status_code == 400
    shown = asked(server, token=token, game=0).json()
    expected = replay_of(transcript, told=Told(["person", "greedy"])).to_dict()
    assert {name: shown[name] for name in expected} == json.loads(json.dumps(expected))
    assert "greedy" in shown["advisers"] and "random" not in shown["advisers"]


@pytest.mark.parametrize("game", [2, 1 << 60, -1, 0.5, "0", None, True])
@pytest.mark.parametrize("path", ["/api/replay", "/api/thoughts"])
def test_games_that_do_not_exist(server: Server, game: object, path: str) -> None:
    table = server.set_up("pressure_matrix", "greedy", "greedy")
    assert asked(server, path, token=table["watch"], game=game, agent="greedy").status_code == 400
    assert asked(server, path, token="x", game=0, agent="greedy").status_code == 400


def test_a_transcript_is_opened_for_the_host_alone(server: Server, saved: str) -> None:
    assert asked(server, transcript=saved).status_code == 401
    shown = asked(server, host=True, transcript=saved).json()
    expected = replay_of(Transcript.from_text(saved, Mode.PLAIN)).to_dict()
    assert {name: shown[name] for name in expected} == json.loads(json.dumps(expected))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", "null", '{"actions": 7}', "[" * 5000, '{"format": "polytrix transcript 1"}']
)
def test_what_is_no_transcript_is_refused(server: Server, text: str) -> None:
    answer = asked(server, host=True, transcript=text)
    assert answer.status_code == 400 and re.search("game file|transcript", answer.json()["error"])


def test_long_games_are_refused_before_they_are_checked(server: Server, saved: str) -> None:
    content = {**json.loads(saved), "actions": [0] * 2001}
    answer = asked(server, host=True, transcript=json.dumps(content))
    assert answer.status_code == 400 and "2001 decisions; the page shows up to 2000" in answer.json()["error"]
    assert asked(server, host=True, transcript="x" * 2_100_000).status_code == 413


# -- what agents think ------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["expert", "greedy"])
def test_thoughts_come_line_by_line(server: Server, saved: str, spec: str) -> None:
    for _ in range(2):  # the second time they are kept
        answer = asked(server, "/api/thoughts", host=True, transcript=saved, agent=spec)
        lines = [json.loads(line) for line in answer.text.splitlines()]
        thoughts = {line["at"]: line["thought"] for line in lines if "at" in line}
        transcript = Transcript.from_text(saved, Mode.PLAIN)
        expected = replay_of(transcript, [resolve(spec, transcript.description())]).to_dict()["agents"][0]
        assert list(thoughts) == list(range(7))
        assert list(thoughts.values()) == json.loads(json.dumps(expected["thoughts"]))


@pytest.mark.parametrize(
    "spec", ["nobody", "random", "os:system", "process:true", "search:100000", "../x", "", 7, None, {}]
)
def test_only_agents_of_the_game_are_asked(server: Server, saved: str, spec: object) -> None:
    answer = asked(server, "/api/thoughts", host=True, transcript=saved, agent=spec)
    assert answer.status_code == 400 and "allowed: greedy" in answer.json()["error"]


def test_few_think_at_the_same_time(server: Server, saved: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "MOST_THINKING", 0)
    answer = asked(server, "/api/thoughts", host=True, transcript=saved, agent="greedy")
    assert answer.status_code == 400 and "Try again" in answer.json()["error"]
    monkeypatch.setattr(replays, "MOST_REPLAYS", 0)
    answer = asked(server, host=True, transcript=saved)
    assert answer.status_code == 400 and "Try again" in answer.json()["error"]


# -- the pace at a table of agents --------------------------------------------------------------------


def test_agents_pause_and_go_on(server: Server) -> None:
    table = server.set_up("pressure_matrix", "greedy", "greedy", pace=10)
    with server.page(table["watch"]) as page:
        assert page.receive("pace")["milliseconds"] == 10_000
        page.send("pace", milliseconds=-1)
        assert page.receive("pace")["milliseconds"] == -1
        with server.page(table["watch"]) as other:
            assert other.receive("pace")["milliseconds"] == -1
            assert other.view["log"]["count"] == page.view["log"]["count"] == 0
        page.send("pace", milliseconds=0)
        assert page.receive("pace")["milliseconds"] == 0
        while not page.view["over"]:
            page.receive("view")


def test_the_pace_is_no_business_where_people_play(server: Server) -> None:
    table = server.set_up("resistor", "you", "greedy")
    with server.page(table["seats"][0]["token"]) as page:
        page.receive("view")
        page.send("pace", milliseconds=-1)
        with pytest.raises(AssertionError, match="only agents play"):
            page.receive("pace")
