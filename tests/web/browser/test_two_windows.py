"""Two people with hidden cards, and a spectator: what each window was sent."""

from __future__ import annotations

import json
import random
from pathlib import Path

import polytrix
from polytrix.core.viewers import SPECTATOR
from polytrix.web import views
from polytrix.web.settings import PERSON, YOU, Chair, Settings
from polytrix.web.store import Store
from polytrix.web.table import Table

from .conftest import Open
from .windows import Window

GAME, SEED, MOVES = "resistor", 5, 10


def same_table(links: list[str], store: Store) -> Table:
    """The table of these links before the first move, built here."""
    game = polytrix.find(GAME)
    red, blue, watch = (link.partition("#")[2] for link in links)
    chairs = Chair(YOU, token=red), Chair(PERSON, token=blue)
    return Table.new(Settings(game.id, game.options.defaults, chairs, watch), SEED, store)


def check_frames(window: Window, seat: int, table: Table, moves: list[int]) -> None:
    """Each position that the window was sent is the view of its seat, which `shared/test_outlets.py` tries."""
    last = {view["log"]["count"]: view for view in window.views}
    for number in range(len(moves) + 1):
        made = json.loads(json.dumps(views.view(table, seat)))
        told = made.pop("log")
        if number in last:
            assert {name: shown for name, shown in last[number].items() if name != "log"} == made, number
        for log in (view["log"] for view in window.views):
            if log["count"] == number:
                assert log["entries"] == told["entries"][number - len(log["entries"]) :]
                assert log["since"] == told["since"]
        if number < len(moves):
            table.move(table.mover, moves[number])
    assert len({*last} & {*range(len(moves) + 1)}) > MOVES / 2


def test_each_window_is_sent_what_its_seat_may_know(address: str, window: Open, tmp_path: Path) -> None:
    host = window()
    host.choose(address, GAME)
    host.page.select_option("#seat-1", "person")
    host.start(SEED)
    links = host.links()
    red, blue, _ = people = [window() for _ in links]
    for each, link in zip(people, links, strict=True):
        each.page.goto(link)
        each.page.wait_for_selector("#board svg")
    rng, moves = random.Random(2), []
    for _ in range(MOVES):
        mover = red if red.page.is_visible("#status.mine") else blue
        boards = [each.drawing() for each in people]
        mover.move(rng)
        moves.append(mover.sent[-1]["action"])
        for each, board in zip(people, boards, strict=True):
            each.next_position(board)
    secrets = {link.partition("#")[2] for link in links}
    for seat, each in zip((0, 1, SPECTATOR), people, strict=True):
        assert not any(secret in json.dumps(each.frames) for secret in secrets)
        store = Store(tmp_path / f"{seat}.sqlite")
        check_frames(each, seat, same_table(links, store), moves)
        store.close()
