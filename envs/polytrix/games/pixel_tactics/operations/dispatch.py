"""The programs of powers and orders: one operation after the other."""

from __future__ import annotations

from ..cards.cards import ORDER, PROGRAM
from ..cards.effects import (
    ADD_ACTIONS,
    ARRANGE,
    BOOST,
    COLUMN,
    COPY,
    DEFEAT,
    DISCARD_IT,
    DRAW,
    FOE_DISCARD,
    FRONTS_ATTACK,
    GATHER,
    GRANT,
    HEAL,
    HIT,
    HIT_ALL,
    LOSE_ACTION,
    PING,
    PLAY_DRAWN,
    PLAY_MANY,
    RECRUIT,
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
    WARD,
)
from ..state import ORDER_FRAME, Frame, State
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
    which = ORDER if f.kind == ORDER_FRAME else int(f.row)
    op = int(f.op)
    operation = int(PROGRAM[card, which, op, 0])
    if operation == STOP:
        end_program(s, f)
        return
    how, n, k = (
        int(PROGRAM[card, which, op, 1]),
        int(PROGRAM[card, which, op, 2]),
        int(PROGRAM[card, which, op, 3]),
    )
    following = int(PROGRAM[card, which, op + 1, 0])
    if operation <= SHIFT:
        change_damage(s, f, operation, how, n, k)
    elif operation >= DRAW:
        change_cards(s, f, operation, how, n, following)
    else:
        change_field(s, f, operation, how, n, following)


def end_program(s: State, f: Frame) -> None:
    """PT-94: the effect may be begun again."""
    if f.kind == ORDER_FRAME:
        s.chain_orders &= ~(1 << int(f.card))
    else:
        s.chain_powers[f.row] &= ~(1 << int(f.card))
    pop(s)


def change_damage(s: State, f: Frame, operation: int, how: int, n: int, k: int) -> None:
    """Operations that deal, heal or move damage."""
    if operation == HIT:
        hit(s, f, how, n)
    elif operation == HIT_ALL:
        hit_all(s, f, how, n)
    elif operation == PING:
        ping(s, f, n, k)
    elif operation == SPLIT_HIT:
        split_hit(s, f, n)
    elif operation == HEAL:
        heal_some(s, f, how, n, k)
    elif operation == SPLIT_HEAL:
        split_heal(s, f, n)
    elif operation == GATHER:
        gather(s, f, n)
    else:
        shift(s, f, how, n)


def change_field(s: State, f: Frame, operation: int, how: int, n: int, following: int) -> None:
    """Operations about heroes, corpses, attacks and actions."""
    if operation == BOOST:
        boost(s, f, n)
    elif operation == WARD:
        ward(s, f)
    elif operation == ADD_ACTIONS:
        s.actions += n
        f.op += 1
    elif operation == LOSE_ACTION:
        s.lose_next[1 - f.seat] += n
        f.op += 1
    elif operation == DEFEAT:
        defeat_one(s, f, how)
    elif operation == RETURN:
        return_one(s, f, how)
    elif operation == REVIVE:
        revive(s, f)
    elif operation == ROW_CORPSES:
        row_corpses(s, f, how)
    elif operation == SWAP:
        swap(s, f, how)
    elif operation == SWAP_SELF:
        swap_self(s, f)
    elif operation == COLUMN:
        choose_column(s, f, following)
    elif operation == ARRANGE:
        arrange(s, f, how)
    elif operation == RECRUIT:
        recruit(s, f, how, n)
    elif operation == DISCARD_IT:
        discard_it(s, f)
    elif operation == GRANT:
        grant(s, f, how, n)
    elif operation == FRONTS_ATTACK:
        fronts_attack(s, f)
    elif operation == STRIKE:
        strike(s, f)
    elif operation == COPY:
        copy_power(s, f, how)


def change_cards(s: State, f: Frame, operation: int, how: int, n: int, following: int) -> None:
    """Operations about decks, hands and other orders."""
    if operation == DRAW:
        draw_cards(s, f, n, following == PLAY_DRAWN)
    elif operation == REDRAW:
        redraw(s, f, n)
    elif operation == REORDER:
        reorder(s, f, n)
    elif operation == SIFT:
        sift(s, f, n)
    elif operation == SEARCH:
        search(s, f)
    elif operation == SPY_DISCARD:
        spy_discard(s, f)
    elif operation == FOE_DISCARD:
        foe_discard(s, f, n)
    elif operation == USE:
        use_order(s, f, how)
    elif operation == PLAY_MANY:
        play_many(s, f)
    else:
        play_drawn(s, f)
