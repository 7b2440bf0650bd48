"""Public fields are in the observation, see `check_public`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polytrix.core.game import Game
from polytrix.core.state import Field, Seen
from polytrix.games import pixel_tactics, quatrix, resistor
from polytrix.games.pixel_tactics.observation import Most
from polytrix.testing import check_public
from tests.every_game import every_game

CHECKS: dict[str, list[dict[str, Any]]] = {
    "estimatrix": [{"games": 12}, {"options": {"max_decisions": 11}, "games": 40, "decisions": 12}],
    "pixel_tactics": [
        {"options": {"best_of": 5, "max_rounds": 3}, "seed": 1000, "games": 16, "decisions": 120}
    ],
    "pressure_matrix": [{"options": {"players": 3}, "games": 16}],
    "quatrix": [{}],
    "resistor": [{"options": {"lock_down": True, "comeback_circuits": True}, "games": 12, "decisions": 80}],
}
"""In Estimatrix `waited` changes alone only in a game that is cut off before the first die."""

BOUND = {
    "estimatrix": {
        "mover": "follows from roles and dice",
        "num_players": "it is an option",
        "phase": "ban, hint and dice say it too",
        "kvanter": "he is asked, or the first or last to set his die",
        "pair": "it is there twice",
    },
    "pixel_tactics": {
        "num_players": "there are always two",
        "phase": "the question tells it, and the result at the end",
        "chance_kind": "nobody observes while chance is pending",
        "chance_seat": "nobody observes while chance is pending",
        "match": "one more than the cards that are out",
        "result": "follows from the board",
        "out": "each card is in one place",
        "hand": "each card is in one place",
        "deck": "each card is in one place",
        "discard": "each card is in one place",
        "in_play": "each card is in one place",
        "aside": "each card is in one place",
        "fixed": "as many as there are top cards",
        "revealed": "follows from the phase",
        "card": "each card is in one place",
        "heroes": "a card lies there, and is no corpse",
        "corpses": "a card lies there, and is no hero",
        "captives": "a captive is a card of the other seat",
    },
    "pressure_matrix": {
        "num_players": "it is an option",
        "up": "faces that are not on the table are in `unseen`",
        "reverse": "the same",
        "runner": "the same squares are in `occupied`",
        "hand": "five markers in all",
        "discarded": "five markers in all",
        "victim": "not met by random changes, as somebody must be asked for a SHIELD",
        "stake": "the same",
    },
    "quatrix": {
        "mover": "is the seat on turn",
        "num_players": "there are always two",
        "ring": "each is in both seats' view, and there are seven",
        "disc": "each is in both seats' view, and there are seven",
        "enemy_ring": "each is in both seats' view, and there are seven",
        "enemy_disc": "each is in both seats' view, and there are seven",
        "phase": "a ring is missing in PLACE, and seven pips are home once somebody has won",
        "winner": "has seven pips home",
    },
    "resistor": {
        "mover": "follows from the phase and whose turn it is",
        "num_players": "there are always two",
        "length": "it is the number of cards in the row",
        "pile_size": "it is the number of cards in the pile",
    },
}
"""Public fields that cannot change alone, and why."""

SHOWN_UP_TO = {
    "actions": next(block.high for block in pixel_tactics.GAME.observations if block.name == "actions"),
    "lose_next": Most.LOST,
    "lose_now": Most.LOST,
    "played": Most.LOST,
    "level": Most.LEVEL,
    "damage": Most.DAMAGE,
    "boost": Most.BOOST,
}
"""Public fields of Pixel Tactics that observations cap."""


def capped(field: Any) -> Any:
    """The field with its cap as its bound."""
    if not isinstance(field, Field) or field.name not in SHOWN_UP_TO:
        return field
    high = np.minimum(field.bounds[1], SHOWN_UP_TO[field.name])
    return replace(field, high=high.tolist(), seen=Seen.PUBLIC)


@every_game
def test_everything_public_that_can_change_alone_is_seen(game: Game) -> None:
    """Numbers as far as they are shown."""
    if game is pixel_tactics.GAME:
        game = replace(game, fields=[capped(field) for field in game.fields])
    runs = [check_public(game, **settings) for settings in CHECKS[game.name]]
    assert {name for name in runs[0] if not any(changed[name] for changed in runs)} == {*BOUND[game.name]}


@pytest.mark.parametrize(
    ("game", "options", "decisions", "alone", "bound"),
    [
        (quatrix.GAME, {}, 80, "dice used first_kind first_to first_direction", "turn_seat"),
        (resistor.GAME, {"lock_down": True}, 30, "left", "phase turn"),
    ],
)
def test_what_is_decided_is_seen_while_the_game_goes_on(
    game: Game, options: dict[str, Any], decisions: int, alone: str, bound: str
) -> None:
    """Once it is over nothing is, so these fields are not declared public; none of these games ends.

    `first_from` of Quatrix follows from the other end, the direction and the die.
    """
    shown = {*alone.split(), *bound.split()}
    fields = [replace(field, seen=Seen.PUBLIC) if field.name in shown else field for field in game.fields]
    changed = check_public(replace(game, fields=fields), options, games=12, decisions=decisions)
    assert {name for name in shown if not changed[name]} == {*bound.split()}
