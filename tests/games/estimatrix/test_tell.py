"""What the log says of a turn: the ban, the hint, who has set a die; and the dice, once all are set."""

from __future__ import annotations

import re

import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.viewers import SPECTATOR
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.state import COLOURS, LETTERS, own_reading
from tests.games.telling import random_log, told

from .positions import Table

COLOUR = {name[0].upper(): name for name in COLOURS}


def test_dice_are_hidden_until_all_are_set() -> None:
    hidden = 0
    for lines, _ in random_log(GAME, 4, SPECTATOR, 30):
        if lines[0] == "sets a die, hidden until all are set":
            hidden += 1
            assert len(lines) == 1
        elif lines[0].startswith("sets a die to "):
            assert lines[1].startswith("the dice: ")
    assert hidden


def test_a_hint_is_told_with_the_readers_own_reading() -> None:
    for viewer in (0, 1, SPECTATOR):
        hints = 0
        for lines, s in random_log(GAME, 4, viewer, 12):
            if lines[0].startswith("hints "):
                hints += 1
                read = re.search("you read it as (.*)$", lines[0])
                assert (read is None) == (viewer == SPECTATOR)
                assert read is None or read[1] == COLOURS[own_reading(s, viewer, s.hint) - 1]
        assert hints


def test_the_log_of_a_game_tells_dice_and_letters() -> None:
    held = 0
    pairs: set[frozenset[str]] = set()
    for lines, s in random_log(GAME, 2, 0, 200):
        for line in lines:
            if found := re.match(r"([A-Z]) and ([A-Z]) (exchange|give back) letters", line):
                pair = frozenset((found[1], found[2]))
                pairs = pairs | {pair} if found[3] == "exchange" else pairs - {pair}
            if line.startswith("the dice: "):
                told = [
                    f"{LETTERS[seat]} {COLOURS[int(s.last_die[seat])]}" for seat in range(int(s.num_players))
                ]
                assert line == f"the dice: {', '.join(told)}"
        held = int(s.pair.sum()) // 2
        assert len(pairs) == held
    assert held


@pytest.mark.clause("ES-28", "ES-33")
@pytest.mark.parametrize(
    ("pairs", "dice", "line"),
    [
        ("01", "R R B W", "no letters are exchanged: A set M's colour, but had exchanged with M before"),
        (
            "01,02",
            "R R R W",
            "no letters are exchanged: A and T set M's colour, but had exchanged with M before",
        ),
        ("01", "R G B W", "no letters are exchanged: nobody else has set M's colour"),
        ("01", "R G B R", "no letters are exchanged: R, the Negater, has set M's colour"),
        ("01", "R R R W", "M and T exchange letters"),
    ],
)
def test_why_no_letters_are_exchanged(pairs: str, dice: str, line: str) -> None:
    *others, last = dice.split()
    table = Table(f"n=4 K=0 N=3 pairs={pairs}", [], Mode.PLAIN)
    table.play(f"ban purple; hint milk; {'; '.join('set ' + COLOUR[die] for die in others)}")
    lines = told(GAME, table.state, GAME.parse_action(table.state, f"set {COLOUR[last]}"), SPECTATOR)
    assert lines[2:] == [line, "now A is the Kvanter, R the Negater"]
