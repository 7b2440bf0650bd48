"""What must hold in every state, and in every step from one state to the next."""

from __future__ import annotations

from polytrix.core.constants import Constants
from polytrix.core.state import OVER

from .ending import has_four
from .state import BOARD, NO_SEAT, RED, YELLOW, State, Step

INVARIANTS = (
    "stones lie on the board",
    "no square holds two stones",
    "no stone hangs in the air",
    "red has as many stones as yellow and is to move, or one more and yellow is",
    "a seat has won if and only if it has four in a row",
    "the game ends by a win, by a full board or at its limit, and not otherwise",
    "a decision adds one stone, and takes none away",
)


class Broken(Constants):
    """What `check` returns: the number of the broken invariant, from 1 in the order of INVARIANTS."""

    NONE, OFF_BOARD, SHARED_SQUARE, IN_THE_AIR, TURN, WINNER, END, STONES_ADDED = range(len(INVARIANTS) + 1)


def check(before: State, s: State) -> int:
    """The first invariant that the state `s`, or the step from `before` to it, breaks."""
    red, yellow = int(s.stones[RED]), int(s.stones[YELLOW])
    stones = red | yellow
    if stones & ~BOARD:
        return Broken.OFF_BOARD
    if red & yellow:
        return Broken.SHARED_SQUARE
    if stones >> Step.UP & ~stones:
        return Broken.IN_THE_AIR
    surplus = count(red) - count(yellow)
    if not 0 <= surplus <= 1 or (s.mover != OVER and s.mover != surplus):
        return Broken.TURN
    if has_four(red) != (s.winner == RED) or has_four(yellow) != (s.winner == YELLOW):
        return Broken.WINNER
    if (s.mover == OVER) != (s.winner != NO_SEAT or stones == BOARD or s.truncated != 0):
        return Broken.END
    earlier = int(before.stones[RED]) | int(before.stones[YELLOW])
    if earlier & ~stones or count(stones) - count(earlier) != int(s.decisions) - int(before.decisions):
        return Broken.STONES_ADDED
    return Broken.NONE


def count(stones: int) -> int:
    """How many stones a set has."""
    number = 0
    while stones:
        stones &= stones - 1
        number += 1
    return number
