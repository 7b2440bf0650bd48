"""Dice, turns, the limit of decisions."""

from __future__ import annotations

import itertools

import pytest

from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.choices import UNDECIDED
from polytrix.games.pressure_matrix.movement import die_that_counts
from polytrix.games.pressure_matrix.rules import run
from polytrix.games.pressure_matrix.state import Act, Phase

from .play import new_game
from .positions import Table


def counted(level: int, *dice: int) -> int:
    s = new_game()[0]
    s.dice[:], s.level = dice, level
    return die_that_counts(s)


@pytest.mark.clause("PM-14", "PM-15")
def test_the_die_that_counts() -> None:
    """Worked position W01 for all dice; yellow counts the odd one of three of which two are equal."""
    for dice in itertools.product(range(1, 7), repeat=3):
        single = [die for die in dice if dice.count(die) == 1]
        yellow = single[0] if len(single) == 1 else sorted(dice)[1]
        assert [counted(level, *dice) for level in range(3)] == [min(dice), yellow, max(dice)]


def test_a_forged_position_in_which_an_answer_leads_to_its_question_is_noticed() -> None:
    s = Table("n=2 runners=a1,c3").state
    s.mover, s.phase, s.resume = 0, Phase.SHIELD, Phase.SHIELD
    s.choices[:], s.choice_simple = 0, 1 << Act.PASS
    with pytest.raises(IndexError):
        run(s, UNDECIDED)
    with pytest.raises(IndexError):
        GAME.tell(s, Act.PASS, s, None)
