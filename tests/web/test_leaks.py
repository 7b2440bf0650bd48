"""What is dealt anew that a seat cannot know, and not one byte to it changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import polytrix
from polytrix.agents import RandomPolicy
from polytrix.core.game import Game
from polytrix.core.viewers import SPECTATOR
from polytrix.play.opponents import agent
from polytrix.web import views
from polytrix.web.settings import PERSON, Chair, Settings, new_token
from polytrix.web.store import Store
from polytrix.web.table import Table
from tests.every_game import every_game
from tests.toys import (
    SECRET,
    broken,
    leaking_explain,
    leaking_picture,
    leaking_tell,
    leaking_text,
    leaking_touch,
    text_leaking_to_spectators,
)
from tests.web.twins import twin_of

DECISIONS = 12
HIDING = [game for game in polytrix.all_games() if not game.perfect_information]
DEFECTS: dict[str, dict[str, Any]] = {
    "text": {"text": leaking_text},
    "draw": {"draw": leaking_picture},
    "explain": {"explain": leaking_explain},
    "touch": {"touch": leaking_touch},
    "spectators": {"text": text_leaking_to_spectators, "spectators": True},
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "tables.sqlite")


def people(game: Game, store: Store, seed: int) -> Table:
    """A table of people."""
    options = game.options.defaults
    chairs = tuple(Chair(PERSON, token=new_token()) for _ in range(game.num_players(options)))
    return Table.new(Settings(game.id, options, chairs, new_token()), seed, store)


def sent(table: Table, seat: int) -> bytes:
    """All that a viewer may be sent now."""
    decisions = len(table.session.actions)
    messages = [views.view(table, seat), views.view(table, seat, max(0, decisions - 3))]
    messages.append(views.whole_log(table, seat))
    if table.mover == seat:
        messages.append(views.hint(table.session.fork(), agent("greedy", table.session.game)))
    return json.dumps(messages).encode()


def differing(table: Table, policy: RandomPolicy) -> int:
    """Play some decisions; the number of twins that hide something else."""
    found = 0
    for number in range(DECISIONS):
        if table.over:
            break
        seats = range(len(table.settings.chairs))
        for seat in {number % len(seats), table.mover, SPECTATOR}:
            twin = twin_of(table, seat, 1000 * number + seat + 1)
            found += twin.session.state.tobytes() != table.session.state.tobytes()
            assert sent(twin, seat) == sent(table, seat), f"decision {number}, viewer {seat}"
        table.move(table.mover, table.session.choose(policy))
    return found


@every_game
def test_no_message_tells_a_seat_what_it_cannot_know(game: Game, store: Store) -> None:
    found = sum(differing(people(game, store, seed), RandomPolicy(game)) for seed in (1, 2))
    assert found > 0 or game.perfect_information or game.name == "pressure_matrix"
    store.close()


def compared_entries(game: Game, store: Store) -> int:
    """Twins go on with the same action, where that is legal; the number of those that lead to the same view."""
    compared = 0
    for seed in (1, 2):
        table = people(game, store, seed)
        policy = RandomPolicy(game)
        for number in range(DECISIONS):
            if table.over:
                break
            action, seat = table.session.choose(policy), (table.mover + 1) % len(table.settings.chairs)
            seat = SPECTATOR if number % 3 == 2 else seat
            twin = twin_of(table, seat, 77 + number)
            legal = action in twin.session.legal()
            table.move(table.mover, action)
            if not legal:
                continue
            twin.session.play(action)
            twin.version = table.version
            ours, theirs = views.view(table, seat, number), views.view(twin, seat, number)
            board = ("board", "text", "notes", "moves", "mover")
            if [ours[key] for key in board] == [theirs[key] for key in board]:
                compared += 1
                assert ours["log"] == theirs["log"]
    return compared


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_the_next_entry_of_the_log_is_the_same_for_worlds_that_look_the_same(game: Game, store: Store) -> None:
    assert compared_entries(game, store) > 0
    store.close()


def test_it_would_find_a_log_that_tells_too_much(store: Store, register: Callable[[Game], Game]) -> None:
    game = register(broken("at_a_table_tell", tell=leaking_tell))
    with pytest.raises(AssertionError):
        compared_entries(game, store)
    store.close()


@pytest.mark.parametrize("name", DEFECTS)
def test_it_would_find_a_leak(name: str, store: Store, register: Callable[[Game], Game]) -> None:
    game = register(broken(f"at_a_table_{name}", **DEFECTS[name]))
    with pytest.raises(AssertionError):
        differing(people(game, store, 1), RandomPolicy(game))
    store.close()


def test_the_seed_is_told_once_the_game_is_over(store: Store, register: Callable[[Game], Game]) -> None:
    table = people(register(SECRET), store, 987654321)
    for seat in (0, 1, SPECTATOR):
        assert "987654321" not in json.dumps(views.view(table, seat))
    table.resign(0)
    assert views.view(table, 1)["seed"] == "987654321"
    store.close()
