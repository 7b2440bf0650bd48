"""PT-20 to PT-39: turns and their actions."""

from __future__ import annotations

from polytrix.core.bits import first_and_rest

from ..board.choices import ask, attacks
from ..board.passives import ability, leader_marks, marked, ranged
from ..board.stack import push_attack, push_draws, push_play, push_power, push_recruit, push_wave_end
from ..board.units import behind, empty_columns, exchange, members
from ..board.zones import ask_chance, to_owners_discard
from ..cards.cards import NUMBER, Which
from ..cards.effects import Mark
from ..state import (
    ACTIONS_A_TURN,
    COLUMNS,
    LEADER_SLOT,
    SEATS,
    Act,
    Chance,
    Damage,
    Decision,
    Phase,
    Row,
    SlotSet,
    State,
)
from .matches import begin_wave, end_round
from .powers import is_usable

# -- the course of turns ----------------------------------------------------------------------------------


def start_turn(s: State) -> None:
    """PT-21, PT-25: set the number of actions."""
    seat = s.active
    actions = ACTIONS_A_TURN
    if leader_marks(s, seat) & Mark.ACTIONS:
        actions = int(NUMBER[ability(s, seat), Which.LEADER])
    s.actions = max(0, actions - int(s.lose_now[seat]))
    s.phase = Phase.PLAYING


def end_turn(s: State) -> None:
    """PT-20, PT-22: start the other seat's turn, or end the wave."""
    s.actions = 0
    if s.active == s.first:
        s.active = 1 - s.active
        s.phase = Phase.STARTING
    else:
        s.phase = Phase.CLOSED
        push_wave_end(s)


def next_wave(s: State) -> None:
    """PT-20, PT-24: start the next wave, or end the round."""
    if s.wave == Row.REAR:
        end_round(s)
    else:
        begin_wave(s, s.wave + 1)


# -- the turn loop ----------------------------------------------------------------------------------------


def loop_turn(s: State) -> None:
    """PT-101: fix the cards that PEEK shows; then ask for an action, or end the turn (PT-23)."""
    for seat in range(SEATS):
        if s.fixed[seat] == 0 and s.deck[seat] and marked(s, seat, Mark.PEEK):
            ask_chance(s, Chance.DECK, seat)
            return
    columns = empty_columns(s, s.active, s.wave)
    list_actions(s, columns)
    if nothing_to_do(s):
        end_turn(s)
    else:
        ask(s, s.active, Decision.TURN, columns, True)


def list_actions(s: State, columns: int) -> None:
    """List the actions of the active seat; `columns` are those for its recruits and moves."""
    seat = s.active
    of_leader = leader_marks(s, seat)
    paid = s.actions > 0
    row = SlotSet.ROW << 3 * s.wave
    if s.hand[seat]:
        if columns and (paid or of_leader & Mark.FREE_RECRUIT):
            s.may_recruit = 1
        if (paid or of_leader & Mark.FREE_ORDER) and (s.round_number > 1 or s.options.orders_in_ceasefire):
            s.may_order = 1
    if paid:
        s.may_draw = 1 if s.deck[seat] else 0
        if s.round_number > 1:  # PT-39
            list_attacks(s, seat, row, of_leader)
    if (paid or of_leader & Mark.FREE_CLEAR) and not leader_marks(s, 1 - seat) & Mark.NO_CLEAR:
        s.may_clear = s.corpses[seat]
    if columns and (paid or of_leader & Mark.FREE_RESTRUCTURE):
        s.may_move = int(s.heroes[seat]) & ~int(s.moved[seat])


def list_attacks(s: State, seat: int, row: int, of_leader: int) -> None:
    """PT-32 to PT-34, PT-38 to PT-45: list attacks of cards in the row that are not acted, fresh or moved."""
    able = row & ~(int(s.acted[seat]) | int(s.fresh[seat]) | int(s.moved[seat]))
    inside = members(s, seat)
    fighters = inside | int(s.corpses[seat]) if of_leader & Mark.CORPSES_ATTACK else inside
    melee = fighters & able & ~behind(inside)
    able &= inside
    powers = 0
    left = able & ~(1 << LEADER_SLOT)
    while left:
        slot, left = first_and_rest(left)
        if is_usable(s, seat, slot, int(s.card[seat, slot]), slot // 3):
            powers |= 1 << slot
    s.may_attack = attacks(melee, ranged(s, seat) & able if able else 0, powers)


def nothing_to_do(s: State) -> bool:
    """PT-23: whether passing is the only action."""
    return s.may_draw | s.may_recruit | s.may_order | s.may_attack | s.may_clear | s.may_move == 0


# -- actions ----------------------------------------------------------------------------------------------


def pay(s: State, free: int) -> None:
    """PT-27: use up an action, unless the leader makes it free."""
    seat = s.active
    if not leader_marks(s, seat) & free:
        s.actions -= 1


def take_action(s: State, action: int) -> None:
    """PT-30 to PT-37: carry out an action of the active seat."""
    seat = s.active
    if action == Act.PASS:
        end_turn(s)
    elif action == Act.DRAW:
        pay(s, 0)
        push_draws(s, seat, 1, False)
    elif action < Act.MELEE:
        pay(s, Mark.FREE_RECRUIT)
        choice = action - Act.RECRUIT
        push_recruit(s, seat, choice // COLUMNS, 3 * s.wave + choice % COLUMNS)
    elif action < Act.ORDER:
        pay(s, 0)
        attack(s, seat, action)
    elif action < Act.CLEAR:
        pay(s, Mark.FREE_ORDER)
        push_play(s, seat, action - Act.ORDER)
    elif action < Act.MOVE:
        pay(s, Mark.FREE_CLEAR)
        to_owners_discard(s, seat, action - Act.CLEAR)
    else:
        pay(s, Mark.FREE_RESTRUCTURE)
        choice = action - Act.MOVE
        slot = 3 * s.wave + choice % COLUMNS
        exchange(s, seat, choice // COLUMNS, slot)
        s.moved[seat] |= 1 << slot


def attack(s: State, seat: int, action: int) -> None:
    """PT-32: start a melee attack, a ranged attack or a power, and mark the card as acted."""
    if action < Act.RANGED:
        slot = action - Act.MELEE
        push_attack(s, seat, slot, Damage.MELEE, False)
    elif action < Act.POWER:
        slot = action - Act.RANGED
        push_attack(s, seat, slot, Damage.RANGED, False)
    else:
        slot = action - Act.POWER
        push_power(s, seat, slot, int(s.card[seat, slot]), slot // 3)
    s.acted[seat] |= 1 << slot
