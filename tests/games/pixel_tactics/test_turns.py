"""What a turn offers equals a slow, obvious model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.flow.powers import is_usable
from polytrix.games.pixel_tactics.state import Decision

from .obvious import SLOTS, turn_actions
from .play import positions
from .positions import Table, mirrored
from .random_positions import random_position

TURNS = [
    "R1 V orders_in_ceasefire=0 / 0: L=Knight hand=Witch / 1: L=Healer",
    "R1 F / 0: L=Knight Fa=Gunner hand=Witch / 1: L=Healer Va=Oracle",
    "R2 V orders_in_ceasefire=0 / 0: L=Knight hand=Witch / 1: L=Healer",
    "R2 V / 0: L=Knight deck=- hand=Witch / 1: L=Healer",
    "R2 V / 0: L=Knight hand=- Va=x.Witch / 1: L=Healer",
    "R2 V / 0: L=Knight hand=Oracle Va=x.Witch / 1: L=DragonMage",
    "R2 V / 0: L=Knight Va=Fighter Vb=x.Oracle Vc=Witch Ra=Mystic hand=Gunner / 1: L=Healer",
    "R2 V actions=0 / 0: L=Mystic Va=x.Witch hand=Oracle / 1: L=Healer",
    "R2 V actions=0 / 0: L=Summoner Va=x.Witch hand=Oracle / 1: L=Healer",
    "R2 V actions=0 / 0: L=Paladin Va=x.Witch Fa=Fighter!m Ra=Gunner hand=Oracle / 1: L=Healer",
    "R2 F / 0: L=Gunner Fa=Fighter!a Fc=Mystic!f Vc=Witch!m / 1: L=Healer Va=Oracle",
    "R2 F / 0: L=Witch Va=Gunner Fa=x.Fighter Fc=x.Mystic!a / 1: L=Healer Va=Oracle",
    "R2 R / 0: L=Planestalker Ra=Trapper Rb=Scientist Rc=Summoner / 1: L=Healer Va=Oracle hand=Knight",
]
"""Everything that a turn offers, and things that it does not."""


def offered(s: Any) -> set[str]:
    """The legal actions in notation."""
    return {GAME.format_action(s, action) for action in GAME.legal_ids(s)}


def wanted(s: Any) -> set[str]:
    """The same by the model, and of its powers those that can begin."""
    u = int(s.active)
    return {
        action
        for action in turn_actions(s)
        if not action.startswith("power ")
        or is_usable(s, u, (slot := SLOTS.index(action[6:])), int(s.card[u, slot]), slot // 3)
    }


@pytest.mark.clause("PT-27", "PT-30", "PT-31", "PT-34", "PT-35", "PT-36", "PT-37", "PT-38", "PT-39", "PT-40")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("text", TURNS)
def test_of_either_seat(text: str, seat: int) -> None:
    s = Table(mirrored(text) if seat else text).s
    assert s.decision == Decision.TURN and s.mover == seat
    assert offered(s) == wanted(s)


def test_from_random_positions() -> None:
    rng = np.random.default_rng(6)
    turns = 0
    for _ in range(200):
        s = Table(random_position(rng)).s
        if s.decision == Decision.TURN:
            assert offered(s) == wanted(s)
            turns += 1
    assert turns > 100


@pytest.mark.parametrize("options", [{}, {"orders_in_ceasefire": False, "best_of": 3}], ids=str)
def test_in_play(options: dict[str, Any]) -> None:
    turns = 0
    for s in positions(400, seed=8, **options):
        if s.mover >= 0 and s.decision == Decision.TURN:
            assert offered(s) == wanted(s)
            turns += 1
    assert turns > 100
