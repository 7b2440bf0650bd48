"""How seats play Quatrix: figures are those that the words for each action and the board tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.core.state import OVER
from polytrix.core.transcript import Transcript
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import board
from polytrix.games.quatrix.words import explain

from ..behaviour import Figures, SlowCount, counted, games, steps

PIP = {0: 3, 1: 6}  # by seat, in `board`


def count_slowly(transcript: Transcript, depth: int) -> Figures:
    found, turn, popped = SlowCount(GAME, 2), -1, [0, 0]
    for step in steps(GAME, transcript):
        seat, words = int(step.before.mover), explain(step.before, step.action)
        if int(step.before.turns) != turn:
            turn = int(step.before.turns)
            found.note("whole", seat, int((board(step.before) == PIP[seat]).sum()))
        if words.startswith("move the "):
            found.note("splits", seat, words.startswith("move the ring of the pip"))
            found.note("backward", seat, " backward from" in words)
            popped[seat] += "pops" in words
        if step.after.mover == OVER:
            rows = {0: slice(10 - depth, 10), 1: slice(1, 1 + depth)}
            for each in range(2):
                found.note("pops", each, popped[each])
                found.note("home", each, int(np.sum(board(step.after)[rows[each]] == PIP[each])))
    return found.figures


@pytest.mark.parametrize(
    "options", [{"max_decisions": 300}, {"finish_depth": 3, "max_decisions": 2000}], ids=str
)
def test_the_figures_are_those_of_the_words(options: dict[str, Any]) -> None:
    for transcript in games(GAME, range(3), **options):
        assert counted(transcript) == count_slowly(transcript, int(transcript.options["finish_depth"]))
