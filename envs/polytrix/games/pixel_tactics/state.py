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

from polytrix.core.layout import Block, Layout
from polytrix.core.options import Choice, Flag, Integer, Options
from polytrix.core.record import record_dtype
from polytrix.core.state import state_dtype

from .cards import EFFECTS_OF_A_CARD, TYPES

SEATS = 2
ROWS = 3
COLUMNS = 3
SLOTS = 9
LEADER_SLOT = 4
HERO_SLOTS = 0x1EF  # all slots but the leader's
ROW_SLOTS = 0b111  # shifted by 3 x row
COLUMN_SLOTS = 0b001001001  # shifted by the column
SLOT_NAMES = ("Va", "Vb", "Vc", "Fa", "L", "Fc", "Ra", "Rb", "Rc")
ROW_NAMES = ("V", "F", "R")
COLUMN_NAMES = ("a", "b", "c")

VANGUARD, FLANK, REAR = 0, 1, 2

OPENING_HAND = 5
ACTIONS_A_TURN = 2
MATCHES = 9  # PT-116
CORPSE_STRENGTH = 3  # PT-40
CAPTIVE_LIFE = 1  # PT-76
MOST_FIXED = 5  # PT-101

NOBODY = -3
"""`mover` while the rules run; never seen from outside."""

# Phases. A phase is carried out when the stack is empty.
DEALING, CHOOSING, COIN, STARTING, PLAYING, CLOSED, FINISHED = range(7)
PHASES = ("DEALING", "CHOOSING", "COIN", "STARTING", "PLAYING", "CLOSED", "OVER")
"""Hands are dealt; leaders picked; who is first; a turn starts; turn loop; the wave has been closed; over."""

# What is being decided.
(
    NO_DECISION, ASK_LEADER, ASK_TURN, ASK_TARGET, ASK_PICK, ASK_PICK2, ASK_AMOUNT, ASK_CARD, ASK_COLUMN,
    ASK_ROW, ASK_REDIRECT, ASK_CAPTURE, ASK_STRIKE, ASK_ORDERS, ASK_RECRUITS,
) = range(15)  # fmt: skip
DECISIONS = (
    "NONE", "LEADER", "TURN", "TARGET", "PICK", "PICK2", "AMOUNT", "CARD", "COLUMN",
    "ROW", "REDIRECT", "CAPTURE", "STRIKE", "ORDERS", "RECRUITS",
)  # fmt: skip

# Chance events.
NO_CHANCE, TOP_CARD, FIRST_PLAYER, LOST_CARD, STOLEN_CARD = range(5)
CHANCES = ("NONE", "DECK", "FIRST", "DISCARD", "STEAL")

# Where the cards of the block `card` lie that may be picked now.
NO_CARDS, FROM_HAND, FROM_DECK, FROM_ASIDE, FROM_TOP, FROM_FOE_HAND = range(6)
# Which cards may be played as orders now.
NO_ORDERS, HAND_ORDERS, DRAWN_ORDER = range(3)

# Frames of the stack.
(
    PLAY_FRAME, ORDER_FRAME, POWER_FRAME, RECRUIT_FRAME, STRIKE_FRAME, ATTACK_FRAME, HIT_FRAME, DEFEAT_FRAME,
    WAVE_FRAME, DRAW_FRAME,
) = range(10)  # fmt: skip
FRAMES = ("PLAY", "ORDER", "POWER", "RECRUIT", "STRIKE", "ATTACK", "HIT", "DEFEAT", "WAVE_END", "DRAW")
STACK = 32  # PT-94: at most 29 are used

# Kinds of damage; the first two are also the kinds of attacks.
BY_MELEE, BY_RANGED, BY_POWER, BY_ORDER, BY_LEADER, BY_THORNS, BY_ITSELF = range(7)

# Results of a match.
RUNNING, TIE = -1, 2

BY_WIN, BY_TROPHIES = 0, 1  # values of the option payoff

OPTIONS = Options(
    Choice("best_of", (1, 3, 5), 1, "matches: 1 decides at once, or the first with 2 of 3, 3 of 5 trophies"),
    Flag("orders_in_ceasefire", True, "whether orders may be played in the first round of a match"),
    Integer("max_rounds", 1, 100, 30, "a match that has no winner after so many rounds is a tie"),
    Choice("payoff", ("win", "trophies"), "win", "win 1, or the lead in trophies by the trophies needed"),
    max_decisions=10_000,
)

FRAME = record_dtype(
    [
        ("kind", np.int8),
        ("seat", np.int8),  # who acts; of HIT, DEFEAT: in whose unit
        ("card", np.int8),  # PLAY, ORDER, POWER, RECRUIT: the card; -1
        (
            "slot",
            np.int8,
        ),  # POWER: "this hero"; ATTACK: the attacker; of others the hero; -1
        ("row", np.int8),  # POWER: of the card's power; -1
        ("attack", np.int8),  # ATTACK: BY_MELEE or BY_RANGED; HIT: kind of damage; -1
        (
            "flag",
            np.uint8,
        ),  # PLAY: shots follow; STRIKE: optional; ATTACK: last strike; DEFEAT: fell already
        ("op", np.int8),  # ORDER, POWER: operation of the program
        ("step", np.int8),  # within the operation or the frame
        ("first", np.int8),  # place picked first, or whose amount is asked; WAVE_END: seat whose part it is; -1
        ("column", np.int8),  # chosen; -1
        ("chosen_row", np.int8),  # 0-2 own, 3-5 foe; -1
        ("kept", np.int8),  # card that a later operation speaks of (recruited, revived, stolen); -1
        ("left", np.int16),  # damage of a HIT; points, picks, cards, draws or exchanges left
        ("heroes", np.int16),  # counters placed on heroes of the other unit by the HITs above
        ("total", np.int16),  # counters placed by them in all
        ("thorns", np.int16),  # ATTACK: what the attacker will suffer
        ("picked", np.int32),  # places picked, or still to come, seen from `seat`
        ("amounts", np.int16, COLUMNS),  # ATTACK: damage of the target in each column
    ]
)

STATE = state_dtype(
    OPTIONS,
    [
        ("phase", np.int8),
        ("decision", np.int8),
        ("chance_kind", np.int8),  # of the pending event
        ("chance_seat", np.int8),  # whose deck or hand it is about; -1
        ("answer", np.int16),  # while the rules run: the decision that a frame will read; else -1
        ("match", np.int8),  # from 1
        ("round_number", np.int16),  # from 1; 0 before the first player is known
        ("wave", np.int8),  # row; -1 before the first round
        ("first", np.int8),  # first player of the round; -1
        ("active", np.int8),  # whose turn it is; -1
        ("turn", np.int8),  # 0 the first player's of this wave, 1 the other's
        ("actions", np.int16),  # left in this turn
        ("lose_next", np.int16, SEATS),
        ("lose_now", np.int16, SEATS),
        ("ward", np.uint8, SEATS),
        ("played", np.int16, SEATS),  # orders played in this wave
        ("level", np.int16, SEATS),
        ("trophies", np.int8, SEATS),
        ("last_winner", np.int8),  # of the previous match; -1 none, or a tie
        ("result", np.int8),  # of this match: RUNNING, a seat, TIE
        ("out", np.int32, SEATS),  # sets of cards, by owner
        ("hand", np.int32, SEATS),  # with the leader that has been picked, until the reveal
        ("deck", np.int32, SEATS),
        ("discard", np.int32, SEATS),
        ("in_play", np.int32, SEATS),
        ("aside", np.int32, SEATS),
        ("known", np.int32, SEATS),  # of the hand: the other seat knows that it is there
        ("top", np.int8, (SEATS, MOST_FIXED)),  # fixed top cards, also in `deck`; -1
        ("fixed", np.int8, SEATS),  # how many
        ("drawn", np.int8),  # card just drawn by the active seat, which may play it (PLAY_DRAWN); -1
        ("leader", np.int8, SEATS),  # picked type; -1 before
        ("revealed", np.uint8),
        ("card", np.int8, (SEATS, SLOTS)),  # type of the hero or corpse; -1 empty, also on slot 4
        ("heroes", np.int16, SEATS),  # slots with a living hero
        ("corpses", np.int16, SEATS),  # slots with a corpse
        ("captives", np.int16, SEATS),  # living heroes that the other seat owns
        ("damage", np.int16, (SEATS, SLOTS)),
        ("boost", np.int16, (SEATS, SLOTS)),
        ("acted", np.int16, SEATS),  # sets of slots, like the next four; the leader has `acted` only
        ("fresh", np.int16, SEATS),
        ("moved", np.int16, SEATS),
        ("hurt", np.int16, SEATS),
        ("struck", np.int16, SEATS),
        ("chain_orders", np.int32),  # orders being carried out, as a set of cards (PT-94)
        ("chain_powers", np.int32, ROWS),  # powers being carried out, by row
        # What the mover may do (see choices.py).
        ("may_pass", np.uint8),
        ("may_draw", np.uint8),
        ("may_recruit", np.uint8),  # columns for the cards of the hand
        ("recruit_row", np.int8),  # the row they belong to; -1
        ("may_order", np.uint8),  # NO_ORDERS, HAND_ORDERS, DRAWN_ORDER
        ("may_card", np.uint8),  # NO_CARDS, FROM_HAND, ...
        ("may_amount", np.uint8),  # 1 to this
        ("may_column", np.uint8),  # set of columns
        ("may_row", np.uint8),  # set of rows, own 0-2, foe 3-5
        ("may_melee", np.int16),  # sets of slots, like the next seven
        ("may_ranged", np.int16),
        ("may_power", np.int16),
        ("may_clear", np.int16),
        ("may_move", np.int16),
        ("may_move_to", np.uint8),  # set of columns
        ("may_own", np.int16),
        ("may_foe", np.int16),
        ("used", np.int32, EFFECTS_OF_A_CARD),  # [which] effects seen in the last step, as sets of cards
        ("attacked", np.int16),  # slots attacked by the last attack in the last step; 0 none
        ("depth", np.int8),  # frames on the stack
        ("stack", FRAME, STACK),
    ],
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
    Block("amount", (10,), "pick a number from 1 to 10"),
    Block("column", (COLUMNS,), "pick a column"),
    Block("row", (2 * ROWS,), "pick a row: own V, F, R, foe V, F, R"),
)
PASS = ACTIONS.offset("pass")
DRAW = ACTIONS.offset("draw")
RECRUIT_BLOCK = ACTIONS.offset("recruit")
MELEE_BLOCK = ACTIONS.offset("melee")
RANGED_BLOCK = ACTIONS.offset("ranged")
POWER_BLOCK = ACTIONS.offset("power")
ORDER_BLOCK = ACTIONS.offset("order")
CLEAR_BLOCK = ACTIONS.offset("clear")
MOVE_BLOCK = ACTIONS.offset("move")
OWN_BLOCK = ACTIONS.offset("own")
FOE_BLOCK = ACTIONS.offset("foe")
CARD_BLOCK = ACTIONS.offset("card")
AMOUNT_BLOCK = ACTIONS.offset("amount")
COLUMN_BLOCK = ACTIONS.offset("column")
ROW_BLOCK = ACTIONS.offset("row")
MAX_LEGAL = 120
"""An empty row (15 actions of heroes elsewhere), 24 cards to recruit in three columns or to play: 113."""
