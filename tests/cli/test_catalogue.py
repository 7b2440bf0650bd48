"""`polytrix list` and `polytrix describe`."""

from __future__ import annotations

import pytest

import polytrix
from polytrix.cli import screen
from polytrix.core.pages import page_of
from tests.cli.running import refused, run


@pytest.mark.usefixtures("known_toys")
def test_list_shows_every_game_in_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen.out, "_width", 60)
    shown = run("list").stdout
    rows = [line.split() for line in shown.splitlines()]
    assert ["id", "players", "actions", "observation"] in rows and "doubling" in shown
    for game in polytrix.all_games():
        sizes = [str(game.actions.size), str(game.observations.size)]
        assert any(row[:1] == [game.id] and row[-2:] == sizes for row in rows)
        assert f"{game.title} ({game.name}): options: " in shown


def test_describe_shows_blocks_options_and_payoffs() -> None:
    game = polytrix.find("quatrix")
    shown = run("describe", "quatrix").stdout
    for layout in (game.actions, game.observations):
        for offset, name, *_ in layout.table():
            assert any({name, str(offset)} <= set(line.split()) for line in shown.splitlines()), name
    assert all(option.name in shown for option in game.options)
    assert "## Payoffs" in shown
    assert "## Observation" not in shown
    assert f"page: {page_of(game)}" in shown


def test_describe_prints_the_page() -> None:
    page = page_of(polytrix.find("quatrix"))
    assert page is not None
    assert page.read_text(encoding="utf-8").strip() in run("describe", "quatrix", "--page").stdout


@pytest.mark.usefixtures("known_toys")
def test_a_game_without_a_page() -> None:
    assert "page:" not in run("describe", "secret").stdout
    assert refused("describe", "secret", "--page").startswith("error: polytrix/secret-v0 has no page")


def test_an_unknown_game() -> None:
    assert refused("describe", "quatris") == (
        f"error: unknown game 'quatris'. Games: {', '.join(g.id for g in polytrix.all_games())}. "
        "Did you mean 'quatrix'?"
    )


def test_describe_shows_a_position_in_words() -> None:
    game = polytrix.find("quatrix")
    shown = run("describe", "quatrix", "--text", "--seed", 3, "--decisions", 4, "-o", "finish_depth=3").stdout
    assert "Decisions made in this game, by all: 4." in shown and "finish_depth=3" in shown
    moves = shown.split("Legal actions: id, notation, meaning\n")[1].splitlines()
    assert moves and all(" move the " in move for move in moves)
    mover = 0 if "You are red" in shown else 1
    other = run("describe", "quatrix", "--text", "--seed", 3, "--decisions", 4, "--seat", 1 - mover).stdout
    assert "Legal moves" not in other and f"You are {game.seats[1 - mover]}" in other
