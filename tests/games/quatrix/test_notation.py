"""Actions as text and back, and the record of a game."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.errors import NotationError
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.notation import legal_ids

from .play import Position
from .random_positions import decisions

LAST_MOVE = """
    10 p p p p p p r
    5 . . . . . . d"""


def test_round_trip_in_random_positions() -> None:
    simulator = decisions(np.random.default_rng(15), 50)
    for b, s in enumerate(simulator.states):
        ids = np.flatnonzero(simulator.mask[b])
        texts = [GAME.format_action(s, int(action)) for action in ids]
        assert len(set(texts)) == len(texts)
        assert [GAME.parse_action(s, text) for text in texts] == list(ids)
        assert [GAME.parse_action(s, text.removesuffix("#")) for text in texts] == list(ids)


@pytest.mark.parametrize(
    ("colour", "picture", "dice", "text"),
    [
        ("red", "1 . . . r . . .", "3-1", "Rd1-d4"),
        ("blue", "11 . . . R . . .", "3-1", "Rd11-d8"),
        ("blue", "11 . . . P . . .", "3-3", "Pd11-a11"),
        ("red", "8 . . . . r . .\n 5 . . . . d . .", "3-1", "De5+e8"),
        ("red", "7 . . R . . . .\n 3 . . d . . . .", "4-1", "Dc3xc7"),
        ("red", LAST_MOVE, "5-1", "Dg5+g10#"),
    ],
)
def test_what_actions_are_called(colour: str, picture: str, dice: str, text: str) -> None:
    table = Position(picture).roll(f"{colour} {dice}")
    assert GAME.format_action(table.state, GAME.parse_action(table.state, text)) == text


def test_actions_by_number() -> None:
    s = Position().roll("red 3-2").state
    assert GAME.format_action(s, 311) == "!311"
    assert GAME.parse_action(s, "!311") == 311
    assert GAME.parse_action(s, "!12") == 12  # legal ones too
    with pytest.raises(NotationError, match="!0 to !847"):
        GAME.parse_action(s, "!848")
    with pytest.raises(IndexError):
        GAME.format_action(s, 848)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no action"),
        ("Kd1-d4", "is no action"),
        ("Rd1-d12", "is no action"),
        ("Rd0-d3", "is no action"),
        ("Rd01-d04", "is no action"),
        ("Rh1-h4", "is no action"),
        ("rd1-d4", "is no action"),
        ("Rd1-d4##", "is no action"),
        ("!-1", "is no action"),
        ("Rd1+d4", "did you mean 'Rd1-d4'"),
        ("Rd1-d4#", "does not win"),
        ("Rd1-d7", "legal are Ra1-a3, Ra1-a4, .*\\(14 in all\\)"),
        ("Pd1-d4", "is illegal here"),
        ("pass", "is illegal here"),
        ("@c11", "is illegal here"),
    ],
)
def test_errors_say_what_is_wrong(text: str, message: str) -> None:
    s = Position().roll("red 3-2").state
    with pytest.raises(NotationError, match=message):
        GAME.parse_action(s, text)


def test_nothing_is_legal_while_dice_roll_or_after_the_end() -> None:
    rolling = Position()
    over = Position(LAST_MOVE).roll("red 5-1").play("Dg5+g10#")
    for table in (rolling, over):
        assert legal_ids(table.state) == []
        assert GAME.format_action(table.state, 12) == "!12"
        with pytest.raises(NotationError, match="no seat is to move"):
            GAME.parse_action(table.state, "Rd1-d4")


def test_dice() -> None:
    assert [GAME.format_chance(Position().state, outcome) for outcome in (0, 5)] == ["=1", "=6"]
