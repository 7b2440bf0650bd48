"""PT-94: the stack of effects that are being carried out.

No effect starts within itself, and `RECRUIT any` ends after nine recruits. So the depth of the stack and the
length of a turn have bounds (see the remarks in README.md).
"""

from __future__ import annotations

from ..state import COLUMNS, NONE, STACK, Frame, FrameKind, State


def push(
    s: State, kind: int, seat: int, card: int, slot: int, row: int, attack: int, flag: int, left: int
) -> None:
    """Put a frame on the stack. There is always room; if there were none, nothing would be put."""
    if s.depth == STACK:
        return
    f = s.stack[s.depth]
    f.kind = kind
    f.seat = seat
    f.card = card
    f.slot = slot
    f.row = row
    f.attack = attack
    f.flag = flag
    f.left = left
    f.op = 0
    f.step = 0
    f.first = NONE
    f.column = NONE
    f.chosen_row = NONE
    f.kept = NONE
    f.heroes = 0
    f.total = 0
    f.thorns = 0
    f.picked = 0
    for column in range(COLUMNS):
        f.amounts[column] = 0
    s.depth += 1


def pop(s: State) -> None:
    """Remove the top frame."""
    s.depth -= 1


def push_play(s: State, seat: int, card: int) -> None:
    """PT-91: play an order from the hand."""
    push(s, FrameKind.PLAY, seat, card, NONE, NONE, NONE, 0, 0)


def push_order(s: State, seat: int, card: int) -> None:
    """Carry out an order, unless one of this type is on the stack (PT-94)."""
    if not is_carried_out(s, FrameKind.ORDER, card, NONE):
        push(s, FrameKind.ORDER, seat, card, NONE, NONE, NONE, 0, 0)


def push_power(s: State, seat: int, slot: int, card: int, row: int) -> None:
    """Carry out a usable power."""
    push(s, FrameKind.POWER, seat, card, slot, row, NONE, 0, 0)


def push_recruit(s: State, seat: int, card: int, slot: int) -> None:
    """PT-31: recruit a hand card to an empty slot."""
    push(s, FrameKind.RECRUIT, seat, card, slot, NONE, NONE, 0, 0)


def push_strike(s: State, seat: int, slot: int, optional: bool) -> None:
    """Let a hero attack once, in a way that its player chooses."""
    push(s, FrameKind.STRIKE, seat, NONE, slot, NONE, NONE, 1 if optional else 0, 0)


def push_attack(s: State, seat: int, slot: int, kind: int, last_strike: bool) -> None:
    """A melee or ranged attack of a card."""
    push(s, FrameKind.ATTACK, seat, NONE, slot, NONE, kind, 1 if last_strike else 0, 0)


def push_hit(s: State, u: int, slot: int, n: int, kind: int) -> None:
    """PT-62: damage to a member of unit u."""
    push(s, FrameKind.HIT, u, NONE, slot, NONE, kind, 0, n)


def push_defeat(s: State, u: int, slot: int, fallen: bool) -> None:
    """Defeat a hero of unit u; with `fallen` it is a corpse already."""
    push(s, FrameKind.DEFEAT, u, NONE, slot, NONE, NONE, 1 if fallen else 0, 0)


def push_wave_end(s: State) -> None:
    """PT-69, PT-70: the end of a wave."""
    push(s, FrameKind.WAVE_END, s.first, NONE, NONE, NONE, NONE, 0, 0)


def push_draws(s: State, seat: int, n: int, remember: bool) -> None:
    """PT-30: draw n cards; with `remember` PLAY_DRAWN may play the last one."""
    push(s, FrameKind.DRAW, seat, NONE, NONE, NONE, NONE, 1 if remember else 0, n)


def next_operation(f: Frame) -> None:
    """Go on with the next operation of a power or an order."""
    f.op += 1
    f.step = 0
    f.first = NONE
    f.left = 0
    f.picked = 0


# -- reading --


def is_carried_out(s: State, kind: int, card: int, row: int) -> bool:
    """PT-94: whether this order, or this power of a row, is being carried out."""
    for level in range(s.depth):
        f = s.stack[level]
        if f.kind == kind and f.card == card and f.row == row:
            return True
    return False


def effect_level(s: State) -> int:
    """The frame of the top effect; for a leader's ability the frame that asks or deals damage; -1."""
    for level in range(s.depth - 1, -1, -1):
        kind = s.stack[level].kind
        if kind == FrameKind.DEFEAT or (kind == FrameKind.STRIKE and s.stack[level].flag):
            return level  # CAPTURE or RECRUIT_STRIKE asks
        if kind in (FrameKind.ATTACK, FrameKind.POWER, FrameKind.ORDER, FrameKind.PLAY, FrameKind.WAVE_END):
            return level
    return -1


def last_striker(s: State, u: int) -> int:
    """PT-74: the slot of the corpse of unit u that is in its last strike; -1 if there is none."""
    level = effect_level(s)
    if level < 0:
        return -1
    f: Frame = s.stack[level]
    return f.slot if f.kind == FrameKind.ATTACK and f.flag and f.seat == u else -1


def ability_seat(s: State, level: int) -> int:
    """The seat whose leader ability asks or deals damage in this frame."""
    f: Frame = s.stack[level]
    return 1 - f.seat if f.kind == FrameKind.DEFEAT else f.seat  # CAPTURE belongs to the other seat
