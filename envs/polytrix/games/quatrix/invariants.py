"""Invariants of every state, and of every step from one state to the next."""

from __future__ import annotations

import numpy as np

from polytrix.core.bits import size
from polytrix.core.constants import Constants
from polytrix.core.state import CHANCE, OVER, IntArray

from .bitboard import ALL_COLUMNS, BOARD, COLUMNS, DISTANCE, LAST_ROW, ROWS, Half, has, row_of
from .ending import pips_home
from .state import PIECES, STEP, Direction, Kind, Phase, Seat, State

INVARIANTS = (
    "no piece is off the board",
    "QX-05: both seats see the same pieces",
    "QX-05: no square holds pieces of both colours",
    "QX-04: each colour has seven rings, but for one that waits for its return",
    "QX-04: each colour has seven discs",
    "QX-12: nobody is on the enemy start track",
    "QX-80: a colour has seven pips home if and only if it has won",
    "odds 1 to 3 are set if and only if somebody has won",
    "QX-83, QX-84, QX-85: the odds say how far the loser has come",
    "the game ends by a win or at its limit, and not otherwise",
    "chance is to move before the roll, after it the seat on turn",
    "before the roll no die is used and no die move recorded",
    "the dice show 1 to 6, the higher one first, and nothing until they are rolled",
    "the first die move is recorded if and only if a die is used",
    "a turn goes on only with a die or a popped ring",
    "QX-10: the first die move went as its die says, and what it carried is there",
    "QX-60: a popped ring waits after the move of a single disc",
    "dice move no pieces",
    "nobody moves enemy pieces, but for a popped ring and its return",
    "QX-08: after the opening the turn passes when the next one is to roll, and only then",
    "each roll begins a turn",
    "QX-06: the opening dice are rolled one by one, and the higher total starts",
    "QX-04: all pieces are where they started until the first turn",
    "each turn has one to four decisions",
)


class Broken(Constants):
    """The numbers of `INVARIANTS`, from 1."""

    (
        ON_BOARD, VIEWS_AGREE, ONE_COLOUR, RINGS, DISCS, ENEMY_TRACK, WINNER, ODDS_SET, ODDS_RIGHT,
        ENDING, MOVER, UNROLLED, DICE, FIRST_MOVE, SOMETHING_LEFT, MOVED, POPPED, DICE_STILL,
        ENEMY_STILL, ALTERNATION, TURNS, OPENED, AT_START, TURN_LENGTH,
    ) = range(1, len(INVARIANTS) + 1)  # fmt: skip


TURNED = np.array([int(f"{bits:0{COLUMNS}b}"[::-1], 2) for bits in range(ALL_COLUMNS + 1)], np.int64)
"""[bits of a row]: the same squares seen from the other side."""


def check(before: State, s: State) -> int:
    """The number of an invariant that the state, or the step to it, breaks; 0 if there is none."""
    broken = check_pieces(s)
    if broken == 0:
        broken = check_result(s)
    if broken == 0:
        broken = check_turn(s)
    if broken == 0:
        broken = check_step(before, s)
    if broken == 0:
        broken = check_past(s)
    return broken


def check_pieces(s: State) -> int:
    """The number of pieces, where they stand, and both seats' views of them (QX-04, QX-05, QX-12)."""
    for seat in range(2):
        own_ring, own_disc = s.ring[seat], s.disc[seat]
        other_ring, other_disc = s.enemy_ring[seat], s.enemy_disc[seat]
        ring_seen, disc_seen = s.enemy_ring[1 - seat], s.enemy_disc[1 - seat]
        if off_board(own_ring) or off_board(own_disc) or off_board(ring_seen) or off_board(disc_seen):
            return Broken.ON_BOARD
        rings = 0
        discs = 0
        for row in range(ROWS):
            ring = row_of(own_ring, row)
            disc = row_of(own_disc, row)
            turned = LAST_ROW - row
            if row_of(ring_seen, turned) != TURNED[ring] or row_of(disc_seen, turned) != TURNED[disc]:
                return Broken.VIEWS_AGREE
            if (ring | disc) & (row_of(other_ring, row) | row_of(other_disc, row)):
                return Broken.ONE_COLOUR
            rings += size(ring)
            discs += size(disc)
        popped = s.phase == Phase.PLACE and s.turn_seat == 1 - seat
        if rings != (PIECES - 1 if popped else PIECES):
            return Broken.RINGS
        if discs != PIECES:
            return Broken.DISCS
        if row_of(own_ring, LAST_ROW) | row_of(own_disc, LAST_ROW):
            return Broken.ENEMY_TRACK
    return 0


def off_board(halves: IntArray) -> bool:
    """Whether a set has bits of no square."""
    near, far = int(halves[Half.NEAR]), int(halves[Half.FAR])
    return (near & ~int(BOARD[Half.NEAR])) | (far & ~int(BOARD[Half.FAR])) != 0


def check_result(s: State) -> int:
    """A win, its odds, and the end of the game (QX-80, QX-83 to QX-86)."""
    for seat in range(2):
        if (pips_home(s, seat) == PIECES) != (s.winner == seat):
            return Broken.WINNER
    if (s.winner != Seat.NOBODY) != (1 <= s.odds <= 3):
        return Broken.ODDS_SET
    if s.winner != Seat.NOBODY and s.odds != odds_against(s, 1 - int(s.winner)):
        return Broken.ODDS_RIGHT
    if (s.winner != Seat.NOBODY) != (s.phase == Phase.OVER) or (s.truncated != 0 and s.winner != Seat.NOBODY):
        return Broken.ENDING
    if s.truncated != 0 and s.decisions < s.options.max_decisions:
        return Broken.ENDING
    if (s.mover == OVER) != (s.winner != Seat.NOBODY or s.truncated != 0):
        return Broken.ENDING
    return 0


def odds_against(s: State, loser: int) -> int:
    """The odds by the loser's rearmost piece (QX-83 to QX-85)."""
    for row in range(1 + int(s.options.finish_depth)):
        if row_of(s.ring[loser], row) | row_of(s.disc[loser], row):
            return 3 if row == 0 else 2
    return 1


def check_turn(s: State) -> int:
    """The agreement of phase, mover, dice and first die move."""
    used = int(s.used[0]) + int(s.used[1])
    if s.phase == Phase.OPENING or s.phase == Phase.ROLL:
        if s.mover != CHANCE:
            return Broken.MOVER
        if used or s.first_kind != Kind.NONE:
            return Broken.UNROLLED
        return Broken.DICE if s.rolled > (1 if s.phase == Phase.ROLL else 0) or not dice_fit(s) else 0
    if s.turn_seat == Seat.NOBODY or (s.mover != OVER and s.mover != s.turn_seat):
        return Broken.MOVER
    if s.rolled != 2 or not dice_fit(s) or s.dice[0] < s.dice[1]:
        return Broken.DICE
    if (s.first_kind == Kind.NONE) != (used == 0):
        return Broken.FIRST_MOVE
    if s.phase == Phase.MOVE and used == 2:
        return Broken.SOMETHING_LEFT
    if used == 0 and (s.first_from != 0 or s.first_to != 0 or s.first_direction != 0):
        return Broken.FIRST_MOVE
    if used > 0 and not first_move_fits(s):
        return Broken.MOVED
    if s.phase == Phase.PLACE and not (used == 2 or (used == 1 and popping(s))):
        return Broken.POPPED
    return 0


def dice_fit(s: State) -> bool:
    """Whether rolled dice show 1 to 6, and the others 0."""
    for die in range(2):
        if (s.dice[die] != 0) != (die < s.rolled) or s.dice[die] > 6:
            return False
    return True


def first_move_fits(s: State) -> bool:
    """Whether the record of the turn's first die move is possible (QX-10, QX-20)."""
    seat, kind, direction = int(s.turn_seat), int(s.first_kind), int(s.first_direction)
    square, landing = int(s.first_from), int(s.first_to)
    both = s.used[0] == 1 and s.used[1] == 1
    doubles = s.dice[0] == s.dice[1]
    distance = int(DISTANCE[square, landing])
    if square + distance * STEP[direction] != landing:
        return False
    if direction >= Direction.LEFT and square // COLUMNS != landing // COLUMNS:
        return False
    if distance != s.dice[0 if s.used[0] else 1] and not (both and distance == s.dice[1]):
        return False
    if doubles and s.used[0] == 0:  # the first of two equal dice is used first (QX-40)
        return False
    if kind == Kind.PIP and not doubles:
        return False
    if both:
        return True  # the second die move may have changed the squares
    if has(s.enemy_ring[seat], square) or has(s.enemy_disc[seat], square) or has(s.ring[seat], square):
        return False
    if kind != Kind.RING and (has(s.disc[seat], square) or not has(s.disc[seat], landing)):
        return False
    return kind == Kind.DISC or has(s.ring[seat], landing)


def popping(s: State) -> bool:
    """Whether the turn's first die move can have popped a ring: its unit is a single disc."""
    return s.first_kind == Kind.DISC and not has(s.ring[s.turn_seat], int(s.first_to))


def check_step(before: State, s: State) -> int:
    """A step: which pieces moved, and whose turn it is now."""
    for seat in range(2):
        if before.mover == seat:
            continue
        discs_moved = differ(before.disc[seat], s.disc[seat])
        rings_moved = differ(before.ring[seat], s.ring[seat])
        if before.mover == CHANCE and (discs_moved or rings_moved):
            return Broken.DICE_STILL
        if discs_moved or (rings_moved and before.phase != Phase.PLACE and s.phase != Phase.PLACE):
            return Broken.ENEMY_STILL
    if before.phase != Phase.OPENING:
        passes = before.phase != Phase.ROLL and s.phase == Phase.ROLL
        if s.turn_seat != (1 - before.turn_seat if passes else before.turn_seat):
            return Broken.ALTERNATION
    if s.turns != before.turns + (1 if before.phase == Phase.ROLL and s.phase == Phase.MOVE else 0):
        return Broken.TURNS
    return 0


def check_past(s: State) -> int:
    """The opening, and the numbers of turns and decisions."""
    begun = s.phase != Phase.OPENING
    for i in range(4):
        number = s.opening[i // 2, i % 2]
        if (number != 0) != (i < s.opening_rolled) or number > 6:
            return Broken.OPENED
    if begun != (s.opening_rolled == 4) or begun != (s.turn_seat != Seat.NOBODY):
        return Broken.OPENED
    red = int(s.opening[Seat.RED, 0]) + int(s.opening[Seat.RED, 1])
    blue = int(s.opening[Seat.BLUE, 0]) + int(s.opening[Seat.BLUE, 1])
    starter = Seat.RED if red > blue else Seat.BLUE
    if s.starter != (starter if begun else Seat.NOBODY) or (begun and red == blue):
        return Broken.OPENED
    turns = int(s.turns)
    completed = turns if s.phase == Phase.OPENING or s.phase == Phase.ROLL else turns - 1
    if turns == 0:
        for seat in range(2):
            if s.ring[seat, Half.NEAR] != ALL_COLUMNS or s.disc[seat, Half.NEAR] != ALL_COLUMNS:
                return Broken.AT_START
    if completed < 0 or (s.phase == Phase.OPENING and turns != 0):
        return Broken.TURN_LENGTH
    made = (1 if s.used[0] else 0) + (1 if s.used[1] else 0)  # die moves of this turn
    if not completed + made <= s.decisions <= 4 * turns:
        return Broken.TURN_LENGTH
    if begun and s.turn_seat != (starter + completed) % 2:
        return Broken.ALTERNATION
    return 0


def differ(halves: IntArray, other: IntArray) -> bool:
    """Whether two sets differ."""
    return bool(halves[Half.NEAR] != other[Half.NEAR] or halves[Half.FAR] != other[Half.FAR])
