"""The record of a game of Pressure Matrix, its phases, options and actions.

Sets of squares and of nodes are explained in `matrix.py`.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.constants import Constants
from polytrix.core.layout import Block, Layout
from polytrix.core.options import MOST_DECISIONS, Choice, Options
from polytrix.core.state import Array, Record, Seen, field, fields_of, state_dtype

from .effects import CATALOGUE, CONDITIONS, LEAST_AMOUNT, MOST_AMOUNT, MOST_MOVED, MOST_STEPS, Level
from .matrix import FIRST_NODES, HALF, MATRIX, NODES, PLACES, SHIFT, SQUARES, TILE

SEATS = 5
MARKERS = 5  # control markers of a seat, besides the one that keeps its score (PM-02)
CREDITS = 10  # at the start (PM-03)
HIGHEST_BID = 5
DICE, DIE = 3, 6  # of a roll; sides of each
MOST_ADJUSTED = MARKERS * MOST_MOVED  # by MOVE nodes in a turn, in which each marker is used once
FACES = 100
HALF_FACES = FACES // 2  # faces in each half of `unseen`
ALL_OF_HALF = (1 << HALF_FACES) - 1
MOST_WON = 100
"""More Credits than the decision of a seat brings, whatever nodes and reactions follow from it."""

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
        "the other side of a tile: everybody knows the tiles, or it is drawn when first turned over",
    ),
    Choice("payoff", ("win", "margin"), "win", "1 shared by the winners, or Credits above the others' mean"),
)

ACTIONS = Layout(
    Block("roll", (1,), "roll the dice"),
    Block("freeze", (1,), "with an empty hand: use no more markers, which ends the game"),
    Block("pass", (1,), "use no marker, or take none back"),
    Block("recall", (1,), "take back a discarded marker"),
    Block("bid", (HIGHEST_BID + 1,), "Credits bid for the first turn"),
    Block("start", (5,), "start on the corner nw, ne, sw, se, or in the centre"),
    Block("move", (SQUARES,), "move the runner to the square"),
    Block("node", (PLACES,), "black out the node nw, ne, sw, se of the runner's tile"),
    Block("use", (NODES,), "use the own marker on the node"),
    Block("give", (4,), "give to the k-th seat to the left, k = 1..4"),
    Block("steal", (4,), "steal from the k-th seat to the left"),
    Block("runner", (SEATS,), "teleport the runner of the k-th seat to the left, k = 0..4; 0 is the own one"),
    Block("first", (4,), "the reaction of the k-th seat to the left happens first"),
    Block("payer", (SEATS,), "the k-th seat to the left pays, k = 0..4"),
    Block("flip", (SQUARES,), "turn the tile over"),
    Block("invert", (SQUARES,), "invert the tile"),
    Block("teleport", (SQUARES,), "the chosen runner goes to the square"),
    Block("swap", (SQUARES,), "exchange the own tile with that of the square"),
    Block("reclaim", (NODES,), "take the own marker back from the node"),
    Block("discard", (NODES + 1,), "discard the marker on the node; the last one: a marker from the hand"),
)


class Act(Constants):
    """Where the blocks of actions begin."""

    ROLL = ACTIONS.offset("roll")
    FREEZE = ACTIONS.offset("freeze")
    PASS = ACTIONS.offset("pass")
    RECALL = ACTIONS.offset("recall")
    BID = ACTIONS.offset("bid")
    START = ACTIONS.offset("start")
    MOVE = ACTIONS.offset("move")
    NODE = ACTIONS.offset("node")
    USE = ACTIONS.offset("use")
    GIVE = ACTIONS.offset("give")
    STEAL = ACTIONS.offset("steal")
    RUNNER = ACTIONS.offset("runner")
    FIRST = ACTIONS.offset("first")
    PAYER = ACTIONS.offset("payer")
    FLIP = ACTIONS.offset("flip")
    INVERT = ACTIONS.offset("invert")
    TELEPORT = ACTIONS.offset("teleport")
    SWAP = ACTIONS.offset("swap")
    RECLAIM = ACTIONS.offset("reclaim")
    DISCARD = ACTIONS.offset("discard")


SIMPLE_ACTIONS = 4  # roll, freeze, pass, recall
HAND = NODES  # as a member of the discard block
MAX_LEGAL = SQUARES
"""Inverting may concern every tile of the largest Matrix; nothing else offers more."""

PRIVATE, IN_PART = Seen.PRIVATE, Seen.IN_PART

_ALL_NODES = ((1 << FIRST_NODES) - 1, (1 << (NODES - FIRST_NODES)) - 1)
_ALL_MEMBERS = (_ALL_NODES[0], 2 * _ALL_NODES[1] + 1)  # of any block of actions
_ALL_SQUARES = (1 << SQUARES) - 1
_MOST_CREDITS = MOST_WON * (1 + MOST_DECISIONS)
_MOST_TURNS = 4 * MOST_DECISIONS  # few turns bring no decision: a marker is lost, or a tile becomes full
_MOST_EFFECTS = 2 * _MOST_TURNS


class State(Record):
    """What a game is in."""

    black: Array = field(np.int64, 0, _ALL_NODES, shape=2)  # nodes with a Blackout Marker
    marker: Array = field(np.int64, 0, _ALL_NODES, shape=(SEATS, 2))  # nodes with a Control Marker of the seat
    # special nodes in the Matrix, by the condition of their use: as the faces say
    control: Array = field(np.int64, 0, _ALL_NODES, shape=(CONDITIONS, 2), seen=IN_PART)
    # faces 0..49 and 50..99 not dealt; if reverses are drawn: not seen yet. All that are not on the table
    unseen: Array = field(np.int64, 0, ALL_OF_HALF, shape=2, seen=IN_PART)
    # legal actions of the mover: members of the block `choice_block`. They follow from the rest
    choices: Array = field(np.int64, 0, _ALL_MEMBERS, shape=2, seen=IN_PART)
    choice_block: int = field(np.int16, 0, Act.DISCARD, seen=IN_PART)  # where that block begins
    choice_simple: int = field(
        np.uint8, 0, (1 << SIMPLE_ACTIONS) - 1, seen=IN_PART
    )  # legal actions 0..3 as bits
    full: int = field(np.int32, 0, _ALL_SQUARES, seen=IN_PART)  # squares whose tile is full: as `black` says
    occupied: int = field(np.int32, 0, _ALL_SQUARES, seen=IN_PART)  # squares with a runner: as `runner` says
    turns: int = field(np.int32, 0, _MOST_TURNS, seen=IN_PART)  # how many have begun; nothing follows from it
    effects: int = field(
        np.int32, 0, _MOST_EFFECTS, seen=IN_PART
    )  # how many have begun; nothing follows from it
    credits: Array = field(np.int32, 0, _MOST_CREDITS, shape=SEATS, seen=IN_PART)  # shown up to 127
    up: Array = field(np.int8, -1, FACES - 1, shape=SQUARES)  # face that is up; -1 no tile
    reverse: Array = field(
        np.int8, -1, FACES - 1, shape=SQUARES
    )  # face on the other side; -1 no tile, or not drawn yet
    runner: Array = field(np.int8, -1, SQUARES - 1, shape=SEATS)  # square, or -1
    hand: Array = field(np.uint8, 0, MARKERS, shape=SEATS)  # Control Markers
    discarded: Array = field(np.uint8, 0, MARKERS, shape=SEATS)
    bid: Array = field(
        np.int8, -1, HIGHEST_BID, shape=SEATS, seen=PRIVATE
    )  # -1: not yet; public once all are made
    first: int = field(np.int8, -1, SEATS - 1)  # who began; -1 before the bids are revealed
    active: int = field(np.int8, -1, SEATS - 1)  # whose turn it is; -1 before the first
    phase: int = field(np.int8, Phase.BID, Phase.REVERSE)
    level: int = field(np.int8, Level.GREEN, Level.RED)  # the Pressure Level
    forced: int = field(np.int8, -1, Level.RED)  # level by a LEVEL node, this turn; -1 none
    adjust: int = field(np.int8, -MOST_ADJUSTED, MOST_ADJUSTED)  # sum of the MOVE nodes used this turn
    movement: int = field(np.int8, -1, DIE + MOST_ADJUSTED)  # of this turn; -1 before the roll
    # pips, in the order of their fall, in which they are not shown; 0 not rolled
    dice: Array = field(np.uint8, 0, DIE, shape=DICE, seen=IN_PART)
    rolled: int = field(np.uint8, 0, DICE, seen=IN_PART)  # how many of them have fallen
    code: int = field(np.uint8, 0, len(CATALOGUE))  # effect that is being carried out; 0 none
    amount: int = field(np.int8, LEAST_AMOUNT, MOST_AMOUNT)  # its amount
    # the code that began last, a reaction included; 0 none. Nothing follows from it
    last_effect: int = field(np.uint8, 0, len(CATALOGUE), seen=IN_PART)
    step: int = field(np.uint8, 0, MOST_STEPS + 1, seen=IN_PART)  # of the effect, to be carried out next
    node_square: int = field(np.int8, -1, SQUARES - 1)  # tile of this Pressure Phase's node; -1 none
    node_place: int = field(np.int8, -1, PLACES - 1)  # place of the node on it
    # node that was given a marker in this Pressure Phase (PM-66); -1 none. All that follows from it is whether
    # the active seat may answer by that marker, which the legal actions say
    just: int = field(np.int8, -1, NODES - 1, seen=IN_PART)
    filled: int = field(np.uint8)  # this phase's blackout has made the tile full (PM-31)
    again: int = field(np.uint8)  # a new Pressure Phase follows (PM-53)
    won: int = field(np.uint8, 0, MOST_AMOUNT)  # Credits gained by the node: what a TAX takes
    # phase that follows what is being asked or drawn: see `pending.py`
    resume: int = field(np.int8, 0, Phase.RESOLVE, seen=IN_PART)
    thief: int = field(np.int8, -1, SEATS - 1)  # of a STEAL that a SHIELD may stop; -1 none
    victim: int = field(np.int8, -1, SEATS - 1)
    stake: int = field(np.uint8, 0, MOST_AMOUNT)  # Credits it would take
    # STEAL_EACH: the next victim, counted from the active seat; who is asked for a SHIELD is the one before
    each_next: int = field(np.uint8, 0, SEATS, seen=IN_PART)
    window: int = field(np.uint8, Window.NONE, Window.FULL)  # which reactions are announced or carried out
    # seats that have announced, counted from the active one: as many as up to the mover
    asked: int = field(np.uint8, 0, SEATS, seen=IN_PART)
    # what the TOLL used takes: its tile has no other (see `tiles.py`)
    toll: int = field(np.uint8, 0, MOST_AMOUNT, seen=IN_PART)
    declared: Array = field(np.uint8, 0, MARKERS, shape=SEATS)  # announced and not yet carried out
    left: Array = field(np.uint8, 0, MOST_AMOUNT, shape=SEATS)  # GIVE_EACH: what the seat may still be given
    teleported: int = field(np.int8, -1, SEATS - 1)  # seat whose runner is being teleported; -1 none
    # While chance is asked, and nobody looks:
    turning: int = field(np.int8, -1, SQUARES - 1, seen=IN_PART)  # square that gets a face; -1 none
    tied: int = field(np.uint8, 0, (1 << SEATS) - 1, seen=IN_PART)  # roll-off: seats still in it, as bits
    roll_seat: int = field(np.int8, -1, SEATS - 1, seen=IN_PART)  # who rolls; -1 nobody
    roll_dice: int = field(np.uint8, 0, DICE, seen=IN_PART)  # dice that this seat has left
    roll_sum: Array = field(np.uint8, 0, DIE * DICE, shape=SEATS, seen=IN_PART)


FIELDS = fields_of(State)
STATE = state_dtype(OPTIONS, FIELDS)


def open_squares(s: State) -> int:
    """Squares that may be entered: in the Matrix, not full, without a runner (PM-20, PM-50)."""
    return int(MATRIX[s.num_players]) & ~(int(s.full) | int(s.occupied))


def blackouts(s: State, square: int) -> int:
    """The blacked out nodes of a tile, as four bits."""
    return int(s.black[HALF[square]]) >> int(SHIFT[square]) & TILE


def clockwise(s: State, seat: int, steps: int) -> int:
    """The seat that sits the given number of places to the left of another."""
    n = int(s.num_players)
    place = int(seat) + int(steps)
    return place - n if place >= n else place


def places_from(s: State, seat: int, other: int) -> int:
    """How many places `other` sits to the left of `seat`."""
    distance = int(other) - int(seat)
    return distance + int(s.num_players) if distance < 0 else distance


def put_runner(s: State, seat: int, square: int) -> None:
    """Move a runner from where it is, if anywhere, to a square (PM-81: a free one)."""
    here = int(s.runner[seat])
    if here >= 0:
        s.occupied ^= 1 << here
    s.occupied |= 1 << square
    s.runner[seat] = square
