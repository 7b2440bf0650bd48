"""The greedy policy: it looks one action ahead, by damage and a few fixed values.

It rebuilds the board from the observation, as seat 0, and rates it with the rules' functions of strength and
reach. Habits are greedy but for what they prefer above all.
"""

from __future__ import annotations

from polytrix.core.bits import size
from polytrix.core.constants import Constants
from polytrix.core.layout import hot
from polytrix.core.state import ByteArray, FloatArray, IdArray, RecordArray

from .board.passives import attack_damage, hero_strength, leader_marks, life, reduced
from .board.units import is_hero
from .cards.cards import OPERATIONS, STRENGTH, TYPES, Which
from .cards.effects import How, Mark, Operation
from .observation import DECISIONS, EffectKind, Obs
from .recover import FOE, NOWHERE, OWN, read_board
from .state import COLUMNS, LEADER_SLOT, ROWS, SLOTS, Act, Damage, Decision, SlotSet, State
from .worth import (
    area,
    card_worth,
    harm,
    hit,
    leader_worth,
    order_worth,
    power_worth,
    recruit_worth,
    worth,
)

MOVE_WORTH = 0.1
FEW_CARDS = 4  # in hand; with fewer, draws are worth more
PREFERENCE = 10_000.0
"""Above the differences between other ratings."""


class Habit(Constants):
    """Habits that `rate` implements."""

    CONTRARY, MELEE_ONLY, NO_ORDERS, DRAWS_FIRST, RECRUITS_FIRST, ATTACKS_LEADER, NEVER_CLEARS = range(7)
    UNSEEN_SPARES_LEADER, UNSEEN_ORDERS_FIRST, UNSEEN_LEFT_COLUMN = range(7, 10)


HABITS = Habit.written()


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Rate each action."""
    s = work[0]
    read_board(observation, s)
    decision = hot(observation, Obs.DECISION, DECISIONS)
    for i in range(count):
        score[i] = score_of(observation, s, decision, int(ids[i]))


def rate(
    habit: int, observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """Rate actions as one of `HABITS` does."""
    greedy(observation, ids, count, work, score)
    for i in range(count):
        if habit == Habit.CONTRARY:
            score[i] = -score[i]
        else:
            score[i] += PREFERENCE * preference(habit, observation, int(ids[i]))


def preference(habit: int, observation: ByteArray, action: int) -> int:
    """How a habit rates an action, above all that greedy thinks of."""
    if habit == Habit.MELEE_ONLY:
        return -int(Act.RANGED <= action < Act.ORDER)
    if habit == Habit.NO_ORDERS:
        return -int(Act.ORDER <= action < Act.CLEAR)
    if habit == Habit.UNSEEN_ORDERS_FIRST:
        return int(Act.ORDER <= action < Act.CLEAR)
    if habit == Habit.DRAWS_FIRST:
        return int(action == Act.DRAW)
    if habit == Habit.RECRUITS_FIRST:
        return int(Act.RECRUIT <= action < Act.MELEE)
    if habit == Habit.NEVER_CLEARS:
        return -int(Act.CLEAR <= action < Act.MOVE)
    if habit == Habit.UNSEEN_LEFT_COLUMN and Act.RECRUIT <= action < Act.MELEE:
        return -((action - Act.RECRUIT) % COLUMNS)
    at_leader = int(observation[Obs.DECISION + Decision.TARGET]) * int(action == Act.FOE + LEADER_SLOT)
    if habit == Habit.ATTACKS_LEADER:
        return at_leader
    return -at_leader if habit == Habit.UNSEEN_SPARES_LEADER else 0


def score_of(observation: ByteArray, s: State, decision: int, action: int) -> float:
    """The value of an action; passing has value 0."""
    if action == Act.PASS:
        return 0.0
    if action == Act.DRAW:
        return 2.2 if observation[Obs.COUNTS] < FEW_CARDS else 1.2
    if action < Act.MELEE:
        card, column = divmod(action - Act.RECRUIT, COLUMNS)
        return recruit_worth(card, recruit_row(observation, decision), column)
    if action < Act.RANGED:
        return 0.5 + hit(s, action - Act.MELEE, Damage.MELEE)
    if action < Act.POWER:
        return 0.6 + hit(s, action - Act.RANGED, Damage.RANGED)
    if action < Act.ORDER:
        return power_worth(s, int(s.card[OWN, action - Act.POWER]))
    if action < Act.CLEAR:
        return order_worth(s, action - Act.ORDER, int(observation[Obs.COUNTS + 1]))
    if action < Act.MOVE:
        return clear_worth(observation, s, action - Act.CLEAR)
    if action < Act.OWN:
        return MOVE_WORTH
    if action < Act.CARD:
        u, slot = divmod(action - Act.OWN, SLOTS)
        return place_worth(observation, s, decision, u, slot)
    if action < Act.AMOUNT:
        card = action - Act.CARD
        return leader_worth(card) if decision == Decision.LEADER else card_worth(card)
    if action < Act.COLUMN:
        return float(action - Act.AMOUNT)
    if action < Act.ROW:
        return column_worth(observation, s, action - Act.COLUMN)
    return row_worth(observation, s, action - Act.ROW)


def recruit_row(observation: ByteArray, decision: int) -> int:
    """The row of recruits: the chosen one, else that of the wave."""
    chosen = hot(observation, Obs.CHOSEN_ROW, ROWS) if decision == Decision.RECRUITS else NOWHERE
    return chosen if chosen != NOWHERE else hot(observation, Obs.WAVE, ROWS)


def clear_worth(observation: ByteArray, s: State, slot: int) -> float:
    """The value of clearing a corpse: higher if it is in the way of recruits."""
    row = hot(observation, Obs.WAVE, ROWS)
    free = SlotSet.HEROES & SlotSet.ROW << 3 * row & ~(int(s.heroes[OWN]) | int(s.corpses[OWN]))
    return 1.8 if slot // 3 == row and free == 0 else 0.2


# -- picks --------------------------------------------------------------------------------------------


def place_worth(observation: ByteArray, s: State, decision: int, u: int, slot: int) -> float:
    """The value of picking a slot of unit u."""
    if decision == Decision.TARGET:
        return target_worth(observation, s, u, slot)
    if decision == Decision.REDIRECT:
        return shield_worth(observation, s, slot)
    if decision == Decision.CAPTURE:
        return 1.0
    if observation[Obs.EFFECT_KIND + EffectKind.LEADER]:  # PT-92
        return harm(s, u, slot, int(observation[Obs.NUMBER]))
    which = effect_which(observation)
    card = hot(observation, Obs.EFFECT_CARD, TYPES)
    if which == NOWHERE or card == NOWHERE:
        return 0.0
    first = 1 if OPERATIONS[card, which, 0, 0] == Operation.COLUMN else 0
    how, n = int(OPERATIONS[card, which, first, 1]), int(OPERATIONS[card, which, first, 2])
    return pick_worth(observation, s, decision, int(OPERATIONS[card, which, first, 0]), how, n, u, slot)


def effect_which(observation: ByteArray) -> int:
    """The row of the power that is being carried out, or ORDER; NOWHERE if it is neither."""
    for which in range(ROWS):
        if observation[Obs.EFFECT_KIND + EffectKind.V_POWER + which]:
            return which
    return Which.ORDER if observation[Obs.EFFECT_KIND + EffectKind.ORDER] else NOWHERE


def target_worth(observation: ByteArray, s: State, u: int, slot: int) -> float:
    """The value of a target: its damage; if the opponent attacks an own member, its remaining life."""
    if u == OWN:  # PT-ILL-L
        if slot == LEADER_SLOT:
            return -100.0
        return float(life(s, OWN, slot)) - float(s.damage[OWN, slot])
    attacker = hot(observation, Obs.EFFECT_SLOT, SLOTS)
    if attacker == NOWHERE or (attacker != LEADER_SLOT and s.card[OWN, attacker] == NOWHERE):
        return 0.0
    if leader_marks(s, OWN) & Mark.LAST_STRIKE and not is_hero(s, OWN, attacker) and attacker != LEADER_SLOT:
        strikes = hero_strength(s, OWN, attacker, slot, Damage.MELEE)  # PT-74
        return worth(s, FOE, slot, reduced(s, FOE, slot, Damage.MELEE, strikes))
    kind = Damage.RANGED if observation[Obs.ATTACK_KIND + Damage.RANGED] else Damage.MELEE
    return worth(s, FOE, slot, attack_damage(s, OWN, attacker, slot, kind))


def shield_worth(observation: ByteArray, s: State, slot: int) -> float:
    """The value of a shield for the own hero that is hit: positive if it saves the hero and survives."""
    damage = int(observation[Obs.NUMBER])
    hurt = hot(observation, Obs.SUBJECT, SLOTS)
    if hurt == NOWHERE:
        return 0.0
    left = life(s, OWN, hurt) - int(s.damage[OWN, hurt])
    bears = life(s, OWN, slot) - int(s.damage[OWN, slot]) > damage
    return 1.0 if 0 < left <= damage and bears else -1.0


def pick_worth(
    observation: ByteArray, s: State, decision: int, operation: int, how: int, n: int, u: int, slot: int
) -> float:
    """The value of a slot picked for an operation."""
    sign = 1.0 if u == OWN else -1.0
    left = int(observation[Obs.NUMBER])
    if operation == Operation.PING:
        return harm(s, u, slot, reduced(s, u, slot, Damage.POWER, n))
    if operation == Operation.SPLIT_HIT:
        return harm(s, u, slot, left)
    if operation in (Operation.HEAL, Operation.SPLIT_HEAL):
        return sign * 0.7 * min(n if operation == Operation.HEAL else left, int(s.damage[u, slot]))
    if operation == Operation.GATHER:
        return 1.0 if s.damage[u, slot] >= life(s, u, slot) else -0.1
    if operation == Operation.SHIFT:
        return shift_worth(observation, s, decision, n, u, slot)
    if operation == Operation.BOOST:
        return sign * (1.0 + hit(s, slot, Damage.MELEE)) if u == OWN else sign
    if operation == Operation.DEFEAT or (operation == Operation.RETURN and how != How.RETURN_OWN_HERO):
        return -sign * float(STRENGTH[s.card[u, slot]] + life(s, u, slot))
    if operation == Operation.RETURN:
        return 1.0 if s.damage[u, slot] >= life(s, u, slot) else -card_worth(int(s.card[u, slot]))
    if operation == Operation.REVIVE:
        return sign * card_worth(int(s.card[u, slot]))
    if operation == Operation.GRANT:
        return hit(s, slot, Damage.RANGED if n == Damage.RANGED else Damage.MELEE)
    if operation == Operation.COPY:
        return power_worth(s, int(s.card[u, slot]))
    return -MOVE_WORTH  # exchanges: it passes if it may


def shift_worth(observation: ByteArray, s: State, decision: int, n: int, u: int, slot: int) -> float:
    """The value of giving or taking moved damage."""
    if decision != Decision.PICK2:
        own_leader = effect_which(observation) != Which.ORDER
        if own_leader:  # PT-VAM-R: a hero takes the leader's
            return harm(s, u, slot, n)
        return -harm(s, u, slot, int(s.damage[u, slot])) if u == OWN else -float(s.damage[u, slot])
    place = hot(observation, Obs.SUBJECT, 2 * SLOTS)
    return harm(s, u, slot, int(s.damage[place // SLOTS, place % SLOTS])) if place != NOWHERE else 0.0


def column_worth(observation: ByteArray, s: State, column: int) -> float:
    """The value of a column of both units."""
    card = hot(observation, Obs.EFFECT_CARD, TYPES)
    if card == NOWHERE or OPERATIONS[card, Which.ORDER, 1, 0] != Operation.HIT_ALL:
        return 0.0
    return area(s, SlotSet.COLUMN << column, int(OPERATIONS[card, Which.ORDER, 1, 2]))


def row_worth(observation: ByteArray, s: State, row: int) -> float:
    """The value of a row: for recruits that of the best one; for corpses the number cleared on the own side."""
    card, which = hot(observation, Obs.EFFECT_CARD, TYPES), effect_which(observation)
    if card == NOWHERE or which == NOWHERE:
        return 0.0
    if OPERATIONS[card, which, 0, 0] == Operation.ROW_CORPSES:
        corpses = size(int(s.corpses[row // ROWS]) >> 3 * (row % ROWS) & SlotSet.ROW)
        return float(corpses if row < ROWS else -corpses)
    best = 0.0
    for hand_card in range(TYPES):
        if int(s.hand[OWN]) >> hand_card & 1:
            best = max(best, recruit_worth(hand_card, row % ROWS, 0))
    return best
