"""What the log says of moves and dice; turns in which nobody has a choice, too."""

from __future__ import annotations

import re

import pytest

from polytrix.core.viewers import SPECTATOR
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.matrix import square_name
from polytrix.games.pressure_matrix.notation import ACTION_NAMES
from polytrix.games.pressure_matrix.state import SEAT_NAMES
from polytrix.games.pressure_matrix.text import level_name
from tests.games.telling import random_log, told

from .positions import Table

POSITION = """
n=3 at=pressure active=1 credits=4,5,6 runners=a1,b2,c3
b2: STEAL 2 | MOVE -1 | LEVEL RED | WIN 3
"""


@pytest.mark.parametrize(
    ("move", "lines"),
    [
        ("node se", ["blacks out b2.se, WIN 3: gain 3", "Credits: orange 8 (+3)"]),
        ("node nw", ["blacks out b2.nw, STEAL 2: steal 2 from another runner"]),
        (
            "node ne",
            [
                "blacks out b2.ne, MOVE -1: for a marker there, add -1 to this turn's movement",
                "orange has 4 markers in hand now",
            ],
        ),
    ],
)
def test_a_node_and_what_it_brings(move: str, lines: list[str]) -> None:
    table = Table(POSITION)
    assert told(table.game, table.state, ACTION_NAMES.index(move), 0) == lines


@pytest.mark.clause("PM-48", "PM-89")
def test_a_tile_that_its_own_node_inverts() -> None:
    """One node was blacked out, not the three that are so now."""
    table = Table("n=2 runners=b1,c3 at=pressure\nb1: INVERT_THIS | PAY 2 | STEAL 1 | WIN 1")
    assert told(table.game, table.state, ACTION_NAMES.index("node nw"), 0) == [
        "blacks out b1.nw, INVERT_THIS: blackouts and free nodes of this tile change roles",
        "b1 has ne, sw and se blacked out now",
    ]


@pytest.mark.clause("PM-46", "PM-89")
def test_a_node_without_a_choice_is_told_before_the_flip_that_it_brings() -> None:
    table = Table(
        "n=2 runners=b1,c3\na1: *WIN 1 | *PAY 2 | *STEAL 1 | FLIP_THIS\na1/: PAY 1 | WIN 4 | GIVE 1 | WIN 2"
    )
    table.play("{1 1 1}")
    lines = told(table.game, table.state, ACTION_NAMES.index("move a1"), 0)
    assert lines[1:3] == [
        "without a choice, blue blacks out a1.se, FLIP_THIS: turn over this tile",
        "a1 is now PAY 1, WIN 4, GIVE 1, WIN 2: nothing blacked out",
    ]


def test_bids_are_told_once_all_are_made() -> None:
    (first, _), (last, s) = (step for step, _ in zip(random_log(GAME, 3, 1, 2), range(2), strict=False))
    assert first == ("bids in secret",)
    bids = ", ".join(f"{SEAT_NAMES[seat]} {int(s.bid[seat])}" for seat in range(2))
    assert f"the bids: {bids}" in last
    (seen, _), *_ = random_log(GAME, 3, 0, 1)
    assert seen == (f"bids {int(s.bid[0])}",)
    (hidden, _), *_ = random_log(GAME, 3, SPECTATOR, 1)
    assert hidden == ("bids in secret",)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_log_of_a_game_tells_runners_credits_markers_and_level(seed: int) -> None:
    """Whoever reads only the log knows them, however many turns pass without a decision."""
    credits, hand, out, runner, level = [10, 10], [5, 5], [0, 0], ["", ""], "green"
    without_decision = 0
    mover = 0
    for told_lines, s in random_log(GAME, seed, SPECTATOR, 400):
        lines = [line.removeprefix("without a choice, ") for line in told_lines]
        without_decision += sum(" rolls " in line and "level" in line for line in lines) > 1
        for place, line in enumerate(lines):
            who = next((seat for seat in range(2) if line.startswith(f"{SEAT_NAMES[seat]} ")), mover)
            assert place == 0 or who != mover or not line.startswith("goes")
            for name, amount in re.findall(r"(blue|orange) (\d+) \([+-]", line if "Credits: " in line else ""):
                credits[SEAT_NAMES.index(name)] = int(amount)
            if moved := re.search(r"(?:goes from \w\d to|starts on) (\w\d)$", line):
                runner[who] = moved[1]
            if put := re.search(r"puts (its|blue's|orange's) runner on (\w\d)$", line):
                runner[who if put[1] == "its" else SEAT_NAMES.index(put[1][:-2])] = put[2]
            if held := re.search(r"has (\d) markers? in hand", line):
                hand[who] = int(held[1])
            if lost := re.search(r"loses (a|\d) markers? for good", line):
                out[who] += 1 if lost[1] == "a" else int(lost[1])
            if changed := re.search(r"the level (?:rises|falls) to (\w+)", line):
                level = changed[1]
            out[who] -= line == "takes back a discarded marker"
        assert credits == s.credits[:2].tolist()
        assert hand == s.hand[:2].tolist() and out == s.discarded[:2].tolist()
        assert runner == [square_name(int(square)) if square >= 0 else "" for square in s.runner[:2]]
        assert level == level_name(s.level)
        mover = s.mover
    assert without_decision
