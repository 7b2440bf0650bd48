"""What the log says of a turn: the ban, the hint, who has set a die; and the dice, once all are set."""

from __future__ import annotations

import re

from polytrix.core.viewers import SPECTATOR
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.state import COLOURS, LETTERS
from tests.games.telling import random_log


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
                assert read is None or read[1] == COLOURS[int(s.own[viewer, s.hint]) - 1]
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
