"""How seats play Estimatrix Spectrum: figures are those that a log tells."""

from __future__ import annotations

import re
from typing import Any

import pytest

from polytrix.core.transcript import Transcript
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.state import LETTERS

from ..behaviour import Figures, SlowCount, counted, games, steps


def count_slowly(transcript: Transcript) -> Figures:
    """From the lines of a log alone, but for the roles in the first turn."""
    played = list(steps(GAME, transcript))
    first = played[0].before
    found = SlowCount(GAME, int(first.num_players))
    kvanter, negater, waits, words = int(first.kvanter), int(first.negater), 0, set[str]()
    for step in played:
        for line in step.lines:
            if hint := re.match(r"hints ([\w-]+)", line):
                found.note("repeats", kvanter, hint[1] in words)
                words.add(hint[1])
            elif line.startswith("lets all others"):
                waits = 1
            elif line.startswith("the dice: "):
                colours = [each.split()[1] for each in line.removeprefix("the dice: ").split(", ")]
                found.note("waits", kvanter, waits)
                waits = 0
                for seat, colour in enumerate(colours):
                    if seat != kvanter:
                        names = ("leak", "negates") if seat == negater else ("reach", "estimates")
                        found.note(names[0], kvanter, colour == colours[kvanter])
                        found.note(names[1], seat, colour == colours[kvanter])
            elif roles := re.match(r"now (\w) is the Kvanter, (\w) the Negater", line):
                kvanter, negater = LETTERS.index(roles[1]), LETTERS.index(roles[2])
    return found.figures


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 3, "hints": "symbols", "max_decisions": 61},
        {"players": 6, "ban": "rolled", "hints": "none"},
    ],
    ids=["four", "three, cut off in a turn", "six without hints"],
)
def test_the_figures_are_those_of_the_log(options: dict[str, Any]) -> None:
    for transcript in games(GAME, range(4), **options):
        assert counted(transcript) == count_slowly(transcript)
