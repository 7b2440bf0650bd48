"""The record of a game of Pressure Matrix, its phases, options and actions.

Sets of squares and of nodes are explained in `matrix.py`.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.constants import Constants
from polytrix.core.layout import Layout, block
from polytrix.core.options import MOST_DECISIONS, Choice, Options
from polytrix.core.state import Array, Record, Seen, field

from .effects import CATALOGUE, CONDITIONS, LEAST_AMOUNT, MOST_AMOUNT, MOST_MOVED, MOST_STEPS, Level
from .matrix import FIRST_NODES, HALF, MATRIX, NODES, PLACES, SHIFT, SQUARES, TILE

SEATS = 5
MARKERS = 5  # Control Markers of a seat, without the one that counts its score (PM-02)
CREDITS = 10  # at the start (PM-03)
HIGHEST_BID = 5
DICE, DIE = 3, 6  # dice of a roll, sides of a die
MOST_ADJUSTED = MARKERS * MOST_MOVED  # by MOVE nodes in a turn: each marker is used at most once
FACES = 100
HALF_FACES = FACES // 2  # faces in each half of `unseen`
ALL_OF_HALF = (1 << HALF_FACES) - 1
MOST_WON = 100
"""A bound on the Credits that one decision can bring, with all nodes and reactions that follow."""

SEAT_NAMES = ("blue", "orange", "purple", "brown", "pink")


class Phase(Constants):
    """What the game waits for, or carries out next."""

    # a seat's decision
    BID, PLACE, BEFORE_ROLL, FAIL, MOVE, NODE, GIVE, DIVIDE, STEAL, SHIELD, PAYER = range(11)
    FLIP, INVERT, RUNNER, TELEPORT, SWAP, RECLAIM, RECALL, DISCARD, DISCARD_RIVAL, WINDOW, ORDER = range(11, 22)
    OVER = 22
    # chance
    DEAL, BID_DICE, ROLL, LEADER_DICE, REVERSE = range(23, 28)
    # nobody: the rules go on by themselves
    TURN, READY, ROLLED, PENALISED, MOVED, PRESSURE, EFFECT, EACH = range(28, 36)
    ASK, RESOLVE, CLOSE, CLOSED, NEXT = range(36, 41)


class Window(Constants):
    """Which reactions are being announced or carried out."""

    NONE, LANDING, WIN, FULL = range(4)


class Reverse(Constants):
    """Values of the option reverse."""

    KNOWN, DRAWN = range(2)


class Payoff(Constants):
    """Values of the option payoff."""

    WIN, MARGIN = range(2)


OPTIONS = Options(
    Choice("players", (2, 3, 4, 5), 2, "runners; the Matrix has 3 x 3, 4 x 4, 4 x 4 or 5 x 5 tiles"),
    Choice(
        "reverse",
        ("known", "drawn"),
        "known",
        "known: everybody knows both sides of the tiles; drawn: the other side is drawn when first turned over",
    ),
    Choice(
        "payoff",
        ("win", "margin"),
        "win",
        "win: the winners share 1; margin: the Credits above the mean of the others",
    ),
)


class Act(Layout):
    """The actions."""

    ROLL = block(meaning="roll the dice")
    FREEZE = block(meaning="with an empty hand: use no more markers, which ends the game")
    PASS = block(meaning="use no marker, or take none back")
    RECALL = block(meaning="take back a discarded marker")
    BID = block(HIGHEST_BID + 1, meaning="Credits bid for the first turn")
    START = block(5, meaning="start on the corner nw, ne, sw, se, or in the centre")
    MOVE = block(SQUARES, meaning="move the runner to the square")
    NODE = block(PLACES, meaning="black out the node nw, ne, sw, se of the runner's tile")
    USE = block(NODES, meaning="use the own marker on the node")
    GIVE = block(4, meaning="give to the k-th seat to the left, k = 1..4")
    STEAL = block(4, meaning="steal from the k-th seat to the left")
    RUNNER = block(
        SEATS, meaning="teleport the runner of the k-th seat to the left, k = 0..4; 0 is the own one"
    )
    FIRST = block(4, meaning="the reaction of the k-th seat to the left happens first")
    PAYER = block(SEATS, meaning="the k-th seat to the left pays, k = 0..4")
    FLIP = block(SQUARES, meaning="turn the tile over")
    INVERT = block(SQUARES, meaning="invert the tile")
    TELEPORT = block(SQUARES, meaning="the chosen runner goes to the square")
    SWAP = block(SQUARES, meaning="exchange the own tile with that of the square")
    RECLAIM = block(NODES, meaning="take the own marker back from the node")
    DISCARD = block(NODES + 1, meaning="discard the marker on the node; the last one: a marker from the hand")


ACTIONS = Act()
SIMPLE_ACTIONS = 4  # roll, freeze, pass, recall
HAND = NODES  # the member of the discard block that means a marker from the hand
MAX_LEGAL = SQUARES
"""INVERT may offer every tile of the largest Matrix; no other decision offers more."""

PRIVATE, IN_PART = Seen.PRIVATE, Seen.IN_PART

_ALL_NODES = ((1 << FIRST_NODES) - 1, (1 << (NODES - FIRST_NODES)) - 1)
_ALL_MEMBERS = (_ALL_NODES[0], 2 * _ALL_NODES[1] + 1)  # of any block of actions
_ALL_SQUARES = (1 << SQUARES) - 1
_MOST_CREDITS = MOST_WON * (1 + MOST_DECISIONS)
_MOST_TURNS = 4 * MOST_DECISIONS  # few turns have no decision: they lose a marker or fill a tile


class State(Record):
    """The state of a game."""

    black: Array = field(np.int64, 0, _ALL_NODES, shape=2)  # nodes with a Blackout Marker
    marker: Array = field(np.int64, 0, _ALL_NODES, shape=(SEATS, 2))  # nodes with a Control Marker of the seat
    # special nodes in the Matrix by condition; follows from the faces
    control: Array = field(np.int64, 0, _ALL_NODES, shape=(CONDITIONS, 2), seen=IN_PART)
    # faces 0..49 and 50..99 that are not on the table: not dealt or, if reverses are drawn, not seen yet
    unseen: Array = field(np.int64, 0, ALL_OF_HALF, shape=2, seen=IN_PART)
    # legal actions of the mover: members of the block `choice_block`; follow from the other fields
    choices: Array = field(np.int64, 0, _ALL_MEMBERS, shape=2, seen=IN_PART)
    choice_block: int = field(np.int16, 0, Act.DISCARD, seen=IN_PART)  # where that block begins
    # legal actions 0..3, as bits
    choice_simple: int = field(np.uint8, 0, (1 << SIMPLE_ACTIONS) - 1, seen=IN_PART)
    full: int = field(np.int32, 0, _ALL_SQUARES, seen=IN_PART)  # squares of full tiles; follows from `black`
    occupied: int = field(np.int32, 0, _ALL_SQUARES, seen=IN_PART)  # squares of runners; follows from `runner`
    turns: int = field(np.int32, 0, _MOST_TURNS, seen=IN_PART)  # begun so far, the current one included
    credits: Array = field(np.int32, 0, _MOST_CREDITS, shape=SEATS, seen=IN_PART)  # shown up to 127
    up: Array = field(np.int8, -1, FACES - 1, shape=SQUARES)  # face that is up; -1 no tile
    # face on the other side; -1 no tile, or not drawn yet
    reverse: Array = field(np.int8, -1, FACES - 1, shape=SQUARES)
    runner: Array = field(np.int8, -1, SQUARES - 1, shape=SEATS)  # square, or -1
    hand: Array = field(np.uint8, 0, MARKERS, shape=SEATS)  # Control Markers
    discarded: Array = field(np.uint8, 0, MARKERS, shape=SEATS)
    # -1 not yet; public once all are made
    bid: Array = field(np.int8, -1, HIGHEST_BID, shape=SEATS, seen=PRIVATE)
    first: int = field(np.int8, -1, SEATS - 1)  # the first player; -1 before the bids are revealed
    active: int = field(np.int8, -1, SEATS - 1)  # whose turn it is; -1 before the first
    phase: int = field(np.int8, Phase.BID, Phase.REVERSE)  # a truncated game keeps its last one
    level: int = field(np.int8, Level.GREEN, Level.RED)  # the Pressure Level
    forced: int = field(np.int8, -1, Level.RED)  # level set by a LEVEL node for this turn; -1 none
    adjust: int = field(np.int8, -MOST_ADJUSTED, MOST_ADJUSTED)  # sum of the MOVE nodes used this turn
    movement: int = field(np.int8, -1, DIE + MOST_ADJUSTED)  # of this turn; -1 before the roll
    # pips in the order of rolling; observations sort them. 0 not rolled
    dice: Array = field(np.uint8, 0, DIE, shape=DICE, seen=IN_PART)
    rolled: int = field(np.uint8, 0, DICE, seen=IN_PART)  # number of dice rolled
    code: int = field(np.uint8, 0, len(CATALOGUE))  # of the effect being carried out; 0 none
    amount: int = field(np.int8, LEAST_AMOUNT, MOST_AMOUNT)  # its amount
    step: int = field(np.uint8, 0, MOST_STEPS + 1, seen=IN_PART)  # next step of the effect
    node_square: int = field(np.int8, -1, SQUARES - 1)  # square of this Pressure Phase's node; -1 none
    node_place: int = field(np.int8, -1, PLACES - 1)  # and its place; -1 none
    # node that got a marker in this Pressure Phase; -1 none. The marker cannot be used yet (PM-66), which the
    # legal actions show
    just: int = field(np.int8, -1, NODES - 1, seen=IN_PART)
    filled: int = field(np.uint8)  # this phase's blackout has made the tile full (PM-31)
    again: int = field(np.uint8)  # a new Pressure Phase follows (PM-53)
    won: int = field(np.uint8, 0, MOST_AMOUNT)  # Credits gained by the node, which a TAX takes
    # phase after the pending question or draw
    resume: int = field(np.int8, 0, Phase.RESOLVE, seen=IN_PART)
    thief: int = field(np.int8, -1, SEATS - 1)  # of a STEAL that a SHIELD may stop; -1 none
    victim: int = field(np.int8, -1, SEATS - 1)
    stake: int = field(np.uint8, 0, MOST_AMOUNT)  # Credits it would take
    # STEAL_EACH: the next victim, counted from the active seat; a SHIELD is asked of the one before it
    each_next: int = field(np.uint8, 0, SEATS, seen=IN_PART)
    window: int = field(np.uint8, Window.NONE, Window.FULL)  # reactions that are announced or carried out
    # seats asked to announce so far, counted from the active one
    asked: int = field(np.uint8, 0, SEATS, seen=IN_PART)
    # Credits that the announced TOLL takes; a face has at most one TOLL (see `tiles.py`)
    toll: int = field(np.uint8, 0, MOST_AMOUNT, seen=IN_PART)
    declared: Array = field(np.uint8, 0, MARKERS, shape=SEATS)  # reactions announced and not yet carried out
    left: Array = field(np.uint8, 0, MOST_AMOUNT, shape=SEATS)  # GIVE_EACH: Credits that the seat may still get
    teleported: int = field(np.int8, -1, SEATS - 1)  # seat whose runner is being teleported; -1 none
    # Set only while chance is pending, when no seat observes:
    turning: int = field(np.int8, -1, SQUARES - 1, seen=IN_PART)  # square of the face being drawn; -1 none
    tied: int = field(np.uint8, 0, (1 << SEATS) - 1, seen=IN_PART)  # seats still in the roll-off, as bits
    roll_seat: int = field(np.int8, -1, SEATS - 1, seen=IN_PART)  # seat that rolls; -1 none
    roll_dice: int = field(np.uint8, 0, DICE, seen=IN_PART)  # dice that it has left to roll
    roll_sum: Array = field(np.uint8, 0, DIE * DICE, shape=SEATS, seen=IN_PART)


def open_squares(s: State) -> int:
    """Squares that may be entered: in the Matrix, not full, without a runner (PM-20, PM-50)."""
    return int(MATRIX[s.num_players]) & ~(s.full | s.occupied)


def blackouts(s: State, square: int) -> int:
    """The blacked out nodes of a tile, as four bits."""
    return int(s.black[HALF[square]]) >> int(SHIFT[square]) & TILE


def clockwise(s: State, seat: int, steps: int) -> int:
    """The seat that sits the given number of places to the left of another."""
    place = seat + steps
    return place - s.num_players if place >= s.num_players else place


def places_from(s: State, seat: int, other: int) -> int:
    """How many places `other` sits to the left of `seat`."""
    distance = other - seat
    return distance + s.num_players if distance < 0 else distance


def put_runner(s: State, seat: int, square: int) -> None:
    """Move a runner from where it is, if anywhere, to a square (PM-81: a free one)."""
    here = int(s.runner[seat])
    if here >= 0:
        s.occupied ^= 1 << here
    s.occupied |= 1 << square
    s.runner[seat] = square
