"""What must hold in every state, and in every step from one state to the next."""

from __future__ import annotations

from polytrix.core.bits import size
from polytrix.core.invariants import invariant
from polytrix.core.state import OVER

from .rules import has_four
from .state import BOARD, NO_SEAT, RED, YELLOW, State, Step


@invariant
def stones_lie_on_the_board(before: State, s: State) -> bool:
    return not (s.stones[RED] | s.stones[YELLOW]) & ~BOARD


@invariant
def no_square_holds_two_stones(before: State, s: State) -> bool:
    return not s.stones[RED] & s.stones[YELLOW]


@invariant
def no_stone_hangs_in_the_air(before: State, s: State) -> bool:
    stones = s.stones[RED] | s.stones[YELLOW]
    return not stones >> Step.UP & ~stones


@invariant
def the_seats_take_turns(before: State, s: State) -> bool:
    """Red has as many stones as yellow and is to move, or one more and yellow is."""
    surplus = size(int(s.stones[RED])) - size(int(s.stones[YELLOW]))
    return 0 <= surplus <= 1 and (s.mover == OVER or s.mover == surplus)


@invariant
def four_in_a_row_win(before: State, s: State) -> bool:
    """A seat has won if and only if it has four in a row."""
    return has_four(s.stones[RED]) == (s.winner == RED) and has_four(s.stones[YELLOW]) == (s.winner == YELLOW)


@invariant
def the_game_ends_in_time(before: State, s: State) -> bool:
    """The game ends by a win, by a full board or at its limit, and not otherwise."""
    full = s.stones[RED] | s.stones[YELLOW] == BOARD
    return (s.mover == OVER) == (s.winner != NO_SEAT or full or s.truncated != 0)


@invariant
def a_decision_adds_one_stone(before: State, s: State) -> bool:
    """A decision adds one stone, and takes none away."""
    earlier = int(before.stones[RED] | before.stones[YELLOW])
    stones = int(s.stones[RED] | s.stones[YELLOW])
    return not earlier & ~stones and size(stones) - size(earlier) == s.decisions - before.decisions
