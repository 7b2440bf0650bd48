"""How seats play Pixel Tactics: figures are those that a log tells."""

from __future__ import annotations

from typing import Any

import pytest

from polytrix.core.transcript import Transcript
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.reading import SEAT_NAMES
from polytrix.games.pixel_tactics.state import Decision

from ..behaviour import Figures, SlowCount, counted, games, steps

DOES = {
    "draws": ("draws a card",),
    "recruits": ("recruits ",),
    "attacks": ("strikes in melee", "shoots", "uses the power"),
    "orders": ("plays ",),
}


def count_slowly(transcript: Transcript) -> Figures:
    found = SlowCount(GAME, 2)
    for step in steps(GAME, transcript):
        s, seat, line = step.before, int(step.before.mover), step.lines[0]
        if s.decision == Decision.TURN:
            for name, beginnings in DOES.items():
                found.note(name, seat, line.startswith(beginnings))
            alive = [slot for slot in range(9) if s.card[seat, slot] >= 0 and not s.corpses[seat] >> slot & 1]
            found.note("heroes", seat, len(alive))
        elif line.startswith(f"attacks {SEAT_NAMES[1 - seat]}'s "):
            found.note("leader", seat, "leader" in line)
    return found.figures


@pytest.mark.parametrize("options", [{}, {"best_of": 3, "max_rounds": 4}], ids=str)
def test_the_figures_are_those_of_the_log(options: dict[str, Any]) -> None:
    for transcript in games(GAME, range(3), max_decisions=160, **options):
        assert counted(transcript) == count_slowly(transcript)
