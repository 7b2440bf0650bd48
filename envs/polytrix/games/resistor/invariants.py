"""Invariants of every state, and of every step."""

from __future__ import annotations

from polytrix.core.constants import Constants
from polytrix.core.state import CHANCE, OVER

from .connections import BOTH_COLOURS, hues, shows_diamond, visible_diamonds
from .deck import CARDS, Seat, Setting
from .state import (
    BOTH_SEATS,
    DECISIONS,
    DRAWN_GAME,
    HAND_SIZE,
    NO_CARD,
    NO_INDEX,
    PLACES,
    ROW,
    Left,
    Level,
    Phase,
    Place,
    Reason,
    State,
    hand_place,
)
from .tables import RESISTOR, SETTINGS

BASE_DECISIONS, MOST_DECISIONS = 201, 799  # RS-40

INVARIANTS = (
    "every card is in exactly one place",
    "the deck has as many cards as it says",
    "nothing is noted of places without a card",
    "the row has no gap, but for the centre while a tie is broken",
    "both hands are full, but for what is being dealt or redrawn, or was not there to be drawn",
    "a card is drawn if and only if the phase is TRASH",
    "RS-18: no diamond shows before an action, and the deck is not empty",
    "RS-32: the choice is between two diamonds or more",
    "RS-02: levels are 1 to 4",
    "RS-40: resolutions and cards in the row are as many as at the start",
    "RS-39: nobody plays on with one card in the row",
    "RS-40: the game has no more decisions than proven",
    "RS-61: a locked card shows both colours and no diamond",
    "RS-59: each seat has one Lock Card",
    "phase and mover agree",
    "RS-09, RS-11: until the hands are dealt nothing else has happened",
    "RS-16, RS-67: the actions left are some of the turn's, without that under way",
    "what is under way fits the phase",
    "RS-25: a Resistor on top of the pile forces a flip",
    "the game ends by a result or at its limit, and not otherwise",
    "RS-45, RS-46: the result is that of the levels",
    "RS-62: nobody forgets a side",
    "RS-63: a card from the deck is known from one side",
    "only Recycling Subsystems take from the discards",
    "the work space is clean",
)


class Broken(Constants):
    """Invariants, by their numbers."""

    (
        CONSERVED,
        DECK_COUNT,
        BLANK,
        ROW_FILLED,
        HANDS_FULL,
        DRAWN_CARD,
        SETTLED,
        CHOICE,
        LEVELS,
        SHRINKING,
        SHORT_ROW,
        TERMINATION,
        LOCKED,
        LOCK_CARDS,
        MOVER,
        UNDEALT,
        ACTIONS_LEFT,
        UNDER_WAY,
        FORCING,
        ENDING,
        RESULT,
        MEMORY,
        NEW_CARD,
        PILE_GROWS,
        CLEAN,
    ) = range(1, len(INVARIANTS) + 1)


def check(before: State, s: State) -> int:
    """The number of an invariant that the state, or the step to it, breaks; 0 if there is none."""
    broken = check_cards(s)
    if broken == 0:
        broken = check_row(s)
    if broken == 0:
        broken = check_game(s)
    if broken == 0:
        broken = check_phase(s)
    if broken == 0:
        broken = check_memory(before, s)
    return broken


def check_cards(s: State) -> int:
    """All cards in deck, places and pile."""
    deck = int(s.deck)
    seen = deck
    count = 0
    for card in range(CARDS):
        count += deck >> card & 1
    if count != s.deck_size:
        return Broken.DECK_COUNT
    for place in range(PLACES):
        if s.card[place] != NO_CARD:
            seen |= 1 << int(s.card[place])
            count += 1
        elif s.side[place] != 0 or s.turned[place] != 0 or s.known[place] != 0:
            return Broken.BLANK
    for i in range(CARDS):
        if (i < s.pile_size) != (s.pile[i] != NO_CARD):
            return Broken.BLANK
        if i < s.pile_size:
            seen |= 1 << int(s.pile[i])
            count += 1
    if count != SETTINGS[Setting.CARDS] or seen != (1 << int(SETTINGS[Setting.CARDS])) - 1:
        return Broken.CONSERVED
    for i in range(s.sketch.shape[0]):
        if s.sketch[i] != 0:
            return Broken.CLEAN
    return 0


def check_row(s: State) -> int:
    """The row and its locks."""
    locks = 0
    for i in range(ROW):
        there = s.card[i] != NO_CARD
        if there != (i < s.length and not (s.phase == Phase.TIE and i == SETTINGS[Setting.ROW] // 2)):
            return Broken.ROW_FILLED
        lock = int(s.lock[i])
        if lock and (not there or hues(s, i) != BOTH_COLOURS or shows_diamond(s, i)):
            return Broken.LOCKED
        if lock < 0 or lock & locks or lock >> 2:
            return Broken.LOCK_CARDS
        locks |= lock
    if locks and not s.options.lock_down:
        return Broken.LOCK_CARDS
    if s.phase == Phase.LAY:
        return Broken.SHRINKING if s.resolved != 0 or s.length >= SETTINGS[Setting.ROW] else 0
    if s.resolved + s.length != SETTINGS[Setting.ROW]:
        return Broken.SHRINKING
    return Broken.SHORT_ROW if s.length < (1 if s.phase == Phase.OVER else 2) else 0


def check_game(s: State) -> int:
    """Levels, length and result."""
    for seat in range(2):
        if not Level.LOWEST <= s.defcon[seat] <= Level.HIGHEST:
            return Broken.LEVELS
    extended = s.options.comeback_circuits + s.options.recycling_subsystems + s.options.lock_down
    if SETTINGS[Setting.ACTIONS] > 2 and s.decisions > (BASE_DECISIONS if extended == 0 else MOST_DECISIONS):
        return Broken.TERMINATION
    won = s.winner != Seat.NOBODY
    if won != (s.reason != Reason.RUNNING) or won != (s.phase == Phase.OVER) or (won and s.truncated != 0):
        return Broken.ENDING
    if (s.mover == OVER) != (won or s.truncated != 0):
        return Broken.ENDING
    if s.truncated != 0 and (s.decisions < s.options.max_decisions or s.phase >= DECISIONS):
        return Broken.ENDING
    return Broken.RESULT if won and not result_fits(s) else 0


def result_fits(s: State) -> bool:
    """Whether levels, row and deck allow this result."""
    if s.reason == Reason.HIT:
        hit_red = s.winner == Seat.RED or s.defcon[Seat.RED] == Level.HIGHEST
        return bool(hit_red and (s.winner == Seat.BLUE or s.defcon[Seat.BLUE] == Level.HIGHEST))
    if (s.reason == Reason.SHORT) != (s.length == 1) or (s.reason == Reason.DECK and s.deck_size != 0):
        return False
    if s.defcon[Seat.RED] == s.defcon[Seat.BLUE]:
        return bool(s.winner == DRAWN_GAME)
    return bool(s.winner == (Seat.RED if s.defcon[Seat.RED] < s.defcon[Seat.BLUE] else Seat.BLUE))


def check_phase(s: State) -> int:
    """Mover, phase and the cards on the table agree."""
    turn, phase = int(s.turn), int(s.phase)
    undealt = phase in (Phase.LAY, Phase.DEAL, Phase.TIE)
    if undealt != (turn == Seat.NOBODY):
        return Broken.MOVER
    wanted = CHANCE
    if phase < DECISIONS:
        wanted = 1 - turn if phase == Phase.FORCED else turn
    if s.mover != OVER and s.mover != wanted:
        return Broken.MOVER
    if (phase == Phase.TRASH) != (s.card[Place.DRAWN] != NO_CARD):
        return Broken.DRAWN_CARD
    if (phase == Phase.UNDO) != (s.flipped != NO_INDEX) or (phase == Phase.REDRAW) != (s.resolving != NO_INDEX):
        return Broken.UNDER_WAY
    if (phase == Phase.REDRAW) != (int(s.to_draw[Seat.RED]) + int(s.to_draw[Seat.BLUE]) > 0):
        return Broken.UNDER_WAY
    if not hands_fit(s):
        return Broken.HANDS_FULL
    if undealt:
        return check_undealt(s)
    if not actions_fit(s):
        return Broken.ACTIONS_LEFT
    if phase == Phase.UNDO and not may_be_undone(s, int(s.flipped)):
        return Broken.UNDER_WAY
    if phase == Phase.REDRAW and (s.resolving >= s.length or not shows_diamond(s, int(s.resolving))):
        return Broken.UNDER_WAY
    if phase == Phase.FORCED and (s.pile_size == 0 or RESISTOR[int(s.pile[int(s.pile_size) - 1])] == 0):
        return Broken.FORCING
    diamonds = visible_diamonds(s)
    if phase == Phase.RESOLVE:
        return Broken.CHOICE if diamonds & (diamonds - 1) == 0 else 0
    if phase in (Phase.REDRAW, Phase.OVER):
        return Broken.SETTLED if phase == Phase.REDRAW and s.deck_size == 0 else 0
    if phase == Phase.UNDO:
        diamonds &= ~(1 << int(s.flipped))
    stuck = s.deck_size == 0 and phase != Phase.TRASH and phase != Phase.FORCED
    return Broken.SETTLED if diamonds != 0 or stuck else 0


def hands_fit(s: State) -> bool:
    """Whether both hands have the cards that the phase requires, from slot 1 on."""
    size, phase = SETTINGS[Setting.HAND], s.phase
    red, blue = count_held(s, Seat.RED), count_held(s, Seat.BLUE)
    if red < 0 or blue < 0 or s.to_draw[Seat.RED] > size or s.to_draw[Seat.BLUE] > size:
        return False
    if phase == Phase.LAY:
        return red == 0 and blue == 0
    if phase == Phase.DEAL:
        return bool(red <= size and blue < size and (blue == 0 or red == size))
    if phase == Phase.OVER or (phase == Phase.RESOLVE and s.deck_size == 0):  # RS-48
        return bool(red <= size and blue <= size)
    missing_red, missing_blue = s.to_draw[Seat.RED], s.to_draw[Seat.BLUE]
    if missing_red > 0 and missing_blue > 0:  # whoever comes second still has the old hand
        if s.turn == Seat.RED:
            missing_blue -= size
        else:
            missing_red -= size
        if missing_red != 0 and missing_blue != 0:
            return False
    return bool(red + missing_red == size and blue + missing_blue == size)


def count_held(s: State, seat: int) -> int:
    """The cards of a hand; -1 if there is an empty slot before one of them."""
    count = 0
    for slot in range(HAND_SIZE):
        if s.card[hand_place(seat, slot)] != NO_CARD:
            if slot > count:
                return -1
            count += 1
    return count


def check_undealt(s: State) -> int:
    """The set-up: no action was taken, no hidden side is known, no diamond shows (RS-09 to RS-15)."""
    if s.left != 0 or s.decisions != 0 or (SETTINGS[Setting.STACKED] != 0 and s.phase != Phase.DEAL):
        return Broken.UNDEALT
    if s.defcon[Seat.RED] != SETTINGS[Setting.LEVEL] or s.defcon[Seat.BLUE] != SETTINGS[Setting.LEVEL]:
        return Broken.UNDEALT
    if (s.pile_size > 0) != (s.phase == Phase.TIE):
        return Broken.UNDEALT
    for place in range(Place.DRAWN):
        if s.card[place] != NO_CARD:
            if s.known[place] != (BOTH_SEATS if SETTINGS[Setting.STACKED] != 0 and place < ROW else 0):
                return Broken.UNDEALT
            if place < ROW and (s.lock[place] != 0 or shows_diamond(s, place)):
                return Broken.UNDEALT
    return Broken.SETTLED if s.deck_size < (2 if s.phase == Phase.TIE else 1) else 0


def actions_fit(s: State) -> bool:
    """Whether these actions can be left in this phase."""
    left, phase = int(s.left), int(s.phase)
    every = Left.FLIP | Left.DRAW | Left.SWITCH | (Left.LOCK if s.options.lock_down else 0)
    done = 0
    for i in range(4):
        done += (every & ~left) >> i & 1
    if left & ~every or (left != 0 and done >= SETTINGS[Setting.ACTIONS]):
        return False
    if phase == Phase.ACT:
        return left != 0
    if phase == Phase.UNDO:
        return left & Left.FLIP == 0
    if phase in (Phase.TAKE, Phase.TRASH, Phase.FORCED):
        return left & Left.DRAW == 0
    return left != every


def may_be_undone(s: State, i: int) -> bool:
    """RS-50: whether the turn player, being behind, has just flipped the card at index i."""
    if not s.options.comeback_circuits or s.defcon[s.turn] <= s.defcon[1 - int(s.turn)]:
        return False
    return bool(i < s.length and s.lock[i] == 0 and s.known[i] == BOTH_SEATS)


def check_memory(before: State, s: State) -> int:
    """Seats forget no side; a new card shows one side to each seat."""
    for place in range(PLACES):
        card = int(s.card[place])
        if card == NO_CARD:
            continue
        if before.deck >> card & 1:
            if s.deck >> card & 1 == 0 and s.known[place] != 0 and place >= Place.HANDS:
                return Broken.NEW_CARD
            continue
        for other in range(PLACES):
            if before.card[other] == card and int(before.known[other]) & ~int(s.known[place]):
                return Broken.MEMORY
    if s.pile_size < before.pile_size and not s.options.recycling_subsystems:
        return Broken.PILE_GROWS
    return 0
