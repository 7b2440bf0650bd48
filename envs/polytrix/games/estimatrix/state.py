"""The record of a game of Estimatrix Spectrum, its phases, options and actions.

Colours are 0 to 5. Tables that remember colours by word hold 1 + colour, and 0 for none, so that an
observation is a copy of their rows. Word v is the place v % 8 of domain v // 8.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.layout import Block, Layout
from polytrix.core.options import Choice, Flag, Integer, Options
from polytrix.core.state import Record, state_dtype

SEATS = 6
LETTERS = "MATRIX"
PIECES = 6  # of each letter (ES-02)

COLOURS = ("white", "yellow", "red", "green", "blue", "purple")
CODES = "WYRGBP"
WHITE, YELLOW, RED, GREEN, BLUE, PURPLE = range(6)
COLOUR_COUNT = len(COLOURS)

DOMAINS = 6
PLACES = 8  # words of a domain
WORDS = DOMAINS * PLACES
FACES = 6  # of a word
WAVELENGTHS = 3  # at most, in a domain

SETUP, BAN, ROLL, HINT, DIE, FINISHED = range(6)
PHASES = ("SETUP", "BAN", "ROLL", "HINT", "DIE", "OVER")

LEXICON, SYMBOLS, NO_HINTS = 0, 1, 2  # values of the option hints
CHOSEN, ROLLED = 0, 1  # values of the option ban

NONE = -1
"""No seat, no colour, no word."""

OPTIONS = Options(
    Choice("players", (3, 4, 5, 6), 4, "who takes part; each has a letter of MATRIX"),
    Flag("advanced", False, "a pair that would exchange a second time gives its letters back instead"),
    Choice(
        "hints",
        ("lexicon", "symbols", "none"),
        "lexicon",
        "words that every seat reads in its own way, tokens without a meaning, or no hints at all",
    ),
    Integer("wavelengths", 2, WAVELENGTHS, 3, "ways to read the words of a domain"),
    Integer("acquaintance", 0, 2, 1, "words of each domain whose readings are public from the start"),
    Integer("domains", 1, 63, 63, "sum of 1 food, 2 nature, 4 animals, 8 street, 16 culture, 32 feelings"),
    Choice("ban", ("choice", "rolled"), "choice", "the Kvanter bans a colour or rolls for it, or always rolls"),
    Integer("max_turns", 1, 1000, 100, "the game is cut off after so many turns"),
)

STATE = state_dtype(
    OPTIONS,
    [
        ("turn", np.int16),  # from 1
        ("phase", np.int8),
        ("dealt_row", np.int8),  # set-up: -1 first Negater, 0..47 a word, from 48 a seat's wavelengths
        ("dealt_column", np.int8),  # wavelength of the word, or domain of the seat, that is drawn next
        ("kvanter", np.int8),
        ("negater", np.int8),
        ("negater_turns", np.int8),  # 1 or 2, the running turn counted
        ("banned", np.int8),  # colour
        ("hint", np.int8),  # word
        ("waited", np.uint8),  # the Kvanter lets the others answer first
        ("die", np.int8, SEATS),  # colour; NONE not set
        ("pair", np.int8, (SEATS, SEATS)),  # 1: the two hold each other's letter
        ("received", np.int8, SEATS),  # letters of others held: flags set in the seat's row of `pair`
        ("reading", np.int8, (WORDS, WAVELENGTHS)),  # colour; NONE not drawn
        ("wave", np.int8, (SEATS, DOMAINS)),  # wavelength; NONE not drawn
        ("own", np.int8, (SEATS, WORDS)),  # 1 + the seat's reading of the word, as the two above say
        ("known", np.int8, (SEATS, WORDS)),  # 1 + colour: introduced reading, or die when it was last the hint
        ("known_ban", np.int8, WORDS),  # 1 + colour banned then; 0 for introduced words
        ("said", np.int8, WORDS),  # 1 + the Kvanter's colour when the word was last the hint
        ("said_by", np.int8, WORDS),  # 1 + that Kvanter
        ("echo", np.int8, (SEATS, SEATS, DOMAINS)),  # [seat, other, domain]: signs of a shared wavelength
        ("clash", np.int8, (SEATS, SEATS, DOMAINS)),  # signs against it
        ("last_die", np.int8, SEATS),  # dice of the turn before; NONE before the second turn
        ("last_kvanter", np.int8),
        ("last_negater", np.int8),
    ],
)

ACTIONS = Layout(
    Block("ban", (COLOUR_COUNT,), "ban the colour"),
    Block("roll", (1,), "roll the Kvanter die: it bans a colour"),
    Block("hint", (WORDS,), "give the word as the hint"),
    Block("set", (COLOUR_COUNT,), "set the own die to the colour"),
    Block("wait", (1,), "as Kvanter: let all others set their dice first"),
)
BAN_BLOCK = ACTIONS.offset("ban")
ROLL_IT = ACTIONS.offset("roll")
HINT_BLOCK = ACTIONS.offset("hint")
SET_BLOCK = ACTIONS.offset("set")
WAIT = ACTIONS.offset("wait")
MAX_LEGAL = WORDS


def seat_after(s: Record, seat: int) -> int:
    """The next seat clockwise."""
    following = int(seat) + 1
    return 0 if following == s.num_players else following


def seat_before(s: Record, seat: int) -> int:
    """The next seat counter-clockwise."""
    return int(seat) - 1 if seat > 0 else int(s.num_players) - 1


def places_from(s: Record, seat: int, other: int) -> int:
    """How many places clockwise of `seat` the other one sits."""
    distance = int(other) - int(seat)
    return distance + int(s.num_players) if distance < 0 else distance


def first_introduced(s: Record) -> int:
    """ES-12: from this place on the words of a domain are introduced; `PLACES` if none are."""
    options = s.options
    return PLACES - int(options.acquaintance) if options.hints == LEXICON else PLACES


def is_introduced(s: Record, word: int) -> bool:
    """ES-12: everybody knows how everybody reads the word."""
    return word % PLACES >= first_introduced(s)


def dice_are_open(s: Record) -> bool:
    """ES-25: no die is seen by others before all are set."""
    for seat in range(s.num_players):
        if s.die[seat] == NONE:
            return False
    return True
