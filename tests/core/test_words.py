"""Positions and actions in words, compared with known texts."""

from __future__ import annotations

import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import NotationError
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER
from polytrix.core.words import explained, moves, parse_move, situation
from tests.toys import CALL, SECRET


@pytest.mark.parametrize(
    ("truncated", "decisions", "said"),
    [
        (0, 9, "The game is over. "),
        (0, 3, "The game is over. "),
        (1, 9, "The game is over, cut off at the limit of decisions. "),
        (1, 3, "The game is over, cut off at another limit that its options set. "),
    ],
)
def test_the_limit_that_ended_a_game_is_named(truncated: int, decisions: int, said: str) -> None:
    s = Simulator(SECRET, 1, {"max_decisions": 9}, seed=1, mode=Mode.PLAIN).states[0]
    s.mover, s.truncated, s.decisions = OVER, truncated, decisions
    assert situation(SECRET, s, 0) == f"{said}Payoffs: first +0, second +0."


def test_an_action_is_numbered_within_its_block_unless_it_is_the_only_one() -> None:
    s = Simulator(SECRET, 1, seed=1, mode=Mode.PLAIN).states[0]
    assert [explained(SECRET, s, action) for action in (0, 2, CALL)] == [
        "add 1, 2, 3 [0]",
        "add 1, 2, 3 [2]",
        "compare the numbers",
    ]


def test_a_number_that_is_no_legal_move() -> None:
    s = Simulator(SECRET, 1, seed=1, mode=Mode.PLAIN).states[0]
    with pytest.raises(NotationError, match="3 is not a legal action here; legal are"):
        parse_move(SECRET, s, "3", moves(SECRET, s))
