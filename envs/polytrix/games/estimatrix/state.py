"""The record of an Estimatrix Spectrum game, its phases, options and actions.

Colours are 0 to 5. Fields that store a colour for each word hold 1 + colour, or 0 for none, so that
observations copy them as they are. Word v is number v % 8 of domain v // 8.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from polytrix.core.constants import Constants
from polytrix.core.layout import Axis, Layout, block
from polytrix.core.options import Choice, Flag, Integer, Options
from polytrix.core.state import Array, Record, Seen, field

SEATS = 6
LETTERS = "MATRIX"
PIECES = 6  # of each letter (ES-02)

COLOURS = ("white", "yellow", "red", "green", "blue", "purple")
CODES = "WYRGBP"
COLOUR_COUNT = len(COLOURS)

DOMAINS = 6
PLACES = 8  # words in a domain
WORDS = DOMAINS * PLACES
FACES = 6  # of each word
WAVELENGTHS = 3  # at most, in each domain
INTRODUCED = 2  # words, at most, in each domain

NONE = -1
"""No seat, no colour, no word."""


class Phase(Constants):
    """What the game waits for. SETUP and ROLL are chance events."""

    SETUP, BAN, ROLL, HINT, DIE, FINISHED = range(6)


class Hints(Constants):
    """Values of the option `hints`."""

    LEXICON, SYMBOLS, NONE = range(3)


class Ban(Constants):
    """Values of the option `ban`."""

    CHOICE, ROLLED = range(2)


MOST_TURNS = 1000
OPTIONS = Options(
    Choice("players", (3, 4, 5, 6), 4, "number of players; each has a letter of MATRIX"),
    Flag("advanced", False, "seats that would exchange a second time return their letters instead"),
    Choice(
        "hints",
        ("lexicon", "symbols", "none"),
        "lexicon",
        "lexicon: words that each seat reads in its own way; symbols: signs without a meaning; none: no hints",
    ),
    Integer("wavelengths", 2, WAVELENGTHS, 3, "number of ways to read the words of a domain"),
    Integer(
        "acquaintance",
        0,
        INTRODUCED,
        1,
        "number of words in each domain whose readings are public from the start",
    ),
    Integer("domains", 1, 63, 63, "sum of 1 food, 2 nature, 4 animals, 8 street, 16 culture, 32 feelings"),
    Choice(
        "ban",
        ("choice", "rolled"),
        "choice",
        "choice: the Kvanter bans a colour or rolls; rolled: only rolls",
    ),
    Integer("max_turns", 1, MOST_TURNS, 100, "maximum number of turns; the game is then truncated"),
)

MOST_ECHO = (FACES - 1) * PLACES
PRIVATE, IN_PART = Seen.PRIVATE, Seen.IN_PART


class State(Record):
    """The state of one game."""

    # from 1; observations show the number of turns left, at most 127
    turn: int = field(np.int16, 1, MOST_TURNS, seen=IN_PART)
    phase: int = field(np.int8, Phase.SETUP, Phase.FINISHED)
    # set-up: -1 draws the first Negater, 0..47 the readings of a word, 48 and up the wavelengths of a seat
    dealt_row: int = field(np.int8, NONE, WORDS + SEATS, seen=IN_PART)
    # which wavelength of the word, or which domain of the seat, is drawn next
    dealt_column: int = field(np.int8, 0, DOMAINS - 1, seen=IN_PART)
    kvanter: int = field(np.int8, NONE, SEATS - 1)
    negater: int = field(np.int8, NONE, SEATS - 1)
    banned: int = field(np.int8, NONE, COLOUR_COUNT - 1)  # colour
    hint: int = field(np.int8, NONE, WORDS - 1)  # word
    waited: int = field(np.uint8)  # the Kvanter sets his die last
    # colour; NONE not set. Others see only whether it is set, and its colour afterwards in `last_die`
    die: Array = field(np.int8, NONE, COLOUR_COUNT - 1, shape=SEATS, seen=PRIVATE)
    pair: Array = field(np.int8, 0, 1, shape=(SEATS, SEATS))  # 1: the two hold each other's letter
    # colour; NONE not drawn
    reading: Array = field(np.int8, NONE, COLOUR_COUNT - 1, shape=(WAVELENGTHS, WORDS), seen=IN_PART)
    # wavelength; NONE not drawn
    wave: Array = field(np.int8, NONE, WAVELENGTHS - 1, shape=(SEATS, DOMAINS), seen=IN_PART)
    # 1 + colour: the reading of an introduced word, else the seat's die when the word was last the hint
    known: Array = field(np.int8, 0, COLOUR_COUNT, shape=(SEATS, WORDS))
    # 1 + colour that was banned then; 0 for introduced words
    known_ban: Array = field(np.int8, 0, COLOUR_COUNT, shape=WORDS)
    # 1 + the Kvanter's colour when the word was last the hint
    said: Array = field(np.int8, 0, COLOUR_COUNT, shape=WORDS)
    said_by: Array = field(np.int8, 0, SEATS, shape=WORDS)  # 1 + seat of that Kvanter
    # [seat, other, domain]: evidence that the two share a wavelength
    echo: Array = field(np.int8, 0, MOST_ECHO, shape=(SEATS, SEATS, DOMAINS), seen=PRIVATE)
    clash: Array = field(np.int8, 0, PLACES, shape=(SEATS, SEATS, DOMAINS), seen=PRIVATE)  # evidence against it
    # dice of the previous turn; NONE in the first turn
    last_die: Array = field(np.int8, NONE, COLOUR_COUNT - 1, shape=SEATS)
    last_kvanter: int = field(np.int8, NONE, SEATS - 1)
    last_negater: int = field(np.int8, NONE, SEATS - 1)


COLOUR = Axis("colour", COLOUR_COUNT)


class Act(Layout):
    """What a seat can do."""

    BAN = block(COLOUR, meaning="ban the colour")
    ROLL = block(meaning="roll the Kvanter die: it bans a colour")
    HINT = block(WORDS, meaning="give the word as the hint")
    SET = block(COLOUR, meaning="set the own die to the colour")
    WAIT = block(meaning="as Kvanter: let all others set their dice first")


ACTIONS = Act()
MAX_LEGAL = WORDS
SYMMETRIES = [{COLOUR.name: colours} for colours in permutations(range(COLOUR_COUNT))]
"""All colours are alike. A lexicon becomes the one whose faces have the exchanged colours."""

CLOCKWISE = np.array(
    [
        [[(seat + k) % n if k < n else k for k in range(SEATS)] for seat in range(SEATS)]
        for n in range(1, SEATS + 1)
    ],
    np.uint8,
)
"""[number of players - 1, seat, k]: the k-th seat clockwise from a seat. Absent seats stay where they are."""


def seat_after(s: State, seat: int) -> int:
    """The next seat clockwise."""
    following = seat + 1
    return 0 if following == s.num_players else following


def places_from(s: State, seat: int, other: int) -> int:
    """The number of places from `seat` clockwise to `other`."""
    distance = other - seat
    return distance + s.num_players if distance < 0 else distance


def turn_of_service(s: State) -> int:
    """ES-41: 1 in the first turn of the Negater, 2 in the second."""
    return 2 - s.turn % 2


def own_reading(s: State, seat: int, word: int) -> int:
    """ES-10: 1 + the colour that the seat reads the word as, by its wavelength. With the lexicon only."""
    return int(s.reading[s.wave[seat, word // PLACES], word]) + 1


def first_introduced(s: State) -> int:
    """ES-12: the first introduced place of each domain; `PLACES` if no words are introduced."""
    options = s.options
    return PLACES - options.acquaintance if options.hints == Hints.LEXICON else PLACES


def is_introduced(s: State, word: int) -> bool:
    """ES-12: all seats' readings of the word are public."""
    return word % PLACES >= first_introduced(s)


def dice_are_open(s: State) -> bool:
    """ES-25: dice are hidden from other seats until all are set."""
    for seat in range(s.num_players):
        if s.die[seat] == NONE:
            return False
    return True
