"""PT-94: the stack of what is being carried out.

Nothing is begun within itself, and `RECRUIT any` ends after nine: so it has a bound, and so has a turn (the
remarks on the page of the game tell which).
"""

from __future__ import annotations

from polytrix.core.state import OVER

from ..cards.cards import Which
from ..state import COLUMNS, NONE, STACK, Frame, FrameKind, State

REFUSED = 5
"""Step of a power or an order whose operation has no case."""


def push(
    s: State, kind: int, seat: int, card: int, slot: int, row: int, attack: int, flag: int, left: int
) -> None:
    """Put a frame on the stack. There always is room for it; without, it would be left out."""
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
    """The top frame has been carried out."""
    s.depth -= 1


def note(s: State, card: int, which: int) -> None:
    """An effect has begun or had a consequence, in this step."""
    s.used[which] |= 1 << card


def refuse(s: State, f: Frame) -> None:
    """Stop at an operation without a case, in a state that the invariants refuse."""
    f.step = REFUSED
    s.mover = OVER


def push_play(s: State, seat: int, card: int) -> None:
    """PT-91: play an order from the hand."""
    push(s, FrameKind.PLAY, seat, card, NONE, NONE, NONE, 0, 0)


def push_order(s: State, seat: int, card: int) -> None:
    """Carry out an order, unless an order of this type is being carried out (PT-94)."""
    if int(s.chain_orders) >> card & 1 or s.depth == STACK:
        return
    s.chain_orders |= 1 << card
    note(s, card, Which.ORDER)
    push(s, FrameKind.ORDER, seat, card, NONE, NONE, NONE, 0, 0)


def push_power(s: State, seat: int, slot: int, card: int, row: int) -> None:
    """Carry out a power, which is usable."""
    if s.depth == STACK:
        return
    s.chain_powers[row] |= 1 << card
    note(s, card, row)
    push(s, FrameKind.POWER, seat, card, slot, row, NONE, 0, 0)


def push_recruit(s: State, seat: int, card: int, slot: int) -> None:
    """PT-31: a hand card becomes a hero on an empty slot."""
    push(s, FrameKind.RECRUIT, seat, card, slot, NONE, NONE, 0, 0)


def push_strike(s: State, seat: int, slot: int, optional: bool) -> None:
    """One attack of a hero, of a kind to be chosen."""
    push(s, FrameKind.STRIKE, seat, NONE, slot, NONE, NONE, 1 if optional else 0, 0)


def push_attack(s: State, seat: int, slot: int, kind: int, last_strike: bool) -> None:
    """A melee or ranged attack of the card on a slot of the seat's unit."""
    push(s, FrameKind.ATTACK, seat, NONE, slot, NONE, kind, 1 if last_strike else 0, 0)


def push_hit(s: State, u: int, slot: int, n: int, kind: int) -> None:
    """PT-62: damage for the member on a slot of unit u."""
    push(s, FrameKind.HIT, u, NONE, slot, NONE, kind, 0, n)


def push_defeat(s: State, u: int, slot: int, fallen: bool) -> None:
    """The hero on a slot of unit u is defeated, or lies there already as a corpse."""
    push(s, FrameKind.DEFEAT, u, NONE, slot, NONE, NONE, 1 if fallen else 0, 0)


def push_wave_end(s: State) -> None:
    """PT-69, PT-70: what happens at the end of a wave."""
    push(s, FrameKind.WAVE_END, int(s.first), NONE, NONE, NONE, NONE, 0, 0)


def push_draws(s: State, seat: int, n: int, remember: bool) -> None:
    """PT-30: draw n cards; the last one may be asked for by PLAY_DRAWN."""
    push(s, FrameKind.DRAW, seat, NONE, NONE, NONE, NONE, 1 if remember else 0, n)


def next_operation(f: Frame) -> None:
    """A power or an order goes on with its next operation."""
    f.op += 1
    f.step = 0
    f.first = NONE
    f.left = 0
    f.picked = 0


# -- reading --


def effect_level(s: State) -> int:
    """The frame of the top effect; of a leader's ability the frame whose trigger asks or deals."""
    for level in range(int(s.depth) - 1, -1, -1):
        kind = int(s.stack[level].kind)
        if kind == FrameKind.DEFEAT or (kind == FrameKind.STRIKE and s.stack[level].flag):
            return level  # CAPTURE or RECRUIT_STRIKE asks
        if kind in (FrameKind.ATTACK, FrameKind.POWER, FrameKind.ORDER, FrameKind.PLAY, FrameKind.WAVE_END):
            return level
    return -1


def last_striker(s: State, u: int) -> int:
    """PT-74: the slot of unit u whose fallen hero is striking for the last time; -1 if none is."""
    level = effect_level(s)
    if (
        level < 0
        or s.stack[level].kind != FrameKind.ATTACK
        or not s.stack[level].flag
        or s.stack[level].seat != u
    ):
        return -1
    return int(s.stack[level].slot)


def ability_seat(s: State, level: int) -> int:
    """Whose leader ability asks or deals in this frame."""
    kind = int(s.stack[level].kind)
    if kind == FrameKind.DEFEAT:
        return 1 - int(s.stack[level].seat)  # CAPTURE is of the other seat
    return int(s.stack[level].seat)
