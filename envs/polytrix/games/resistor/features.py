"""What long random play must have reached: counted step by step, from the two states around it."""

from __future__ import annotations

from polytrix.core.state import OVER, IntArray

from .connections import visible_diamonds
from .deck import BLUE, RED
from .state import (
    ACT,
    DECK,
    DRAWN,
    DRAWN_GAME,
    FINISHED,
    FORCED,
    HANDS,
    HIT,
    LOCK,
    NO_CARD,
    NO_INDEX,
    REDRAW,
    RESOLVE,
    ROW,
    SHORT,
    SWITCH,
    TIE,
    TRASH,
    UNDO,
    State,
)

FEATURES = (
    "a tie in the set-up",
    "one point",
    "two points",
    "both score at once",
    "a repair",
    "a new hand",
    "new hands for both",
    "a choice among diamonds",
    "one Resistor nullifies another",
    "a Resistor reveals another",
    "a diamond is switched in",
    "a forced flip",
    "a forced flip with an empty deck",
    "a redraw finds the deck too small",
    "a flip is undone",
    "a flip is left to stand",
    "a Resistor attacks",
    "a Resistor's attack wins",
    "a repair overflows",
    "a discard is recycled",
    "a first lock",
    "a lock is moved",
    "a lock is skipped",
    "a lock travels as the row closes",
    "red wins by a hit",
    "blue wins by a hit",
    "both hit at once",
    "a short row has a winner",
    "a short row is a draw",
    "an empty deck has a winner",
    "an empty deck is a draw",
    "truncated",
)
(
    SETUP_TIE,
    ONE_POINT,
    TWO_POINTS,
    BOTH_SCORE,
    REPAIR,
    NEW_HAND,
    TWO_NEW_HANDS,
    CHOICE,
    NULLIFIED,
    CHAIN,
    SWITCHED_IN,
    FORCED_FLIP,
    FORCED_LAST,
    SMALL_DECK,
    UNDONE,
    KEPT,
    ATTACK,
    ATTACK_WINS,
    OVERFLOW,
    RECYCLED,
    FIRST_LOCK,
    LOCK_MOVED,
    LOCK_SKIPPED,
    LOCK_TRAVELS,
    RED_HIT,
    BLUE_HIT,
    BOTH_HIT,
    SHORT_WIN,
    SHORT_DRAW,
    DECK_WIN,
    DECK_DRAW,
    TRUNCATED,
) = range(len(FEATURES))


def cover(before: State, s: State, seen: IntArray) -> None:
    """Count the features that the step from `before` to `s` shows."""
    seen[SETUP_TIE] += s.phase == TIE
    cover_points(before, s, seen)
    cover_resistors(before, s, seen)
    cover_options(before, s, seen)
    cover_locks(before, s, seen)
    if s.mover == OVER and before.mover != OVER:
        cover_end(s, seen)


def cover_points(before: State, s: State, seen: IntArray) -> None:
    """Scores at the end of a turn in which no Resistor was resolved."""
    if s.turn != before.turn and before.phase == ACT and s.resolved == before.resolved:
        red = int(s.defcon[BLUE]) - int(before.defcon[BLUE])
        blue = int(s.defcon[RED]) - int(before.defcon[RED])
        seen[ONE_POINT] += red == 1 or blue == 1
        seen[TWO_POINTS] += red == 2 or blue == 2
        seen[BOTH_SCORE] += red > 0 and blue > 0


def cover_resistors(before: State, s: State, seen: IntArray) -> None:
    """Diamonds and what they bring."""
    begun = s.phase == REDRAW and before.phase != REDRAW
    for seat in range(2):
        change = int(s.defcon[seat]) - int(before.defcon[seat])
        seen[REPAIR] += change < 0
        if begun and change > 0:
            seen[ATTACK] += s.options.feedback_overflow == 0
            seen[OVERFLOW] += s.options.dangerous_resistors == 0
    seen[NEW_HAND] += begun
    seen[TWO_NEW_HANDS] += begun and s.to_draw[RED] > 0 and s.to_draw[BLUE] > 0
    seen[CHOICE] += s.phase == RESOLVE
    resolved = int(s.resolved) - int(before.resolved)
    seen[NULLIFIED] += before.phase == RESOLVE and resolved == 1 and visible_diamonds(s) == 0
    seen[CHAIN] += before.phase != RESOLVE and resolved > 1
    if before.phase == ACT and int(before.left) & SWITCH and int(s.left) & SWITCH == 0:
        seen[SWITCHED_IN] += resolved > 0 or s.phase == RESOLVE
    seen[FORCED_FLIP] += s.phase == FORCED
    seen[FORCED_LAST] += s.phase == FORCED and s.deck_size == 0
    if s.phase == FINISHED:
        for place in range(HANDS, DRAWN):
            if s.card[place] == NO_CARD:
                seen[SMALL_DECK] += 1


def cover_options(before: State, s: State, seen: IntArray) -> None:
    """Comeback Circuits and Recycling Subsystems."""
    if before.phase == UNDO:
        i = int(before.flipped)
        undone = s.resolved == before.resolved and s.side[i] != before.side[i]
        seen[UNDONE] += undone
        seen[KEPT] += not undone
    seen[RECYCLED] += before.phase == ACT and s.phase == TRASH


def cover_locks(before: State, s: State, seen: IntArray) -> None:
    """Lock Down."""
    if not s.options.lock_down or before.phase != ACT or s.mover == OVER:
        return
    own = 1 << int(before.turn)
    here, there = locked_index(before, own), locked_index(s, own)
    seen[FIRST_LOCK] += here == NO_INDEX and there != NO_INDEX
    seen[LOCK_MOVED] += here != NO_INDEX and here != there and s.resolved == before.resolved
    seen[LOCK_TRAVELS] += here != NO_INDEX and here != there and s.resolved > before.resolved
    seen[LOCK_SKIPPED] += s.turn != before.turn and int(before.left) & LOCK != 0 and there == NO_INDEX


def locked_index(s: State, own: int) -> int:
    """Where the Lock Card with that bit lies."""
    for i in range(ROW):
        if int(s.lock[i]) & own:
            return i
    return NO_INDEX


def cover_end(s: State, seen: IntArray) -> None:
    """The ways a game ends."""
    drawn = s.winner == DRAWN_GAME
    seen[TRUNCATED] += s.truncated
    seen[RED_HIT] += s.reason == HIT and s.winner == RED
    seen[BLUE_HIT] += s.reason == HIT and s.winner == BLUE
    seen[BOTH_HIT] += s.reason == HIT and drawn
    seen[SHORT_WIN] += s.reason == SHORT and not drawn
    seen[SHORT_DRAW] += s.reason == SHORT and drawn
    seen[DECK_WIN] += s.reason == DECK and not drawn
    seen[DECK_DRAW] += s.reason == DECK and drawn
    seen[ATTACK_WINS] += s.reason == HIT and visible_diamonds(s) != 0
