"""Invariants of what is pending: the effect that is being carried out, its node, reactions, roll-offs.

The record says how to go on after a question. These functions say which records the rules can leave
behind, under the conditions of `questions.py`, and if its invariants hold.
"""

from __future__ import annotations

from .effects import (
    ANY,
    BY_BLACKOUTS,
    CHOSEN,
    CONDITION,
    DISCARDS,
    EACH,
    FAILING,
    FLIPS,
    GAINS,
    GIVES,
    INSTANT,
    INVERTS,
    LEADER,
    LOSES,
    ONE,
    PROGRAM,
    RECLAIMS,
    RIVAL,
    STEALS,
    STOP,
    SWAPS,
    TELEPORTS,
    TOLL_CODE,
)
from .markers import markers_there
from .matrix import PLACES
from .money import gained
from .opening import dice_of_roll_off, first_to_roll, richest, with_most
from .questions import is_opening
from .state import (
    AT_FULL,
    AT_LANDING,
    AT_WIN,
    BEFORE_ROLL,
    BID_DICE,
    DEAL,
    DIE,
    DISCARD,
    DISCARD_RIVAL,
    DIVIDE,
    DRAWN,
    EFFECT,
    FAIL,
    FINISHED,
    FLIP,
    GIVE,
    INVERT,
    LEADER_DICE,
    MOVE,
    NO_WINDOW,
    NODE,
    ORDER,
    PAYER,
    PENALISED,
    RECALL,
    RECLAIM,
    RESOLVE,
    REVERSE,
    ROLL,
    RUNNER,
    SEATS,
    SHIELD,
    STEAL,
    SWAP,
    TELEPORT,
    WINDOW,
    State,
    blackouts,
    clockwise,
    places_from,
)
from .state import EACH as EACH_PHASE
from .tiles import FACE_AMOUNT, FACE_CODE


def pending_fits(s: State) -> bool:
    """Victims, windows, gifts and squares are named only where something is asked about them."""
    phase = int(s.phase)
    shield = phase == SHIELD
    if (s.thief >= 0) != shield or (s.victim >= 0) != shield or (s.stake > 0) != shield:
        return False
    if (phase == TELEPORT) != (s.teleported >= 0) or (phase in (DEAL, REVERSE)) != (s.turning >= 0):
        return False
    if (phase in (BID_DICE, LEADER_DICE)) != (s.roll_seat >= 0) or (s.node_square >= 0) != (s.node_place >= 0):
        return False
    if phase == ORDER:
        return bool(s.window == AT_WIN)
    if phase == WINDOW:
        return bool(s.window != NO_WINDOW)
    if shield:
        return bool(s.window != AT_FULL)
    return bool(s.window == NO_WINDOW or (s.window == AT_FULL and phase == REVERSE))


# -- the effect and its program -----------------------------------------------------------------


def effect_fits(s: State) -> bool:
    """What is asked is asked by the step of the program that has just been carried out, or by a window."""
    phase, code = int(s.phase), int(s.code)
    if code == 0:
        if s.amount != 0 or s.node_square >= 0:
            return False
        idle = phase in (BEFORE_ROLL, ROLL, MOVE, FAIL, NODE, DISCARD, FINISHED) or is_opening(s)
        return idle or bool(s.window == AT_LANDING)
    if s.node_square < 0 and not is_control(s):
        return False
    if s.window == AT_LANDING:
        return False
    if s.window == AT_FULL:  # the program is over
        if CONDITION[code] != INSTANT:
            return bool(s.step == 0)
        return bool(s.step > 0 and PROGRAM[code, s.step - 1, 0] == STOP)
    if s.node_square >= 0 and CONDITION[code] != INSTANT:
        return False
    return bool(s.step > 0) and asks(s, int(PROGRAM[code, s.step - 1, 0]), int(PROGRAM[code, s.step - 1, 1]))


def is_control(s: State) -> bool:
    """PM-11, PM-12, PM-72: a marker is used before the roll, or after one that allows no move."""
    condition = int(CONDITION[s.code])
    if s.amount != 0 or not 0 <= condition <= FAILING:
        return False
    return bool((s.rolled > 0) == (condition == FAILING))


def asks(s: State, operation: int, how: int) -> bool:
    """Whether the operation can lead to the phase."""
    phase = int(s.phase)
    if operation == GAINS:
        return bool(s.window == AT_WIN and s.node_square >= 0)
    if s.window != NO_WINDOW:
        return False
    if operation == LOSES:
        return how == LEADER and phase in (LEADER_DICE, PAYER)
    if operation == GIVES:
        return phase == (GIVE if how == ONE else DIVIDE)
    if operation == STEALS:
        return phase == SHIELD or (how == ONE and phase == STEAL)
    if operation == FLIPS:
        return phase == REVERSE or (how == CHOSEN and phase == FLIP)
    if operation == INVERTS:
        return how == CHOSEN and phase == INVERT
    if operation == TELEPORTS:
        if phase == TELEPORT:
            return bool(how == ANY or s.teleported == s.active)
        return how == ANY and phase == RUNNER
    if operation == SWAPS:
        return phase == SWAP
    if operation == RECLAIMS:
        return phase in (RECLAIM, RECALL)
    return operation == DISCARDS and phase == (DISCARD_RIVAL if how == RIVAL else DISCARD)


def asked_how(s: State) -> int:
    """How the operation that has led to the phase takes what follows it."""
    return int(PROGRAM[s.code, s.step - 1, 1])


def resume_fits(s: State) -> bool:
    """The rules go on where they were when something was asked or drawn in between."""
    if s.phase == DISCARD:
        return bool(s.resume == (PENALISED if s.code == 0 else EFFECT))
    if s.phase != SHIELD and s.phase != REVERSE:
        return True
    if s.window != NO_WINDOW:
        return bool(s.resume == RESOLVE)
    each = s.phase == SHIELD and asked_how(s) == EACH
    return bool(s.resume == (EACH_PHASE if each else EFFECT))


# -- the node of the Pressure Phase ---------------------------------------------------------------


def node_fits(s: State) -> bool:
    """PM-29: the node is blacked out, is the one whose effect is carried out, and its tile has the runner."""
    square, place = int(s.node_square), int(s.node_place)
    if square < 0:
        cleared = s.just < 0 and s.filled == 0 and s.again == 0 and s.won == 0
        return bool(cleared and (s.phase != NODE or s.step == 0))
    face = int(s.up[square])
    if s.code != FACE_CODE[face, place] or s.amount != FACE_AMOUNT[face, place]:
        return False
    if s.just >= 0 and (s.just != PLACES * square + place or CONDITION[s.code] == INSTANT):
        return False
    if s.phase == REVERSE and s.turning == square:  # cleared already
        return bool(s.runner[s.active] == square) != bool(s.again)
    if blackouts(s, square) >> place & 1 == 0 or s.filled != s.full >> square & 1:
        return False
    return bool(s.runner[s.active] == square) != bool(s.again)


def again_fits(s: State) -> bool:
    """PM-53: a new phase is due only after a TELEPORT of the active runner, while the first is completed."""
    return bool(s.again == 0 or (s.window == AT_FULL and PROGRAM[s.code, 0, 0] == TELEPORTS))


def full_fits(s: State) -> bool:
    """PM-76: reactions to a full tile are to the one that the phase has filled."""
    return bool(s.window != AT_FULL or s.filled == 1)


def won_fits(s: State) -> bool:
    """PM-74: what a node has won, as soon as it has, and until the phase is over."""
    if s.window != AT_WIN and s.window != AT_FULL:
        return bool(s.won == 0)
    for step in range(2):
        if PROGRAM[s.code, step, 0] == GAINS and CONDITION[s.code] == INSTANT:
            how = int(PROGRAM[s.code, step, 1])
            cleared = how == BY_BLACKOUTS and s.filled == 1
            wins = PLACES if cleared else gained(s, how)
            skipped = s.window == AT_FULL and step > 0 and s.won == 0  # PM-60
            return bool(s.won == wins or skipped)
    return bool(s.won == 0)


def turning_fits(s: State) -> bool:
    """PM-44, PM-93: a tile whose other side is being drawn is cleared, and is what the effect is about."""
    if s.phase != REVERSE:
        return True
    square = int(s.turning)
    if s.options.reverse != DRAWN or s.reverse[square] >= 0 or blackouts(s, square) != 0:
        return False
    for seat in range(s.num_players):
        if markers_there(s, seat, square) != 0:
            return False
    if s.window == NO_WINDOW and asked_how(s) == CHOSEN:
        return not bool(s.occupied >> square & 1)
    return bool(s.node_square == square)


# -- reactions ----------------------------------------------------------------------------------


def announcements_fit(s: State) -> bool:
    """PM-77: what has been announced is in hand again, and only seats that have been asked have."""
    n = int(s.num_players)
    if s.window == NO_WINDOW:
        for seat in range(n):
            if s.declared[seat] != 0:
                return False
        return bool(s.toll == 0)
    first = 0 if s.window == AT_FULL else 1
    asking = s.phase == WINDOW
    if (asking and not first <= s.asked < n) or (not asking and s.asked != n):
        return False
    for places in range(n):
        seat = clockwise(s, int(s.active), places)
        late = places < first or (asking and places > s.asked)
        if s.declared[seat] > s.hand[seat] or (s.declared[seat] > 0 and (late or s.window == AT_LANDING)):
            return False
    return bool(s.toll == (toll_at(s, int(s.runner[s.active])) if is_toll_taken(s) else 0))


def is_toll_taken(s: State) -> bool:
    """PM-73: the TOLL of the tile has been used."""
    return bool(s.window == AT_LANDING and s.phase == SHIELD)


def toll_at(s: State, square: int) -> int:
    """What the TOLL of a tile takes; 0 if it has none."""
    face = int(s.up[square])
    for place in range(PLACES):
        if FACE_CODE[face, place] == TOLL_CODE:
            return int(FACE_AMOUNT[face, place])
    return 0


def shield_fits(s: State) -> bool:
    """PM-40, PM-75, PM-83: a SHIELD is asked for by a steal of what there is, up to its amount."""
    each = 0
    if s.phase == SHIELD:
        active, thief, victim = int(s.active), int(s.thief), int(s.victim)
        if thief == victim:
            return False
        if s.window == NO_WINDOW:
            amount = int(s.amount)
            if asked_how(s) == EACH:
                each = places_from(s, active, victim) + 1
            if thief != active:
                return False
        else:
            amount = int(s.toll) if s.window == AT_LANDING else int(s.won)
            if victim != active or s.hand[thief] <= s.declared[thief]:
                return False
        if s.stake != min(amount, int(s.credits[victim])):
            return False
    return bool(s.each_next == each)


def gifts_fit(s: State) -> bool:
    """PM-39: somebody gives away everything, as it is not enough for all."""
    left = 0
    for seat in range(SEATS):
        left += int(s.left[seat])
    if s.phase != DIVIDE:
        return left == 0
    for seat in range(s.num_players):
        if s.left[seat] > s.amount:
            return False
    return bool(s.left[s.active] == 0 and 0 < s.credits[s.active] < left)


# -- roll-offs ------------------------------------------------------------------------------------


def roll_off_fits(s: State) -> bool:
    """PM-08, PM-43: several of the best roll, one after the other, each as many dice."""
    n = int(s.num_players)
    rolling = s.phase == BID_DICE or s.phase == LEADER_DICE
    tied = int(s.tied) if rolling else 0
    if s.tied != tied or (s.roll_dice > 0) != rolling:
        return False
    if rolling:
        best = with_most(s.bid, n, 0) if s.phase == BID_DICE else richest(s)
        if tied & ~best or tied & (tied - 1) == 0 or tied >> int(s.roll_seat) & 1 == 0:
            return False
        if s.roll_dice > dice_of_roll_off(s):
            return False
    to_come = not rolling
    for places in range(n):
        seat = clockwise(s, first_to_roll(s), places) if rolling else places
        dice = 0
        if tied >> seat & 1 and not to_come:
            dice = dice_of_roll_off(s)
            if seat == s.roll_seat:
                dice -= int(s.roll_dice)
                to_come = True
        if not dice <= s.roll_sum[seat] <= DIE * dice:
            return False
    return True
