"""Smaller games, set in a deck file: sizes, turns of few actions, a row that is not drawn."""

from __future__ import annotations

import json
from typing import Any

import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import DataError
from polytrix.core.simulator import Simulator
from polytrix.core.state import Record
from polytrix.games.resistor import GAME
from polytrix.games.resistor.deck import MICRO_FILE, settings_of
from polytrix.games.resistor.state import Phase, deck_size
from polytrix.testing import check_no_leak, check_random_play
from tests.games import small_games
from tests.games.small_games import names, play

CONTENT = json.loads(MICRO_FILE.read_text(encoding="utf-8"))


def micro(**scales: int) -> dict[str, Any]:
    """The tiny deck with other settings."""
    return CONTENT | {"game": CONTENT["game"] | scales}


def begun(content: dict[str, Any], seed: int = 0, **options: int) -> Simulator:
    return small_games.begun(GAME, seed, deck=content, **options)


def undealt(content: dict[str, Any]) -> Record:
    """A game with a deck before anything is drawn."""
    game, settings = GAME.configured({"deck": content})
    s: Record = game.opening(settings)[0]
    return s


@pytest.mark.clause("RS-66")
def test_cards_row_hands_and_level() -> None:
    s = begun(micro()).states[0]
    assert deck_size(s) == 1
    assert (s.card >= 0).tolist() == [True] * 2 + [False] * 5 + [True, False] * 2 + [False]
    assert s.defcon.tolist() == [3, 3]


@pytest.mark.clause("RS-66")
def test_a_hand_of_one_card_is_slot_1() -> None:
    sim = begun(micro())
    switches = [f"S{position}{hand}1{sign}" for position in "12" for hand in "oe" for sign in "+-"]
    assert names(sim) == ["F1", "F2", "D", *switches]
    play(sim, "D")
    assert names(sim) == ["To1", "Te1", "T-"]


@pytest.mark.clause("RS-66")
def test_a_tie_replaces_the_middle_card_of_a_row_of_any_length() -> None:
    content = CONTENT | {"cards": [["red", "blue"]] * 10, "game": {"row": 2, "hand": 1}}
    tied = None
    for seed in range(200):
        s = begun(content, seed).states[0]
        if s.pile_size:
            tied = s
    assert tied is not None
    assert (tied.card[:2] >= 0).all()


@pytest.mark.clause("RS-67")
def test_one_action_ends_a_turn() -> None:
    sim = begun(micro())
    assert sim.mover[0] == 0
    play(sim, "F1")
    assert sim.mover[0] == 1
    play(sim, "D")
    assert sim.mover[0] == 1  # a draw is one action, and has its second half
    play(sim, "T-")
    assert sim.over[0]  # the deck is empty


@pytest.mark.clause("RS-67")
def test_two_actions_end_a_turn() -> None:
    sim = begun(micro(actions=2))
    play(sim, "F1")
    assert sim.mover[0] == 0
    assert "F1" not in names(sim)
    play(sim, "S1o1+")
    assert sim.mover[0] == 1


@pytest.mark.clause("RS-67")
def test_without_a_draw_the_limit_ends_the_game() -> None:
    sim = begun(CONTENT, max_decisions=3)
    for _ in range(3):
        assert not sim.over[0]
        play(sim, "F1")
    assert sim.truncated[0]


@pytest.mark.clause("RS-68")
def test_a_stacked_row_is_open_to_both() -> None:
    s = undealt(micro())
    assert s.phase == Phase.DEAL
    assert s.card[:2].tolist() == [0, 1]
    assert s.side[:2].tolist() == s.turned[:2].tolist() == [0, 0]
    assert s.known[:2].tolist() == [3, 3]
    assert undealt(micro(stacked=0)).phase == Phase.LAY


@pytest.mark.clause("RS-68")
def test_red_begins_a_tied_stacked_row() -> None:
    assert {int(begun(micro(), seed).mover[0]) for seed in range(20)} == {0}


def test_the_printed_game_is_what_holds_without_scales() -> None:
    shipped = json.loads(GAME.data[0].source.read_text(encoding="utf-8"))
    assert settings_of(shipped) == [7, 2, 1, 4, 0, 50]
    full = shipped | {"game": {"row": 7, "hand": 2, "level": 1, "actions": 4, "stacked": 0}}
    assert settings_of(full) == settings_of(shipped)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (CONTENT | {"game": []}, '"game" is .*; expected an object with some of row, hand'),
        (micro(rows=3), '"game" is .*; expected an object with some of row, hand'),
        (micro(row=1), "'row' is 1; allowed: a whole number from 2 to 7"),
        (micro(hand=3), "'hand' is 3; allowed"),
        (micro(level=True), "'level' is True; allowed"),
        (micro(row=3), '"cards" holds 5; row, hands and a deck need at least 6'),
        (CONTENT | {"faces": CONTENT["faces"] | {"red": ["*"]}}, "the row is stacked, and a card of it has"),
    ],
)
def test_bad_scales_are_refused(content: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        GAME.with_data(deck=content)


def test_random_play_keeps_the_invariants_and_leaks_nothing() -> None:
    game, options = GAME.configured(GAME.variants["micro"])
    check_random_play(game, options, decisions=100, mode=Mode.PLAIN)
    check_no_leak(game, options, games=4, mode=Mode.PLAIN)
    resistors = json.loads(GAME.data[0].source.read_text(encoding="utf-8"))
    short, options = GAME.configured({"deck": resistors | {"game": {"row": 3, "hand": 1}}, "lock_down": True})
    check_random_play(short, options, decisions=60, mode=Mode.PLAIN)
