"""Invariants of what is pending: the effect that is being carried out, its node, reactions, roll-offs.

The record says how to go on after a question. These functions recognise records that the rules can produce,
among those that keep the invariants of `invariants.py` and `questions.py`.
"""

from __future__ import annotations

from .effects import CONDITION, STEPS, Code, HowMuch, Op, When, Which, Whom, WhoseMarker, WhoseRunner
from .markers import markers_there
from .matrix import PLACES
from .money import gained
from .opening import dice_of_roll_off, first_to_roll, richest, with_most
from .questions import is_opening
from .state import DIE, SEATS, Phase, Reverse, State, Window, blackouts, clockwise, places_from
from .tiles import FACE_AMOUNT, FACE_CODE


def pending_fits(s: State) -> bool:
    """The record names thieves, windows, runners and squares only while a question is about them."""
    phase = s.phase
    shield = phase == Phase.SHIELD
    if (s.thief >= 0) != shield or (s.victim >= 0) != shield or (s.stake > 0) != shield:
        return False
    if (phase == Phase.TELEPORT) != (s.teleported >= 0) or (s.node_square >= 0) != (s.node_place >= 0):
        return False
    if (phase in (Phase.DEAL, Phase.REVERSE)) != (s.turning >= 0):
        return False
    if (phase in (Phase.BID_DICE, Phase.LEADER_DICE)) != (s.roll_seat >= 0):
        return False
    if phase == Phase.ORDER:
        return s.window == Window.WIN
    if phase == Phase.WINDOW:
        return s.window != Window.NONE
    if shield:
        return s.window != Window.FULL
    return s.window == Window.NONE or (s.window == Window.FULL and phase == Phase.REVERSE)


# -- the effect and its steps -------------------------------------------------------------------

IDLE = (Phase.BEFORE_ROLL, Phase.ROLL, Phase.MOVE, Phase.FAIL, Phase.NODE, Phase.DISCARD, Phase.OVER)
"""Phases of a turn in which no effect is being carried out."""


def effect_fits(s: State) -> bool:
    """The question belongs to the last step of the effect that was carried out, or to a window."""
    phase, code = s.phase, s.code
    if code == 0:
        if s.amount != 0 or s.node_square >= 0:
            return False
        return phase in IDLE or is_opening(s) or bool(s.window == Window.LANDING)
    if s.node_square < 0 and not is_control(s):
        return False
    if s.window == Window.LANDING:
        return False
    if s.window == Window.FULL:  # the effect is over
        if CONDITION[code] != When.INSTANT:
            return s.step == 0
        return bool(s.step > 0 and STEPS[code, s.step - 1, 0] == Op.STOP)
    if s.node_square >= 0 and CONDITION[code] != When.INSTANT:
        return False
    return bool(s.step > 0) and asks(s, int(STEPS[code, s.step - 1, 0]), int(STEPS[code, s.step - 1, 1]))


def is_control(s: State) -> bool:
    """PM-11, PM-12, PM-72: whether a marker is being used, before the roll or after one that allows no move."""
    condition = int(CONDITION[s.code])
    if s.amount != 0 or not 0 <= condition <= When.FAILING:
        return False
    return (s.rolled > 0) == (condition == When.FAILING)


def asks(s: State, operation: int, how: int) -> bool:
    """Whether a step can lead to the phase."""
    phase = s.phase
    if operation == Op.GAIN:
        return s.window == Window.WIN and s.node_square >= 0
    if s.window != Window.NONE:
        return False
    if operation == Op.LOSE:
        return how == Whom.LEADER and phase in (Phase.LEADER_DICE, Phase.PAYER)
    if operation == Op.GIVE:
        return phase == (Phase.GIVE if how == Whom.ONE else Phase.DIVIDE)
    if operation == Op.STEAL:
        return phase == Phase.SHIELD or (how == Whom.ONE and phase == Phase.STEAL)
    if operation == Op.FLIP:
        return phase == Phase.REVERSE or (how == Which.CHOSEN and phase == Phase.FLIP)
    if operation == Op.INVERT:
        return how == Which.CHOSEN and phase == Phase.INVERT
    if operation == Op.TELEPORT:
        if phase == Phase.TELEPORT:
            return how == WhoseRunner.ANY or s.teleported == s.active
        return how == WhoseRunner.ANY and phase == Phase.RUNNER
    if operation == Op.SWAP:
        return phase == Phase.SWAP
    if operation == Op.RECLAIM:
        return phase in (Phase.RECLAIM, Phase.RECALL)
    asked = Phase.DISCARD_RIVAL if how == WhoseMarker.RIVAL else Phase.DISCARD
    return operation == Op.DISCARD and phase == asked


def asked_how(s: State) -> int:
    """The `how` of the step that has led to the phase."""
    return int(STEPS[s.code, s.step - 1, 1])


def resume_fits(s: State) -> bool:
    """After a question or draw, the rules go on with the phase that they had reached."""
    if s.phase == Phase.DISCARD:
        return s.resume == (Phase.PENALISED if s.code == 0 else Phase.EFFECT)
    if s.phase != Phase.SHIELD and s.phase != Phase.REVERSE:
        return True
    if s.window != Window.NONE:
        return s.resume == Phase.RESOLVE
    each = s.phase == Phase.SHIELD and asked_how(s) == Whom.EACH
    return s.resume == (Phase.EACH if each else Phase.EFFECT)


# -- the node of the Pressure Phase ---------------------------------------------------------------


def node_fits(s: State) -> bool:
    """PM-29: the node is blacked out, the effect is its own, and the active runner is on its tile."""
    square, place = s.node_square, s.node_place
    if square < 0:
        cleared = s.just < 0 and s.filled == 0 and s.again == 0 and s.won == 0
        return cleared and (s.phase != Phase.NODE or s.step == 0)
    face = int(s.up[square])
    if s.code != FACE_CODE[face, place] or s.amount != FACE_AMOUNT[face, place]:
        return False
    if s.just >= 0 and (s.just != PLACES * square + place or CONDITION[s.code] == When.INSTANT):
        return False
    if s.phase == Phase.REVERSE and s.turning == square:  # already cleared
        return bool(s.runner[s.active] == square) != bool(s.again)
    if blackouts(s, square) >> place & 1 == 0 or s.filled != s.full >> square & 1:
        return False
    return bool(s.runner[s.active] == square) != bool(s.again)


def again_fits(s: State) -> bool:
    """PM-53: only a TELEPORT leads to a new phase, and only reactions to a full tile come before it."""
    return bool(s.again == 0 or (s.window == Window.FULL and STEPS[s.code, 0, 0] == Op.TELEPORT))


def full_fits(s: State) -> bool:
    """PM-76: seats react only to a tile that this phase has filled."""
    return s.window != Window.FULL or s.filled == 1


def won_fits(s: State) -> bool:
    """PM-74: `won` is what the node wins, from then until the end of the phase."""
    if s.window != Window.WIN and s.window != Window.FULL:
        return s.won == 0
    for step in range(2):
        if STEPS[s.code, step, 0] == Op.GAIN and CONDITION[s.code] == When.INSTANT:
            how = int(STEPS[s.code, step, 1])
            cleared = how == HowMuch.BY_BLACKOUTS and s.filled == 1
            wins = PLACES if cleared else gained(s, how)
            skipped = s.window == Window.FULL and step > 0 and s.won == 0  # PM-60
            return s.won == wins or skipped
    return s.won == 0


def turning_fits(s: State) -> bool:
    """PM-44, PM-93: the tile whose other side is being drawn is cleared, and the effect turns it over."""
    if s.phase != Phase.REVERSE:
        return True
    square = s.turning
    if s.options.reverse != Reverse.DRAWN or s.reverse[square] >= 0 or blackouts(s, square) != 0:
        return False
    for seat in range(s.num_players):
        if markers_there(s, seat, square) != 0:
            return False
    if s.window == Window.NONE and asked_how(s) == Which.CHOSEN:
        return not bool(s.occupied >> square & 1)
    return s.node_square == square


# -- reactions ----------------------------------------------------------------------------------


def announcements_fit(s: State) -> bool:
    """PM-77: markers of announced reactions are in hand, and only seats that have been asked announce."""
    n = s.num_players
    if s.window == Window.NONE:
        for seat in range(n):
            if s.declared[seat] != 0:
                return False
        return s.toll == 0
    first = 0 if s.window == Window.FULL else 1
    asking = s.phase == Phase.WINDOW
    if (asking and not first <= s.asked < n) or (not asking and s.asked != n):
        return False
    for places in range(n):
        seat = clockwise(s, s.active, places)
        late = places < first or (asking and places > s.asked)
        if s.declared[seat] > s.hand[seat] or (s.declared[seat] > 0 and (late or s.window == Window.LANDING)):
            return False
    return bool(s.toll == (toll_at(s, int(s.runner[s.active])) if is_toll_taken(s) else 0))


def is_toll_taken(s: State) -> bool:
    """PM-73: whether the TOLL of the tile is being carried out."""
    return s.window == Window.LANDING and s.phase == Phase.SHIELD


def toll_at(s: State, square: int) -> int:
    """The amount of the TOLL on a tile; 0 if it has none."""
    face = int(s.up[square])
    for place in range(PLACES):
        if FACE_CODE[face, place] == Code.TOLL:
            return int(FACE_AMOUNT[face, place])
    return 0


def shield_fits(s: State) -> bool:
    """PM-40, PM-75, PM-83: a SHIELD can stop a steal of its amount, or of all that the victim has."""
    each = 0
    if s.phase == Phase.SHIELD:
        active, thief, victim = s.active, s.thief, s.victim
        if thief == victim:
            return False
        if s.window == Window.NONE:
            amount = s.amount
            if asked_how(s) == Whom.EACH:
                each = places_from(s, active, victim) + 1
            if thief != active:
                return False
        else:
            amount = s.toll if s.window == Window.LANDING else s.won
            if victim != active or s.hand[thief] <= s.declared[thief]:
                return False
        if s.stake != min(amount, int(s.credits[victim])):
            return False
    return s.each_next == each


def gifts_fit(s: State) -> bool:
    """PM-39: Credits are divided only while the giver has not enough for all."""
    left = 0
    for seat in range(SEATS):
        left += int(s.left[seat])
    if s.phase != Phase.DIVIDE:
        return left == 0
    for seat in range(s.num_players):
        if s.left[seat] > s.amount:
            return False
    return bool(s.left[s.active] == 0 and 0 < s.credits[s.active] < left)


# -- roll-offs ------------------------------------------------------------------------------------


def roll_off_fits(s: State) -> bool:
    """PM-08, PM-43: at least two of the best seats roll in turn, each the same number of dice."""
    n = s.num_players
    rolling = s.phase == Phase.BID_DICE or s.phase == Phase.LEADER_DICE
    tied = s.tied if rolling else 0
    if s.tied != tied or (s.roll_dice > 0) != rolling:
        return False
    if rolling:
        best = with_most(s.bid, n, 0) if s.phase == Phase.BID_DICE else richest(s)
        if tied & ~best or tied & (tied - 1) == 0 or tied >> s.roll_seat & 1 == 0:
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
                dice -= s.roll_dice
                to_come = True
        if not dice <= s.roll_sum[seat] <= DIE * dice:
            return False
    return True
