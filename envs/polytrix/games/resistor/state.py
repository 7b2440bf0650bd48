"""The record of a RESISTOR_ game, its options, and the layout of its actions.

Cards lie in twelve numbered places:

    0 .. 6     the row, from Red's MainFrame to Blue's; places from `length` on are empty
    7, 8       Red's hand, slots 1 and 2
    9, 10      Blue's hand, slots 1 and 2
    11         the card just drawn, until it is placed or trashed

In the row, `side` is the side that lies up. Elsewhere it is the side that faces Red; the other one faces Blue.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.bits import size
from polytrix.core.constants import Constants
from polytrix.core.layout import Layout, block
from polytrix.core.options import Flag, Options
from polytrix.core.state import Array, Record, Seen, field

from .deck import CARDS, Seat

NONE = -1
"""No card, no index in the row."""
BOTH_SEATS = 0b11
DRAWN_GAME = 2  # in the place of the winning seat

ROW = 7  # places of the row, and its length at the start
HAND_SIZE = 2
PLACES = ROW + 2 * HAND_SIZE + 1
SKETCH = 2 * ROW + 2 * HAND_SIZE + 1


class Place(Constants):
    """Places beyond the row."""

    HANDS = ROW  # the first of Red's hand
    DRAWN = PLACES - 1


class Level(Constants):
    """DEFCON levels."""

    LOWEST, HIGHEST = 1, 4


class Left(Constants):
    """The actions left in a turn, as bits."""

    FLIP, DRAW, SWITCH, LOCK = 1, 2, 4, 8


class Phase(Constants):
    """What the mover decides; from LAY on what chance does; and the end."""

    ACT, TRASH, FORCED, UNDO, RESOLVE, LAY, DEAL, TIE, TAKE, REDRAW, OVER = range(11)


class Reason(Constants):
    """How a game ends."""

    RUNNING, HIT, SHORT, DECK = range(4)


OPTIONS = Options(
    Flag("comeback_circuits", False, "the player at the higher DEFCON level may undo an own flip"),
    Flag("dangerous_resistors", False, "a Resistor wired to the enemy MainFrame is an attack"),
    Flag("feedback_overflow", False, "a repair at DEFCON 1 raises the level to 2"),
    Flag("recycling_subsystems", False, "the player at the higher DEFCON level may draw from the discards"),
    Flag("lock_down", False, "a fourth action: lock a card that has lines of both colours"),
)


class State(Record):
    """The state of a game."""

    deck: int = field(np.int64, 0, (1 << CARDS) - 1, seen=Seen.IN_PART)  # bit c: card c is in the deck
    length: int = field(np.int8, 0, ROW)  # cards in the row

    # By place. A seat sees the faces of cards, never their numbers: cards with the same faces look the same.
    card: Array = field(np.int8, NONE, CARDS - 1, shape=PLACES, seen=Seen.IN_PART)  # its number, or NONE
    side: Array = field(np.int8, 0, 1, shape=PLACES, seen=Seen.IN_PART)  # up, or facing Red: 0 = a, 1 = b
    turned: Array = field(np.int8, 0, (1,) * ROW + (0,) * (PLACES - ROW), shape=PLACES)  # 0 = `+`, 1 = `-`
    known: Array = field(np.int8, 0, BOTH_SEATS, shape=PLACES)  # bit s: seat s has seen both sides (RS-63)
    lock: Array = field(np.int8, 0, BOTH_SEATS, shape=ROW)  # bit s: the Lock Card of seat s lies on it

    # Discards, bottom to top; seats see the top card and the number of each kind.
    pile: Array = field(np.int8, NONE, CARDS - 1, shape=CARDS, seen=Seen.IN_PART)
    pile_size: int = field(np.int8, 0, CARDS)
    defcon: Array = field(np.int8, Level.LOWEST, Level.HIGHEST, shape=2)  # [seat]: its level

    # Shown until the game is over; payoffs show the result.
    phase: int = field(np.int8, Phase.ACT, Phase.OVER, seen=Seen.IN_PART)  # truncated games keep their last one
    turn: int = field(np.int8, Seat.NOBODY, Seat.BLUE, seen=Seen.IN_PART)  # NOBODY in the set-up
    left: int = field(np.int8, 0, sum(Left), seen=Seen.IN_PART)  # actions left in this turn, bits of Left
    flipped: int = field(np.int8, NONE, ROW - 1)  # row index whose flip may be undone
    resolving: int = field(np.int8, NONE, ROW - 1, seen=Seen.IN_PART)  # Resistor that waits for redraws
    to_draw: Array = field(np.int8, 0, HAND_SIZE, shape=2, seen=Seen.IN_PART)  # [seat]: cards still to redraw
    winner: int = field(np.int8, Seat.NOBODY, DRAWN_GAME, seen=Seen.IN_PART)  # or NOBODY
    reason: int = field(np.int8, Reason.RUNNING, Reason.DECK, seen=Seen.IN_PART)
    sketch: Array = field(np.int32, 0, 0, shape=SKETCH, seen=Seen.IN_PART)  # work space of redeal and greedy


class Act(Layout):
    """The actions."""

    FLIP = block(ROW, meaning="flip the card at this position, counted from the own MainFrame")
    DRAW = block(meaning="Draw and Trash from the deck")
    RECYCLE = block(2, meaning="Draw and Trash from the discards, with side a or side b toward the mover")
    TRASH = block(
        2 * HAND_SIZE + 1,
        meaning="discard own slot 1, 2, enemy slot 1, 2 for the drawn card, or the drawn card itself",
    )
    SWITCH = block(
        ROW, 2, 2, 2, meaning="position, hand (own, enemy), slot, orientation (+, -) of the card put in"
    )
    LOCK = block(ROW, meaning="the own Lock Card onto this position")
    RESOLVE = block(ROW, meaning="the Resistor at this position next")
    UNDO = block(2, meaning="undo the flip, or let it stand")


ACTIONS = Act()
MAX_LEGAL = ROW + 1 + 2 + 8 * ROW + ROW
SWITCHES = 8  # switch actions of a position: hand, slot, orientation


def deck_size(s: State) -> int:
    """The number of cards in the deck."""
    return size(s.deck)


def facing(s: State, place: int, seat: int) -> int:
    """The side of a card that a seat sees: in the row that which lies up, else that which faces it (RS-12)."""
    return int(s.side[place]) ^ (seat if place >= ROW else 0)


def card_place(seat: int, which: int) -> int:
    """The place of a card that `seat` names: 0 and 1 own hand cards, 2 and 3 the enemy's, 4 the drawn card."""
    return Place.DRAWN if which == 2 * HAND_SIZE else hand_place(seat ^ which // HAND_SIZE, which % HAND_SIZE)


def hand_place(seat: int, slot: int) -> int:
    """The place of a hand card."""
    return Place.HANDS + HAND_SIZE * seat + slot


def index_of(s: State, seat: int, position: int) -> int:
    """The row index of a seat's position, both counted from 0 (RS-01)."""
    return position if seat == Seat.RED else s.length - 1 - position


def is_known(s: State, place: int, seat: int) -> bool:
    """Whether a seat has seen both sides of the card there."""
    return (int(s.known[place]) >> seat & 1) == 1
