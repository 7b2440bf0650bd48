"""The programs of powers and orders: one operation after the other."""

from __future__ import annotations

from ..cards.cards import OPERATIONS, Which
from ..cards.effects import Operation
from ..state import Frame, FrameKind, State
from ..table.stack import pop
from .cards import (
    draw_cards,
    foe_discard,
    play_drawn,
    play_many,
    redraw,
    reorder,
    search,
    sift,
    spy_discard,
    use_order,
)
from .damage import gather, heal_some, hit, hit_all, ping, shift, split_heal, split_hit
from .field import (
    arrange,
    boost,
    choose_column,
    copy_power,
    defeat_one,
    discard_it,
    fronts_attack,
    grant,
    recruit,
    return_one,
    revive,
    row_corpses,
    strike,
    swap,
    swap_self,
    ward,
)


def step_program(s: State, f: Frame) -> None:
    """Go on with a power or an order."""
    card = int(f.card)
    which = Which.ORDER if f.kind == FrameKind.ORDER else int(f.row)
    op = int(f.op)
    operation = int(OPERATIONS[card, which, op, 0])
    if operation == Operation.STOP:
        end_program(s, f)
        return
    how, n, k = (
        int(OPERATIONS[card, which, op, 1]),
        int(OPERATIONS[card, which, op, 2]),
        int(OPERATIONS[card, which, op, 3]),
    )
    following = int(OPERATIONS[card, which, op + 1, 0])
    if operation <= Operation.SHIFT:
        change_damage(s, f, operation, how, n, k)
    elif operation >= Operation.DRAW:
        change_cards(s, f, operation, how, n, following)
    else:
        change_field(s, f, operation, how, n, following)


def end_program(s: State, f: Frame) -> None:
    """PT-94: the effect may be begun again."""
    if f.kind == FrameKind.ORDER:
        s.chain_orders &= ~(1 << int(f.card))
    else:
        s.chain_powers[f.row] &= ~(1 << int(f.card))
    pop(s)


def change_damage(s: State, f: Frame, operation: int, how: int, n: int, k: int) -> None:
    """Operations that deal, heal or move damage."""
    if operation == Operation.HIT:
        hit(s, f, how, n)
    elif operation == Operation.HIT_ALL:
        hit_all(s, f, how, n)
    elif operation == Operation.PING:
        ping(s, f, n, k)
    elif operation == Operation.SPLIT_HIT:
        split_hit(s, f, n)
    elif operation == Operation.HEAL:
        heal_some(s, f, how, n, k)
    elif operation == Operation.SPLIT_HEAL:
        split_heal(s, f, n)
    elif operation == Operation.GATHER:
        gather(s, f, n)
    else:
        shift(s, f, how, n)


def change_field(s: State, f: Frame, operation: int, how: int, n: int, following: int) -> None:
    """Operations about heroes, corpses, attacks and actions."""
    if operation == Operation.BOOST:
        boost(s, f, n)
    elif operation == Operation.WARD:
        ward(s, f)
    elif operation == Operation.ADD_ACTIONS:
        s.actions += n
        f.op += 1
    elif operation == Operation.LOSE_ACTION:
        s.lose_next[1 - f.seat] += n
        f.op += 1
    elif operation == Operation.DEFEAT:
        defeat_one(s, f, how)
    elif operation == Operation.RETURN:
        return_one(s, f, how)
    elif operation == Operation.REVIVE:
        revive(s, f)
    elif operation == Operation.ROW_CORPSES:
        row_corpses(s, f, how)
    elif operation == Operation.SWAP:
        swap(s, f, how)
    elif operation == Operation.SWAP_SELF:
        swap_self(s, f)
    elif operation == Operation.COLUMN:
        choose_column(s, f, following)
    elif operation == Operation.ARRANGE:
        arrange(s, f, how)
    elif operation == Operation.RECRUIT:
        recruit(s, f, how, n)
    elif operation == Operation.DISCARD_IT:
        discard_it(s, f)
    elif operation == Operation.GRANT:
        grant(s, f, how, n)
    elif operation == Operation.FRONTS_ATTACK:
        fronts_attack(s, f)
    elif operation == Operation.STRIKE:
        strike(s, f)
    elif operation == Operation.COPY:
        copy_power(s, f, how)


def change_cards(s: State, f: Frame, operation: int, how: int, n: int, following: int) -> None:
    """Operations about decks, hands and other orders."""
    if operation == Operation.DRAW:
        draw_cards(s, f, n, following == Operation.PLAY_DRAWN)
    elif operation == Operation.REDRAW:
        redraw(s, f, n)
    elif operation == Operation.REORDER:
        reorder(s, f, n)
    elif operation == Operation.SIFT:
        sift(s, f, n)
    elif operation == Operation.SEARCH:
        search(s, f)
    elif operation == Operation.SPY_DISCARD:
        spy_discard(s, f)
    elif operation == Operation.FOE_DISCARD:
        foe_discard(s, f, n)
    elif operation == Operation.USE:
        use_order(s, f, how)
    elif operation == Operation.PLAY_MANY:
        play_many(s, f)
    else:
        play_drawn(s, f)
