"""What must hold in every state of every game, and in every step from one to the next."""

from __future__ import annotations

import numpy as np

from polytrix.core.state import CHANCE, OVER, IntArray, Record

from .state import (
    ALL_COLUMNS,
    COLUMNS,
    COUNT,
    FAR,
    LAST_ROW,
    MOVE,
    NEAR,
    NO_KIND,
    NO_SEAT,
    OPENING,
    PIECES,
    PLACE,
    ROLL,
    ROWS,
    pips_home,
    row_of,
)
from .tables import BOARD

INVARIANTS = (
    "no piece is off the board",
    "QX-05: both seats see the same pieces",
    "QX-05: no square holds pieces of both colours",
    "QX-04: each colour has seven rings, but for one that waits for its return",
    "QX-04: each colour has seven discs",
    "QX-12: nobody is on the enemy start track",
    "QX-80: a colour has seven pips home if and only if it has won",
    "odds 1 to 3 are set if and only if somebody has won",
    "the game ends by a win or at its limit, and not otherwise",
    "chance is to move before the roll, after it the seat on turn",
    "before the roll no die is used and no die move recorded",
    "the dice show 1 to 6, the higher one first",
    "the first die move is recorded if and only if a die is used",
    "a turn goes on only with a die or a popped ring",
    "dice move no pieces",
    "nobody moves enemy pieces, but for a popped ring and its return",
    "QX-08: after the opening the turn passes when the next one is to roll, and only then",
    "each roll begins a turn",
)
(
    ON_BOARD,
    VIEWS_AGREE,
    ONE_COLOUR,
    RINGS,
    DISCS,
    ENEMY_TRACK,
    WINNER,
    ODDS_SET,
    ENDING,
    MOVER,
    UNROLLED,
    DICE,
    FIRST_MOVE,
    SOMETHING_LEFT,
    DICE_STILL,
    ENEMY_STILL,
    ALTERNATION,
    TURNS,
) = range(1, len(INVARIANTS) + 1)

TURNED = np.array([int(f"{bits:0{COLUMNS}b}"[::-1], 2) for bits in range(ALL_COLUMNS + 1)], np.int64)
"""A row's set as it is seen from the other side."""


def check(before: Record, s: Record) -> int:
    """The number of an invariant that the state, or the step to it, breaks; 0 if there is none."""
    broken = check_pieces(s)
    if broken == 0:
        broken = check_result(s)
    if broken == 0 and s.mover != OVER:
        broken = check_turn(s)
    if broken == 0:
        broken = check_step(before, s)
    return broken


def check_pieces(s: Record) -> int:
    """QX-04, QX-05, QX-12: the right pieces on squares they may stand on, the same seen from both sides."""
    for seat in range(2):
        own_ring, own_disc = s.ring[seat], s.disc[seat]
        other_ring, other_disc = s.enemy_ring[seat], s.enemy_disc[seat]
        ring_seen, disc_seen = s.enemy_ring[1 - seat], s.enemy_disc[1 - seat]
        if off_board(own_ring) or off_board(own_disc) or off_board(ring_seen) or off_board(disc_seen):
            return ON_BOARD
        rings = 0
        discs = 0
        for row in range(ROWS):
            ring = row_of(own_ring, row)
            disc = row_of(own_disc, row)
            turned = LAST_ROW - row
            if row_of(ring_seen, turned) != TURNED[ring] or row_of(disc_seen, turned) != TURNED[disc]:
                return VIEWS_AGREE
            if (ring | disc) & (row_of(other_ring, row) | row_of(other_disc, row)):
                return ONE_COLOUR
            rings += COUNT[ring]
            discs += COUNT[disc]
        popped = s.phase == PLACE and s.turn_seat == 1 - seat
        if rings != (PIECES - 1 if popped else PIECES):
            return RINGS
        if discs != PIECES:
            return DISCS
        if row_of(own_ring, LAST_ROW) | row_of(own_disc, LAST_ROW):
            return ENEMY_TRACK
    return 0


def off_board(words: IntArray) -> bool:
    """Whether a set has bits that stand for no square."""
    return (int(words[NEAR]) & ~int(BOARD[NEAR])) | (int(words[FAR]) & ~int(BOARD[FAR])) != 0


def check_result(s: Record) -> int:
    """QX-80: whoever has seven pips home has won; that, or the limit, ends the game."""
    for seat in range(2):
        if (pips_home(s, seat) == PIECES) != (s.winner == seat):
            return WINNER
    if (s.winner != NO_SEAT) != (1 <= s.odds <= 3):
        return ODDS_SET
    if (s.mover == OVER) != (s.winner != NO_SEAT or s.truncated != 0):
        return ENDING
    return 0


def check_turn(s: Record) -> int:
    """Phase, mover and dice of a game that goes on agree."""
    used = int(s.used[0]) + int(s.used[1])
    if s.phase == OPENING or s.phase == ROLL:
        if s.mover != CHANCE:
            return MOVER
        return UNROLLED if used or s.first_kind != NO_KIND else 0
    if (s.phase != MOVE and s.phase != PLACE) or s.mover != s.turn_seat:
        return MOVER
    if not 1 <= s.dice[1] <= s.dice[0] <= 6:
        return DICE
    if (s.first_kind == NO_KIND) != (used == 0):
        return FIRST_MOVE
    if s.phase == MOVE and used == 2:
        return SOMETHING_LEFT
    return 0


def check_step(before: Record, s: Record) -> int:
    """Who may move what, and whose turn it becomes."""
    for seat in range(2):
        if before.mover == seat:
            continue
        discs_moved = differ(before.disc[seat], s.disc[seat])
        rings_moved = differ(before.ring[seat], s.ring[seat])
        if before.mover == CHANCE and (discs_moved or rings_moved):
            return DICE_STILL
        if discs_moved or (rings_moved and before.phase != PLACE and s.phase != PLACE):
            return ENEMY_STILL
    if before.phase != OPENING:
        passes = before.phase != ROLL and s.phase == ROLL
        if s.turn_seat != (1 - before.turn_seat if passes else before.turn_seat):
            return ALTERNATION
    if s.turns != before.turns + (1 if before.phase == ROLL and s.phase == MOVE else 0):
        return TURNS
    return 0


def differ(words: IntArray, other: IntArray) -> bool:
    """Whether two sets are different."""
    return bool(words[NEAR] != other[NEAR] or words[FAR] != other[FAR])
