"""PT-94: which frame may lie on which, in states at rest.

Most steps run without a stop. In a state at rest the top frame asks a question, and each other frame waits,
in one of a few steps, for the frame on it.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.state import IntArray

from ..cards.cards import OPERATIONS, TYPES
from ..cards.effects import How, Mark, Operation
from ..state import COLUMNS, OPENING_HAND, Damage, Frame, FrameKind, Phase, State
from ..table.passives import leader_marks
from ..table.stack import REFUSED
from .frames import begins, effect_fits, operation_fits, plain_fits, which_of

DEEPEST = 29
"""PT-94: 28 frames and one that draws."""

NO_FRAME = len(FrameKind)
"""Kind of the frame on the top frame: there is none."""
STEPS = 6


def kinds(*some: int) -> int:
    """A set of kinds of frames."""
    return sum(1 << kind for kind in some)


ASKS = kinds(NO_FRAME)
HARM = kinds(FrameKind.HIT, FrameKind.DEFEAT)
"""A hit, or the defeat that it causes (PT-67)."""
FIGHT = kinds(FrameKind.ATTACK, FrameKind.DEFEAT)
"""An attack, or the defeat of its attacker (WARD)."""


def _table(rows: int, content: dict[tuple[int, int], int]) -> IntArray:
    table = np.zeros((rows, STEPS), np.int64)
    for at, some in content.items():
        table[at] = some
    return table


def _at(step: int, some: int, names: str) -> dict[tuple[int, int], int]:
    """The same kinds for this step of several operations."""
    return {(Operation.members()[name], step): some for name in names.split()}


ON_FRAME = _table(
    len(FrameKind),
    {
        (FrameKind.PLAY, 1): kinds(FrameKind.ORDER),
        (FrameKind.PLAY, 2): ASKS,
        (FrameKind.PLAY, 3): HARM | kinds(FrameKind.ATTACK),
        (FrameKind.STRIKE, 1): ASKS,
        (FrameKind.STRIKE, 2): FIGHT | kinds(FrameKind.POWER),
        (FrameKind.ATTACK, 1): ASKS,
        (FrameKind.ATTACK, 2): HARM,
        (FrameKind.ATTACK, 5): HARM,
        (FrameKind.HIT, 1): ASKS,
        (FrameKind.DEFEAT, 2): kinds(FrameKind.ATTACK),
        (FrameKind.DEFEAT, 3): ASKS,
        (FrameKind.WAVE_END, 1): HARM,
        (FrameKind.WAVE_END, 3): kinds(FrameKind.DEFEAT),
        (FrameKind.DRAW, 0): ASKS,
    },
)
"""[kind, step]: kinds of frames that may lie on a frame; the next two tables are for orders and powers."""

ON_OPERATION = _table(
    len(Operation),
    _at(1, ASKS, "BOOST DEFEAT RETURN REVIVE ROW_CORPSES SWAP SWAP_SELF COLUMN GRANT COPY SHIFT RECRUIT")
    | _at(1, ASKS, "REORDER SIFT SEARCH SPY_DISCARD FOE_DISCARD USE PLAY_MANY PLAY_DRAWN")
    | _at(2, ASKS, "PING SPLIT_HIT HEAL SPLIT_HEAL GATHER SHIFT SWAP ARRANGE SIFT")
    | _at(3, ASKS, "SPLIT_HIT SPLIT_HEAL GATHER ARRANGE RECRUIT SIFT")
    | _at(1, HARM, "PING HIT_ALL SPLIT_HIT")
    | {
        (Operation.PING, 3): HARM,
        (Operation.GATHER, 1): kinds(FrameKind.DEFEAT),
        (Operation.WARD, 1): kinds(FrameKind.DEFEAT),
        (Operation.RECRUIT, 2): kinds(FrameKind.STRIKE),
        (Operation.FRONTS_ATTACK, 1): FIGHT,
        (Operation.REORDER, 0): ASKS,
        (Operation.USE, 2): kinds(FrameKind.ORDER),
        (Operation.PLAY_MANY, 0): kinds(FrameKind.PLAY),
    },
)
"""[operation, step]: kinds of frames that may lie on a power or an order within an operation."""

AFTER_OPERATION: IntArray = np.zeros(len(Operation), np.int64)
"""[operation]: kinds of frames that may lie on a power or an order after this operation."""
for _operation, _kinds in (
    (Operation.HIT, HARM),
    (Operation.SHIFT, kinds(FrameKind.DEFEAT)),
    (Operation.DEFEAT, kinds(FrameKind.DEFEAT)),
    (Operation.RECRUIT, kinds(FrameKind.STRIKE)),
    (Operation.STRIKE, kinds(FrameKind.STRIKE)),
    (Operation.GRANT, FIGHT),
    (Operation.COPY, kinds(FrameKind.POWER)),
    (Operation.DRAW, kinds(FrameKind.DRAW)),
    (Operation.REDRAW, kinds(FrameKind.DRAW)),
    (Operation.USE, kinds(FrameKind.ORDER)),
    (Operation.PLAY_DRAWN, kinds(FrameKind.PLAY)),
):
    AFTER_OPERATION[_operation] = _kinds

ON_TABLE = kinds(
    FrameKind.PLAY, FrameKind.POWER, FrameKind.STRIKE, FrameKind.ATTACK, FrameKind.DEFEAT, FrameKind.DRAW
)
"""Frames at the bottom of the stack during a turn."""


def stack_fits(s: State) -> bool:
    """Each frame has valid contents, and may lie on the one below it."""
    depth = int(s.depth)
    if depth > DEEPEST:
        return False
    for i in range(depth):
        f = s.stack[i]
        above = int(s.stack[i + 1].kind) if i + 1 < depth else NO_FRAME
        if f.kind in (FrameKind.ORDER, FrameKind.POWER):
            if not effect_fits(s, f) or not rests(s, f, above):
                return False
        elif not ON_FRAME[f.kind, f.step] >> above & 1 or not plain_fits(s, f):
            return False
        if not (bottom_fits(s, f) if i == 0 else lies_well(s, f, s.stack[i - 1])):
            return False
    return True


def rests(s: State, f: Frame, above: int) -> bool:
    """Whether a power or an order is within an operation or after one on which this frame may lie."""
    operation = int(OPERATIONS[f.card, which_of(f), f.op, 0])
    if not 0 <= operation < len(ON_OPERATION) or f.step == REFUSED:
        return False
    if ON_OPERATION[operation, f.step] >> above & 1:
        return operation_fits(s, f)
    return begins(f) and AFTER_OPERATION[operation_before(f)] >> above & 1 != 0


def operation_before(f: Frame) -> int:
    """The operation that a power or an order has just finished; STOP if it has not."""
    return int(OPERATIONS[f.card, which_of(f), f.op - 1, 0]) if f.op > 0 and f.step == 0 else Operation.STOP


# -- what lies on what --------------------------------------------------------------------------------------


def bottom_fits(s: State, f: Frame) -> bool:
    """PT-30 to PT-37: the bottom frame belongs to an action, the end of a wave, or an opening hand."""
    if s.phase == Phase.PLAYING:
        if f.kind == FrameKind.DRAW:
            return bool(f.seat == s.active and f.left == 1 and f.flag == 0)
        if f.kind == FrameKind.STRIKE:
            return bool(f.flag and leader_marks(s, int(f.seat)) & Mark.RECRUIT_STRIKE)
        if f.kind == FrameKind.DEFEAT:
            return warded(s, f)
        return bool(ON_TABLE >> int(f.kind) & 1 and (f.kind != FrameKind.ATTACK or not f.flag))
    if s.phase == Phase.CLOSED:
        return bool(f.kind == FrameKind.WAVE_END)
    return bool(
        s.phase == Phase.DEALING
        and f.kind == FrameKind.DRAW
        and f.left <= OPENING_HAND + s.trophies[1 - f.seat]
        and f.flag == 0
    )


def warded(s: State, f: Frame) -> bool:
    """WARD: the defeat has replaced the attack that caused it."""
    return bool(f.seat == s.active and not f.flag and s.ward[1 - f.seat])


def lies_well(s: State, f: Frame, b: Frame) -> bool:
    """Whether the contents of a frame agree with the frame below it."""
    kind = int(f.kind)
    if kind == FrameKind.WAVE_END:
        return False
    if kind == FrameKind.ORDER:
        return order_lies_well(s, f, b)
    if kind == FrameKind.STRIKE:
        may_pass = b.step == 2 or operation_before(b) == Operation.RECRUIT
        return bool(f.flag == may_pass and (not may_pass or leader_marks(s, int(f.seat)) & Mark.RECRUIT_STRIKE))
    if kind == FrameKind.ATTACK:
        if b.kind == FrameKind.DEFEAT:
            return bool(f.flag and f.seat == b.seat and f.slot == b.slot and f.attack == Damage.MELEE)
        return bool(not f.flag and (b.kind != FrameKind.PLAY or f.attack == Damage.RANGED))
    if kind == FrameKind.HIT:
        return hit_lies_well(f, b)
    if kind == FrameKind.DEFEAT:
        return defeat_lies_well(s, f, b)
    if kind == FrameKind.DRAW:
        op, which = int(b.op), which_of(b)
        most = (
            TYPES + 1 if operation_before(b) == Operation.REDRAW else int(OPERATIONS[b.card, which, op - 1, 2])
        )
        remembered = OPERATIONS[b.card, which, op, 0] == Operation.PLAY_DRAWN
        return bool(f.seat == b.seat and f.left <= most and f.flag == remembered)
    return True


def order_lies_well(s: State, f: Frame, b: Frame) -> bool:
    """PT-91, PT-93, PT-95: the order of the card that is played or used."""
    if b.kind == FrameKind.PLAY:
        return bool(f.card == b.card)
    if b.step == 2:  # USE random
        return bool(f.card == b.kept)
    how = OPERATIONS[b.card, which_of(b), b.op - 1, 1]
    return bool(how != How.USE_LEADER or f.card == s.leader[b.seat])


def hit_lies_well(f: Frame, b: Frame) -> bool:
    """PT-62: the hit has the kind of damage that its dealer deals."""
    kind = int(f.attack)
    if b.kind == FrameKind.ATTACK:
        if b.step == 2:
            return bool(kind == b.attack and f.seat != b.seat and f.left == b.amounts[f.slot % COLUMNS])
        return bool(kind == Damage.THORNS and f.seat == b.seat and f.slot == b.slot and f.left == b.thorns)
    if b.kind in (FrameKind.PLAY, FrameKind.WAVE_END):
        return bool(kind == Damage.LEADER and (b.kind == FrameKind.PLAY or f.seat != b.seat))
    if b.kind == FrameKind.ORDER:
        return kind == Damage.ORDER
    if b.step == 3:
        return kind == Damage.POWER
    return bool(
        f.seat == b.seat and f.slot == b.slot and kind == (Damage.THORNS if b.step == 1 else Damage.ITSELF)
    )


def defeat_lies_well(s: State, f: Frame, b: Frame) -> bool:
    """PT-67, PT-70, PT-72: the frame below is a reason for the defeat."""
    if b.kind == FrameKind.WAVE_END and b.step == 3:
        return bool(f.flag)
    if f.flag:
        return False
    if b.kind in (FrameKind.ORDER, FrameKind.POWER):
        operation = int(OPERATIONS[b.card, which_of(b), b.op, 0])
        behind = operation_before(b)
        if behind == Operation.DEFEAT:
            return True
        if operation == Operation.WARD and b.step == 1:
            return bool(f.seat != b.seat)
        if behind == Operation.GRANT or operation == Operation.FRONTS_ATTACK:
            return warded(s, f)
    elif b.kind == FrameKind.STRIKE:
        return warded(s, f)
    return leader_marks(s, 1 - int(f.seat)) & Mark.EXECUTE != 0
