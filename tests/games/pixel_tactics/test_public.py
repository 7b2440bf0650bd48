"""Public fields are in the observation, see `check_public`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polytrix.core.state import Field, Seen
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.observation import Most
from polytrix.testing import check_public

MOST_ACTIONS_SHOWN = next(block.high for block in GAME.observations if block.name == "actions")

BOUND = {
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
}
"""Public fields that cannot change alone, and the reason."""

SHOWN_UP_TO = {
    "actions": MOST_ACTIONS_SHOWN,
    "lose_next": Most.LOST,
    "lose_now": Most.LOST,
    "played": Most.LOST,
    "level": Most.LEVEL,
    "damage": Most.DAMAGE,
    "boost": Most.BOOST,
}
"""Public fields that observations cap."""


def up_to(field: Field, most: int) -> Field:
    """The field with its cap as its bound."""
    high = np.minimum(field.bounds[1], most)
    return replace(field, high=high.tolist(), seen=Seen.PUBLIC)


def test_everything_public_that_can_change_alone_is_seen() -> None:
    """Numbers as far as they are shown."""
    fields = [
        up_to(field, SHOWN_UP_TO[field.name])
        if isinstance(field, Field) and field.name in SHOWN_UP_TO
        else field
        for field in GAME.fields
    ]
    game = replace(GAME, fields=fields)
    changed = check_public(game, {"best_of": 5, "max_rounds": 3}, seed=1000, games=16, decisions=120)
    assert {name for name, count in changed.items() if count == 0} == set(BOUND)
