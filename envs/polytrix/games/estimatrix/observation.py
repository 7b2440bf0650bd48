"""Observations: everything but hidden dice, wavelengths and the other seats' readings.

Knowledge about 48 words and six seats is written as numbers (1 + colour), as few of them matter at a time.
The part that matters for the current decision appears once more in blocks of its own: the hint with
everything known about it, one-hot, and the evidence about Kvanter and Negater.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.constants import Constants
from polytrix.core.layout import Axis, Layout, block
from polytrix.core.state import OVER, ByteArray

from .exchange import received
from .lexicon import COUNT
from .state import (
    CLOCKWISE,
    CODES,
    COLOUR,
    COLOUR_COUNT,
    COLOURS,
    DOMAINS,
    FACES,
    LETTERS,
    MOST_ECHO,
    PLACES,
    SEATS,
    WAVELENGTHS,
    WORDS,
    Ban,
    Hints,
    Phase,
    State,
    first_introduced,
    places_from,
    turn_of_service,
)

LARGEST = 127
_SEAT, _OTHER = Axis("seat", SEATS), Axis("other seat", SEATS - 1)
_WORD, _DOMAIN = Axis("word", WORDS), Axis("domain", DOMAINS)


class Obs(Layout):
    """What a seat knows."""

    SEATS = block(
        _SEAT, meaning="the seat plays; here and below, entry k is the k-th seat to the viewer's left"
    )
    KVANTER = block(_SEAT, meaning="the Kvanter", one_hot=1)
    NEGATER = block(_SEAT, meaning="the Negater", one_hot=1)
    NEGATER_LAST = block(meaning="the Negater serves the second turn")
    PHASE = block(4, meaning="BAN (also while chance is pending), HINT, DIE, OVER", one_hot=1)
    MOVER = block(_SEAT, meaning="who decides", one_hot=1)
    BANNED = block(COLOUR, meaning=", ".join(COLOURS), one_hot=1)
    WAITED = block(meaning="the Kvanter has waited")
    PLACED = block(_SEAT, meaning="the seat has set its die")
    OWN_DIE = block(COLOUR, meaning="the viewer's die", one_hot=1)
    PAIRS = block(_SEAT, _SEAT, meaning="the two seats hold each other's letter")
    RECEIVED = block(_SEAT, meaning="letters of others that the seat holds", high=len(LETTERS) - 1)
    NEAR = block(_SEAT, meaning="it lacks one letter only")
    EXCHANGE = block(
        _SEAT, meaning="what happens if the seat hits as Estimator: 1 exchange, -1 return, 0 nothing", low=-1
    )
    HINT = block(_WORD, meaning="the hint", one_hot=1)
    HINT_DOMAIN = block(_DOMAIN, meaning="its domain; of symbols, their block of eight", one_hot=1)
    HINT_FACES = block(COLOUR, meaning="how many of its faces have the colour", high=FACES)
    HINT_READING = block(COLOUR, meaning="the viewer's reading of the hint", one_hot=1)
    HINT_KNOWN = block(_SEAT, COLOUR, meaning="`known` of the hint", one_hot=1)
    HINT_SAID = block(COLOUR, meaning="`said` of the hint", one_hot=1)
    HINT_BY = block(_SEAT, meaning="`said_by` of the hint", one_hot=1)
    HINT_KVANTER = block(COLOUR, meaning="`known` of the hint and the Kvanter", one_hot=1)
    HINT_AGAIN = block(COLOUR, meaning="`said` of the hint, if the same Kvanter gave it", one_hot=1)
    HINT_ECHO = block(
        2, meaning="the viewer's echo with Kvanter and Negater in the hint's domain", high=MOST_ECHO
    )
    HINT_CLASH = block(2, meaning="the clash likewise", high=PLACES)
    READING = block(
        _WORD, meaning=f"the viewer's reading, 1 to 6 for {CODES}", high=COLOUR_COUNT, names=COLOUR.name
    )
    SHARE = block(
        _WORD,
        meaning="for the Kvanter before the hint: faces like the viewer's reading; 6 if the colour is public, "
        "0 if it is banned",
        high=FACES,
    )
    SAID = block(
        _WORD,
        meaning="the Kvanter's colour when the word was last the hint, 1 to 6; 0 never",
        high=COLOUR_COUNT,
        names=COLOUR.name,
    )
    SAID_BY = block(_WORD, meaning="that Kvanter, 1 for the viewer to 6", high=len(LETTERS))
    KNOWN = block(
        _SEAT,
        _WORD,
        meaning="the seat's die when the word was last the hint, 1 to 6; of introduced words, its reading",
        high=COLOUR_COUNT,
        names=COLOUR.name,
    )
    KNOWN_BAN = block(_WORD, meaning="the colour banned then, 1 to 6", high=COLOUR_COUNT, names=COLOUR.name)
    ECHO = block(
        _OTHER,
        _DOMAIN,
        meaning="k-th other seat: words it seems to read like the viewer, each 6 less its faces of that colour",
        high=MOST_ECHO,
    )
    CLASH = block(_OTHER, _DOMAIN, meaning="words that they seem to read differently", high=PLACES)
    NEGATER_ECHO = block(_DOMAIN, meaning="for the Kvanter: its row of `echo` with the Negater", high=MOST_ECHO)
    NEGATER_CLASH = block(_DOMAIN, meaning="its row of `clash` with the Negater", high=PLACES)
    PARTNER_ECHO = block(
        _DOMAIN,
        meaning="for the Kvanter: sum of its rows of `echo` with seats it can exchange with, at most 127",
        high=LARGEST,
    )
    PARTNER_CLASH = block(_DOMAIN, meaning="the same of `clash`", high=PLACES * (len(LETTERS) - 2))
    LAST_DICE = block(_SEAT, COLOUR, meaning="dice of the turn before", one_hot=1)
    LAST_KVANTER = block(_SEAT, meaning="its Kvanter", one_hot=1)
    LAST_NEGATER = block(_SEAT, meaning="its Negater", one_hot=1)
    OPT_ADVANCED = block(meaning="the option advanced")
    OPT_HINTS = block(3, meaning="lexicon, symbols, none", one_hot=1)
    OPT_DOMAINS = block(_DOMAIN, meaning="the domain may be used")
    OPT_WAVELENGTHS = block(WAVELENGTHS, meaning="1, 2, 3 (with the lexicon)", one_hot=1)
    OPT_ACQUAINTANCE = block(2, meaning="at least one, at least two introduced words (with the lexicon)")
    OPT_ROLLED = block(meaning="the ban is always rolled")
    TURNS_LEFT = block(
        meaning="until max_turns, the running turn counted, at most 127; 0 once over", high=LARGEST
    )
    CLOCK = block(meaning="127 x decisions / max_decisions, rounded down", high=LARGEST)


class ShownPhase(Constants):
    """Entries of the block `phase`."""

    BAN, HINT, DIE, OVER = range(4)


def observe(s: State, seat: int, out: ByteArray) -> None:
    """Write the observation of `seat`, which counts the other seats clockwise from itself."""
    show_options(s, out)
    show_seats(s, seat, out)
    if s.phase == Phase.SETUP:
        return
    show_words(s, seat, out)
    show_turn(s, seat, out)
    if s.options.hints == Hints.LEXICON:
        show_readings(s, seat, out)
        show_evidence(s, seat, out)
        if seat == s.kvanter:
            show_audience(s, seat, out)
            if (s.phase == Phase.BAN or s.phase == Phase.HINT) and s.mover != OVER:
                show_shares(s, out)
    if s.hint >= 0:
        show_hint(s, seat, out)


# -- seats and turn -------------------------------------------------------------------------------


def show_seats(s: State, seat: int, out: ByteArray) -> None:
    """Seats, their letters, the previous turn's dice, and all roles."""
    n, last_die, pair = s.num_players, s.last_die, s.pair
    rows = CLOCKWISE[n - 1, seat]
    for k in range(n):
        row = rows[k]
        out[Obs.SEATS + k] = 1
        out[Obs.RECEIVED + k] = received(s, row)
        out[Obs.NEAR + k] = out[Obs.RECEIVED + k] == n - 2
        if last_die[row] >= 0:
            out[Obs.LAST_DICE + COLOUR_COUNT * k + int(last_die[row])] = 1
        for j in range(n):
            out[Obs.PAIRS + SEATS * k + j] = pair[row, rows[j]]
    show_seat(s, seat, s.last_kvanter, Obs.LAST_KVANTER, out)
    show_seat(s, seat, s.last_negater, Obs.LAST_NEGATER, out)
    show_seat(s, seat, s.negater, Obs.NEGATER, out)
    show_seat(s, seat, s.kvanter, Obs.KVANTER, out)
    show_seat(s, seat, s.mover, Obs.MOVER, out)


def show_seat(s: State, seat: int, other: int, at: int, out: ByteArray) -> None:
    """Set the entry of a seat in a one-hot block; nothing if `other` is negative."""
    if other >= 0:
        out[at + places_from(s, seat, other)] = 1


def show_turn(s: State, seat: int, out: ByteArray) -> None:
    """The public part of the current turn, and the viewer's own die."""
    out[Obs.NEGATER_LAST] = turn_of_service(s) == 2
    out[Obs.WAITED] = s.waited
    if s.banned >= 0:
        out[Obs.BANNED + s.banned] = 1
    if s.die[seat] >= 0:
        out[Obs.OWN_DIE + int(s.die[seat])] = 1
    n, kvanter, die, pair = s.num_players, s.kvanter, s.die, s.pair
    change = 2 if s.options.advanced else 1  # ES-34: between two who hold each other's letter
    rows = CLOCKWISE[n - 1, seat]
    for k in range(n):
        row = rows[k]
        out[Obs.PLACED + k] = die[row] >= 0  # ES-25: without its colour
        out[Obs.EXCHANGE + k] = 1 - change * pair[kvanter, row]
    out[Obs.EXCHANGE + places_from(s, seat, kvanter)] = 0
    out[Obs.EXCHANGE + places_from(s, seat, s.negater)] = 0


def show_options(s: State, out: ByteArray) -> None:
    """Options, phase and clocks."""
    options = s.options
    out[Obs.OPT_ADVANCED] = options.advanced
    out[Obs.OPT_HINTS + options.hints] = 1
    domains = options.domains
    for domain in range(DOMAINS):
        out[Obs.OPT_DOMAINS + domain] = domains >> domain & 1
    if options.hints == Hints.LEXICON:
        out[Obs.OPT_WAVELENGTHS + options.wavelengths - 1] = 1
        out[Obs.OPT_ACQUAINTANCE] = options.acquaintance >= 1
        out[Obs.OPT_ACQUAINTANCE + 1] = options.acquaintance >= 2
    out[Obs.OPT_ROLLED] = options.ban == Ban.ROLLED
    out[Obs.CLOCK] = LARGEST * s.decisions // options.max_decisions
    if s.mover == OVER or s.phase == Phase.FINISHED:
        out[Obs.PHASE + ShownPhase.OVER] = 1
        return
    out[Obs.TURNS_LEFT] = min(LARGEST, options.max_turns - s.turn + 1)
    if s.phase == Phase.HINT:
        out[Obs.PHASE + ShownPhase.HINT] = 1
    elif s.phase == Phase.DIE:
        out[Obs.PHASE + ShownPhase.DIE] = 1
    else:
        out[Obs.PHASE + ShownPhase.BAN] = 1


# -- words ----------------------------------------------------------------------------------------


def show_words(s: State, seat: int, out: ByteArray) -> None:
    """ES-46: the latest use of each word.

    LLVM turns these loops into vector instructions because they have no branches, and do too much to be
    unrolled whole. So the rows of absent seats are copied too: they are zero. 8-bit numbers stay 8 bits wide.
    """
    n = s.num_players
    said, said_by, known, known_ban = s.said, s.said_by, s.known, s.known_ban
    after, before = np.int8(seat), np.int8(n - seat)
    for word in range(WORDS):
        out[Obs.SAID + word] = said[word]
        out[Obs.KNOWN_BAN + word] = known_ban[word]
        giver = said_by[word]
        place = giver - after if giver > after else giver + before
        out[Obs.SAID_BY + word] = place if giver != 0 else 0
    rows = CLOCKWISE[n - 1, seat]
    for word in range(WORDS):
        for k in range(SEATS):
            out[Obs.KNOWN + WORDS * k + word] = known[rows[k], word]


def show_readings(s: State, seat: int, out: ByteArray) -> None:
    """ES-10: the viewer's own readings."""
    reading, wave = s.reading, s.wave
    for domain in range(DOMAINS):
        wavelength = wave[seat, domain]
        for word in range(PLACES * domain, PLACES * (domain + 1)):
            out[Obs.READING + word] = reading[wavelength, word] + 1


def show_hint(s: State, seat: int, out: ByteArray) -> None:
    """The hint and everything known about it."""
    word, n, known = s.hint, s.num_players, s.known
    domain = word // PLACES
    out[Obs.HINT + word] = 1
    out[Obs.HINT_DOMAIN + domain] = 1
    rows = CLOCKWISE[n - 1, seat]
    for k in range(n):
        show_colour(known[rows[k], word], Obs.HINT_KNOWN + COLOUR_COUNT * k, out)
    show_colour(known[s.kvanter, word], Obs.HINT_KVANTER, out)
    show_colour(s.said[word], Obs.HINT_SAID, out)
    giver = int(s.said_by[word]) - 1
    show_seat(s, seat, giver, Obs.HINT_BY, out)
    if giver == s.kvanter:
        show_colour(s.said[word], Obs.HINT_AGAIN, out)
    if s.options.hints == Hints.LEXICON:
        for colour in range(COLOUR_COUNT):
            out[Obs.HINT_FACES + colour] = COUNT[word, colour]
        show_colour(out[Obs.READING + word], Obs.HINT_READING, out)
        out[Obs.HINT_ECHO] = s.echo[seat, s.kvanter, domain]
        out[Obs.HINT_ECHO + 1] = s.echo[seat, s.negater, domain]
        out[Obs.HINT_CLASH] = s.clash[seat, s.kvanter, domain]
        out[Obs.HINT_CLASH + 1] = s.clash[seat, s.negater, domain]


def show_colour(stored: int, at: int, out: ByteArray) -> None:
    """Set the entry of a stored colour (1 + colour) in a one-hot block; nothing for 0."""
    if stored:
        out[at + int(stored) - 1] = 1


def show_evidence(s: State, seat: int, out: ByteArray) -> None:
    """The viewer's evidence about the other seats' wavelengths."""
    n, echo, clash = s.num_players, s.echo, s.clash
    rows = CLOCKWISE[n - 1, seat]
    for k in range(1, n):
        row = rows[k]
        for domain in range(DOMAINS):
            out[Obs.ECHO + DOMAINS * (k - 1) + domain] = echo[seat, row, domain]
            out[Obs.CLASH + DOMAINS * (k - 1) + domain] = clash[seat, row, domain]


def show_audience(s: State, seat: int, out: ByteArray) -> None:
    """The Kvanter's evidence about the Negater, and summed over the seats that it can exchange with."""
    echo, clash, negater = s.echo, s.clash, s.negater
    for domain in range(DOMAINS):
        out[Obs.NEGATER_ECHO + domain] = echo[seat, negater, domain]
        out[Obs.NEGATER_CLASH + domain] = clash[seat, negater, domain]
    for k in range(1, s.num_players):
        if out[Obs.EXCHANGE + k] == 1:
            row = DOMAINS * (k - 1)
            for domain in range(DOMAINS):
                total = int(out[Obs.PARTNER_ECHO + domain]) + int(out[Obs.ECHO + row + domain])
                out[Obs.PARTNER_ECHO + domain] = min(LARGEST, total)
                out[Obs.PARTNER_CLASH + domain] += out[Obs.CLASH + row + domain]


def show_shares(s: State, out: ByteArray) -> None:
    """The chance, in sixths, that a seat on another wavelength sets the Kvanter's reading of a word."""
    said, banned, introduced = s.said, np.int8(s.banned + 1), first_introduced(s)
    for word in range(WORDS):  # without branches, and & 7 as an index below 0 need not be looked for
        reading = out[Obs.READING + word]
        is_public = (reading == said[word]) | (word % PLACES >= introduced)
        share = COUNT[word, reading - 1 & 7]
        out[Obs.SHARE + word] = (share + (FACES - share) * is_public) * (reading != banned)
