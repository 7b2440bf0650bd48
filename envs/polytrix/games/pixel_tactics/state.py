"""The record of a game: options, phases, decisions, frames, fields and the layout of actions.

Slots of a unit, seen with the enemy above:

    Va 0   Vb 1   Vc 2      vanguard
    Fa 3   L  4   Fc 5      flank, with the leader
    Ra 6   Rb 7   Rc 8      rear

A set of slots has 9 bits and a set of cards 25. A set of places has 18 bits: the slots of the own unit,
then those of the other. `u` is the seat whose unit holds a card; `seat` is the seat that acts.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.constants import Constants
from polytrix.core.layout import Layout, block
from polytrix.core.options import Choice, Flag, Integer, Options
from polytrix.core.state import Array, Record, Seen, field, fields_of

from .cards.cards import MOST_OPERATIONS, TYPES

SEATS = 2
ROWS = 3
COLUMNS = 3
SLOTS = 9
LEADER_SLOT = 4
SLOT_NAMES = ("Va", "Vb", "Vc", "Fa", "L", "Fc", "Ra", "Rb", "Rc")
ROW_NAMES = ("V", "F", "R")
COLUMN_NAMES = ("a", "b", "c")


class SlotSet(Constants):
    """Sets of slots, as bits."""

    ALL = (1 << SLOTS) - 1
    HEROES = ALL & ~(1 << LEADER_SLOT)
    ROW = 0b111  # shifted by 3 x row
    COLUMN = 0b001001001  # shifted by the column


class Row(Constants):
    """The rows of a unit, from the one nearest the enemy."""

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
"""`mover` while the rules run; no state at rest has it."""

NONE = -1
"""No slot, card, row or seat."""


class Phase(Constants):
    """What happens next when the stack is empty."""

    DEALING = 0  # opening hands
    CHOOSING = 1  # leaders
    COIN = 2  # the first player
    STARTING = 3  # of a turn
    PLAYING = 4  # the active seat takes its actions
    CLOSED = 5  # the wave has ended
    OVER = 6


class Decision(Constants):
    """The decision of the mover."""

    NONE, LEADER, TURN, TARGET, PICK, PICK2, AMOUNT, CARD, COLUMN = range(9)
    ROW, REDIRECT, CAPTURE, STRIKE, ORDERS, RECRUITS = range(9, 15)


class Chance(Constants):
    """The pending chance event: a card of a deck, the first player, a card lost or stolen from a hand."""

    NONE, DECK, FIRST, DISCARD, STEAL = range(5)


class Source(Constants):
    """The zone from which the mover picks or plays a card."""

    NONE, HAND, DECK, ASIDE, TOP, FOE_HAND, DRAWN = range(7)


class FrameKind(Constants):
    """Kinds of frames on the stack."""

    PLAY, ORDER, POWER, RECRUIT, STRIKE, ATTACK, HIT, DEFEAT, WAVE_END, DRAW = range(10)


class Damage(Constants):
    """Sources of damage. The first two are also the kinds of attacks."""

    MELEE, RANGED, POWER, ORDER, LEADER, THORNS, ITSELF = range(7)


class Result(Constants):
    """Result of a match, if it is not a seat that has won."""

    RUNNING, TIE = -1, 2


class Payoff(Constants):
    """Values of the option `payoff`."""

    WIN, TROPHIES = range(2)


OPTIONS = Options(
    Choice("best_of", (1, 3, 5), 1, "1: one match decides; 3 or 5: the first with 2 or 3 trophies wins"),
    Flag("orders_in_ceasefire", True, "whether orders may be played in the first round of a match"),
    Integer("max_rounds", 1, MOST_ROUNDS, 30, "maximum number of rounds in a match, which is then a tie"),
    Choice(
        "payoff",
        ("win", "trophies"),
        "win",
        "win: a win pays 1; trophies: the lead in trophies, divided by the trophies needed",
    ),
    max_decisions=10_000,
)


class Act(Layout):
    """The actions."""

    PASS = block(meaning="end the turn, decline, done")
    DRAW = block(meaning="draw a card")
    RECRUIT = block(TYPES, COLUMNS, meaning="recruit the card into this column of the row in question")
    MELEE = block(SLOTS, meaning="melee attack with this member")
    RANGED = block(SLOTS, meaning="ranged attack with this member")
    POWER = block(SLOTS, meaning="use this hero's power")
    ORDER = block(TYPES, meaning="play the card as an order")
    CLEAR = block(SLOTS, meaning="discard an own corpse")
    MOVE = block(SLOTS, COLUMNS, meaning="restructure: the hero goes to this column of the wave's row")
    OWN = block(SLOTS, meaning="pick a slot of the own unit")
    FOE = block(SLOTS, meaning="pick a slot of the opposing unit")
    CARD = block(TYPES, meaning="pick a card")
    AMOUNT = block(MOST_AMOUNT, meaning="pick a number from 1 to 10")
    COLUMN = block(COLUMNS, meaning="pick a column")
    ROW = block(2 * ROWS, meaning="pick a row: own V, F, R, foe V, F, R")


ALL_CARDS = (1 << TYPES) - 1
ALL_PLACES = (1 << 2 * SLOTS) - 1
ALL_ATTACKS = (1 << 3 * SLOTS) - 1
MOST_COUNTERS = 9_999
"""More damage or strength than the cards can give in a wave; a sum of three of these fits into 16 bits."""
MOST_ACTIONS = 999
"""More actions than the cards can give or take away in a wave."""


class Frame:
    """An effect on the stack: something that is being carried out."""

    kind: int = field(np.int8, FrameKind.PLAY, FrameKind.DRAW)
    # who acts; HIT, DEFEAT: whose unit; WAVE_END: whose leader is next
    seat: int = field(np.int8, 0, SEATS - 1)
    card: int = field(np.int8, -1, TYPES - 1)  # PLAY, ORDER, POWER, RECRUIT: the card; -1
    # POWER: the hero that uses it; ATTACK: the attacker; else the hero; -1
    slot: int = field(np.int8, -1, SLOTS - 1)
    row: int = field(np.int8, -1, ROWS - 1)  # POWER: the row of the card's power; -1
    attack: int = field(np.int8, -1, Damage.ITSELF)  # ATTACK: MELEE or RANGED; HIT: kind of damage; -1
    # PLAY: shots follow; STRIKE: optional; ATTACK: last strike; DEFEAT: already a corpse
    flag: int = field(np.uint8)
    op: int = field(np.int8, 0, MOST_OPERATIONS)  # ORDER, POWER: index of the operation
    step: int = field(np.int8, 0, 5)  # of the operation or the frame
    first: int = field(np.int8, -1, 2 * SLOTS - 1)  # place picked first, or place that gets the amount; -1
    column: int = field(np.int8, -1, COLUMNS - 1)  # chosen column; -1
    chosen_row: int = field(np.int8, -1, ROWS - 1)  # row chosen for recruits; -1
    # The card recruited, revived or stolen, for a later operation; -1.
    kept: int = field(np.int8, -1, TYPES - 1)
    # HIT: damage; else what is left: points, picks, recruits, cards, draws, exchanges.
    left: int = field(np.int16, 0, MOST_COUNTERS)
    # Counters that the HITs above have placed on heroes of the other unit.
    heroes: int = field(np.int16, 0, MOST_COUNTERS)
    total: int = field(np.int16, 0, MOST_COUNTERS)  # all counters that they have placed
    thorns: int = field(np.int16, 0, MOST_COUNTERS)  # ATTACK, POWER: thorn damage for the attacker
    picked: int = field(np.int32, 0, ALL_PLACES)  # places picked, or still to be treated, as `seat` sees them
    # ATTACK: damage of the target in each column
    amounts: Array = field(np.int16, 0, MOST_COUNTERS, shape=COLUMNS)


FRAME = fields_of(Frame)

_SLOTS_OF_HEROES = [slot != LEADER_SLOT for slot in range(SLOTS)]
_UP_TO = Seen.IN_PART
"""Everybody sees it, but observations cap it (see `Most` in `observation.py`)."""


class State(Record):
    """The fields of the record."""

    phase: int = field(np.int8, Phase.DEALING, Phase.OVER)  # a game that is cut off keeps its last one
    decision: int = field(np.int8, Decision.NONE, Decision.RECRUITS)
    chance_kind: int = field(np.int8, Chance.NONE, Chance.STEAL)  # of the pending event
    chance_seat: int = field(np.int8, -1, SEATS - 1)  # whose deck or hand it draws from; -1
    # While the rules run: the action that a frame reads; else -1.
    answer: int = field(np.int16, -1, Act().size - 1, seen=Seen.IN_PART)
    match: int = field(np.int8, 1, MATCHES)
    round_number: int = field(np.int16, 0, MOST_ROUNDS)  # from 1; 0 before the first player is known
    wave: int = field(np.int8, -1, ROWS - 1)  # row; -1 before the first round
    first: int = field(np.int8, -1, SEATS - 1)  # first player of the round; -1
    active: int = field(np.int8, -1, SEATS - 1)  # whose turn it is; -1
    actions: int = field(np.int16, 0, MOST_ACTIONS, seen=_UP_TO)  # left in this turn
    lose_next: Array = field(np.int16, 0, MOST_ACTIONS, shape=SEATS, seen=_UP_TO)
    lose_now: Array = field(np.int16, 0, MOST_ACTIONS, shape=SEATS, seen=_UP_TO)
    ward: Array = field(np.uint8, shape=SEATS)
    played: Array = field(np.int16, 0, TYPES, shape=SEATS, seen=_UP_TO)  # orders played in this wave
    level: Array = field(np.int16, 0, MOST_ROUNDS, shape=SEATS, seen=_UP_TO)
    trophies: Array = field(np.int8, 0, MOST_TROPHIES, shape=SEATS)
    # of the previous match; -1 for none or a tie
    last_winner: int = field(np.int8, -1, SEATS - 1, seen=Seen.IN_PART)
    result: int = field(np.int8, Result.RUNNING, Result.TIE)  # of this match: RUNNING, a seat, TIE
    out: Array = field(np.int32, 0, ALL_CARDS, shape=SEATS)  # sets of cards, by owner
    # Includes a picked leader until the reveal.
    hand: Array = field(np.int32, 0, ALL_CARDS, shape=SEATS, seen=Seen.PRIVATE)
    deck: Array = field(np.int32, 0, ALL_CARDS, shape=SEATS, seen=Seen.PRIVATE)
    discard: Array = field(np.int32, 0, ALL_CARDS, shape=SEATS)
    in_play: Array = field(np.int32, 0, ALL_CARDS, shape=SEATS)
    aside: Array = field(np.int32, 0, ALL_CARDS, shape=SEATS, seen=Seen.PRIVATE)
    known: Array = field(np.int32, 0, ALL_CARDS, shape=SEATS)  # hand cards that the other seat knows
    # Fixed top cards; they are in `deck` too; -1.
    top: Array = field(np.int8, -1, TYPES - 1, shape=(SEATS, MOST_FIXED), seen=Seen.PRIVATE)
    fixed: Array = field(np.int8, 0, MOST_FIXED, shape=SEATS)  # number of fixed top cards
    # The card that the active seat has just drawn and may play (PLAY_DRAWN); only that seat sees it; -1.
    drawn: int = field(np.int8, -1, TYPES - 1, seen=Seen.IN_PART)
    # Type of the leader; -1 before the pick; public after the reveal.
    leader: Array = field(np.int8, -1, TYPES - 1, shape=SEATS, seen=Seen.PRIVATE)
    revealed: int = field(np.uint8)
    # Type of the hero or corpse; -1 on empty slots and on slot 4.
    card: Array = field(np.int8, -1, [TYPES - 1 if h else -1 for h in _SLOTS_OF_HEROES], shape=(SEATS, SLOTS))
    heroes: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)  # slots with a living hero
    corpses: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)  # slots with a corpse
    captives: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)  # living heroes that the other seat owns
    damage: Array = field(np.int16, 0, MOST_COUNTERS, shape=(SEATS, SLOTS), seen=_UP_TO)
    boost: Array = field(
        np.int16, 0, [MOST_COUNTERS * h for h in _SLOTS_OF_HEROES], shape=(SEATS, SLOTS), seen=_UP_TO
    )
    # Marks, as sets of slots; of these five the leader can have `acted` only.
    acted: Array = field(np.int16, 0, SlotSet.ALL, shape=SEATS)
    fresh: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)
    moved: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)
    hurt: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)
    struck: Array = field(np.int16, 0, SlotSet.HEROES, shape=SEATS)
    # What the mover may do (see board/choices.py); observations leave it to the mask of legal actions.
    may_pass: int = field(np.uint8, 0, 1, seen=Seen.IN_PART)
    # A turn: columns for recruits and moves; else places, columns, rows, attacks, an amount, a `Source`.
    offer: int = field(np.int32, 0, ALL_ATTACKS, seen=Seen.IN_PART)
    may_draw: int = field(np.uint8, 0, 1, seen=Seen.IN_PART)  # in a turn, as the next five
    may_recruit: int = field(np.uint8, 0, 1, seen=Seen.IN_PART)
    may_order: int = field(np.uint8, 0, 1, seen=Seen.IN_PART)
    may_attack: int = field(np.int32, 0, ALL_ATTACKS, seen=Seen.IN_PART)
    may_clear: int = field(np.int16, 0, SlotSet.HEROES, seen=Seen.IN_PART)
    may_move: int = field(np.int16, 0, SlotSet.HEROES, seen=Seen.IN_PART)
    # Observations show only the top effect and its question.
    depth: int = field(np.int8, 0, STACK, seen=Seen.IN_PART)  # frames on the stack
    stack: Array = field(FRAME, shape=STACK, seen=Seen.IN_PART)


MAX_LEGAL = 120
"""At most 113 are known: 15 actions of heroes, 24 cards to recruit in 3 columns, or to play."""
