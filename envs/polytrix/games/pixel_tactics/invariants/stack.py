"""PT-94: what may lie on the stack while a decision or a chance event is awaited.

Most steps of frames and operations pass without a stop. At rest a frame either asks, on top of the
stack, or waits in one of a few steps for what lies on it.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.state import IntArray, Record

from ..cards.cards import PROGRAM, TYPES
from ..cards.effects import (
    ARRANGE,
    BOOST,
    COLUMN,
    COPY,
    DEFEAT,
    DRAW,
    EXECUTE,
    FOE_DISCARD,
    FRONTS_ATTACK,
    GATHER,
    GRANT,
    HEAL,
    HIT,
    HIT_ALL,
    OPERATIONS,
    PING,
    PLAY_DRAWN,
    PLAY_MANY,
    RECRUIT,
    RECRUIT_STRIKE,
    REDRAW,
    REORDER,
    RETURN,
    REVIVE,
    ROW_CORPSES,
    SEARCH,
    SHIFT,
    SIFT,
    SPLIT_HEAL,
    SPLIT_HIT,
    SPY_DISCARD,
    STOP,
    STRIKE,
    SWAP,
    SWAP_SELF,
    USE,
    USE_LEADER,
    WARD,
)
from ..state import (
    ATTACK_FRAME,
    BY_ITSELF,
    BY_LEADER,
    BY_MELEE,
    BY_ORDER,
    BY_POWER,
    BY_RANGED,
    BY_THORNS,
    CLOSED,
    COLUMNS,
    DEALING,
    DEFEAT_FRAME,
    DRAW_FRAME,
    FRAMES,
    HIT_FRAME,
    OPENING_HAND,
    ORDER_FRAME,
    PLAY_FRAME,
    PLAYING,
    POWER_FRAME,
    STRIKE_FRAME,
    WAVE_FRAME,
    Frame,
    State,
)
from ..table.passives import leader_marks
from .frames import begins, operation_fits, plain_fits, program_fits, which_of

DEEPEST = 29
"""PT-94: 28 frames and one that draws."""

NOTHING = len(FRAMES)
"""Instead of a kind of frame: nothing lies on this one, which asks."""
STEPS = 6


def kinds(*some: int) -> int:
    """A set of kinds of frames."""
    return sum(1 << kind for kind in some)


ASKS = kinds(NOTHING)
DAMAGE = kinds(HIT_FRAME, DEFEAT_FRAME)
"""A hit, or the defeat of who has been hit (PT-67)."""
FIGHT = kinds(ATTACK_FRAME, DEFEAT_FRAME)
"""An attack, or the defeat of the attacker (WARD)."""


def _table(rows: int, content: dict[tuple[int, int], int]) -> IntArray:
    table = np.zeros((rows, STEPS), np.int64)
    for at, some in content.items():
        table[at] = some
    return table


ON_FRAME = _table(
    len(FRAMES),
    {
        (PLAY_FRAME, 1): kinds(ORDER_FRAME),
        (PLAY_FRAME, 2): ASKS,
        (PLAY_FRAME, 3): DAMAGE | kinds(ATTACK_FRAME),
        (STRIKE_FRAME, 1): ASKS,
        (STRIKE_FRAME, 2): FIGHT | kinds(POWER_FRAME),
        (ATTACK_FRAME, 1): ASKS,
        (ATTACK_FRAME, 2): DAMAGE,
        (ATTACK_FRAME, 5): DAMAGE,
        (HIT_FRAME, 1): ASKS,
        (DEFEAT_FRAME, 2): kinds(ATTACK_FRAME),
        (DEFEAT_FRAME, 3): ASKS,
        (WAVE_FRAME, 1): DAMAGE,
        (WAVE_FRAME, 3): kinds(DEFEAT_FRAME),
        (DRAW_FRAME, 0): ASKS,
    },
)
"""[kind, step]: what may lie on a frame at rest, a set of kinds. Orders and powers: see the next two."""

ON_OPERATION = _table(
    len(OPERATIONS),
    {(operation, 1): ASKS for operation in (
        BOOST, DEFEAT, RETURN, REVIVE, ROW_CORPSES, SWAP, SWAP_SELF, COLUMN, GRANT, COPY, SHIFT, RECRUIT,
        REORDER, SIFT, SEARCH, SPY_DISCARD, FOE_DISCARD, USE, PLAY_MANY, PLAY_DRAWN,
    )}
    | {(operation, 2): ASKS for operation in (
        PING, SPLIT_HIT, HEAL, SPLIT_HEAL, GATHER, SHIFT, SWAP, ARRANGE, SIFT,
    )}
    | {(operation, 3): ASKS for operation in (SPLIT_HIT, SPLIT_HEAL, GATHER, ARRANGE, RECRUIT, SIFT)}
    | {(operation, 1): DAMAGE for operation in (PING, HIT_ALL, SPLIT_HIT)}
    | {
        (PING, 3): DAMAGE,
        (GATHER, 1): kinds(DEFEAT_FRAME),
        (WARD, 1): kinds(DEFEAT_FRAME),
        (RECRUIT, 2): kinds(STRIKE_FRAME),
        (FRONTS_ATTACK, 1): FIGHT,
        (REORDER, 0): ASKS,
        (USE, 2): kinds(ORDER_FRAME),
        (PLAY_MANY, 0): kinds(PLAY_FRAME),
    },
)  # fmt: skip
"""[operation, step]: what may lie on a power or an order in the middle of an operation."""

AFTER_OPERATION: IntArray = np.zeros(len(OPERATIONS), np.int64)
"""[operation]: what may lie on a power or an order that has this operation behind it."""
for _operation, _kinds in (
    (HIT, DAMAGE),
    (SHIFT, kinds(DEFEAT_FRAME)),
    (DEFEAT, kinds(DEFEAT_FRAME)),
    (RECRUIT, kinds(STRIKE_FRAME)),
    (STRIKE, kinds(STRIKE_FRAME)),
    (GRANT, FIGHT),
    (COPY, kinds(POWER_FRAME)),
    (DRAW, kinds(DRAW_FRAME)),
    (REDRAW, kinds(DRAW_FRAME)),
    (USE, kinds(ORDER_FRAME)),
    (PLAY_DRAWN, kinds(PLAY_FRAME)),
):
    AFTER_OPERATION[_operation] = _kinds

ON_TABLE = kinds(PLAY_FRAME, POWER_FRAME, STRIKE_FRAME, ATTACK_FRAME, DEFEAT_FRAME, DRAW_FRAME)
"""What an action of a turn leaves at the bottom of the stack."""


def stack_fits(s: State) -> bool:
    """Each frame has what its kind has, and lies where it may."""
    depth = int(s.depth)
    if depth > DEEPEST:
        return False
    for i in range(depth):
        f = s.stack[i]
        above = int(s.stack[i + 1].kind) if i + 1 < depth else NOTHING
        if f.kind in (ORDER_FRAME, POWER_FRAME):
            if not program_fits(s, f) or not rests(s, f, above):
                return False
        elif not ON_FRAME[f.kind, f.step] >> above & 1 or not plain_fits(s, f):
            return False
        if not (bottom_fits(s, f) if i == 0 else lies_well(s, f, s.stack[i - 1])):
            return False
    return True


def rests(s: State, f: Frame, above: int) -> bool:
    """An order or a power is in the middle of an operation, or between two, where this may lie on it."""
    if ON_OPERATION[PROGRAM[f.card, which_of(f), f.op, 0], f.step] >> above & 1:
        return operation_fits(s, f)
    return begins(f) and AFTER_OPERATION[operation_before(f)] >> above & 1 != 0


def operation_before(f: Frame) -> int:
    """The operation that an order or a power has just done; STOP if it is not between two."""
    return int(PROGRAM[f.card, which_of(f), f.op - 1, 0]) if f.op > 0 and f.step == 0 else STOP


# -- what lies on what --------------------------------------------------------------------------------------


def bottom_fits(s: State, f: Frame) -> bool:
    """PT-30 to PT-37: what an action has begun; the end of a wave; an opening hand."""
    if s.phase == PLAYING:
        if f.kind == DRAW_FRAME:
            return bool(f.seat == s.active and f.left == 1 and f.flag == 0)
        if f.kind == STRIKE_FRAME:
            return bool(f.flag and leader_marks(s, int(f.seat)) & RECRUIT_STRIKE)
        if f.kind == DEFEAT_FRAME:
            return warded(s, f)
        return bool(ON_TABLE >> int(f.kind) & 1 and (f.kind != ATTACK_FRAME or not f.flag))
    if s.phase == CLOSED:
        return bool(f.kind == WAVE_FRAME)
    return bool(
        s.phase == DEALING
        and f.kind == DRAW_FRAME
        and f.left <= OPENING_HAND + s.trophies[1 - f.seat]
        and f.flag == 0
    )


def warded(s: State, f: Frame) -> bool:
    """WARD: a defeat in the place of the attack that led to it."""
    return bool(f.seat == s.active and not f.flag and s.ward[1 - f.seat])


def lies_well(s: State, f: Frame, b: Record) -> bool:
    """What a frame says of itself agrees with the one that it lies on."""
    kind = int(f.kind)
    if kind == WAVE_FRAME:
        return False
    if kind == ORDER_FRAME:
        return order_lies_well(s, f, b)
    if kind == STRIKE_FRAME:
        may_pass = b.step == 2 or operation_before(b) == RECRUIT
        return bool(f.flag == may_pass and (not may_pass or leader_marks(s, int(f.seat)) & RECRUIT_STRIKE))
    if kind == ATTACK_FRAME:
        if b.kind == DEFEAT_FRAME:
            return bool(f.flag and f.seat == b.seat and f.slot == b.slot and f.attack == BY_MELEE)
        return bool(not f.flag and (b.kind != PLAY_FRAME or f.attack == BY_RANGED))
    if kind == HIT_FRAME:
        return hit_lies_well(f, b)
    if kind == DEFEAT_FRAME:
        return defeat_lies_well(s, f, b)
    if kind == DRAW_FRAME:
        op, which = int(b.op), which_of(b)
        most = TYPES + 1 if operation_before(b) == REDRAW else int(PROGRAM[b.card, which, op - 1, 2])
        remembered = PROGRAM[b.card, which, op, 0] == PLAY_DRAWN
        return bool(f.seat == b.seat and f.left <= most and f.flag == remembered)
    return True


def order_lies_well(s: State, f: Frame, b: Record) -> bool:
    """PT-91, PT-93, PT-95: the order of the card that is played or used."""
    if b.kind == PLAY_FRAME:
        return bool(f.card == b.card)
    if b.step == 2:  # USE random
        return bool(f.card == b.kept)
    how = PROGRAM[b.card, which_of(b), b.op - 1, 1]
    return bool(how != USE_LEADER or f.card == s.leader[b.seat])


def hit_lies_well(f: Frame, b: Record) -> bool:
    """PT-62: a hit is of the kind that its dealer deals."""
    kind = int(f.attack)
    if b.kind == ATTACK_FRAME:
        if b.step == 2:
            return bool(kind == b.attack and f.seat != b.seat and f.left == b.amounts[f.slot % COLUMNS])
        return bool(kind == BY_THORNS and f.seat == b.seat and f.slot == b.slot and f.left == b.thorns)
    if b.kind in (PLAY_FRAME, WAVE_FRAME):
        return bool(kind == BY_LEADER and (b.kind == PLAY_FRAME or f.seat != b.seat))
    if b.kind == ORDER_FRAME:
        return kind == BY_ORDER
    if b.step == 3:
        return kind == BY_POWER
    return bool(f.seat == b.seat and f.slot == b.slot and kind == (BY_THORNS if b.step == 1 else BY_ITSELF))


def defeat_lies_well(s: State, f: Frame, b: Record) -> bool:
    """PT-67, PT-70, PT-72: why the hero is defeated."""
    if b.kind == WAVE_FRAME and b.step == 3:
        return bool(f.flag)
    if f.flag:
        return False
    if b.kind in (ORDER_FRAME, POWER_FRAME):
        operation = int(PROGRAM[b.card, which_of(b), b.op, 0])
        behind = operation_before(b)
        if behind == DEFEAT:
            return True
        if operation == WARD and b.step == 1:
            return bool(f.seat != b.seat)
        if behind == GRANT or operation == FRONTS_ATTACK:
            return warded(s, f)
    elif b.kind == STRIKE_FRAME:
        return warded(s, f)
    return leader_marks(s, 1 - int(f.seat)) & EXECUTE != 0
