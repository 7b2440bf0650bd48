"""The contents of frames in states at rest: while a decision or a chance event is pending."""

from __future__ import annotations

from polytrix.core.bits import size

from ..cards.cards import MOST_OPERATIONS, NUMBER, OPERATIONS, Which, has_power
from ..cards.effects import How, Mark, Operation
from ..state import COLUMNS, LEADER_SLOT, MOST_RECRUITS, Damage, Frame, FrameKind, Row, SlotSet, State
from ..table.board import LEADER_BIT, is_corpse, places, slot_at
from ..table.passives import ability, leader_marks

NO_STEP = -1
HERO_PLACES = places(SlotSet.HEROES, SlotSet.HEROES)
DIVIDES = (Operation.SPLIT_HIT, Operation.SPLIT_HEAL, Operation.GATHER)
"""Operations that divide points among heroes; step 3 asks how many points a hero gets."""

# -- other frames -----------------------------------------------------------------------------------------


def plain_fits(s: State, f: Frame) -> bool:
    """Check a frame that is neither a power nor an order."""
    kind = int(f.kind)
    if f.op or f.row >= 0 or f.first >= 0 or f.column >= 0 or f.chosen_row >= 0 or f.kept >= 0:
        return False
    if (f.card >= 0) != (kind == FrameKind.PLAY) or (f.slot < 0) != (
        kind in (FrameKind.PLAY, FrameKind.WAVE_END, FrameKind.DRAW)
    ):
        return False
    if (f.attack >= 0) != (kind in (FrameKind.ATTACK, FrameKind.HIT)):
        return False
    if kind in (FrameKind.STRIKE, FrameKind.HIT, FrameKind.DEFEAT, FrameKind.DRAW):
        if f.heroes or f.total or f.picked:
            return False
        if f.slot == LEADER_SLOT:
            return False
    if kind != FrameKind.ATTACK and not deals_nothing(f):
        return False
    if kind in (FrameKind.STRIKE, FrameKind.ATTACK, FrameKind.DEFEAT, FrameKind.WAVE_END) and f.left:
        return False
    if kind == FrameKind.PLAY:
        return play_fits(s, f)
    if kind == FrameKind.STRIKE:
        return bool(f.seat == s.active and s.round_number > 1)
    if kind == FrameKind.ATTACK:
        return attack_fits(s, f)
    if kind == FrameKind.DEFEAT:
        return defeat_fits(s, f)
    if kind == FrameKind.WAVE_END:
        return wave_fits(s, f)
    return bool(f.left > 0 and (kind == FrameKind.DRAW or not f.flag))


def deals_nothing(f: Frame) -> bool:
    """Whether the frame has no damage still to deal."""
    for column in range(COLUMNS):
        if f.amounts[column]:
            return False
    return bool(f.thorns == 0)


def play_fits(s: State, f: Frame) -> bool:
    """PT-91, PT-92: check a PLAY frame."""
    if f.seat != s.active or (f.flag and (s.wave != Row.REAR or s.round_number == 1)):
        return False
    shots = SlotSet.ROW << 3 * Row.REAR if f.flag and f.step == 3 else 0
    if int(f.picked) & ~shots:
        return False
    if f.left == 0:
        return bool(f.step != 2)
    dealt = (
        int(NUMBER[ability(s, int(f.seat)), Which.LEADER])
        if leader_marks(s, int(f.seat)) & Mark.ORDER_HIT
        else 0
    )
    return bool(f.step >= 2 and f.left == dealt)


def attack_fits(s: State, f: Frame) -> bool:
    """PT-50, PT-51: check an ATTACK frame."""
    if (
        f.attack not in (Damage.MELEE, Damage.RANGED)
        or s.round_number == 1
        or (not f.flag and f.seat != s.active)
    ):
        return False
    if f.slot == LEADER_SLOT and f.flag:
        return False
    if f.step == 1:
        return bool(f.picked == 0 and f.heroes == 0 and f.total == 0 and deals_nothing(f))
    return int(f.picked) & ~places(0, SlotSet.ALL if f.step == 2 else 0) == 0


def defeat_fits(s: State, f: Frame) -> bool:
    """PT-71, PT-74, PT-75: the corpse is in its last strike, or may be captured."""
    u, slot = int(f.seat), int(f.slot)
    if not is_corpse(s, u, slot):
        return False
    if f.step == 2:
        return leader_marks(s, u) & Mark.LAST_STRIKE != 0
    return leader_marks(s, 1 - u) & Mark.CAPTURE != 0


def wave_fits(s: State, f: Frame) -> bool:
    """PT-69, PT-70: a leader hits opposing heroes; later the places are those of corpses."""
    seat, picked = int(f.seat), int(f.picked)
    if f.flag:
        return False
    if f.step == 1:
        return leader_marks(s, seat) & Mark.END_HIT != 0 and picked & ~places(0, SlotSet.HEROES) == 0
    return seat == s.first and picked & ~places(int(s.corpses[seat]), int(s.corpses[1 - seat])) == 0


# -- orders and powers ------------------------------------------------------------------------------------


def which_of(f: Frame) -> int:
    """The index of the effect that a power or an order carries out."""
    return Which.ORDER if f.kind == FrameKind.ORDER else int(f.row)


def effect_fits(s: State, f: Frame) -> bool:
    """Check the frame of a power or an order."""
    card, which = int(f.card), which_of(f)
    if card < 0 or f.seat != s.active or f.attack >= 0 or f.flag:
        return False
    if (
        (f.slot >= 0) != (which != Which.ORDER)
        or f.slot == LEADER_SLOT
        or (f.row >= 0) != (which != Which.ORDER)
    ):
        return False
    if which < 0 or (which != Which.ORDER and not has_power(card, which)):
        return False
    for column in range(COLUMNS):
        if f.amounts[column]:
            return False
    if f.thorns and not (OPERATIONS[card, which, f.op, 0] == Operation.PING and f.step == 3):
        return False
    return kept_fits(s, f, card, which)


def kept_fits(s: State, f: Frame, card: int, which: int) -> bool:
    """A column, a row or a card is remembered only after the operation that chooses it."""
    column = row = kept = False
    must_row = must_keep = False
    for op in range(min(int(f.op) + 1, MOST_OPERATIONS)):
        operation, how = int(OPERATIONS[card, which, op, 0]), int(OPERATIONS[card, which, op, 1])
        done = op < f.op
        if operation == Operation.COLUMN:
            column = done
        elif operation == Operation.RECRUIT:
            row = done or f.step >= 2
            must_row = f.step >= 2 and not done
            kept = row
            must_keep = f.step == 2 and not done
            if row and how == How.WAVE_ROW and f.chosen_row != s.wave:
                return False
        elif operation == Operation.REVIVE:
            kept = must_keep = done
        elif operation == Operation.USE and how == How.USE_RANDOM:
            kept = must_keep = done or f.step == 2
    if (f.column >= 0 and not column) or (f.chosen_row >= 0 and not row) or (f.kept >= 0 and not kept):
        return False
    return not (must_row and f.chosen_row < 0) and not (must_keep and f.kept < 0)


def begins(f: Frame) -> bool:
    """Whether the operation has not started."""
    return bool(f.step == 0 and f.first < 0 and f.left == 0 and f.picked == 0)


def operation_fits(s: State, f: Frame) -> bool:
    """Check the picks and the remaining number of an operation that has started."""
    card, which, op = int(f.card), which_of(f), int(f.op)
    operation = int(OPERATIONS[card, which, op, 0])
    n, k = int(OPERATIONS[card, which, op, 2]), int(OPERATIONS[card, which, op, 3])
    step, left, picked = int(f.step), int(f.left), int(f.picked)
    firsts = (
        2
        if operation in (Operation.SHIFT, Operation.SWAP)
        else 3
        if operation in DIVIDES or operation == Operation.ARRANGE
        else NO_STEP
    )
    if (f.first >= 0) != (step == firsts) or (f.first >= 0 and slot_at(int(f.first)) == LEADER_SLOT):
        return False
    if operation in (Operation.PING, Operation.HEAL):
        return picked & ~HERO_PLACES == 0 and size(picked) + left == k and (left > 0 or step != 2)
    if operation in DIVIDES:
        taking = 1 if step == 3 else 0
        if taking and not picked >> int(f.first) & 1:
            return False
        return picked & ~HERO_PLACES == 0 and size(picked) - taking + left <= n and (left > 0 or step == 1)
    if operation == Operation.HIT_ALL:
        return left == 0 and picked & LEADER_BIT == 0
    if operation == Operation.WARD:
        return left == 0 and picked & ~places(0, SlotSet.HEROES) == 0
    if operation == Operation.FRONTS_ATTACK:
        return left == 0 and picked & ~SlotSet.HEROES == 0
    if picked:
        return False
    if operation == Operation.ARRANGE:
        return 0 < left < (COLUMNS if f.column >= 0 else size(SlotSet.HEROES))
    if operation == Operation.REORDER:
        return left == 0 if step == 0 else 2 <= left <= s.fixed[f.seat]
    if operation == Operation.SIFT:
        return 0 < left <= n if step == 1 else left == 4 - step
    if operation == Operation.FOE_DISCARD:
        return left < n
    if operation == Operation.RECRUIT:
        return 0 < left <= min(n, MOST_RECRUITS)
    return left == 0
