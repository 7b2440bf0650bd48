"""How seats play RESISTOR_: figures are those that a log and the texts of positions tell."""

from __future__ import annotations

import re
from typing import Any

import pytest

from polytrix.core.state import OVER
from polytrix.core.transcript import Transcript
from polytrix.games.resistor import GAME

from ..behaviour import Figures, SlowCount, counted, games, steps

SEATS = ("red", "blue")


def count_slowly(transcript: Transcript) -> Figures:
    """With the default options, in which nothing locks cards."""
    found, gone, levels, cards = SlowCount(GAME, 2), [0, 0], [1, 1], 7
    for step in steps(GAME, transcript):
        seat, forces = int(step.before.mover), any(line.startswith("it was a Resistor") for line in step.lines)
        for line in step.lines:
            if row := re.search(r"leaves? the row, which has (\d)", line):
                gone[seat] += cards - int(row[1])
                cards = int(row[1])
            elif level := re.search(r"(red|blue)'s DEFCON \w+ from \d to (\d)", line):
                levels[SEATS.index(level[1])] = int(level[2])
            elif flipped := re.search(r"flips the card at red's position (\d)", line):
                i = int(flipped[1])
                number = i if seat == 0 else int(step.before.length) + 1 - i
                text = GAME.text(step.before, seat).splitlines()
                row_line = next(each for each in text if re.match(rf" *{number} ", each))
                found.note("blind", seat, "| ?" in row_line)
            elif re.match(r"discards (the drawn card|\w+'s hand card)", line):
                found.note("forces", seat, forces)
                if hand := re.match(r"discards (red|blue)'s hand card", line):
                    found.note("meddles", seat, hand[1] != SEATS[seat])
            elif hand := re.match(r"switches (red|blue)'s hand card", line):
                found.note("meddles", seat, hand[1] != SEATS[seat])
        if step.after.mover == OVER:
            for each in range(2):
                found.note("resistors", each, gone[each])
                found.note("damage", each, levels[1 - each])
    return found.figures


@pytest.mark.parametrize("options", [{}, {"comeback_circuits": True, "recycling_subsystems": True}], ids=str)
def test_the_figures_are_those_of_the_log(options: dict[str, Any]) -> None:
    for transcript in games(GAME, range(6), **options):
        assert counted(transcript) == count_slowly(transcript)
