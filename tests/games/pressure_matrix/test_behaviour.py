"""How seats play Pressure Matrix: figures are those that a log and the places of runners tell."""

from __future__ import annotations

import re
from typing import Any

import pytest

from polytrix.core.state import OVER
from polytrix.core.transcript import Transcript
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.state import SEAT_NAMES

from ..behaviour import Figures, SlowCount, counted, games, steps
from .play import SIDES


def full_squares(s: Any) -> set[int]:
    """Squares whose four nodes are blacked out."""
    nodes = [int(s.black[node // 52]) >> node % 52 & 1 for node in range(100)]
    return {square for square in range(25) if sum(nodes[4 * square : 4 * square + 4]) == 4}


def trapped(s: Any) -> set[int]:
    """Seats whose runner has neighbours, but none is open."""
    n, side = int(s.num_players), SIDES[int(s.num_players)]
    taken = full_squares(s) | {int(here) for here in s.runner[:n]}
    found = set()
    for seat in range(n):
        row, column = divmod(int(s.runner[seat]), 5)
        around = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        inside = {5 * r + c for r, c in around if 0 <= r < side and 0 <= c < side}
        if s.runner[seat] >= 0 and inside <= taken:
            found.add(seat)
    return found


def count_slowly(transcript: Transcript) -> Figures:
    played = list(steps(GAME, transcript))
    n = int(played[0].before.num_players)
    found, credits, hand, fills, traps = SlowCount(GAME, n), [10] * n, [5] * n, [0] * n, [0] * n
    for step in played:
        seat = int(step.before.mover)
        for line in step.lines:
            if bid := re.fullmatch(r"bids (\d)", line):
                found.note("bid", seat, int(bid[1]))
            elif line.startswith("the bids: "):
                bids = [int(each) for each in re.findall(r"\d", line)]
                for each in range(n):
                    rest = max(bids[:each] + bids[each + 1 :])
                    if bids[each] >= rest:
                        found.note("overbid", each, bids[each] - rest)
            elif line.startswith("Credits: "):
                for name, amount in re.findall(r"(\w+) (\d+) \(", line):
                    credits[SEAT_NAMES.index(name)] = int(amount)
            elif held := re.fullmatch(r"(\w+) has (\d) markers? in hand now", line):
                hand[SEAT_NAMES.index(held[1])] = int(held[2])
        fills[seat] += len(full_squares(step.after) - full_squares(step.before))
        traps[seat] += len(trapped(step.after) - trapped(step.before) - {seat})
        if step.after.mover == OVER:
            for name, numbers in (("fills", fills), ("traps", traps), ("credits", credits), ("markers", hand)):
                for each in range(n):
                    found.note(name, each, numbers[each])
    return found.figures


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_figures_are_those_of_the_log(players: int) -> None:
    for transcript in games(GAME, range(3), players=players):
        assert counted(transcript) == count_slowly(transcript)
