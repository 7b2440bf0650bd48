"""The record of a game of Pixel Tactics, its phases, decisions, frames, options and actions.

Slots of a unit, seen with the enemy above:

    Va 0   Vb 1   Vc 2      vanguard
    Fa 3   L  4   Fc 5      flank, with the leader
    Ra 6   Rb 7   Rc 8      rear

A set of slots is nine bits, a set of cards twenty-five, a set of places eighteen: slots of one's own
unit, then those of the other. `u` is the seat in whose unit a card lies, `seat` who acts.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.constants import Constants
from polytrix.core.layout import Block, Layout
from polytrix.core.options import Choice, Flag, Integer, Options
from polytrix.core.state import Array, Record, Seen, field, fields_of, state_dtype

from .cards.cards import EFFECTS_OF_A_CARD, MOST_OPERATIONS, TYPES

SEATS = 2
ROWS = 3
COLUMNS = 3
SLOTS = 9
LEADER_SLOT = 4
SLOT_NAMES = ("Va", "Vb", "Vc", "Fa", "L", "Fc", "Ra", "Rb", "Rc")
ROW_NAMES = ("V", "F", "R")
COLUMN_NAMES = ("a", "b", "c")


class SlotSet(Constants):
    """Sets of slots."""

    ALL = (1 << SLOTS) - 1
    HEROES = ALL & ~(1 << LEADER_SLOT)
    ROW = 0b111  # shifted by 3 x row
    COLUMN = 0b001001001  # shifted by the column


class Row(Constants):
    """Rows of a unit, from the enemy on."""

    VANGUARD, FLANK, REAR = range(3)


OPENING_HAND = 5
ACTIONS_A_TURN = 2
MATCHES = 9  # PT-116
MOST_TROPHIES = 3  # PT-110
MOST_ROUNDS = 100  # of a match, by the option
MOST_AMOUNT = 10
CORPSE_STRENGTH = 3  # PT-40
CAPTIVE_LIFE = 1  # PT-76
MOST_FIXED = 5  # PT-101
MOST_RECRUITS = SLOTS  # PT-94
STACK = 32  # PT-94: at most 29 frames are used

NOBODY = -3
"""`mover` while the rules run; never seen from outside."""

NONE = -1
"""Instead of a slot, a card, a row or a seat."""


class Phase(Constants):
    """What is carried out when the stack is empty."""

    DEALING = 0  # opening hands
    CHOOSING = 1  # leaders
    COIN = 2  # who is first
    STARTING = 3  # a turn starts
    PLAYING = 4  # the turn loop
    CLOSED = 5  # the wave has been closed
    OVER = 6


class Decision(Constants):
    """What the mover decides."""

    NONE, LEADER, TURN, TARGET, PICK, PICK2, AMOUNT, CARD, COLUMN = range(9)
    ROW, REDIRECT, CAPTURE, STRIKE, ORDERS, RECRUITS = range(9, 15)


class Chance(Constants):
    """The pending chance event: a card of a deck, the first player, a card lost or stolen from a hand."""

    NONE, DECK, FIRST, DISCARD, STEAL = range(5)


class Source(Constants):
    """Where the cards of the block `card` lie that may be picked now."""

    NONE, HAND, DECK, ASIDE, TOP, FOE_HAND = range(6)


class OrderSource(Constants):
    """Which cards may be played as orders now."""

    NONE, HAND, DRAWN = range(3)


class FrameKind(Constants):
    """Frames of the stack."""

    PLAY, ORDER, POWER, RECRUIT, STRIKE, ATTACK, HIT, DEFEAT, WAVE_END, DRAW = range(10)


class Damage(Constants):
    """Kinds of damage, by its source; the first two are also the kinds of attacks."""

    MELEE, RANGED, POWER, ORDER, LEADER, THORNS, ITSELF = range(7)


class Result(Constants):
    """Results of a match, beside the seat that has won."""

    RUNNING, TIE = -1, 2


class Payoff(Constants):
    """Values of the option `payoff`."""

    WIN, TROPHIES = range(2)


OPTIONS = Options(
    Choice("best_of", (1, 3, 5), 1, "matches: 1 decides at once, or the first with 2 of 3, 3 of 5 trophies"),
    Flag("orders_in_ceasefire", True, "whether orders may be played in the first round of a match"),
    Integer("max_rounds", 1, MOST_ROUNDS, 30, "maximum number of rounds in a match; it is then a tie"),
    Choice("payoff", ("win", "trophies"), "win", "win 1, or the lead in trophies by the trophies needed"),
    max_decisions=10_000,
)

ACTIONS = Layout(
    Block("pass", (1,), "end the turn, decline, done"),
    Block("draw", (1,), "draw a card"),
    Block("recruit", (TYPES, COLUMNS), "recruit the card into this column of the row in question"),
    Block("melee", (SLOTS,), "melee attack with this member"),
    Block("ranged", (SLOTS,), "ranged attack with this member"),
    Block("power", (SLOTS,), "use this hero's power"),
    Block("order", (TYPES,), "play the card as an order"),
    Block("clear", (SLOTS,), "discard an own corpse"),
    Block("move", (SLOTS, COLUMNS), "restructure: the hero goes to this column of the wave's row"),
    Block("own", (SLOTS,), "pick a slot of the own unit"),
    Block("foe", (SLOTS,), "pick a slot of the opposing unit"),
    Block("card", (TYPES,), "pick a card"),
    Block("amount", (MOST_AMOUNT,), "pick a number from 1 to 10"),
    Block("column", (COLUMNS,), "pick a column"),
    Block("row", (2 * ROWS,), "pick a row: own V, F, R, foe V, F, R"),
)

ALL_CARDS = (1 << TYPES) - 1
ALL_PLACES = (1 << 2 * SLOTS) - 1
MOST_COUNTERS = 9_999
"""More damage or strength than cards can bring together in a wave; the sum of three such still has 16 bits."""
MOST_ACTIONS = 999
"""More actions than cards can give, or take away, in a wave."""


class Frame:
    """An effect on the stack."""

    kind: int = field(np.int8, FrameKind.PLAY, FrameKind.DRAW)
    seat: int = field(
        np.int8, 0, SEATS - 1
    )  # who acts; of HIT, DEFEAT: in whose unit; WAVE_END: whose part it is
    card: int = field(np.int8, -1, TYPES - 1)  # PLAY, ORDER, POWER, RECRUIT: the card; -1
    slot: int = field(
        np.int8, -1, SLOTS - 1
    )  # POWER: "this hero"; ATTACK: the attacker; of others the hero; -1
    row: int = field(np.int8, -1, ROWS - 1)  # POWER: of the card's power; -1
    attack: int = field(np.int8, -1, Damage.ITSELF)  # ATTACK: BY_MELEE or BY_RANGED; HIT: kind of damage; -1
    flag: int = field(
        np.uint8
    )  # PLAY: shots follow; STRIKE: optional; ATTACK: last strike; DEFEAT: fell already
    op: int = field(np.int8, 0, MOST_OPERATIONS)  # ORDER, POWER: operation of the program
    step: int = field(np.int8, 0, 5)  # within the operation or the frame
    first: int = field(np.int8, -1, 2 * SLOTS - 1)  # place picked first, or whose amount is asked; -1
    column: int = field(np.int8, -1, COLUMNS - 1)  # chosen; -1
    chosen_row: int = field(np.int8, -1, ROWS - 1)  # for recruits; -1
    # Card that a later operation speaks of (recruited, revived, stolen); -1.
    kept: int = field(np.int8, -1, TYPES - 1)
    # Damage of a HIT; points, picks, recruits, cards, draws, exchanges.
    left: int = field(np.int16, 0, MOST_COUNTERS)
    # Counters placed on heroes of the other unit by the HITs above.
    heroes: int = field(np.int16, 0, MOST_COUNTERS)
    total: int = field(np.int16, 0, MOST_COUNTERS)  # counters placed by them in all
    thorns: int = field(np.int16, 0, MOST_COUNTERS)  # ATTACK, POWER: what the attacker will suffer
    picked: int = field(np.int32, 0, ALL_PLACES)  # places picked, or still to come, seen from `seat`
    amounts: Array = field(
        np.int16, 0, MOST_COUNTERS, shape=COLUMNS
    )  # ATTACK: damage of the target in each column


FRAME = fields_of(Frame)

_SLOTS_OF_HEROES = [slot != LEADER_SLOT for slot in range(SLOTS)]
_UP_TO = Seen.IN_PART
"""Everybody sees it, but observations show larger numbers as the largest that they have (see `sight.py`)."""


class State(Record):
    """What a game is in."""

    phase: int = field(np.int8, Phase.DEALING, Phase.OVER)
    decision: int = field(np.int8, Decision.NONE, Decision.RECRUITS)
    chance_kind: int = field(np.int8, Chance.NONE, Chance.STEAL)  # of the pending event
    chance_seat: int = field(np.int8, -1, SEATS - 1)  # whose deck or hand it is about; -1
    # While the rules run: what a frame will read; else -1.
    answer: int = field(np.int16, -1, ACTIONS.size - 1, seen=Seen.IN_PART)
    match: int = field(np.int8, 1, MATCHES)
    round_number: int = field(np.int16, 0, MOST_ROUNDS)  # from 1; 0 before the first player is known
    wave: int = field(np.int8, -1, ROWS - 1)  # row; -1 before the first round
    first: int = field(np.int8, -1, SEATS - 1)  # first player of the round; -1
    active: int = field(np.int8, -1, SEATS - 1)  # whose turn it is; -1
    turn: int = field(np.int8)  # 0 the first player's of this wave, 1 the other's
    actions: int = field(np.int16, 0, MOST_ACTIONS, seen=_UP_TO)  # left in this turn
    lose_next: Array = field(np.int16, 0, MOST_ACTIONS, shape=SEATS, seen=_UP_TO)
    lose_now: Array = field(np.int16, 0, MOST_ACTIONS, shape=SEATS, seen=_UP_TO)
    ward: Array = field(np.uint8, shape=SEATS)
    played: Array = field(np.int16, 0, TYPES, shape=SEATS, seen=_UP_TO)  # orders played in this wave
    level: Array = field(np.int16, 0, MOST_ROUNDS, shape=SEATS, seen=_UP_TO)
    trophies: Array = field(np.int8, 0, MOST_TROPHIES, shape=SEATS)
    last_winner: int = field(
        np.int8, -1, SEATS - 1, seen=Seen.IN_PART
    )  # of the previous match; -1 none, or a tie
    result: int = field(np.int8, Result.RUNNING, Result.TIE)  # of this match: RUNNING, a seat, TIE
    out: Array = field(np.int32, 0, ALL_CARDS, shape=SEATS)  # sets of cards, by owner
    # With the leader that has been picked, until the reveal.
    hand: Array = field(np.int32, 0, ALL_CARDS, shape=SEATS, seen=Seen.PRIVATE)
    deck: Array = field(np.int32, 0, ALL_CARDS, shape=SEATS, seen=Seen.PRIVATE)
    discard: Array = field(np.int32, 0, ALL_CARDS, shape=SEATS)
    in_play: Array = field(np.int32, 0, ALL_CARDS, shape=SEATS)
    aside: Array = field(np.int32, 0, ALL_CARDS, shape=SEATS, seen=Seen.PRIVATE)
    known: Array = field(
        np.int32, 0, ALL_CARDS, shape=SEATS
    )  # of the hand: the other seat knows that it is there
    # Fixed top cards, also in `deck`; -1.
    top: Array = field(np.int8, -1, TYPES - 1, shape=(SEATS, MOST_FIXED), seen=Seen.PRIVATE)
    fixed: Array = field(np.int8, 0, MOST_FIXED, shape=SEATS)  # how many
    # Card just drawn by the active seat, which may play it (PLAY_DRAWN) and alone sees it; -1.
    drawn: int = field(np.int8, -1, TYPES - 1, seen=Seen.IN_PART)
    # Picked type; -1 before; public from the reveal on.
    leader: Array = field(np.int8, -1, TYPES - 1, shape=SEATS, seen=Seen.PRIVATE)
    revealed: int = field(np.uint8)
    # Type of the hero or corpse; -1 empty, also on slot 4.
    card: Array = field(np.int8, -1, [TYPES - 1 if h else -1 for h in _SLOTS_OF_HEROES], shape=(SEATS, SLOTS))
    heroes: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)  # slots with a living hero
    corpses: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)  # slots with a corpse
    captives: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)  # living heroes that the other seat owns
    damage: Array = field(np.int16, 0, MOST_COUNTERS, shape=(SEATS, SLOTS), seen=_UP_TO)
    boost: Array = field(
        np.int16, 0, [MOST_COUNTERS * h for h in _SLOTS_OF_HEROES], shape=(SEATS, SLOTS), seen=_UP_TO
    )
    # Sets of slots, like the next four; the leader has `acted` only.
    acted: Array = field(np.int16, 0, SlotSet.ALL, shape=SEATS)
    fresh: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)
    moved: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)
    hurt: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)
    struck: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)
    chain_orders: int = field(np.int32, 0, ALL_CARDS)  # orders being carried out, as a set of cards (PT-94)
    # Powers being carried out, by row; like the stack it is not all shown.
    chain_powers: Array = field(np.int32, 0, ALL_CARDS, shape=ROWS, seen=Seen.IN_PART)
    # What the mover may do (see choices.py): it follows from the rest, and the mask of legal actions shows it.
    may_pass: int = field(np.uint8, 0, 1, seen=Seen.IN_PART)
    may_draw: int = field(np.uint8, 0, 1, seen=Seen.IN_PART)
    may_recruit: int = field(np.uint8, 0, SlotSet.ROW, seen=Seen.IN_PART)  # columns for the cards of the hand
    recruit_row: int = field(np.int8, -1, ROWS - 1, seen=Seen.IN_PART)  # the row they belong to; -1
    may_order: int = field(np.uint8, OrderSource.NONE, OrderSource.DRAWN, seen=Seen.IN_PART)
    may_card: int = field(np.uint8, Source.NONE, Source.FOE_HAND, seen=Seen.IN_PART)
    may_amount: int = field(np.uint8, 0, MOST_AMOUNT, seen=Seen.IN_PART)  # 1 to this
    may_column: int = field(np.uint8, 0, SlotSet.ROW, seen=Seen.IN_PART)  # set of columns
    may_row: int = field(np.uint8, 0, (1 << 2 * ROWS) - 1, seen=Seen.IN_PART)  # set of rows, own 0-2, foe 3-5
    may_melee: int = field(np.int16, 0, SlotSet.ALL, seen=Seen.IN_PART)  # sets of slots, like the next four
    may_ranged: int = field(np.int16, 0, SlotSet.ALL, seen=Seen.IN_PART)
    may_power: int = field(np.int16, 0, SlotSet.HEROES, seen=Seen.IN_PART)
    may_clear: int = field(np.int16, 0, SlotSet.HEROES, seen=Seen.IN_PART)
    may_move: int = field(np.int16, 0, SlotSet.HEROES, seen=Seen.IN_PART)
    may_move_to: int = field(np.uint8, 0, SlotSet.ROW, seen=Seen.IN_PART)  # set of columns
    may_own: int = field(np.int16, 0, SlotSet.ALL, seen=Seen.IN_PART)  # sets of slots
    may_foe: int = field(np.int16, 0, SlotSet.ALL, seen=Seen.IN_PART)
    # [which] effects seen in the last step, as sets of cards, and the slots attacked by the last attack in it:
    # a report of what has happened, not part of the position.
    used: Array = field(np.int32, 0, ALL_CARDS, shape=EFFECTS_OF_A_CARD, seen=Seen.IN_PART)
    attacked: int = field(np.int16, 0, SlotSet.ALL, seen=Seen.IN_PART)
    # Of what is being carried out observations show the top effect and what it asks.
    depth: int = field(np.int8, 0, STACK, seen=Seen.IN_PART)  # frames on the stack
    stack: Array = field(FRAME, shape=STACK, seen=Seen.IN_PART)


FIELDS = fields_of(State)

STATE = state_dtype(OPTIONS, FIELDS)


class Act(Constants):
    """Where the blocks of actions begin."""

    PASS = ACTIONS.offset("pass")
    DRAW = ACTIONS.offset("draw")
    RECRUIT = ACTIONS.offset("recruit")
    MELEE = ACTIONS.offset("melee")
    RANGED = ACTIONS.offset("ranged")
    POWER = ACTIONS.offset("power")
    ORDER = ACTIONS.offset("order")
    CLEAR = ACTIONS.offset("clear")
    MOVE = ACTIONS.offset("move")
    OWN = ACTIONS.offset("own")
    FOE = ACTIONS.offset("foe")
    CARD = ACTIONS.offset("card")
    AMOUNT = ACTIONS.offset("amount")
    COLUMN = ACTIONS.offset("column")
    ROW = ACTIONS.offset("row")


MAX_LEGAL = 120
"""An empty row (15 actions of heroes elsewhere), 24 cards to recruit in three columns or to play: 113."""
