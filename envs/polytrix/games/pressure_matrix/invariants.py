"""What holds in every position, and in every step from one to the next."""

from __future__ import annotations

from polytrix.core.bits import size
from polytrix.core.invariants import invariant
from polytrix.core.state import CHANCE, OVER

from .choices import UNDECIDED, only_choice
from .effects import CONDITIONS
from .matrix import MATRIX, SQUARES, TILE
from .movement import moved_by
from .opening import bids_revealed, richest, with_most
from .state import (
    ALL_OF_HALF,
    DICE,
    DIE,
    FACES,
    HALF_FACES,
    MARKERS,
    MOST_WON,
    SEATS,
    Phase,
    State,
    Window,
    blackouts,
    clockwise,
)
from .tiles import SETTINGS, Setting

# -- the table ------------------------------------------------------------------------------------


@invariant
def each_seat_has_its_markers(before: State, s: State) -> bool:
    """PM-01, PM-02: markers in hand, in the Matrix and discarded make five; absent seats have nothing."""
    for seat in range(SEATS):
        inside = size(int(s.marker[seat, 0])) + size(int(s.marker[seat, 1]))
        markers = int(s.hand[seat]) + inside + int(s.discarded[seat])
        if seat < s.num_players:
            if markers != MARKERS:
                return False
        elif markers != 0 or s.credits[seat] != 0 or s.bid[seat] >= 0 or s.runner[seat] >= 0:
            return False
    return True


@invariant
def markers_lie_on_special_nodes(before: State, s: State) -> bool:
    """PM-62: a Control Marker lies alone on its node, which is special."""
    for half in range(2):
        free = 0
        for condition in range(CONDITIONS):
            free |= int(s.control[condition, half])
        for seat in range(SEATS):
            nodes = int(s.marker[seat, half])
            if nodes & ~free:
                return False
            free ^= nodes
    return True


@invariant
def runners_stand_on_different_tiles(before: State, s: State) -> bool:
    """PM-81: runners stand on different tiles of the Matrix, and no others are occupied."""
    squares = 0
    for seat in range(s.num_players):
        if s.runner[seat] >= 0:
            square = 1 << int(s.runner[seat])
            if squares & square or not int(MATRIX[s.num_players]) & square:
                return False
            squares |= square
    return squares == s.occupied


@invariant
def full_tiles_have_four_blackouts(before: State, s: State) -> bool:
    """PM-31: Blackout Markers lie in the Matrix, and the full tiles are those with four."""
    full = 0
    for square in range(SQUARES):
        if blackouts(s, square) and not int(MATRIX[s.num_players]) >> square & 1:
            return False
        full |= int(blackouts(s, square) == TILE) << square
    return full == s.full


@invariant
def each_face_is_in_one_place(before: State, s: State) -> bool:
    """PM-04, PM-93: the squares of the Matrix have different faces, and the unseen ones are the others."""
    low, high = int(s.unseen[0]), int(s.unseen[1])
    count = size(low) + size(high)
    for square in range(SQUARES):
        inside = int(MATRIX[s.num_players]) >> square & 1
        if s.phase != Phase.DEAL and inside != int(s.up[square] >= 0):
            return False
        for face in (int(s.up[square]), int(s.reverse[square])):
            if face >= 0:
                low ^= int(face < HALF_FACES) << face % HALF_FACES
                high ^= int(face >= HALF_FACES) << face % HALF_FACES
                count += 1
    return low == ALL_OF_HALF and high == ALL_OF_HALF and count == FACES


@invariant
def credits_have_been_won(before: State, s: State) -> bool:
    """PM-37, PM-92: Credits are never negative, nor more than the decisions can have brought."""
    total = 0
    for seat in range(SEATS):
        if s.credits[seat] < 0:
            return False
        total += int(s.credits[seat])
    return total <= MOST_WON * (1 + s.decisions)


# -- the course of the game -----------------------------------------------------------------------


@invariant
def bids_stay(before: State, s: State) -> bool:
    """PM-06: seats bid one after the other, and their bids stay."""
    for seat in range(s.num_players):
        if before.bid[seat] >= 0 and before.bid[seat] != s.bid[seat]:
            return False
        if seat > 0 and s.bid[seat] >= 0 and s.bid[seat - 1] < 0:
            return False
    return True


@invariant
def the_first_player_has_bid_the_most(before: State, s: State) -> bool:
    """PM-07: the first player has bid the most."""
    if s.first < 0:
        return s.active < 0
    return bids_revealed(s) and with_most(s.bid, s.num_players, 0) >> s.first & 1 == 1


@invariant
def turns_go_clockwise(before: State, s: State) -> bool:
    """PM-10: turns go clockwise, one after the other."""
    if s.turns == before.turns:
        return s.active == before.active or before.active < 0
    expected = s.first if s.turns == 1 else clockwise(s, before.active, 1)
    return s.turns == before.turns + 1 and s.active == expected


@invariant
def the_game_waits(before: State, s: State) -> bool:
    """PM-89: the game waits for chance, or for a seat that has a choice."""
    if s.mover >= 0:
        return s.phase < Phase.OVER and only_choice(s) == UNDECIDED
    return s.mover == OVER or Phase.OVER < s.phase < Phase.TURN


@invariant
def the_game_ends_in_time(before: State, s: State) -> bool:
    """PM-13, PM-91, PM-95: a frozen seat, the last turn or the limit ends the game, and nothing else does."""
    if s.mover != OVER:  # chance may follow the last decision
        return s.truncated == 0 and (s.mover == CHANCE or s.decisions < s.options.max_decisions)
    if s.truncated:
        return s.phase < Phase.OVER and s.decisions == s.options.max_decisions
    return bool(s.phase == Phase.OVER and (s.hand[s.active] == 0 or 0 < SETTINGS[Setting.TURNS] <= s.turns))


# -- a turn ---------------------------------------------------------------------------------------


@invariant
def a_die_sets_the_movement(before: State, s: State) -> bool:
    """PM-14, PM-16: the movement is that of one of three dice, with the adjustments."""
    if s.rolled < DICE:
        return s.movement < 0
    fits = s.movement < 0 and s.phase == Phase.ROLLED
    for die in range(DICE):
        if not 1 <= s.dice[die] <= DIE:
            return False
        fits = fits or s.movement == moved_by(s, int(s.dice[die]))
    return fits


@invariant
def before_the_roll_nothing_is_pending(before: State, s: State) -> bool:
    """PM-11: before the roll no effect is being carried out, and no reaction is due."""
    if s.phase not in (Phase.BEFORE_ROLL, Phase.ROLL, Phase.MOVE):
        return True
    for seat in range(SEATS):
        if s.declared[seat] != 0 or s.left[seat] != 0:
            return False
    named = s.thief >= 0 or s.teleported >= 0 or s.turning >= 0 or s.roll_seat >= 0 or s.just >= 0
    amounts = s.code | s.toll | s.again | s.each_next | s.tied
    return not named and amounts == 0 and s.node_square < 0 and s.window == Window.NONE


@invariant
def nothing_is_noted_of_what_is_not_there(before: State, s: State) -> bool:
    """PM-29, PM-75: without a node, an effect or a theft nothing is noted of it, nor of absent seats."""
    if s.node_square < 0 and (s.node_place >= 0 or s.filled or s.won):
        return False
    if (s.code == 0 and s.amount != 0) or (s.thief < 0 and (s.victim >= 0 or s.stake)):
        return False
    for seat in range(s.num_players, SEATS):
        if s.declared[seat] or s.left[seat]:
            return False
    return max(s.active, s.thief, s.victim, s.teleported) < s.num_players


@invariant
def the_best_roll_off(before: State, s: State) -> bool:
    """PM-08, PM-43: several of the best roll for it."""
    if s.phase != Phase.BID_DICE and s.phase != Phase.LEADER_DICE:
        return s.tied == 0
    best = with_most(s.bid, s.num_players, 0) if s.phase == Phase.BID_DICE else richest(s)
    return s.tied & ~best == 0 and size(s.tied) > 1
