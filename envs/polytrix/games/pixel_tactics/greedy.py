"""The heuristic opponent: one action ahead, by the damage that it does and a few fixed worths.

It rebuilds the board from the observation, itself as seat 0, and looks at that with the rules' own
readers of strength and reach.
"""

from __future__ import annotations

from polytrix.core.state import ByteArray, FloatArray, IdArray, RecordArray

from .cards.cards import ORDER, PROGRAM, STRENGTH, TYPES
from .cards.effects import (
    BOOST,
    COLUMN,
    COPY,
    DEFEAT,
    GATHER,
    GRANT,
    HEAL,
    HIT_ALL,
    LAST_STRIKE,
    OWN_HERO,
    PING,
    RETURN,
    REVIVE,
    ROW_CORPSES,
    SHIFT,
    SPLIT_HEAL,
    SPLIT_HIT,
)
from .observation import (
    ATTACK_KIND,
    CHOSEN_ROW,
    COUNTS,
    DECISION,
    EFFECT_CARD,
    EFFECT_KIND,
    EFFECT_SLOT,
    LEADER_EFFECT,
    NUMBER_SHOWN,
    ORDER_EFFECT,
    SUBJECT,
    V_POWER,
    WAVE_SHOWN,
)
from .recover import FOE, NOWHERE, OWN, read_board, read_one
from .state import (
    AMOUNT_BLOCK,
    ASK_CAPTURE,
    ASK_LEADER,
    ASK_PICK2,
    ASK_RECRUITS,
    ASK_REDIRECT,
    ASK_TARGET,
    BY_MELEE,
    BY_POWER,
    BY_RANGED,
    CARD_BLOCK,
    CLEAR_BLOCK,
    COLUMN_BLOCK,
    COLUMN_SLOTS,
    COLUMNS,
    DECISIONS,
    DRAW,
    HERO_SLOTS,
    LEADER_SLOT,
    MELEE_BLOCK,
    MOVE_BLOCK,
    ORDER_BLOCK,
    OWN_BLOCK,
    PASS,
    POWER_BLOCK,
    RANGED_BLOCK,
    RECRUIT_BLOCK,
    ROW_BLOCK,
    ROW_SLOTS,
    ROWS,
    SLOTS,
    State,
)
from .table.board import is_hero
from .table.passives import attack_damage, hero_strength, leader_marks, life, reduced
from .worth import (
    area,
    card_worth,
    corpses_in_row,
    harm,
    hit,
    leader_worth,
    order_worth,
    power_worth,
    recruit_worth,
    worth,
)

MOVE_WORTH = 0.1
FEW_CARDS = 4  # in hand; with fewer it draws more eagerly


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Rate each action."""
    s = work[0]
    read_board(observation, s)
    decision = read_one(observation, DECISION, len(DECISIONS))
    for i in range(count):
        score[i] = rate(observation, s, decision, int(ids[i]))


def rate(observation: ByteArray, s: State, decision: int, action: int) -> float:
    """What an action is worth; to pass is worth nothing."""
    if action == PASS:
        return 0.0
    if action == DRAW:
        return 2.2 if observation[COUNTS] < FEW_CARDS else 1.2
    if action < MELEE_BLOCK:
        card, column = divmod(action - RECRUIT_BLOCK, COLUMNS)
        return recruit_worth(card, recruit_row(observation, decision), column)
    if action < RANGED_BLOCK:
        return 0.5 + hit(s, action - MELEE_BLOCK, BY_MELEE)
    if action < POWER_BLOCK:
        return 0.6 + hit(s, action - RANGED_BLOCK, BY_RANGED)
    if action < ORDER_BLOCK:
        return power_worth(s, int(s.card[OWN, action - POWER_BLOCK]))
    if action < CLEAR_BLOCK:
        return order_worth(s, action - ORDER_BLOCK, int(observation[COUNTS + 1]))
    if action < MOVE_BLOCK:
        return clear_worth(observation, s, action - CLEAR_BLOCK)
    if action < OWN_BLOCK:
        return MOVE_WORTH
    if action < CARD_BLOCK:
        u, slot = divmod(action - OWN_BLOCK, SLOTS)
        return place_worth(observation, s, decision, u, slot)
    if action < AMOUNT_BLOCK:
        card = action - CARD_BLOCK
        return leader_worth(card) if decision == ASK_LEADER else card_worth(card)
    if action < COLUMN_BLOCK:
        return float(action - AMOUNT_BLOCK)
    if action < ROW_BLOCK:
        return column_worth(observation, s, action - COLUMN_BLOCK)
    return row_worth(observation, s, action - ROW_BLOCK)


def wave_of(observation: ByteArray) -> int:
    """The row of the wave."""
    return read_one(observation, WAVE_SHOWN, ROWS)


def recruit_row(observation: ByteArray, decision: int) -> int:
    """The row that recruits go to: the one chosen for them, or that of the wave."""
    chosen = read_one(observation, CHOSEN_ROW, ROWS) if decision == ASK_RECRUITS else NOWHERE
    return chosen if chosen != NOWHERE else wave_of(observation)


def clear_worth(observation: ByteArray, s: State, slot: int) -> float:
    """A corpse in the way of recruits is worth clearing."""
    row = wave_of(observation)
    free = HERO_SLOTS & ROW_SLOTS << 3 * row & ~(int(s.heroes[OWN]) | int(s.corpses[OWN]))
    return 1.8 if slot // 3 == row and free == 0 else 0.2


# -- picks --------------------------------------------------------------------------------------------


def place_worth(observation: ByteArray, s: State, decision: int, u: int, slot: int) -> float:
    """A slot of unit u, by what the decision is about."""
    if decision == ASK_TARGET:
        return target_worth(observation, s, u, slot)
    if decision == ASK_REDIRECT:
        return shield_worth(observation, s, slot)
    if decision == ASK_CAPTURE:
        return 1.0
    if observation[EFFECT_KIND + LEADER_EFFECT]:  # PT-92: the shot after an order
        return harm(s, u, slot, int(observation[NUMBER_SHOWN]))
    which = effect_which(observation)
    card = read_one(observation, EFFECT_CARD, TYPES)
    if which == NOWHERE or card == NOWHERE:
        return 0.0
    first = 1 if PROGRAM[card, which, 0, 0] == COLUMN else 0
    how, n = int(PROGRAM[card, which, first, 1]), int(PROGRAM[card, which, first, 2])
    return pick_worth(observation, s, decision, int(PROGRAM[card, which, first, 0]), how, n, u, slot)


def effect_which(observation: ByteArray) -> int:
    """The row of the power being carried out, or ORDER; NOWHERE if it is neither."""
    for which in range(ROWS):
        if observation[EFFECT_KIND + V_POWER + which]:
            return which
    return ORDER if observation[EFFECT_KIND + ORDER_EFFECT] else NOWHERE


def target_worth(observation: ByteArray, s: State, u: int, slot: int) -> float:
    """The target of an attack: of an own one by its damage; of an opposing one who can bear it best."""
    if u == OWN:  # PT-ILL-L
        if slot == LEADER_SLOT:
            return -100.0
        return float(life(s, OWN, slot)) - float(s.damage[OWN, slot])
    attacker = read_one(observation, EFFECT_SLOT, SLOTS)
    if attacker == NOWHERE or (attacker != LEADER_SLOT and s.card[OWN, attacker] == NOWHERE):
        return 0.0
    if leader_marks(s, OWN) & LAST_STRIKE and not is_hero(s, OWN, attacker) and attacker != LEADER_SLOT:
        strikes = hero_strength(s, OWN, attacker, slot, BY_MELEE)  # PT-74
        return worth(s, FOE, slot, int(reduced(s, FOE, slot, BY_MELEE, strikes)))
    kind = BY_RANGED if observation[ATTACK_KIND + BY_RANGED] else BY_MELEE
    return worth(s, FOE, slot, int(attack_damage(s, OWN, attacker, slot, kind)))


def shield_worth(observation: ByteArray, s: State, slot: int) -> float:
    """A shield for the own hero that is hit, if it saves that one and does not fall itself."""
    damage = int(observation[NUMBER_SHOWN])
    hurt = read_one(observation, SUBJECT, SLOTS)
    if hurt == NOWHERE:
        return 0.0
    left = int(life(s, OWN, hurt)) - int(s.damage[OWN, hurt])
    bears = int(life(s, OWN, slot)) - int(s.damage[OWN, slot]) > damage
    return 1.0 if 0 < left <= damage and bears else -1.0


def pick_worth(
    observation: ByteArray, s: State, decision: int, operation: int, how: int, n: int, u: int, slot: int
) -> float:
    """A slot picked for an operation `operation how n` (see `effects.py`)."""
    sign = 1.0 if u == OWN else -1.0
    left = int(observation[NUMBER_SHOWN])
    if operation == PING:
        return harm(s, u, slot, int(reduced(s, u, slot, BY_POWER, n)))
    if operation == SPLIT_HIT:
        return harm(s, u, slot, left)
    if operation in (HEAL, SPLIT_HEAL):
        return sign * 0.7 * min(n if operation == HEAL else left, int(s.damage[u, slot]))
    if operation == GATHER:
        return 1.0 if s.damage[u, slot] >= life(s, u, slot) else -0.1
    if operation == SHIFT:
        return shift_worth(observation, s, decision, n, u, slot)
    if operation == BOOST:
        return sign * (1.0 + hit(s, slot, BY_MELEE)) if u == OWN else sign
    if operation == DEFEAT or (operation == RETURN and how != OWN_HERO):
        return -sign * float(STRENGTH[s.card[u, slot]] + life(s, u, slot))
    if operation == RETURN:
        return 1.0 if s.damage[u, slot] >= life(s, u, slot) else -card_worth(int(s.card[u, slot]))
    if operation == REVIVE:
        return sign * card_worth(int(s.card[u, slot]))
    if operation == GRANT:
        return hit(s, slot, BY_RANGED if n == BY_RANGED else BY_MELEE)
    if operation == COPY:
        return power_worth(s, int(s.card[u, slot]))
    return -MOVE_WORTH  # changes of place: passed over, where that is allowed


def shift_worth(observation: ByteArray, s: State, decision: int, n: int, u: int, slot: int) -> float:
    """Whose damage is moved, and to whom."""
    if decision != ASK_PICK2:
        own_leader = effect_which(observation) != ORDER
        if own_leader:  # PT-VAM-R: a hero takes the leader's
            return harm(s, u, slot, n)
        return -harm(s, u, slot, int(s.damage[u, slot])) if u == OWN else -float(s.damage[u, slot])
    place = read_one(observation, SUBJECT, 2 * SLOTS)
    return harm(s, u, slot, int(s.damage[place // SLOTS, place % SLOTS])) if place != NOWHERE else 0.0


def column_worth(observation: ByteArray, s: State, column: int) -> float:
    """A column of both units."""
    card = read_one(observation, EFFECT_CARD, TYPES)
    if card == NOWHERE or PROGRAM[card, ORDER, 1, 0] != HIT_ALL:
        return 0.0
    return area(s, COLUMN_SLOTS << column, int(PROGRAM[card, ORDER, 1, 2]))


def row_worth(observation: ByteArray, s: State, row: int) -> float:
    """A row: of recruits by the best of them; of corpses by how many of one's own it frees from them."""
    card, which = read_one(observation, EFFECT_CARD, TYPES), effect_which(observation)
    if card == NOWHERE or which == NOWHERE:
        return 0.0
    if PROGRAM[card, which, 0, 0] == ROW_CORPSES:
        u = row // ROWS
        corpses = corpses_in_row(s, u, row % ROWS)
        return float(corpses if u == OWN else -corpses)
    best = 0.0
    for hand_card in range(TYPES):
        if int(s.hand[OWN]) >> hand_card & 1:
            best = max(best, recruit_worth(hand_card, row % ROWS, 0))
    return best
