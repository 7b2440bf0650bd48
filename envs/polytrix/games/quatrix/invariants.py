"""What holds in every state, and in every step from one state to the next."""

from __future__ import annotations

import numpy as np

from polytrix.core.bits import size
from polytrix.core.invariants import invariant
from polytrix.core.state import CHANCE, OVER, IntArray

from .bitboard import ALL_COLUMNS, COLUMNS, LAST_ROW, ROWS, Half, row_of
from .ending import pips_home
from .state import PIECES, Kind, Phase, Seat, State

TURNED = np.array([int(f"{bits:0{COLUMNS}b}"[::-1], 2) for bits in range(ALL_COLUMNS + 1)], np.int64)
"""[bits of a row]: the same squares seen from the other side."""


@invariant
def both_seats_see_the_same_pieces(before: State, s: State) -> bool:
    """QX-05: both seats see the same pieces."""
    for seat in range(2):
        for row in range(ROWS):
            rings, discs = row_of(s.ring[seat], row), row_of(s.disc[seat], row)
            if row_of(s.enemy_ring[1 - seat], LAST_ROW - row) != TURNED[rings]:
                return False
            if row_of(s.enemy_disc[1 - seat], LAST_ROW - row) != TURNED[discs]:
                return False
    return True


@invariant
def no_square_is_shared(before: State, s: State) -> bool:
    """QX-05: no square holds pieces of both colours."""
    for half in range(2):
        if (s.ring[0, half] | s.disc[0, half]) & (s.enemy_ring[0, half] | s.enemy_disc[0, half]):
            return False
    return True


@invariant
def no_disc_is_lost(before: State, s: State) -> bool:
    """QX-04: each colour has seven discs."""
    return count(s.disc[Seat.RED]) == PIECES and count(s.disc[Seat.BLUE]) == PIECES


@invariant
def no_ring_is_lost(before: State, s: State) -> bool:
    """QX-04: each colour has seven rings, but for one that waits for its return."""
    for seat in range(2):
        popped = s.phase == Phase.PLACE and s.turn_seat != seat
        if count(s.ring[seat]) != (PIECES - 1 if popped else PIECES):
            return False
    return True


@invariant
def nobody_is_on_the_enemy_start_track(before: State, s: State) -> bool:
    """QX-12: nobody is on the enemy start track."""
    red = row_of(s.ring[Seat.RED], LAST_ROW) | row_of(s.disc[Seat.RED], LAST_ROW)
    return red | row_of(s.ring[Seat.BLUE], LAST_ROW) | row_of(s.disc[Seat.BLUE], LAST_ROW) == 0


@invariant
def seven_pips_home_win(before: State, s: State) -> bool:
    """QX-80: a colour has seven pips home if and only if it has won."""
    for seat in range(2):
        if (pips_home(s, seat) == PIECES) != (s.winner == seat):
            return False
    return True


@invariant
def the_game_ends_in_time(before: State, s: State) -> bool:
    """QX-80, QX-86: the game ends by a win or at its limit, and not otherwise."""
    won = s.winner != Seat.NOBODY
    if s.truncated and (won or s.decisions < s.options.max_decisions):
        return False
    return won == (s.phase == Phase.OVER) and (won or s.truncated == 1) == (s.mover == OVER)


@invariant
def chance_rolls(before: State, s: State) -> bool:
    """QX-08: chance is to move before the roll, after it the seat on turn."""
    rolls = s.phase == Phase.OPENING or s.phase == Phase.ROLL
    return s.mover == OVER or s.mover == (CHANCE if rolls else s.turn_seat)


@invariant
def the_dice_fit_the_phase(before: State, s: State) -> bool:
    """QX-07: the dice show 1 to 6, the higher one first, and nothing until they are rolled."""
    high, low = int(s.dice[0]), int(s.dice[1])
    if s.phase == Phase.OPENING or s.phase == Phase.ROLL:
        return high <= 6 and low == 0 and (high == 0 or s.phase == Phase.ROLL)
    return 6 >= high >= low >= 1


@invariant
def a_first_die_move_uses_a_die(before: State, s: State) -> bool:
    """QX-11: the first die move is recorded if and only if a die is used."""
    if s.used[0] == 0 and s.used[1] == 0:
        return s.first_kind == Kind.NONE and s.first_from == s.first_to == s.first_direction == 0
    return s.first_kind != Kind.NONE


@invariant
def nobody_moves_enemy_pieces(before: State, s: State) -> bool:
    """QX-62: nobody moves enemy pieces, but for a popped ring and its return, and dice move none."""
    popped = before.mover != CHANCE and (before.phase == Phase.PLACE or s.phase == Phase.PLACE)
    for seat in range(2):
        if before.mover == seat:
            continue
        if differ(before.disc[seat], s.disc[seat]) or (differ(before.ring[seat], s.ring[seat]) and not popped):
            return False
    return True


@invariant
def turns_alternate(before: State, s: State) -> bool:
    """QX-08: after the opening the turn passes when the next one is to roll, and only then."""
    if before.phase == Phase.OPENING:
        return True
    passes = before.phase != Phase.ROLL and s.phase == Phase.ROLL
    return s.turn_seat == (1 - before.turn_seat if passes else before.turn_seat)


def count(halves: IntArray) -> int:
    """The number of squares in a set."""
    return size(int(halves[Half.NEAR])) + size(int(halves[Half.FAR]))


def differ(halves: IntArray, other: IntArray) -> bool:
    """Whether two sets differ."""
    return bool(halves[Half.NEAR] != other[Half.NEAR] or halves[Half.FAR] != other[Half.FAR])
