"""Games at a table through its connection, as a page plays them."""

from __future__ import annotations

import json
import random
import re

import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.transcript import Transcript
from tests.every_game import every_game

from .playing import Server

SHORT = {"max_decisions": 40}


def players(game: Game) -> int:
    return game.num_players(game.options.defaults)


@every_game
def test_a_whole_game_against_agents(server: Server, game: Game) -> None:
    """Moves touch places of the board that is sent."""
    table = server.set_up(game.name, "you", *["greedy"] * (players(game) - 1), options=SHORT, seed=4)
    rng, told = random.Random(1), 0
    with server.page(table["seats"][0]["token"]) as page:
        assert page.my_turn()
        assert page.view["board"].startswith("<svg") and page.view["seed"] is None
        assert page.view["clauses"] and page.view["by_touch"]
        while page.my_turn():
            drawn = set(re.findall('data-place="([^"]+)"', page.view["board"]))
            assert all(drawn.issuperset(move["touch"]) for move in page.view["moves"])
            before, move = page.view["log"]["count"], rng.choice(page.view["moves"])
            page.move(move["action"])
            log = page.view["log"]
            assert log["touched"][before - log["first"]] == move["touch"]
            told += sum(bool(places) for places in log["touched"])
        assert told > 5
        assert page.view["status"].startswith("The game is over") and page.view["seed"] == "4"
        page.send("record")
        transcript = Transcript.from_text(page.receive("record")["text"], Mode.PLAIN)
        assert transcript.seed == 4 and len(transcript.actions) == page.view["log"]["count"]


@pytest.mark.usefixtures("known_toys")
def test_a_game_of_ones_own_needs_nothing_more(server: Server) -> None:
    """SECRET hides something, and has neither words nor a page with rules."""
    listed = server.client.get("/api/games", headers=server.headers).json()
    assert "Secret" in [each["title"] for each in listed]
    assert server.client.get("/games/secret/rules.json").json() == []
    assert server.client.get("/games/secret/picture.svg").text.startswith("<svg")
    table = server.set_up("secret", "you", "shy", seed=4)
    with server.page(table["seats"][0]["token"]) as page:
        assert page.my_turn() and not page.view["by_touch"]
        assert [(move["notation"], move["touch"]) for move in page.view["moves"]] == [
            (f"+{added}", None) for added in (1, 2, 3)
        ]
        page.play_on(random.Random(1))
        assert page.view["over"] and page.view["moves"] == []


def test_a_page_is_told_what_others_have_touched_and_sees(server: Server) -> None:
    """Of another hand it sees the backs, so no place of it is told."""
    table = server.set_up("pixel_tactics", "person", "person", seed=2)
    tokens = [seat["token"] for seat in table["seats"]]
    touched: set[str] = set()
    with server.page(tokens[0]) as south, server.page(tokens[1]) as north:
        pages = (south, north)
        for page in pages:
            page.receive("view")
        for _ in range(40):
            mover = pages[south.view["mover"]]
            number = south.view["log"]["count"]
            recruits = [move for move in mover.view["moves"] if move["notation"].startswith("recruit")]
            mover.move((recruits or mover.view["moves"])[0]["action"])
            other = pages[mover is south]
            while other.view["version"] < mover.view["version"]:
                other.receive("view")
            log = other.view["log"]
            if recruits:
                places = log["touched"][number - log["first"]]
                assert places == recruits[0]["touch"][1:]
                touched |= set(places)
    assert len(touched) > 2


def test_a_move_in_notation(server: Server) -> None:
    table = server.set_up("quatrix", "you", "greedy", seed=2)
    with server.page(table["seats"][0]["token"]) as page:
        page.my_turn()
        count, wanted = page.view["log"]["count"], page.view["moves"][-1]["notation"]
        page.send("say", text=wanted)
        page.receive("view")
        assert page.view["log"]["count"] > count
        assert page.view["log"]["entries"][0]["move"] == wanted
        page.my_turn()
        before = page.view
        page.send("say", text="Rd1-d99")
        assert "d99" in page.receive("refused")["text"]
        assert page.view == before


def test_another_seat_cannot_move(server: Server) -> None:
    table = server.set_up("quatrix", "you", "person", seed=2)
    with server.page(table["seats"][0]["token"]) as one, server.page(table["seats"][1]["token"]) as two:
        pages = [one, two]
        for page in pages:
            page.receive("view")
        waiting, moving = sorted(pages, key=lambda page: page.view["may"]["move"])
        assert not any(seat["token"] in json.dumps(page.view) for page in pages for seat in table["seats"])
        assert waiting.view["moves"] == [] and waiting.view["clauses"] == []
        waiting.send("move", action=moving.view["moves"][0]["action"])
        assert "not your turn" in waiting.receive("refused")["text"]
        moving.move()
        assert waiting.receive("view")["log"]["count"] == 1


def test_taking_back(server: Server) -> None:
    table = server.set_up("quatrix", "you", "greedy", seed=2)
    with server.page(table["seats"][0]["token"]) as page:
        page.my_turn()
        first = page.view
        assert not first["may"]["take_back"]
        page.move()
        while page.view["log"]["count"] < 2 or not page.view["may"]["move"]:
            page.my_turn()
            if page.view["log"]["count"] < 2:
                page.move()
        page.send("take_back")
        taken = page.receive("view")
        assert taken["taken_back"] > 0
        while page.view["may"]["take_back"]:
            page.send("take_back")
            page.receive("view")
        assert [page.view[key] for key in ("moves", "board", "text")] == [
            first[key] for key in ("moves", "board", "text")
        ]
        page.send("take_back")
        assert "Nothing can be taken back" in page.receive("refused")["text"]


@pytest.mark.parametrize("end", ["played", "resigned"])
def test_a_game_that_is_over_stays_so(server: Server, end: str) -> None:
    """Its seed and its cards are known."""
    table = server.set_up("resistor", "you", "greedy", seed=2, options={"max_decisions": 8})
    with server.page(table["seats"][0]["token"]) as page:
        page.my_turn()
        page.move()
        page.my_turn()
        assert page.view["may"]["take_back"]
        if end == "played":
            page.play_on(random.Random(1))
        else:
            page.send("resign")
            page.receive("view")
        assert page.view["over"] and page.view["seed"] == "2" and not page.view["may"]["take_back"]
        page.send("take_back")
        assert "the game is over" in page.receive("refused")["text"]


def test_nothing_is_taken_back_from_other_people(server: Server) -> None:
    table = server.set_up("quatrix", "you", "person", seed=2)
    with server.page(table["seats"][0]["token"]) as one, server.page(table["seats"][1]["token"]) as two:
        for page in (one, two):
            page.receive("view")
        mover = one if one.view["may"]["move"] else two
        mover.move()
        assert not mover.view["may"]["take_back"]
        mover.send("take_back")
        assert "other people" in mover.receive("refused")["text"]


def test_resigning_from_a_game_of_two_ends_it(server: Server) -> None:
    table = server.set_up("resistor", "you", "greedy", seed=2)
    with server.page(table["seats"][0]["token"]) as page, server.page(table["watch"]) as spectator:
        page.my_turn()
        assert " 1 ?  " in spectator.receive("view")["text"]
        page.send("resign")
        page.receive("view")
        assert page.view["over"] and page.view["status"] == "red has resigned: blue wins."
        while not spectator.view["over"]:
            spectator.receive("view")
        assert " 1 ?  " not in spectator.view["text"]
        page.send("begin")
        while not page.view["round"]:
            page.receive("view")
        assert not page.view["over"] and page.view["version"] > 1


def test_an_agent_plays_on_for_one_who_resigns_from_a_larger_game(server: Server) -> None:
    table = server.set_up("pressure_matrix", "you", "person", "greedy", options={"players": 3}, seed=2)
    with server.page(table["seats"][0]["token"]) as page:
        page.my_turn()
        page.send("resign")
        page.receive("view")
        assert not page.view["over"] and page.view["seats"][0]["resigned"]
        assert page.view["moves"] == []


def test_hints(server: Server) -> None:
    table = server.set_up("quatrix", "you", "greedy", seed=2)
    with server.page(table["seats"][0]["token"]) as page:
        page.my_turn()
        for agent in ("greedy", "ppo"):
            page.send("hint", agent=agent)
            hint = page.receive("hint")
            assert hint["agent"] == agent and hint["version"] == page.view["version"]
            assert {move["action"] for move in hint["moves"]} <= {move["action"] for move in page.view["moves"]}
        page.send("hint", agent="os:system")
        assert "no hint" in page.receive("refused")["text"]


def test_spectators_see_what_no_seat_hides(server: Server) -> None:
    open_to_all = server.set_up("quatrix", "you", "greedy")
    hiding = server.set_up("resistor", "you", "greedy")
    with server.page(open_to_all["watch"]) as page:
        assert page.receive("view")["board"] is not None
        assert page.view["moves"] == [] and page.view["text"]
        page.send("move", action=0)
        assert "watching" in page.receive("refused")["text"]
        page.send("record")
        assert "once it is over" in page.receive("refused")["text"]
    with server.page(hiding["watch"]) as page:
        board = page.receive("view")["board"]
        assert " 1 ?  " in page.view["text"] and page.view["notes"] == [] and page.view["moves"] == []
    with server.page(hiding["seats"][0]["token"]) as page:
        assert page.receive("view")["board"] != board


@pytest.mark.usefixtures("known_toys")
def test_a_game_that_cannot_draw_itself_for_spectators(server: Server) -> None:
    table = server.set_up("secret", "you", "shy", seed=4)
    with server.page(table["watch"]) as page:
        assert page.receive("view")["board"] is None
        assert page.view["text"] == "" and page.view["notes"] == []


def test_a_page_that_was_asleep_catches_up(server: Server) -> None:
    table = server.set_up("quatrix", "you", "greedy", seed=2)
    token = table["seats"][0]["token"]
    with server.page(token) as page:
        page.my_turn()
        seen = page.view["version"]
    with server.page(token, seen) as page:
        assert page.receive("current") == {"type": "current", "version": seen}
    with server.page(token) as page:
        page.my_turn()
        page.move()
    with server.page(token, seen) as page:
        page.my_turn()
        assert page.view["log"]["first"] == 0 and len(page.view["log"]["entries"]) == page.view["log"]["count"]
        count = page.view["log"]["count"]
        page.move()
        assert page.view["log"]["first"] == count  # only what is new
        page.my_turn()
        page.send("log")
        assert len(page.receive("log")["entries"]) == page.view["log"]["count"]


def test_the_lobby_says_where_tables_stand(server: Server) -> None:
    def statuses() -> list[str]:
        return [table["status"] for table in server.client.get("/api/tables", headers=server.headers).json()]

    server.set_up("resistor", "greedy", "random", seed=2)
    table = server.set_up("resistor", "you", "person", seed=2)
    own, other = (seat["token"] for seat in table["seats"])
    assert statuses() == ["blue (person) is to move.", "blue (random) is to move."]
    with server.page(other) as page:
        while page.my_turn():
            page.move()
            if not page.view["may"]["move"]:
                break
    assert statuses()[0] == "Your move: flip, draw or switch."
    with server.page(own) as page:
        page.receive("view")
        page.send("resign")
        page.receive("view")
    assert statuses()[0] == "red has resigned: blue wins."
    server.client.post("/api/tables/forget", json={"id": table["id"]}, headers=server.headers)
    assert len(statuses()) == 1
