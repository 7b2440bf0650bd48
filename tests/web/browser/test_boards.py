"""Boards can be read: the size and contrast of each text on them, and what a finger meets."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import pytest

import polytrix
from polytrix.core.game import Game

from .conftest import Open
from .test_looks import PROBE, READABLE
from .windows import Window

WIDE = {"viewport": {"width": 1280, "height": 800}}
NARROW = {"viewport": {"width": 400, "height": 800}, "has_touch": True, "is_mobile": True}
LEAST_TEXT = 11.0
"""Pixels."""
FINGER = 40
"""A target that a finger meets without looking, in pixels."""
MOVES = 8
"""So many of ours are made before we look: the boards have something on them."""


class Sample(NamedTuple):
    """A game with a number of players."""

    game: Game
    players: int

    def __str__(self) -> str:
        return f"{self.game.name}-{self.players}"


def samples() -> Iterator[Any]:
    """The tables of all games; those with fewer than the most players, and so the smallest texts, are slow."""
    for game in polytrix.all_games():
        for players in game.player_counts:
            is_smaller = players < max(game.player_counts)
            yield pytest.param(Sample(game, players), marks=[pytest.mark.slow] * is_smaller)


def table(sample: Sample, address: str) -> str:
    """The address of a new table, where all others play at random."""
    home, _, key = address.partition("/#key=")
    agents = [{"kind": "agent", "agent": "random"}] * (sample.players - 1)
    several = sample.game.num_players(sample.game.options.defaults) != sample.players
    form = {
        "game": sample.game.name,
        "seats": [{"kind": "you"}, *agents],
        "options": {"players": sample.players} if several else {},
        "seed": 5,
    }
    headers = {"Authorization": f"Bearer {key}", "Origin": home, "Content-Type": "application/json"}
    with urlopen(Request(f"{home}/api/tables", json.dumps(form).encode(), headers)) as answer:
        return f"{home}/table#{json.load(answer)['seats'][0]['token']}"


def play(window: Window, moves: int) -> None:
    """Make random moves."""
    rng = random.Random(1)
    for _ in range(moves):
        if not window.my_turn():
            break
        before = window.drawing()
        listed = window.page.locator("#list .move")
        window.play_listed(listed.nth(rng.randrange(listed.count())))
        window.next_position(before)
    window.my_turn()


def show_in(colours: str, window: Window) -> None:
    """Switch to light or dark, and wait until that is painted."""
    window.page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
    window.page.wait_for_function(
        "colours => matchMedia(`(prefers-color-scheme: ${colours})`).matches", arg=colours
    )
    window.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def measured(window: Window) -> list[dict[str, Any]]:
    """The texts of the board, see `boardTexts` of probe.js."""
    window.page.evaluate("document.fonts.ready")
    return list(window.page.evaluate(f"{PROBE}; boardTexts()"))


@pytest.mark.parametrize("sample", [*samples()], ids=str)
def test_every_text_of_a_board_can_be_read(sample: Sample, address: str, window: Open) -> None:
    where = table(sample, address)
    for settings in (WIDE, NARROW):
        player = window(**settings)
        player.page.goto(where)
        play(player, MOVES if settings is WIDE else 0)
        for colours in ("light", "dark"):
            show_in(colours, player)
            texts = measured(player)
            assert texts
            small = [text for text in texts if text["size"] < LEAST_TEXT - 0.05]
            assert small == [], f"{colours}, {settings}"
            assert [text for text in texts if text["contrast"] < READABLE] == [], f"{colours}, {settings}"


@pytest.mark.parametrize(
    "sample", [Sample(game, game.player_counts[0]) for game in polytrix.all_games() if game.hides], ids=str
)
def test_a_touched_place_is_shown_large_with_its_words(sample: Sample, address: str, window: Open) -> None:
    player = window(**NARROW)
    player.page.goto(table(sample, address))
    assert player.my_turn()
    place = player.page.locator("#board [data-says]").last
    box = place.bounding_box()
    assert box is not None and player.page.locator("#look").is_hidden()
    place.scroll_into_view_if_needed()
    place.focus()
    player.page.keyboard.press("Enter")
    large = player.page.locator("#look svg").bounding_box()
    assert large is not None and large["width"] > min(FINGER, box["width"])
    said = place.get_attribute("data-says")
    assert said is not None and player.page.locator("#look p").all_inner_texts() == said.split("\n")
    player.page.keyboard.press("Escape")
    assert player.page.locator("#look").is_hidden()


@pytest.mark.parametrize("name", ["quatrix", "estimatrix"])
def test_on_a_phone_a_finger_meets_each_outlined_place(name: str, address: str, window: Open) -> None:
    player, game = window(**NARROW), polytrix.find(name)
    player.page.goto(table(Sample(game, game.player_counts[0]), address))
    assert player.my_turn()
    assert player.page.evaluate(f"{PROBE}; leastTarget()") >= FINGER


def test_a_glow_of_what_is_new_does_not_stay_beside_what_can_be_touched(address: str, window: Open) -> None:
    player = window(**WIDE)
    player.page.goto(table(Sample(polytrix.find("quatrix"), 2), address))
    play(player, 2)
    filters = "[...document.querySelectorAll('#board .changed')].map((shape) => getComputedStyle(shape).filter)"
    player.page.evaluate("document.getAnimations().forEach((animation) => animation.finish())")
    assert set(player.page.evaluate(filters)) == {"none"}


@pytest.mark.parametrize(
    ("name", "place", "spoken", "more"),
    [
        ("quatrix", "a1", "a1, red pip", None),
        ("pressure_matrix", "b1.nw", "b1.nw: Give 1: give 1 to another runner.", "It happens at once"),
        ("resistor", "row-4", "row 4: This side: ", "Other side: "),
    ],
)
def test_a_place_is_spoken_of_by_what_is_there(
    name: str, place: str, spoken: str, more: str | None, address: str, window: Open
) -> None:
    player, game = window(), polytrix.find(name)
    player.page.goto(table(Sample(game, 2), address))
    assert player.my_turn()
    shape = player.page.locator(f"[data-place='{place}']")
    label, description = shape.get_attribute("aria-label"), shape.get_attribute("aria-description")
    assert label is not None and label.startswith(spoken)
    assert (description is None) == (more is None) and (description or "").startswith(more or "")
