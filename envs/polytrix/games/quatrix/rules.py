"""The course of a game: set-up, dice, turns and legal actions."""

from __future__ import annotations

from polytrix.core.state import CHANCE, IdArray

from .bitboard import COLUMNS, LAST_COLUMN, LAST_ROW, row_of
from .duty import all_leave_second, dutiful
from .ending import pips_home, win
from .moves import candidates, die_of, forget_first_move, has_candidate, make_move, reach
from .state import PIECES, Act, Kind, Phase, Seat, State, clear_board, toggle_disc, toggle_ring


def setup(s: State) -> None:
    """Put a pip on every square of both start tracks (QX-04)."""
    clear_board(s)
    for seat in range(2):
        for square in range(COLUMNS):
            toggle_ring(s, seat, square)
            toggle_disc(s, seat, square)
    s.phase = Phase.OPENING
    s.turn_seat = Seat.NOBODY
    s.opening[:] = 0
    s.turns = 0
    s.winner = Seat.NOBODY
    clear_roll(s)
    s.mover = CHANCE


def clear_roll(s: State) -> None:
    """Begin a turn: no dice rolled or used, no first die move."""
    s.dice[:] = 0
    s.used[:] = 0
    forget_first_move(s)


def chance(s: State) -> int:
    """One die: outcome k shows k + 1."""
    return 6


def apply(s: State, action: int) -> None:
    """Carry out a die throw or the mover's decision."""
    if s.mover == CHANCE:
        if s.phase == Phase.OPENING:
            roll_opening(s, action + 1)
        else:
            roll_die(s, action + 1)
    elif s.phase == Phase.PLACE:
        toggle_ring(s, 1 - s.turn_seat, LAST_COLUMN - (action - Act.PLACE))  # QX-62: on its start track
        go_on(s)
    elif action == Act.PASS:
        end_turn(s)
    else:
        move(s, action)


def roll_opening(s: State, number: int) -> None:
    """Roll two dice each, red first, until the totals differ; the higher one starts (QX-06)."""
    rolled = 0
    while s.opening[rolled // 2, rolled % 2]:
        rolled += 1
    s.opening[rolled // 2, rolled % 2] = number
    if rolled < 3:
        return
    red = int(s.opening[0, 0]) + int(s.opening[0, 1])
    blue = int(s.opening[1, 0]) + int(s.opening[1, 1])
    if red == blue:
        s.opening[:] = 0
    else:
        s.turn_seat = Seat.RED if red > blue else Seat.BLUE
        s.phase = Phase.ROLL  # with two new dice (QX-07)


def roll_die(s: State, number: int) -> None:
    """Roll one of the two dice of a turn; the second one is followed by a decision."""
    first = int(s.dice[0])
    if first == 0:
        s.dice[0] = number
        return
    s.dice[0], s.dice[1] = max(first, number), min(first, number)
    s.turns += 1
    s.phase = Phase.MOVE
    s.mover = s.turn_seat


def move(s: State, action: int) -> None:
    """Make a die move, then win, wait for a popped ring's return, or go on."""
    seat = s.turn_seat
    die = die_of(s, action)
    popped = make_move(s, action)
    s.used[die] = 1
    if pips_home(s, seat) == PIECES:
        win(s, seat)
    elif popped:
        s.phase = Phase.PLACE  # before any other die move (QX-62)
    else:
        go_on(s)


def go_on(s: State) -> None:
    """Continue the turn while an unused die has a move, else end it (QX-71)."""
    for die in range(2):
        if s.used[die] == 0 and has_candidate(s, die):
            s.phase = Phase.MOVE
            return
    end_turn(s)


def end_turn(s: State) -> None:
    """Give the dice to the other seat, after doubles too (QX-08)."""
    s.turn_seat = 1 - s.turn_seat
    clear_roll(s)
    s.phase = Phase.ROLL
    s.mover = CHANCE


def legal(s: State, ids: IdArray) -> int:
    """List the returns of a popped ring, or the die moves that the duty allows, or `pass` (QX-72)."""
    if s.phase == Phase.PLACE:
        return places(s, ids)
    if s.first_kind != Kind.NONE:
        die = int(s.used[0])
        return candidates(s, die, reach(s, die, False), ids, 0)
    high = reach(s, 0, False)
    low = reach(s, 1, False)
    split = candidates(s, 0, high, ids, 0)
    count = split if s.dice[0] == s.dice[1] else candidates(s, 1, low, ids, split)
    if count == 0:
        ids[0] = Act.PASS  # QX-72
        return 1
    if all_leave_second(s, ids, split, count, high, low):
        return count
    return dutiful(s, ids, count)


def places(s: State, ids: IdArray) -> int:
    """List the squares of the enemy start track without a ring (QX-62, QX-63)."""
    rings = row_of(s.enemy_ring[s.turn_seat], LAST_ROW)
    count = 0
    for column in range(COLUMNS):
        if rings >> column & 1 == 0:
            ids[count] = Act.PLACE + column
            count += 1
    return count
