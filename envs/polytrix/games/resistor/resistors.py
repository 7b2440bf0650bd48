"""Resolving Resistors: repairs and attacks, new hands, flips, a shorter row (RS-32 to RS-40)."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER

from .cards import close_row, discard, draw, flip
from .connections import chips_at, connected, main_frame
from .deck import Seat, Setting
from .ending import attack, finish
from .state import HAND_SIZE, NONE, Level, Phase, Reason, State, deck_size, hand_place
from .tables import SETTINGS


def resolve(s: State, i: int) -> bool:
    """Resolve the Resistor at index i; False if the game waits for cards to be drawn, or is over."""
    s.resolving = i
    red = connected(s, Seat.RED, chips_at(s, i, Seat.RED))
    blue = connected(s, Seat.BLUE, chips_at(s, i, Seat.BLUE))
    attacks = s.options.dangerous_resistors == 1
    red_home, red_away = red & main_frame(s, Seat.RED) != 0, attacks and red & main_frame(s, Seat.BLUE) != 0
    blue_home, blue_away = blue & main_frame(s, Seat.BLUE) != 0, attacks and blue & main_frame(s, Seat.RED) != 0
    if red_home:
        repair(s, Seat.RED)
    if blue_home:
        repair(s, Seat.BLUE)
    attack(s, 1 if red_away else 0, 1 if blue_away else 0)  # RS-53; RS-54: after all repairs
    if s.mover == OVER:
        s.resolving = NONE
        return False
    s.to_draw[Seat.RED] = SETTINGS[Setting.HAND] if red_home or red_away else 0
    s.to_draw[Seat.BLUE] = SETTINGS[Setting.HAND] if blue_home or blue_away else 0
    return go_on(s)


def repair(s: State, seat: int) -> None:
    """Lower a level by 1; at the lowest it stays, or overflows (RS-34, RS-55)."""
    if s.defcon[seat] > Level.LOWEST:
        s.defcon[seat] -= 1
    elif s.options.feedback_overflow:
        s.defcon[seat] += 1


def go_on(s: State) -> bool:
    """Draw new hands, the turn player's first (RS-35), then complete the resolution. Returns like `resolve`."""
    for step in range(2):
        seat = s.turn ^ step
        if s.to_draw[seat] == SETTINGS[Setting.HAND]:
            discard_hand(s, seat)
        if s.to_draw[seat] > 0 and deck_size(s) > 0:
            s.phase = Phase.REDRAW
            s.mover = CHANCE
            return False
        s.to_draw[seat] = 0  # RS-48: nothing is left to draw
    return complete(s)


def discard_hand(s: State, seat: int) -> None:
    """Discard slot 1, then slot 2; after a redraw from too small a deck they may be empty (RS-35, RS-48)."""
    for slot in range(HAND_SIZE):
        place = hand_place(seat, slot)
        if s.card[place] != NONE:
            discard(s, place)


def redraw(s: State, outcome: int) -> bool:
    """Draw the next card of a new hand. Returns like `resolve`."""
    turn = s.turn
    seat = turn if s.to_draw[turn] > 0 else 1 - turn
    draw(s, hand_place(seat, int(SETTINGS[Setting.HAND]) - int(s.to_draw[seat])), outcome)
    s.to_draw[seat] -= 1
    return go_on(s)


def complete(s: State) -> bool:
    """Flip the cards wired to the Resistor, discard it and close the row. Returns like `resolve`."""
    i = s.resolving
    wired = wired_to(s, i)  # RS-33: redraws have not touched the row since the resolution began
    for j in range(s.length):
        if wired >> j & 1:
            flip(s, j)
    discard(s, i)
    close_row(s, i)
    s.resolving = NONE
    if s.length == 1:  # RS-39
        finish(s, Reason.SHORT)
        return False
    return True


def wired_to(s: State, i: int) -> int:
    """Bits of the other unlocked cards with a line connected to the Resistor at index i (RS-36, RS-60)."""
    red = connected(s, Seat.RED, chips_at(s, i, Seat.RED))
    blue = connected(s, Seat.BLUE, chips_at(s, i, Seat.BLUE))
    wired = 0
    for j in range(s.length):
        meets = chips_at(s, j, Seat.RED) & red != 0 or chips_at(s, j, Seat.BLUE) & blue != 0
        if j != i and meets and s.lock[j] == 0:
            wired |= 1 << j
    return wired
