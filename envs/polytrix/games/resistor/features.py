"""Features that long random play must reach, counted from the states before and after each step."""

from __future__ import annotations

from polytrix.core.constants import Constants
from polytrix.core.state import OVER, IntArray

from .connections import visible_diamonds
from .deck import Seat
from .state import DRAWN_GAME, NO_CARD, NO_INDEX, ROW, Left, Phase, Place, Reason, State

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


class Feature(Constants):
    """Features, by their numbers."""

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
    seen[Feature.SETUP_TIE] += s.phase == Phase.TIE
    cover_points(before, s, seen)
    cover_resistors(before, s, seen)
    cover_options(before, s, seen)
    cover_locks(before, s, seen)
    if s.mover == OVER and before.mover != OVER:
        cover_end(s, seen)


def cover_points(before: State, s: State, seen: IntArray) -> None:
    """Scores at the end of a turn in which no Resistor was resolved."""
    if s.turn != before.turn and before.phase == Phase.ACT and s.resolved == before.resolved:
        red = int(s.defcon[Seat.BLUE]) - int(before.defcon[Seat.BLUE])
        blue = int(s.defcon[Seat.RED]) - int(before.defcon[Seat.RED])
        seen[Feature.ONE_POINT] += red == 1 or blue == 1
        seen[Feature.TWO_POINTS] += red == 2 or blue == 2
        seen[Feature.BOTH_SCORE] += red > 0 and blue > 0


def cover_resistors(before: State, s: State, seen: IntArray) -> None:
    """Resistors and their effects."""
    begun = s.phase == Phase.REDRAW and before.phase != Phase.REDRAW
    for seat in range(2):
        change = int(s.defcon[seat]) - int(before.defcon[seat])
        seen[Feature.REPAIR] += change < 0
        if begun and change > 0:
            seen[Feature.ATTACK] += s.options.feedback_overflow == 0
            seen[Feature.OVERFLOW] += s.options.dangerous_resistors == 0
    seen[Feature.NEW_HAND] += begun
    seen[Feature.TWO_NEW_HANDS] += begun and s.to_draw[Seat.RED] > 0 and s.to_draw[Seat.BLUE] > 0
    seen[Feature.CHOICE] += s.phase == Phase.RESOLVE
    resolved = int(s.resolved) - int(before.resolved)
    seen[Feature.NULLIFIED] += before.phase == Phase.RESOLVE and resolved == 1 and visible_diamonds(s) == 0
    seen[Feature.CHAIN] += before.phase != Phase.RESOLVE and resolved > 1
    if before.phase == Phase.ACT and int(before.left) & Left.SWITCH and int(s.left) & Left.SWITCH == 0:
        seen[Feature.SWITCHED_IN] += resolved > 0 or s.phase == Phase.RESOLVE
    seen[Feature.FORCED_FLIP] += s.phase == Phase.FORCED
    seen[Feature.FORCED_LAST] += s.phase == Phase.FORCED and s.deck_size == 0
    if s.phase == Phase.OVER:
        for place in range(Place.HANDS, Place.DRAWN):
            if s.card[place] == NO_CARD:
                seen[Feature.SMALL_DECK] += 1


def cover_options(before: State, s: State, seen: IntArray) -> None:
    """Comeback Circuits and Recycling Subsystems."""
    if before.phase == Phase.UNDO:
        i = int(before.flipped)
        undone = s.resolved == before.resolved and s.side[i] != before.side[i]
        seen[Feature.UNDONE] += undone
        seen[Feature.KEPT] += not undone
    seen[Feature.RECYCLED] += before.phase == Phase.ACT and s.phase == Phase.TRASH


def cover_locks(before: State, s: State, seen: IntArray) -> None:
    """Lock Down."""
    if not s.options.lock_down or before.phase != Phase.ACT or s.mover == OVER:
        return
    own = 1 << int(before.turn)
    here, there = locked_index(before, own), locked_index(s, own)
    seen[Feature.FIRST_LOCK] += here == NO_INDEX and there != NO_INDEX
    seen[Feature.LOCK_MOVED] += here != NO_INDEX and here != there and s.resolved == before.resolved
    seen[Feature.LOCK_TRAVELS] += here != NO_INDEX and here != there and s.resolved > before.resolved
    skipped = s.turn != before.turn and int(before.left) & Left.LOCK != 0
    seen[Feature.LOCK_SKIPPED] += skipped and there == NO_INDEX


def locked_index(s: State, own: int) -> int:
    """The row index of the Lock Card with that bit."""
    for i in range(ROW):
        if int(s.lock[i]) & own:
            return i
    return NO_INDEX


def cover_end(s: State, seen: IntArray) -> None:
    """The ways a game ends."""
    drawn = s.winner == DRAWN_GAME
    seen[Feature.TRUNCATED] += s.truncated
    seen[Feature.RED_HIT] += s.reason == Reason.HIT and s.winner == Seat.RED
    seen[Feature.BLUE_HIT] += s.reason == Reason.HIT and s.winner == Seat.BLUE
    seen[Feature.BOTH_HIT] += s.reason == Reason.HIT and drawn
    seen[Feature.SHORT_WIN] += s.reason == Reason.SHORT and not drawn
    seen[Feature.SHORT_DRAW] += s.reason == Reason.SHORT and drawn
    seen[Feature.DECK_WIN] += s.reason == Reason.DECK and not drawn
    seen[Feature.DECK_DRAW] += s.reason == Reason.DECK and drawn
    seen[Feature.ATTACK_WINS] += s.reason == Reason.HIT and visible_diamonds(s) != 0
