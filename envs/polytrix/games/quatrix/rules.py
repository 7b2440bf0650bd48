"""The rules of Quatrix. Squares, rows and directions are those of the mover's own view."""

from __future__ import annotations

from polytrix.core.state import CHANCE, IdArray

from .bitboard import COLUMNS, LAST_COLUMN, LAST_ROW, row_of
from .duty import all_leave_second, dutiful
from .ending import pips_home, win
from .moves import candidates, carry, die_of, has_candidate, kind_of, pops, square_of
from .state import PIECES, STEP, Act, Kind, Phase, Seat, State, clear_board, toggle_disc, toggle_ring

# -- the course of the game ---------------------------------------------------------------


def setup(s: State) -> None:
    """QX-04: a pip on every square of both start tracks."""
    clear_board(s)
    for seat in range(2):
        for square in range(COLUMNS):
            toggle_ring(s, seat, square)
            toggle_disc(s, seat, square)
    s.phase = Phase.OPENING
    s.turn_seat = Seat.NOBODY
    s.starter = Seat.NOBODY
    s.opening[:] = 0
    s.opening_rolled = 0
    s.turns = 0
    s.winner = Seat.NOBODY
    s.odds = 0
    clear_roll(s)
    s.mover = CHANCE


def clear_roll(s: State) -> None:
    """No dice rolled, none used, nothing moved this turn."""
    s.dice[:] = 0
    s.rolled = 0
    s.used[:] = 0
    s.first_kind = Kind.NONE
    s.first_from = 0
    s.first_to = 0
    s.first_direction = 0


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
        return_ring(s, action - Act.PLACE)
        go_on(s)
    elif action == Act.PASS:
        end_turn(s)
    else:
        move(s, action)


def roll_opening(s: State, number: int) -> None:
    """QX-06: two dice each, red first, until the totals differ; the higher one starts."""
    rolled = int(s.opening_rolled)
    s.opening[rolled // 2, rolled % 2] = number
    s.opening_rolled = rolled + 1
    if rolled < 3:
        return
    red = int(s.opening[0, 0]) + int(s.opening[0, 1])
    blue = int(s.opening[1, 0]) + int(s.opening[1, 1])
    if red == blue:
        s.opening[:] = 0
        s.opening_rolled = 0
        return
    s.starter = Seat.RED if red > blue else 1 - Seat.RED
    s.turn_seat = s.starter
    s.phase = Phase.ROLL  # QX-07: with two new dice


def roll_die(s: State, number: int) -> None:
    """One of the two dice of a turn; after the second the turn's decisions begin."""
    s.dice[s.rolled] = number
    s.rolled += 1
    if s.rolled < 2:
        return
    if s.dice[0] < s.dice[1]:
        s.dice[0], s.dice[1] = s.dice[1], s.dice[0]
    s.turns += 1
    s.phase = Phase.MOVE
    s.mover = s.turn_seat


def move(s: State, action: int) -> None:
    """A die move, with what follows from it at once."""
    seat = int(s.turn_seat)
    square = square_of(action)
    direction = action % 4
    die = die_of(s, action)
    kind = kind_of(s, seat, action)
    landing = square + int(s.dice[die]) * STEP[direction]
    popped = pops(s, seat, kind, landing)
    carry(s, seat, kind, square, landing, popped)
    s.used[die] = 1
    if s.first_kind == Kind.NONE:
        s.first_kind = kind
        s.first_from = square
        s.first_to = landing
        s.first_direction = direction
    if pips_home(s, seat) == PIECES:
        win(s, seat)
    elif popped:
        s.phase = Phase.PLACE  # QX-62: before any other die move
    else:
        go_on(s)


def return_ring(s: State, column: int) -> None:
    """QX-62: the popped ring goes to a square of its own start track, named in the popper's view."""
    toggle_ring(s, 1 - int(s.turn_seat), LAST_COLUMN - column)


def go_on(s: State) -> None:
    """QX-71: the turn goes on while a die is left that can be used, and ends by itself otherwise."""
    for die in range(2):
        if s.used[die] == 0 and has_candidate(s, die):
            s.phase = Phase.MOVE
            return
    end_turn(s)


def end_turn(s: State) -> None:
    """QX-08: turns alternate strictly, after doubles too."""
    s.turn_seat = 1 - s.turn_seat
    clear_roll(s)
    s.phase = Phase.ROLL
    s.mover = CHANCE


# -- legal actions ------------------------------------------------------------------------


def legal(s: State, ids: IdArray) -> int:
    """All that the duty to use both dice leaves (QX-70 to QX-72, QX-82)."""
    if s.phase == Phase.PLACE:
        return places(s, ids)
    if s.first_kind != Kind.NONE:
        return candidates(s, int(s.used[0]), ids, 0)
    count = candidates(s, 0, ids, 0)
    split = count
    if s.dice[0] != s.dice[1]:
        count = candidates(s, 1, ids, count)
    if count == 0:
        ids[0] = Act.PASS  # QX-72
        return 1
    if all_leave_second(s, ids, split, count):
        return count
    return dutiful(s, ids, count)


def places(s: State, ids: IdArray) -> int:
    """QX-62, QX-63: squares of the victim's start track without a ring."""
    rings = row_of(s.enemy_ring[s.turn_seat], LAST_ROW)
    count = 0
    for column in range(COLUMNS):
        if rings >> column & 1 == 0:
            ids[count] = Act.PLACE + column
            count += 1
    return count
