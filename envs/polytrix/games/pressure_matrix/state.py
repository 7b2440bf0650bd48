"""The record of a game of Pressure Matrix, its phases, options and actions.

Sets of squares and of nodes are explained in `matrix.py`.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.layout import Block, Layout
from polytrix.core.options import Choice, Options
from polytrix.core.state import Record, state_dtype

from .effects import CONDITIONS
from .matrix import MATRIX, NODES, PLACES, SHIFT, SQUARES, TILE, WORD

SEATS = 5
MARKERS = 5  # control markers of a seat, besides the one that keeps its score (PM-02)
CREDITS = 10  # at the start (PM-03)
HIGHEST_BID = 5
FACES = 100

GREEN, YELLOW, RED = 0, 1, 2

# Phases that wait for a seat's decision, then the end, then those that wait for chance; the rest run through.
(
    BID, PLACE, BEFORE_ROLL, FAIL, MOVE, NODE, GIVE, DIVIDE, STEAL, SHIELD, PAYER, FLIP, INVERT, RUNNER,
    TELEPORT, SWAP, RECLAIM, RECALL, DISCARD, DISCARD_RIVAL, WINDOW, ORDER,
) = range(22)  # fmt: skip
FINISHED = 22
DEAL, BID_DICE, ROLL, LEADER_DICE, REVERSE = range(23, 28)
TURN, READY, ROLLED, PENALISED, MOVED, PRESSURE, EFFECT, EACH, ASK, RESOLVE, CLOSE, CLOSED, NEXT = range(28, 41)
PHASES = (
    "BID", "PLACE", "BEFORE_ROLL", "FAIL", "MOVE", "NODE", "GIVE", "DIVIDE", "STEAL", "SHIELD", "PAYER", "FLIP",
    "INVERT", "RUNNER", "TELEPORT", "SWAP", "RECLAIM", "RECALL", "DISCARD", "DISCARD_RIVAL", "WINDOW", "ORDER",
    "OVER", "DEAL", "BID_DICE", "ROLL", "LEADER_DICE", "REVERSE",
)  # fmt: skip
"""Names of the phases in which a game can stand."""

NO_WINDOW, AT_LANDING, AT_WIN, AT_FULL = 0, 1, 2, 3  # which reactions are being announced or carried out

KNOWN, DRAWN = 0, 1  # values of the option reverse
BY_RANK, BY_MARGIN = 0, 1  # values of the option payoff

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

STATE = state_dtype(
    OPTIONS,
    [
        ("black", np.int64, 2),  # nodes with a Blackout Marker
        ("marker", np.int64, (SEATS, 2)),  # nodes with a Control Marker of the seat
        ("control", np.int64, (CONDITIONS, 2)),  # special nodes in the Matrix, by the condition of their use
        ("unseen", np.int64, 2),  # faces 0..49 and 50..99 not dealt; if reverses are drawn: not seen yet
        ("choices", np.int64, 2),  # legal actions of the mover: members of the block `choice_block`
        ("choice_block", np.int16),  # where that block begins
        ("choice_simple", np.uint8),  # legal actions 0..3 as bits
        ("full", np.int32),  # squares whose tile is full
        ("occupied", np.int32),  # squares with a runner
        ("turns", np.int32),  # how many have begun
        ("effects", np.int32),  # how many effects have begun
        ("credits", np.int32, SEATS),
        ("up", np.int8, SQUARES),  # face that is up; -1 no tile
        ("reverse", np.int8, SQUARES),  # face on the other side; -1 no tile, or not drawn yet
        ("runner", np.int8, SEATS),  # square, or -1
        ("hand", np.uint8, SEATS),  # Control Markers
        ("discarded", np.uint8, SEATS),
        ("bid", np.int8, SEATS),  # -1: not yet
        ("first", np.int8),  # who began; -1 before the bids are revealed
        ("active", np.int8),  # whose turn it is; -1 before the first
        ("phase", np.int8),
        ("level", np.int8),  # the Pressure Level
        ("forced", np.int8),  # level by a LEVEL node, this turn; -1 none
        ("adjust", np.int8),  # sum of the MOVE nodes used this turn
        ("movement", np.int8),  # of this turn; -1 before the roll
        ("dice", np.uint8, 3),  # pips, in the order of their fall; 0 not rolled
        ("rolled", np.uint8),  # how many of them have fallen
        ("code", np.uint8),  # effect that is being carried out; 0 none
        ("amount", np.int8),  # its amount
        ("last_effect", np.uint8),  # the code that began last, a reaction included; 0 none
        ("step", np.uint8),  # of its program, to be carried out next
        ("node_square", np.int8),  # tile of this Pressure Phase's node; -1 none
        ("node_place", np.int8),  # place of the node on it
        ("just", np.int8),  # node that was given a marker in this Pressure Phase (PM-66); -1 none
        ("filled", np.uint8),  # this phase's blackout has made the tile full (PM-31)
        ("again", np.uint8),  # a new Pressure Phase follows (PM-53)
        ("won", np.uint8),  # Credits gained by the node: what a TAX takes
        ("resume", np.int8),  # phase that follows what is being asked or drawn
        ("thief", np.int8),  # of a STEAL that a SHIELD may stop; -1 none
        ("victim", np.int8),
        ("stake", np.uint8),  # Credits it would take
        ("each_next", np.uint8),  # STEAL_EACH: the next victim, counted from the active seat
        ("window", np.uint8),  # which reactions are announced or carried out
        ("asked", np.uint8),  # seats that have announced, counted from the active one
        ("toll", np.uint8),  # what the TOLL used takes
        ("declared", np.uint8, SEATS),  # announced and not yet carried out
        ("left", np.uint8, SEATS),  # GIVE_EACH: what the seat may still be given
        ("teleported", np.int8),  # seat whose runner is being teleported; -1 none
        ("turning", np.int8),  # square that gets a face from chance; -1 none
        ("tied", np.uint8),  # roll-off: seats still in it, as bits
        ("roll_seat", np.int8),  # who rolls; -1 nobody
        ("roll_dice", np.uint8),  # dice that this seat has left
        ("roll_sum", np.uint8, SEATS),
    ],
)

ACTIONS = Layout(
    Block("roll", (1,), "roll the dice"),
    Block("freeze", (1,), "with an empty hand: use no more markers, which ends the game"),
    Block("pass", (1,), "use no marker, or take none back"),
    Block("recall", (1,), "take back a discarded marker"),
    Block("bid", (HIGHEST_BID + 1,), "bid so many Credits for the first turn"),
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
ROLL_IT, FREEZE, PASS, RECALL_IT = range(4)
SIMPLE_ACTIONS = 4
BID_BLOCK = ACTIONS.offset("bid")
START_BLOCK = ACTIONS.offset("start")
MOVE_BLOCK = ACTIONS.offset("move")
NODE_BLOCK = ACTIONS.offset("node")
USE_BLOCK = ACTIONS.offset("use")
GIVE_BLOCK = ACTIONS.offset("give")
STEAL_BLOCK = ACTIONS.offset("steal")
RUNNER_BLOCK = ACTIONS.offset("runner")
FIRST_BLOCK = ACTIONS.offset("first")
PAYER_BLOCK = ACTIONS.offset("payer")
FLIP_BLOCK = ACTIONS.offset("flip")
INVERT_BLOCK = ACTIONS.offset("invert")
TELEPORT_BLOCK = ACTIONS.offset("teleport")
SWAP_BLOCK = ACTIONS.offset("swap")
RECLAIM_BLOCK = ACTIONS.offset("reclaim")
DISCARD_BLOCK = ACTIONS.offset("discard")
HAND = NODES  # as a member of the discard block
MAX_LEGAL = SQUARES
"""Inverting may concern every tile of the largest Matrix; nothing else offers more."""


def open_squares(s: Record) -> int:
    """Squares that may be entered: in the Matrix, not full, without a runner (PM-20, PM-50)."""
    return int(MATRIX[s.num_players]) & ~(int(s.full) | int(s.occupied))


def blackouts(s: Record, square: int) -> int:
    """The blacked out nodes of a tile, as four bits."""
    return int(s.black[WORD[square]]) >> int(SHIFT[square]) & TILE


def clockwise(s: Record, seat: int, steps: int) -> int:
    """The seat so many places to the left of another."""
    n = int(s.num_players)
    place = int(seat) + int(steps)
    return place - n if place >= n else place


def places_from(s: Record, seat: int, other: int) -> int:
    """How many places `other` sits to the left of `seat`."""
    distance = int(other) - int(seat)
    return distance + int(s.num_players) if distance < 0 else distance


def put_runner(s: Record, seat: int, square: int) -> None:
    """Move a runner from where it is, if anywhere, to a square (PM-81: a free one)."""
    here = int(s.runner[seat])
    if here >= 0:
        s.occupied ^= 1 << here
    s.occupied |= 1 << square
    s.runner[seat] = square
