"""The list of invariants, and those of cards, marks and zones."""

from __future__ import annotations

from polytrix.core.bits import lowest, size
from polytrix.core.constants import Constants
from polytrix.core.state import CHANCE

from ..cards.cards import OPERATIONS, TYPES, Which
from ..cards.effects import How, Mark, Operation
from ..flow.wave import WaveStep
from ..rules import chance
from ..state import ALL_CARDS, MOST_FIXED, ROWS, SEATS, SLOTS, Frame, FrameKind, OrderSource, SlotSet, State
from ..table.board import LEADER_BIT, occupied, owner
from ..table.passives import leader_marks
from .course import end_fits, leaders_fit, level_fits, nothing_yet, time_fits, trophies_fit
from .questions import event_fits, question_fits
from .stack import stack_fits

AFTER_STRIKE = 3
"""The step of a DEFEAT frame from which the corpse has lost its damage and marks."""

INVARIANTS = (
    "PT-01: each of a seat's 25 cards is in exactly one place",
    "PT-02, PT-04: heroes and corpses lie on hero slots, not both on one, and nothing else does",
    "PT-07, PT-76: a card in the other unit is a living captive",
    "PT-60, PT-71: damage is not negative, and lies on members and what is falling only",
    "marks lie on the cards that may have them",
    "PT-103, PT-106: only hand cards are known; all of them, if the other leader says so",
    "PT-101: fixed cards are different cards of the deck",
    "PT-94: the stack is within its bound, and no power or order is being carried out within itself",
    "PT-91: cards in play are being played or were stolen",
    "cards are set aside, or remembered as drawn, only while they are asked about",
    "PT-98: who is asked, and what, follows from the position; there is a choice, or nobody is asked",
    "what chance is asked follows from the position, and has at least two outcomes",
    "actions and lost actions are not negative",
    "PT-110 to PT-116: trophies and cards out of the game fit the matches played",
    "PT-20, PT-83: rounds and waves go forward, and whose turn it is follows from the first player",
    "PT-80 to PT-83: the game is over at its end or at its limit, and not later; the board says who has won",
    "PT-94: each frame of the stack has what its kind has, and lies where it may",
    "PT-10: before the first round nothing lies on the field, and the hands are opening hands",
    "PT-11: leaders are picked one after the other, and revealed together",
    "PT-PRI-L: levels are those of a leader that gains them, one for a round",
)


class Broken(Constants):
    """Numbers of `INVARIANTS`."""

    CARDS, SLOTS, CAPTIVES, DAMAGE, MARKS, KNOWN, FIXED = range(1, 8)
    CHAINS, IN_PLAY, ASIDE, QUESTION, EVENT, ACTIONS, TROPHIES = range(8, 15)
    TIME, END, FRAMES, OPENING, LEADERS, LEVELS = range(15, 21)


def check(before: State, s: State) -> int:
    """The number of a broken invariant; 0 if all hold."""
    if not leaders_fit(s):
        return Broken.LEADERS
    for seat in range(SEATS):
        if not slots_fit(s, seat):
            return Broken.SLOTS
    for seat in range(SEATS):
        if not captives_fit(s, seat):
            return Broken.CAPTIVES
        if not cards_are_complete(s, seat):
            return Broken.CARDS
        if not knowledge_fits(s, seat):
            return Broken.KNOWN
        if not top_fits(s, seat):
            return Broken.FIXED
        if s.actions < 0 or s.lose_next[seat] < 0 or s.lose_now[seat] < 0 or s.played[seat] < 0:
            return Broken.ACTIONS
        if not trophies_fit(s, seat):
            return Broken.TROPHIES
        if not level_fits(s, seat):
            return Broken.LEVELS
    if not time_fits(before, s):
        return Broken.TIME
    if not nothing_yet(s):
        return Broken.OPENING
    if not stack_fits(s):
        return Broken.FRAMES
    for seat in range(SEATS):
        falling = falls(s, seat)
        if not damage_fits(s, seat, falling):
            return Broken.DAMAGE
        if not marks_fit(s, seat, falling):
            return Broken.MARKS
    if not chains_fit(s):
        return Broken.CHAINS
    if not in_play_fits(s):
        return Broken.IN_PLAY
    if not asides_fit(s):
        return Broken.ASIDE
    if s.mover == CHANCE and not (event_fits(s) and chance(s) >= 2):
        return Broken.EVENT
    if not question_fits(s):
        return Broken.QUESTION
    return 0 if end_fits(s) else Broken.END


# -- cards --------------------------------------------------------------------------------------------


def cards_are_complete(s: State, seat: int) -> bool:
    """PT-01: the seat's zones and its cards on the field hold each card exactly once."""
    out, hand, deck, discard = int(s.out[seat]), int(s.hand[seat]), int(s.deck[seat]), int(s.discard[seat])
    in_play, aside, field = int(s.in_play[seat]), int(s.aside[seat]), cards_on_field(s, seat)
    leader = 1 << int(s.leader[seat]) if s.revealed else 0
    count = size(out) + size(hand) + size(deck) + size(discard)
    count += size(in_play) + size(aside) + size(field) + size(leader)
    return count == TYPES and out | hand | deck | discard | in_play | aside | field | leader == ALL_CARDS


def cards_on_field(s: State, seat: int) -> int:
    """The seat's heroes and corpses in both units; ALL_CARDS if a card is there twice."""
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


def slots_fit(s: State, u: int) -> bool:
    """PT-02, PT-04: heroes and corpses are on different hero slots, and each has a card."""
    heroes, corpses = int(s.heroes[u]), int(s.corpses[u])
    if heroes & corpses or (heroes | corpses) & ~SlotSet.HEROES:
        return False
    for slot in range(SLOTS):
        if (s.card[u, slot] >= 0) != bool((heroes | corpses) >> slot & 1):
            return False
    return True


def captives_fit(s: State, u: int) -> bool:
    """PT-07, PT-71: captives are alive, so every corpse is in its owner's unit."""
    return int(s.captives[u]) & ~int(s.heroes[u]) == 0


def falls(s: State, u: int) -> int:
    """PT-71, PT-74: slots of corpses that keep damage and marks until their last strike."""
    found = 0
    for i in range(int(s.depth)):
        f = s.stack[i]
        if f.kind == FrameKind.DEFEAT and f.step < AFTER_STRIKE and f.seat == u:
            found |= 1 << int(f.slot)
        if f.kind == FrameKind.WAVE_END and f.step == WaveStep.TREAT:
            found |= int(f.picked) & SlotSet.ALL if f.seat == u else int(f.picked) >> SLOTS
    return found & int(s.corpses[u])


def damage_fits(s: State, u: int, falling: int) -> bool:
    """PT-60, PT-71: damage and boosts are on members and falling heroes only, and not negative."""
    members_and_falling = int(s.heroes[u]) | LEADER_BIT | falling
    for slot in range(SLOTS):
        damage, boost = int(s.damage[u, slot]), int(s.boost[u, slot])
        if damage < 0 or boost < 0 or ((damage or boost) and not members_and_falling >> slot & 1):
            return False
    return True


def marks_fit(s: State, u: int, falling: int) -> bool:
    """PT-26, PT-71: marks are on heroes and corpses; the leader has `acted` only."""
    cards, heroes = occupied(s, u), int(s.heroes[u]) | falling
    if int(s.acted[u]) & ~(cards | LEADER_BIT):
        return False
    return (int(s.fresh[u]) | int(s.moved[u])) & ~cards == 0 and (
        int(s.hurt[u]) | int(s.struck[u])
    ) & ~heroes == 0


def knowledge_fits(s: State, seat: int) -> bool:
    """PT-103, PT-106: known cards are hand cards; against OPEN_HAND all of them are known."""
    known, hand = int(s.known[seat]), int(s.hand[seat])
    if known & ~hand:
        return False
    return leader_marks(s, 1 - seat) & Mark.OPEN_HAND == 0 or known == hand


def top_fits(s: State, seat: int) -> bool:
    """PT-101: fixed cards are different cards of the deck."""
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


def chains_fit(s: State) -> bool:
    """PT-94: the sets of effects being carried out agree with the frames."""
    orders = 0
    for row in range(ROWS):
        powers = 0
        for i in range(int(s.depth)):
            f = s.stack[i]
            if f.kind == FrameKind.POWER and f.row == row:
                if powers >> int(f.card) & 1:
                    return False
                powers |= 1 << int(f.card)
        if powers != int(s.chain_powers[row]):
            return False
    for i in range(int(s.depth)):
        f = s.stack[i]
        if f.kind == FrameKind.ORDER:
            if orders >> int(f.card) & 1:
                return False
            orders |= 1 << int(f.card)
    return orders == int(s.chain_orders)


def in_play_fits(s: State) -> bool:
    """PT-91: each card in play belongs to a PLAY frame, or to the effect that has stolen it."""
    for seat in range(SEATS):
        expected = 0
        for i in range(int(s.depth)):
            f = s.stack[i]
            card = -1
            if f.kind == FrameKind.PLAY and f.seat == seat and f.step == 1:
                card = int(f.card)
            elif f.kind == FrameKind.ORDER and f.seat != seat and f.kept >= 0 and is_stealing(f):
                card = int(f.kept)
            if card >= 0:
                if expected >> card & 1:
                    return False
                expected |= 1 << card
        if int(s.in_play[seat]) != expected:
            return False
    return True


def is_stealing(f: Frame) -> bool:
    """Whether the order uses a card of the opposing hand."""
    return bool(
        OPERATIONS[f.card, Which.ORDER, f.op, 0] == Operation.USE
        and OPERATIONS[f.card, Which.ORDER, f.op, 1] == How.USE_RANDOM
    )


def asides_fit(s: State) -> bool:
    """Cards are set aside, or remembered as drawn, only for the effect that asks about them."""
    if s.drawn >= 0 and (s.may_order != OrderSource.DRAWN or not int(s.hand[s.active]) >> int(s.drawn) & 1):
        return False
    if s.may_order == OrderSource.DRAWN and s.drawn < 0:
        return False
    for seat in range(SEATS):
        aside = size(int(s.aside[seat]))
        if s.depth == 0:
            if aside:
                return False
            continue
        f = s.stack[s.depth - 1]
        if f.kind != FrameKind.POWER or f.seat != seat or OPERATIONS[f.card, f.row, f.op, 0] != Operation.SIFT:
            fits = aside == 0
        elif f.step == 1:
            fits = aside + f.left == OPERATIONS[f.card, f.row, f.op, 2]
        else:  # fewer from a small deck
            fits = 1 < aside <= OPERATIONS[f.card, f.row, f.op, 2] + 2 - f.step
        if not fits:
            return False
    return True
