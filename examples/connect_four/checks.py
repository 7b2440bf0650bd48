"""What must hold in every state, and what random play must have reached."""

from __future__ import annotations

from polytrix.core.state import OVER, IntArray

from .rules import has_four, line
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
ON_BOARD, ONE_COLOUR, SUPPORTED, BALANCED, WINNER, ENDING, ADDED = range(1, len(INVARIANTS) + 1)


def check(before: State, s: State) -> int:
    """The number of an invariant that the state, or the step to it, breaks; 0 if there is none."""
    red, yellow = int(s.stones[RED]), int(s.stones[YELLOW])
    stones = red | yellow
    if stones & ~BOARD:
        return ON_BOARD
    if red & yellow:
        return ONE_COLOUR
    if stones >> Step.UP & ~stones:
        return SUPPORTED
    surplus = count(red) - count(yellow)
    if not 0 <= surplus <= 1 or (s.mover != OVER and s.mover != surplus):
        return BALANCED
    if has_four(red) != (s.winner == RED) or has_four(yellow) != (s.winner == YELLOW):
        return WINNER
    if (s.mover == OVER) != (s.winner != NO_SEAT or stones == BOARD or s.truncated != 0):
        return ENDING
    earlier = int(before.stones[RED]) | int(before.stones[YELLOW])
    if earlier & ~stones or count(stones) - count(earlier) != int(s.decisions) - int(before.decisions):
        return ADDED
    return 0


def count(stones: int) -> int:
    """How many stones a set has."""
    number = 0
    while stones:
        stones &= stones - 1
        number += 1
    return number


FEATURES = (
    "red wins",
    "yellow wins",
    "a draw",
    "an upright line",
    "a level line",
    "a line up to the left",
    "a line up to the right",
    "truncated",
)
RED_WINS, YELLOW_WINS, DRAW, UPRIGHT, LEVEL, LEFTWARD, RIGHTWARD, CUT_OFF = range(len(FEATURES))


def cover(before: State, s: State, seen: IntArray) -> None:
    """Count how games end."""
    if s.mover != OVER:
        return
    if s.winner == NO_SEAT:
        seen[CUT_OFF if s.truncated else DRAW] += 1
        return
    stones = int(s.stones[s.winner])
    seen[RED_WINS if s.winner == RED else YELLOW_WINS] += 1
    seen[UPRIGHT] += line(stones, Step.UP)
    seen[LEVEL] += line(stones, Step.RIGHT)
    seen[LEFTWARD] += line(stones, Step.UP_LEFT)
    seen[RIGHTWARD] += line(stones, Step.UP_RIGHT)
