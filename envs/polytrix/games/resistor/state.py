"""The record of a RESISTOR_ game, its options, and the layouts of actions and observations.

Cards lie in twelve places, numbered through:

    0 .. 6     the row, from Red's MainFrame to Blue's; places from `length` on are empty
    7, 8       Red's hand, slots 1 and 2
    9, 10      Blue's hand, slots 1 and 2
    11         the card just drawn, until it is placed or trashed

In the row `side` is the side that lies up; elsewhere it is the side that faces Red, and the
other one faces Blue.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.layout import Block, Layout
from polytrix.core.options import Flag, Options
from polytrix.core.state import Array, Record, Seen, field, fields_of, state_dtype

from .deck import BLUE, CARDS, RED
from .tables import FACE_SIZE, KIND, KINDS

NO_CARD = -1
NO_SEAT = -1
NO_INDEX = -1
BOTH_SEATS = 0b11

ROW = 7  # places of the row, and its length at the start
HAND_SIZE = 2
HANDS = ROW  # first place of Red's hand
DRAWN = HANDS + 2 * HAND_SIZE
PLACES = DRAWN + 1

LOWEST, HIGHEST = 1, 4  # DEFCON levels
SKETCH = 2 * ROW + 2 * HAND_SIZE + 1

# The actions left in a turn, as bits.
FLIP, DRAW, SWITCH, LOCK = 1, 2, 4, 8
LEFT = (FLIP, DRAW, SWITCH, LOCK)

# Phases: what the mover decides, then what chance does, then the end.
ACT, TRASH, FORCED, UNDO, RESOLVE = 0, 1, 2, 3, 4
LAY, DEAL, TIE, TAKE, REDRAW = 5, 6, 7, 8, 9
FINISHED = 10
PHASES = ("ACT", "TRASH", "FORCED", "UNDO", "RESOLVE", "LAY", "DEAL", "TIE", "TAKE", "REDRAW", "OVER")
DECISIONS = 5  # the phases below this number are decisions

# How a game ends.
RUNNING, HIT, SHORT, DECK = 0, 1, 2, 3
REASONS = ("running", "hit", "short", "deck")
DRAWN_GAME = 2  # in the place of the winning seat

OPTIONS = Options(
    Flag("comeback_circuits", False, "whoever is at the higher DEFCON level may undo an own flip"),
    Flag("dangerous_resistors", False, "a Resistor wired to the enemy MainFrame is an attack"),
    Flag("feedback_overflow", False, "a repair at DEFCON 1 raises the level to 2"),
    Flag("recycling_subsystems", False, "whoever is at the higher DEFCON level may draw from the discards"),
    Flag("lock_down", False, "a fourth action: lock a card that has lines of both colours"),
)


class State(Record):
    """What a game is in."""

    deck: int = field(np.int64, 0, (1 << CARDS) - 1, seen=Seen.IN_PART)  # bit c: card c is in the deck
    deck_size: int = field(np.int8, 0, CARDS)
    length: int = field(np.int8, 0, ROW)  # cards in the row
    # Of a card its faces are seen, each by whoever has seen it; equal ones are told apart by nobody.
    card: Array = field(
        np.int8, NO_CARD, CARDS - 1, shape=PLACES, seen=Seen.IN_PART
    )  # which lies at each place, or NO_CARD
    side: Array = field(
        np.int8, 0, 1, shape=PLACES, seen=Seen.IN_PART
    )  # 0 = a, 1 = b: the side up, or facing Red
    turned: Array = field(
        np.int8, 0, (1,) * ROW + (0,) * (PLACES - ROW), shape=PLACES
    )  # row: 0 = `+`, the left edge of
    # the arrow-up face toward Red
    known: Array = field(
        np.int8, 0, BOTH_SEATS, shape=PLACES
    )  # bit s: seat s has seen both sides of that card (RS-63)
    lock: Array = field(np.int8, 0, BOTH_SEATS, shape=ROW)  # bit s: the Lock Card of seat s lies on it
    pile: Array = field(
        np.int8, NO_CARD, CARDS - 1, shape=CARDS, seen=Seen.IN_PART
    )  # discards, bottom to top; how many of
    # each kind is shown, and the top one
    pile_size: int = field(np.int8, 0, CARDS)
    defcon: Array = field(np.int8, LOWEST, HIGHEST, shape=2)  # [seat]: its level
    # What is being decided is shown until the game is over, its result by the payoffs.
    phase: int = field(np.int8, ACT, FINISHED, seen=Seen.IN_PART)  # of a truncated game: its last one
    turn: int = field(np.int8, NO_SEAT, BLUE, seen=Seen.IN_PART)  # whose turn it is; NO_SEAT in the set-up
    left: int = field(np.int8, 0, sum(LEFT), seen=Seen.IN_PART)  # bits of the actions left in this turn
    flipped: int = field(np.int8, NO_INDEX, ROW - 1)  # row index whose flip may be undone, else NO_INDEX
    resolving: int = field(
        np.int8, NO_INDEX, ROW - 1, seen=Seen.IN_PART
    )  # row index of the Resistor that waits
    # for cards to be drawn, else NO_INDEX
    to_draw: Array = field(
        np.int8, 0, HAND_SIZE, shape=2, seen=Seen.IN_PART
    )  # [seat]: cards that it still redraws
    resolved: int = field(np.int8, 0, ROW - 1)  # Resistors resolved so far
    winner: int = field(np.int8, NO_SEAT, DRAWN_GAME, seen=Seen.IN_PART)  # seat, DRAWN_GAME, or NO_SEAT
    reason: int = field(np.int8, RUNNING, DECK, seen=Seen.IN_PART)  # RUNNING, HIT, SHORT, DECK
    sketch: Array = field(
        np.int32, 0, 0, shape=SKETCH, seen=Seen.IN_PART
    )  # work space of redeal and the greedy opponent


FIELDS = fields_of(State)
STATE = state_dtype(OPTIONS, FIELDS)

ACTIONS = Layout(
    Block("flip", (ROW,), "flip the card at this position, counted from the own MainFrame"),
    Block("draw", (1,), "Draw and Trash from the deck"),
    Block("recycle", (2,), "Draw and Trash from the discards; side a or b faces the mover"),
    Block("trash", (5,), "discard own slot 1, 2, enemy slot 1, 2 for the drawn card, or the drawn card itself"),
    Block("switch", (ROW, 2, 2, 2), "position, hand (own, enemy), slot, orientation (+, -) of the card put in"),
    Block("lock", (ROW,), "the own Lock Card onto this position"),
    Block("resolve", (ROW,), "the Resistor at this position next"),
    Block("undo", (2,), "undo the flip, or let it stand"),
)
MAX_LEGAL = ROW + 1 + 2 + 8 * ROW + ROW

HAND_CARD = 2 * FACE_SIZE + 1
ROW_CARD = 2 * FACE_SIZE + 5


def observations(kinds: int, most: int) -> Layout:
    """The layout for a deck with `kinds` kinds of cards, at most `most` of each."""
    return Layout(
        Block("phase", (DECISIONS,), "one-hot " + ", ".join(PHASES[:DECISIONS])),
        Block("who", (2,), "the viewer moves now; it is the viewer's turn"),
        Block("left", (4,), "actions left in the turn: flip, draw, switch, lock"),
        Block("defcon", (2, HIGHEST), "own and enemy level, one-hot 1..4"),
        Block("deck", (1,), "cards in the deck", high=CARDS),
        Block("length", (ROW,), "cards in the row, one-hot 1..7"),
        Block(
            "row",
            (ROW, ROW_CARD),
            "own end first: face up, turned, face down if seen, enemy knows it, own, enemy lock, undoable",
        ),
        Block(
            "hand", (2, HAND_SIZE, HAND_CARD), "own, enemy: face toward me, the other if seen, enemy knows mine"
        ),
        Block("drawn", (HAND_CARD,), "the card just drawn, like a hand card"),
        Block("pile_top", (2, FACE_SIZE), "sides a and b of the newest discard"),
        Block("gaps", (2, ROW + 1), "cards that the own and the enemy colour lack for a line, one-hot 0..7"),
        Block(
            "flip_gains",
            (ROW, 2),
            "positions: by how much a flip makes the own and the enemy gap smaller, if the underside is seen",
            low=-1,
        ),
        Block(
            "put_gains",
            (2 * HAND_SIZE + 1, ROW, 2, 2),
            "own, enemy slots, drawn: the same of that card at each position, `+` and `-`; while it matters",
            low=-1,
        ),
        Block("discards", (kinds,), "discards of each kind, for blue with the colours exchanged", high=most),
        Block("options", (5,), "comeback, dangerous, feedback, recycling, lock_down"),
    )


OBSERVATIONS = observations(int(KINDS[0]), int(np.bincount(KIND[RED]).max()))


def facing(s: State, place: int, seat: int) -> int:
    """The side of a hand card or drawn card that faces a seat (RS-12)."""
    return int(s.side[place]) ^ seat


def hand_place(seat: int, slot: int) -> int:
    """The place of a hand card."""
    return HANDS + HAND_SIZE * seat + slot


def index_of(s: State, seat: int, position: int) -> int:
    """The row index of a seat's position, both counted from 0 (RS-01)."""
    return position if seat == RED else int(s.length) - 1 - position


def is_known(s: State, place: int, seat: int) -> bool:
    """Whether a seat has seen both sides of the card there."""
    return (int(s.known[place]) >> seat & 1) == 1
