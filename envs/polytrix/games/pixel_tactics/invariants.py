"""What must hold in every state of every game, and from one state to the next."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER, Record

from .board import LEADER_BIT, occupied, owner
from .cards import TYPES
from .choices import UNDECIDED, only_choice
from .effects import OPEN_HAND
from .matches import ALL_CARDS, trophies_needed
from .passives import leader_marks, life
from .rules import chance
from .sets import lowest, size
from .state import (
    ASK_LEADER,
    ASK_ORDERS,
    ASK_TURN,
    CHOOSING,
    CLOSED,
    COIN,
    DEALING,
    DEFEAT_FRAME,
    DRAWN_ORDER,
    FINISHED,
    FIRST_PLAYER,
    HERO_SLOTS,
    LEADER_SLOT,
    MATCHES,
    MOST_FIXED,
    NO_CHANCE,
    NO_DECISION,
    ORDER_FRAME,
    PLAY_FRAME,
    PLAYING,
    POWER_FRAME,
    ROWS,
    RUNNING,
    SEATS,
    SLOTS,
    WAVE_FRAME,
)

DEEPEST = 29
"""PT-94: 28 frames and one that draws."""

INVARIANTS = (
    "PT-01: each of a seat's 25 cards is in exactly one place",
    "PT-02, PT-04: heroes and corpses lie on hero slots, not both on one, and nothing else does",
    "PT-07, PT-76: a card in the other unit is a living captive",
    "damage is not negative, and lies on members and what is falling only",
    "marks lie on the cards that may have them",
    "PT-103, PT-106: only hand cards are known; all of them, if the other leader says so",
    "PT-101: fixed cards are different cards of the deck",
    "PT-94: the stack is within its bound, and no power or order is being carried out within itself",
    "cards in play are being played or were stolen",
    "cards are set aside, or remembered as drawn, only while they are asked about",
    "who is asked has a choice (PT-98); who is not asked has none",
    "chance has at least two outcomes",
    "actions and lost actions are not negative",
    "PT-110 to PT-116: trophies and cards out of the game fit the matches played",
    "rounds and waves go forward",
    "PT-39: there are no attacks in the first round",
    "the game is over at its end or at its limit, and not later",
)


def check(before: Record, s: Record) -> int:
    """The number of an invariant that is broken, 0 if none is."""
    for seat in range(SEATS):
        if not cards_are_complete(s, seat):
            return 1
        if not slots_fit(s, seat):
            return 2
        if not captives_fit(s, seat):
            return 3
        if not damage_fits(s, seat):
            return 4
        if not marks_fit(s, seat):
            return 5
        if not knowledge_fits(s, seat):
            return 6
        if not top_fits(s, seat):
            return 7
        if s.actions < 0 or s.lose_next[seat] < 0 or s.lose_now[seat] < 0 or s.played[seat] < 0:
            return 13
        if not trophies_fit(s, seat):
            return 14
    if not chains_fit(s):
        return 8
    if not in_play_fits(s):
        return 9
    if not asides_fit(s):
        return 10
    if not decision_fits(s):
        return 11
    if s.mover == CHANCE and (s.chance_kind == NO_CHANCE or chance(s) < 2):
        return 12
    if not time_fits(before, s):
        return 15
    if before.round_number == 1 and s.round_number == 1 and s.attacked:
        return 16
    if not end_fits(s):
        return 17
    return 0


# -- cards --------------------------------------------------------------------------------------------


def cards_are_complete(s: Record, seat: int) -> bool:
    """PT-01: the zones of a seat and its cards on the field make all cards, and as many as there are."""
    if s.revealed == 0 and s.leader[seat] >= 0 and not int(s.hand[seat]) >> int(s.leader[seat]) & 1:
        return False
    out, hand, deck, discard = int(s.out[seat]), int(s.hand[seat]), int(s.deck[seat]), int(s.discard[seat])
    in_play, aside, field = int(s.in_play[seat]), int(s.aside[seat]), cards_on_field(s, seat)
    leader = 1 << int(s.leader[seat]) if s.revealed else 0
    count = size(out) + size(hand) + size(deck) + size(discard)
    count += size(in_play) + size(aside) + size(field) + size(leader)
    return count == TYPES and out | hand | deck | discard | in_play | aside | field | leader == ALL_CARDS


def cards_on_field(s: Record, seat: int) -> int:
    """The seat's heroes and corpses, in both units; ALL_CARDS if one is there twice."""
    found = 0
    for u in range(SEATS):
        left = occupied(s, u)
        while left:
            slot = lowest(left)
            left &= left - 1
            if owner(s, u, slot) == seat:
                bit = 1 << int(s.card[u, slot])
                if found & bit:
                    return ALL_CARDS
                found |= bit
    return found


def slots_fit(s: Record, u: int) -> bool:
    """PT-02, PT-04."""
    heroes, corpses = int(s.heroes[u]), int(s.corpses[u])
    if heroes & corpses or (heroes | corpses) & ~HERO_SLOTS:
        return False
    for slot in range(SLOTS):
        if (s.card[u, slot] >= 0) != bool((heroes | corpses) >> slot & 1):
            return False
    return True


def captives_fit(s: Record, u: int) -> bool:
    """PT-07, PT-71: captives live, so corpses lie in their owner's unit."""
    return int(s.captives[u]) & ~int(s.heroes[u]) == 0


def is_falling(s: Record) -> bool:
    """Something is being defeated, or a wave ends: corpses may still have what they lose afterwards."""
    for i in range(int(s.depth)):
        if s.stack[i].kind in (DEFEAT_FRAME, WAVE_FRAME):
            return True
    return False


def damage_fits(s: Record, u: int) -> bool:
    """PT-60, PT-71."""
    falling = is_falling(s)
    for slot in range(SLOTS):
        damage, boost = int(s.damage[u, slot]), int(s.boost[u, slot])
        alive = slot == LEADER_SLOT or bool(int(s.heroes[u]) >> slot & 1)
        corpse = bool(int(s.corpses[u]) >> slot & 1)
        if damage < 0 or boost < 0 or ((damage or boost) and not (alive or (corpse and falling))):
            return False
        if alive and s.revealed and life(s, u, slot) < 1:
            return False
    return True


def marks_fit(s: Record, u: int) -> bool:
    """PT-26, PT-71: marks of heroes and corpses; the leader has acted only."""
    cards = occupied(s, u)
    heroes = cards if is_falling(s) else int(s.heroes[u])
    if int(s.acted[u]) & ~(cards | LEADER_BIT):
        return False
    return (int(s.fresh[u]) | int(s.moved[u])) & ~cards == 0 and (
        int(s.hurt[u]) | int(s.struck[u])
    ) & ~heroes == 0


def knowledge_fits(s: Record, seat: int) -> bool:
    """PT-103, PT-106."""
    known, hand = int(s.known[seat]), int(s.hand[seat])
    if known & ~hand:
        return False
    return leader_marks(s, 1 - seat) & OPEN_HAND == 0 or known == hand


def top_fits(s: Record, seat: int) -> bool:
    """PT-101."""
    cards = 0
    for i in range(MOST_FIXED):
        card = int(s.top[seat, i])
        if (card >= 0) != (i < s.fixed[seat]):
            return False
        if card >= 0:
            if not int(s.deck[seat]) >> card & 1 or cards >> card & 1:
                return False
            cards |= 1 << card
    return 0 <= int(s.fixed[seat]) <= MOST_FIXED


# -- what is being carried out --------------------------------------------------------------------------


def chains_fit(s: Record) -> bool:
    """PT-94: the chain sets are those of the frames."""
    if not 0 <= int(s.depth) <= DEEPEST:
        return False
    orders = 0
    for row in range(ROWS):
        powers = 0
        for i in range(int(s.depth)):
            f = s.stack[i]
            if f.kind == POWER_FRAME and f.row == row:
                if powers >> int(f.card) & 1:
                    return False
                powers |= 1 << int(f.card)
        if powers != int(s.chain_powers[row]):
            return False
    for i in range(int(s.depth)):
        f = s.stack[i]
        if f.kind == ORDER_FRAME:
            if orders >> int(f.card) & 1:
                return False
            orders |= 1 << int(f.card)
    return orders == int(s.chain_orders)


def in_play_fits(s: Record) -> bool:
    """PT-91: each card in play belongs to a PLAY, or is kept by the effect that has stolen it."""
    for seat in range(SEATS):
        expected = 0
        for i in range(int(s.depth)):
            f = s.stack[i]
            if f.kind == PLAY_FRAME and f.seat == seat and f.step == 1:
                expected |= 1 << int(f.card)
            if f.kind == ORDER_FRAME and f.seat != seat and f.kept >= 0:
                expected |= 1 << int(f.kept)
        if int(s.in_play[seat]) & ~expected:
            return False
    return True


def asides_fit(s: Record) -> bool:
    """Registers that hide a card are empty between effects."""
    if s.drawn >= 0:
        asked = s.decision == ASK_ORDERS and s.may_order == DRAWN_ORDER
        if not (asked or s.mover < 0) or not int(s.hand[s.active]) >> int(s.drawn) & 1:
            return False
    return bool(s.depth > 0 or (s.aside[0] == 0 and s.aside[1] == 0))


def decision_fits(s: Record) -> bool:
    """PT-98: a decision has at least two options, and stands where it belongs."""
    if s.answer != -1 or (s.mover >= 0) != (s.decision != NO_DECISION):
        return bool(s.truncated)
    if s.mover < 0:
        return True
    if s.decision == ASK_TURN:
        return bool(s.depth == 0 and s.phase == PLAYING and s.mover == s.active)
    if only_choice(s) != UNDECIDED:
        return False
    if s.decision == ASK_LEADER:
        return bool(s.depth == 0 and s.phase == CHOOSING)
    return bool(s.depth > 0 and s.phase in (PLAYING, CLOSED))


# -- the course ---------------------------------------------------------------------------------------


def trophies_fit(s: Record, seat: int) -> bool:
    """PT-110 to PT-116."""
    ended = int(s.match) - (0 if s.phase == FINISHED else 1)
    out = int(s.match) - 1
    return (
        1 <= s.match <= MATCHES
        and 0 <= s.trophies[seat] <= min(trophies_needed(s), ended)
        and size(int(s.out[seat])) == out
    )


def moment(s: Record) -> int:
    """A number that grows with every turn."""
    return ((int(s.match) * 128 + int(s.round_number)) * 4 + int(s.wave) + 1) * 2 + int(s.turn)


def time_fits(before: Record, s: Record) -> bool:
    """PT-20, PT-83."""
    if moment(s) < moment(before) or s.round_number > s.options.max_rounds or s.level[0] > s.round_number:
        return False
    if s.phase in (DEALING, CHOOSING, COIN):
        return bool(s.round_number == 0 and s.first == -1 and s.active == -1)
    if not (0 <= s.first < SEATS and 0 <= s.wave < ROWS and s.round_number >= 1):
        return False
    return bool(s.active == (s.first if s.turn == 0 else 1 - int(s.first)))


def end_fits(s: Record) -> bool:
    """The mover is OVER where the match has decided the game, and nowhere else."""
    finished = s.phase == FINISHED
    if s.truncated:
        return bool(s.mover == OVER and not finished)
    if (s.mover == OVER) != finished or (s.result != RUNNING) != finished:
        return False
    return bool(s.chance_kind != FIRST_PLAYER or s.phase == COIN)
