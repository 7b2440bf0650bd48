"""What must hold in every state of every game, and in every step from one to the next."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER, Record

from .connections import hues, visible_diamonds
from .deck import ACTIONS, BLUE, CARDS, HAND, RED, SIZE
from .deck import ROW as START_ROW
from .state import (
    ACT,
    DECISIONS,
    DRAWN,
    FORCED,
    HAND_SIZE,
    HANDS,
    HIGHEST,
    LAY,
    LOCK,
    LOWEST,
    NO_CARD,
    NO_INDEX,
    NO_SEAT,
    PLACES,
    REDRAW,
    RESOLVE,
    ROW,
    RUNNING,
    TIE,
    TRASH,
    UNDO,
)
from .tables import SCALE

BOTH_COLOURS = 0b11
BASE_DECISIONS, MOST_DECISIONS = 201, 799  # RS-40

INVARIANTS = (
    "every card is in exactly one place",
    "the deck has as many cards as it says",
    "the row has no gap, but for the centre while a tie is broken",
    "both hands are full whenever a seat decides",
    "a card is drawn if and only if the phase is TRASH",
    "RS-18: no diamond shows when an action is chosen, and the deck is not empty",
    "RS-32: the choice is between two diamonds or more",
    "RS-02: levels are 1 to 4",
    "RS-40: resolutions and cards in the row are as many as at the start",
    "RS-40: the game has no more decisions than proven",
    "RS-61: a locked card shows both colours",
    "RS-59: each seat has one Lock Card",
    "phase and mover agree",
    "what is under way fits the phase",
    "the game ends by a result or at its limit, and not otherwise",
    "RS-62: nobody forgets a side",
    "RS-63: a card from the deck is known from one side",
    "only Recycling Subsystems take from the discards",
    "the work space is clean",
)
(
    CONSERVED,
    DECK_COUNT,
    ROW_FILLED,
    HANDS_FULL,
    DRAWN_CARD,
    SETTLED,
    CHOICE,
    LEVELS,
    SHRINKING,
    TERMINATION,
    LOCKED,
    LOCK_CARDS,
    MOVER,
    UNDER_WAY,
    ENDING,
    MEMORY,
    NEW_CARD,
    PILE_GROWS,
    CLEAN,
) = range(1, len(INVARIANTS) + 1)


def check(before: Record, s: Record) -> int:
    """The number of an invariant that the state, or the step to it, breaks; 0 if there is none."""
    broken = check_cards(s)
    if broken == 0:
        broken = check_row(s)
    if broken == 0:
        broken = check_phase(s)
    if broken == 0:
        broken = check_game(s)
    if broken == 0:
        broken = check_memory(before, s)
    return broken


def check_cards(s: Record) -> int:
    """All cards in deck, places and pile."""
    deck = int(s.deck)
    seen = deck
    count = 0
    for card in range(CARDS):
        count += deck >> card & 1
    if count != s.deck_size:
        return DECK_COUNT
    for place in range(PLACES):
        if s.card[place] != NO_CARD:
            seen |= 1 << int(s.card[place])
            count += 1
    for i in range(int(s.pile_size)):
        seen |= 1 << int(s.pile[i])
        count += 1
    if count != SCALE[SIZE] or seen != (1 << int(SCALE[SIZE])) - 1:
        return CONSERVED
    for i in range(s.sketch.shape[0]):
        if s.sketch[i] != 0:
            return CLEAN
    return 0


def check_row(s: Record) -> int:
    """The row and its locks."""
    locks = 0
    for i in range(ROW):
        there = s.card[i] != NO_CARD
        if there != (i < s.length and not (s.phase == TIE and i == SCALE[START_ROW] // 2)):
            return ROW_FILLED
        lock = int(s.lock[i])
        if lock and (not there or hues(s, i) != BOTH_COLOURS):
            return LOCKED
        if lock < 0 or lock & locks or lock >> 2:
            return LOCK_CARDS
        locks |= lock
    if locks and not s.options.lock_down:
        return LOCK_CARDS
    if s.phase != LAY and s.resolved + s.length != SCALE[START_ROW]:
        return SHRINKING
    return 0


def check_phase(s: Record) -> int:
    """Who is to move fits what is to be decided."""
    if s.mover == OVER:
        return 0
    turn, phase = int(s.turn), int(s.phase)
    wanted = CHANCE
    if phase < DECISIONS:
        wanted = 1 - turn if phase == FORCED else turn
    if s.mover != wanted:
        return MOVER
    if (phase == TRASH) != (s.card[DRAWN] != NO_CARD):
        return DRAWN_CARD
    if (phase == UNDO) != (s.flipped != NO_INDEX) or (phase == REDRAW) != (s.resolving != NO_INDEX):
        return UNDER_WAY
    if (phase == REDRAW) != (int(s.to_draw[RED]) + int(s.to_draw[BLUE]) > 0):
        return UNDER_WAY
    if int(s.left) >= LOCK and not s.options.lock_down:
        return UNDER_WAY
    if phase < DECISIONS:
        for place in range(HANDS, DRAWN):
            if s.card[place] == NO_CARD and (place - HANDS) % HAND_SIZE < SCALE[HAND]:
                return HANDS_FULL
    diamonds = visible_diamonds(s)
    if phase == ACT and (diamonds != 0 or s.deck_size == 0):
        return SETTLED
    if phase == RESOLVE and diamonds & (diamonds - 1) == 0:
        return CHOICE
    return 0


def check_game(s: Record) -> int:
    """Levels, length and result."""
    for seat in range(2):
        if not LOWEST <= s.defcon[seat] <= HIGHEST:
            return LEVELS
    extended = s.options.comeback_circuits + s.options.recycling_subsystems + s.options.lock_down
    if SCALE[ACTIONS] > 2 and s.decisions > (BASE_DECISIONS if extended == 0 else MOST_DECISIONS):
        return TERMINATION
    if (s.winner != NO_SEAT) != (s.reason != RUNNING):
        return ENDING
    if (s.mover == OVER) != (s.winner != NO_SEAT or s.truncated != 0):
        return ENDING
    return 0


def check_memory(before: Record, s: Record) -> int:
    """What a seat has seen of a card it knows for good; a new card shows one side to each."""
    for place in range(PLACES):
        card = int(s.card[place])
        if card == NO_CARD:
            continue
        if before.deck >> card & 1:
            if s.deck >> card & 1 == 0 and s.known[place] != 0 and place >= HANDS:
                return NEW_CARD
            continue
        for other in range(PLACES):
            if before.card[other] == card and int(before.known[other]) & ~int(s.known[place]):
                return MEMORY
    if s.pile_size < before.pile_size and not s.options.recycling_subsystems:
        return PILE_GROWS
    return 0
