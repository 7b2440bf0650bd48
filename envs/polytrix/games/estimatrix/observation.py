"""Observations: everything but hidden dice, wavelengths and the other seats' readings.

Knowledge about 48 words and six seats is written as numbers (1 + colour), as few of them matter at a time.
The part that matters for the current decision appears once more in blocks of its own: the hint with
everything known about it, one-hot, and the evidence about Kvanter and Negater.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.constants import Constants
from polytrix.core.layout import Axis, Block, Layout
from polytrix.core.state import OVER, ByteArray

from .lexicon import COUNT, SHARE
from .state import (
    CLOCKWISE,
    CODES,
    COLOUR_COUNT,
    COLOURS,
    DOMAINS,
    FACES,
    MOST_ECHO,
    PLACES,
    SEATS,
    WAVELENGTHS,
    WORDS,
    Ban,
    Hints,
    Phase,
    State,
    places_from,
)

LARGEST = 127
_SEAT, _OTHER = Axis("seat", SEATS), Axis("other seat", SEATS - 1)
_WORD, _DOMAIN, _COLOUR = Axis("word", WORDS), Axis("domain", DOMAINS), Axis("colour", COLOUR_COUNT)

OBSERVATIONS = Layout(
    Block("seats", (_SEAT,), "the seat plays; here and below, entry k is the k-th seat to the viewer's left"),
    Block("kvanter", (_SEAT,), "the Kvanter", one_hot=1),
    Block("negater", (_SEAT,), "the Negater", one_hot=1),
    Block("negater_last", (1,), "the Negater serves the second turn"),
    Block("phase", (4,), "BAN (also while chance is pending), HINT, DIE, OVER", one_hot=1),
    Block("mover", (_SEAT,), "who decides", one_hot=1),
    Block("banned", (_COLOUR,), ", ".join(COLOURS), one_hot=1),
    Block("waited", (1,), "the Kvanter has waited"),
    Block("placed", (_SEAT,), "the seat has set its die"),
    Block("own_die", (_COLOUR,), "the viewer's die", one_hot=1),
    Block("pairs", (_SEAT, _SEAT), "the two seats hold each other's letter"),
    Block("received", (_SEAT,), "letters of others that the seat holds", high=SEATS - 1),
    Block("near", (_SEAT,), "it lacks one letter only"),
    Block(
        "exchange",
        (_SEAT,),
        "what happens if the seat hits as Estimator: 1 exchange, -1 return, 0 nothing",
        low=-1,
    ),
    Block("hint", (_WORD,), "the hint", one_hot=1),
    Block("hint_domain", (_DOMAIN,), "its domain; of symbols, their block of eight", one_hot=1),
    Block("hint_faces", (_COLOUR,), "how many of its faces have the colour", high=FACES),
    Block("hint_reading", (_COLOUR,), "the viewer's reading of the hint", one_hot=1),
    Block("hint_known", (_SEAT, _COLOUR), "`known` of the hint", one_hot=1),
    Block("hint_said", (_COLOUR,), "`said` of the hint", one_hot=1),
    Block("hint_by", (_SEAT,), "`said_by` of the hint", one_hot=1),
    Block("hint_kvanter", (_COLOUR,), "`known` of the hint and the Kvanter", one_hot=1),
    Block("hint_again", (_COLOUR,), "`said` of the hint, if the same Kvanter gave it", one_hot=1),
    Block(
        "hint_echo",
        (2,),
        "the viewer's echo with Kvanter and Negater in the hint's domain",
        high=MOST_ECHO,
    ),
    Block("hint_clash", (2,), "the clash likewise", high=PLACES),
    Block("reading", (_WORD,), f"the viewer's reading, 1 to 6 for {CODES}", high=COLOUR_COUNT),
    Block(
        "share",
        (_WORD,),
        "for the Kvanter before the hint: faces like the viewer's reading; 6 if the colour is public, "
        "0 if it is banned",
        high=FACES,
    ),
    Block(
        "said",
        (_WORD,),
        "the Kvanter's colour when the word was last the hint, 1 to 6; 0 never",
        high=COLOUR_COUNT,
    ),
    Block("said_by", (_WORD,), "that Kvanter, 1 for the viewer to 6", high=SEATS),
    Block(
        "known",
        (_SEAT, _WORD),
        "the seat's die when the word was last the hint, 1 to 6; of introduced words, its reading",
        high=COLOUR_COUNT,
    ),
    Block("known_ban", (_WORD,), "the colour banned then, 1 to 6", high=COLOUR_COUNT),
    Block(
        "echo",
        (_OTHER, _DOMAIN),
        "k-th other seat: words it seems to read like the viewer, each 6 less its faces of that colour",
        high=MOST_ECHO,
    ),
    Block("clash", (_OTHER, _DOMAIN), "words that they seem to read differently", high=PLACES),
    Block("negater_echo", (_DOMAIN,), "for the Kvanter: its row of `echo` with the Negater", high=MOST_ECHO),
    Block("negater_clash", (_DOMAIN,), "its row of `clash` with the Negater", high=PLACES),
    Block(
        "partner_echo",
        (_DOMAIN,),
        "for the Kvanter: sum of its rows of `echo` with seats it can exchange with, at most 127",
        high=LARGEST,
    ),
    Block("partner_clash", (_DOMAIN,), "the same of `clash`", high=PLACES * (SEATS - 2)),
    Block("last_dice", (_SEAT, _COLOUR), "dice of the turn before", one_hot=1),
    Block("last_kvanter", (_SEAT,), "its Kvanter", one_hot=1),
    Block("last_negater", (_SEAT,), "its Negater", one_hot=1),
    Block("opt_advanced", (1,), "the option advanced"),
    Block("opt_hints", (3,), "lexicon, symbols, none", one_hot=1),
    Block("opt_domains", (_DOMAIN,), "the domain may be used"),
    Block("opt_wavelengths", (WAVELENGTHS,), "1, 2, 3 (with the lexicon)", one_hot=1),
    Block("opt_acquaintance", (2,), "at least one, at least two introduced words (with the lexicon)"),
    Block("opt_rolled", (1,), "the ban is always rolled"),
    Block(
        "turns_left", (1,), "until max_turns, the running turn counted, at most 127; 0 once over", high=LARGEST
    ),
    Block("clock", (1,), "127 x decisions / max_decisions, rounded down", high=LARGEST),
)


class Obs(Constants):
    """First entry of each block."""

    SEATS = OBSERVATIONS.offset("seats")
    KVANTER = OBSERVATIONS.offset("kvanter")
    NEGATER = OBSERVATIONS.offset("negater")
    NEGATER_LAST = OBSERVATIONS.offset("negater_last")
    PHASE = OBSERVATIONS.offset("phase")
    MOVER = OBSERVATIONS.offset("mover")
    BANNED = OBSERVATIONS.offset("banned")
    WAITED = OBSERVATIONS.offset("waited")
    PLACED = OBSERVATIONS.offset("placed")
    OWN_DIE = OBSERVATIONS.offset("own_die")
    PAIRS = OBSERVATIONS.offset("pairs")
    RECEIVED = OBSERVATIONS.offset("received")
    NEAR = OBSERVATIONS.offset("near")
    EXCHANGE = OBSERVATIONS.offset("exchange")
    HINT = OBSERVATIONS.offset("hint")
    HINT_DOMAIN = OBSERVATIONS.offset("hint_domain")
    HINT_FACES = OBSERVATIONS.offset("hint_faces")
    HINT_READING = OBSERVATIONS.offset("hint_reading")
    HINT_KNOWN = OBSERVATIONS.offset("hint_known")
    HINT_SAID = OBSERVATIONS.offset("hint_said")
    HINT_BY = OBSERVATIONS.offset("hint_by")
    HINT_KVANTER = OBSERVATIONS.offset("hint_kvanter")
    HINT_AGAIN = OBSERVATIONS.offset("hint_again")
    HINT_ECHO = OBSERVATIONS.offset("hint_echo")
    HINT_CLASH = OBSERVATIONS.offset("hint_clash")
    READING = OBSERVATIONS.offset("reading")
    SHARE = OBSERVATIONS.offset("share")
    SAID = OBSERVATIONS.offset("said")
    SAID_BY = OBSERVATIONS.offset("said_by")
    KNOWN = OBSERVATIONS.offset("known")
    KNOWN_BAN = OBSERVATIONS.offset("known_ban")
    ECHO = OBSERVATIONS.offset("echo")
    CLASH = OBSERVATIONS.offset("clash")
    NEGATER_ECHO = OBSERVATIONS.offset("negater_echo")
    NEGATER_CLASH = OBSERVATIONS.offset("negater_clash")
    PARTNER_ECHO = OBSERVATIONS.offset("partner_echo")
    PARTNER_CLASH = OBSERVATIONS.offset("partner_clash")
    LAST_DICE = OBSERVATIONS.offset("last_dice")
    LAST_KVANTER = OBSERVATIONS.offset("last_kvanter")
    LAST_NEGATER = OBSERVATIONS.offset("last_negater")
    OPT_ADVANCED = OBSERVATIONS.offset("opt_advanced")
    OPT_HINTS = OBSERVATIONS.offset("opt_hints")
    OPT_DOMAINS = OBSERVATIONS.offset("opt_domains")
    OPT_WAVELENGTHS = OBSERVATIONS.offset("opt_wavelengths")
    OPT_ACQUAINTANCE = OBSERVATIONS.offset("opt_acquaintance")
    OPT_ROLLED = OBSERVATIONS.offset("opt_rolled")
    TURNS_LEFT = OBSERVATIONS.offset("turns_left")
    CLOCK = OBSERVATIONS.offset("clock")


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
    if s.hint >= 0:
        show_hint(s, seat, out)
    if s.options.hints == Hints.LEXICON:
        show_evidence(s, seat, out)
        if seat == s.kvanter:
            show_audience(s, seat, out)
            if (s.phase == Phase.BAN or s.phase == Phase.HINT) and s.mover != OVER:
                show_shares(s, seat, out)


# -- seats and turn -------------------------------------------------------------------------------


def show_seats(s: State, seat: int, out: ByteArray) -> None:
    """Seats, their letters, the previous turn's dice, and all roles."""
    n, received, last_die, pair = int(s.num_players), s.received, s.last_die, s.pair
    rows = CLOCKWISE[n - 1, seat]
    for k in range(n):
        row = rows[k]
        out[Obs.SEATS + k] = 1
        out[Obs.RECEIVED + k] = received[row]
        out[Obs.NEAR + k] = received[row] == n - 2
        if last_die[row] >= 0:
            out[Obs.LAST_DICE + COLOUR_COUNT * k + int(last_die[row])] = 1
        for j in range(n):
            out[Obs.PAIRS + SEATS * k + j] = pair[row, rows[j]]
    show_seat(s, seat, int(s.last_kvanter), Obs.LAST_KVANTER, out)
    show_seat(s, seat, int(s.last_negater), Obs.LAST_NEGATER, out)
    show_seat(s, seat, int(s.negater), Obs.NEGATER, out)
    show_seat(s, seat, int(s.kvanter), Obs.KVANTER, out)
    show_seat(s, seat, int(s.mover), Obs.MOVER, out)


def show_seat(s: State, seat: int, other: int, at: int, out: ByteArray) -> None:
    """Set the entry of a seat in a one-hot block; nothing if `other` is negative."""
    if other >= 0:
        out[at + places_from(s, seat, other)] = 1


def show_turn(s: State, seat: int, out: ByteArray) -> None:
    """The public part of the current turn, and the viewer's own die."""
    out[Obs.NEGATER_LAST] = s.negater_turns == 2
    out[Obs.WAITED] = s.waited
    if s.banned >= 0:
        out[Obs.BANNED + int(s.banned)] = 1
    if s.die[seat] >= 0:
        out[Obs.OWN_DIE + int(s.die[seat])] = 1
    n, kvanter, die, pair = int(s.num_players), int(s.kvanter), s.die, s.pair
    change = 2 if s.options.advanced else 1  # ES-34: between two who hold each other's letter
    rows = CLOCKWISE[n - 1, seat]
    for k in range(n):
        row = rows[k]
        out[Obs.PLACED + k] = die[row] >= 0  # ES-25: without its colour
        out[Obs.EXCHANGE + k] = 1 - change * int(pair[kvanter, row])
    out[Obs.EXCHANGE + places_from(s, seat, kvanter)] = 0
    out[Obs.EXCHANGE + places_from(s, seat, int(s.negater))] = 0


def show_options(s: State, out: ByteArray) -> None:
    """Options, phase and clocks."""
    options = s.options
    out[Obs.OPT_ADVANCED] = options.advanced
    out[Obs.OPT_HINTS + int(options.hints)] = 1
    domains = int(options.domains)
    for domain in range(DOMAINS):
        out[Obs.OPT_DOMAINS + domain] = domains >> domain & 1
    if options.hints == Hints.LEXICON:
        out[Obs.OPT_WAVELENGTHS + int(options.wavelengths) - 1] = 1
        out[Obs.OPT_ACQUAINTANCE] = options.acquaintance >= 1
        out[Obs.OPT_ACQUAINTANCE + 1] = options.acquaintance >= 2
    out[Obs.OPT_ROLLED] = options.ban == Ban.ROLLED
    out[Obs.CLOCK] = LARGEST * int(s.decisions) // int(options.max_decisions)
    if s.mover == OVER or s.phase == Phase.FINISHED:
        out[Obs.PHASE + ShownPhase.OVER] = 1
        return
    out[Obs.TURNS_LEFT] = min(LARGEST, int(options.max_turns) - int(s.turn) + 1)
    if s.phase == Phase.HINT:
        out[Obs.PHASE + ShownPhase.HINT] = 1
    elif s.phase == Phase.DIE:
        out[Obs.PHASE + ShownPhase.DIE] = 1
    else:
        out[Obs.PHASE + ShownPhase.BAN] = 1


# -- words ----------------------------------------------------------------------------------------


def show_words(s: State, seat: int, out: ByteArray) -> None:
    """ES-10, ES-46: the viewer's own readings, and the latest use of each word.

    LLVM turns these loops into vector instructions because they have no branches, and do too much to be
    unrolled whole. So the rows of absent seats are copied, too: they are zero. 8-bit numbers stay 8 bits wide.
    """
    n = int(s.num_players)
    own, said, said_by, known, known_ban = s.own, s.said, s.said_by, s.known, s.known_ban
    after, before = np.int8(seat), np.int8(n - seat)
    for word in range(WORDS):
        out[Obs.READING + word] = own[seat, word]
        out[Obs.SAID + word] = said[word]
        out[Obs.KNOWN_BAN + word] = known_ban[word]
        giver = said_by[word]
        place = giver - after if giver > after else giver + before
        out[Obs.SAID_BY + word] = place if giver != 0 else 0
    rows = CLOCKWISE[n - 1, seat]
    for word in range(WORDS):
        for k in range(SEATS):
            out[Obs.KNOWN + WORDS * k + word] = known[rows[k], word]


def show_hint(s: State, seat: int, out: ByteArray) -> None:
    """The hint and everything known about it."""
    word, n, known = int(s.hint), int(s.num_players), s.known
    domain = word // PLACES
    out[Obs.HINT + word] = 1
    out[Obs.HINT_DOMAIN + domain] = 1
    rows = CLOCKWISE[n - 1, seat]
    for k in range(n):
        show_colour(int(known[rows[k], word]), Obs.HINT_KNOWN + COLOUR_COUNT * k, out)
    show_colour(int(s.known[s.kvanter, word]), Obs.HINT_KVANTER, out)
    show_colour(int(s.said[word]), Obs.HINT_SAID, out)
    giver = int(s.said_by[word]) - 1
    show_seat(s, seat, giver, Obs.HINT_BY, out)
    if giver == s.kvanter:
        show_colour(int(s.said[word]), Obs.HINT_AGAIN, out)
    if s.options.hints == Hints.LEXICON:
        for colour in range(COLOUR_COUNT):
            out[Obs.HINT_FACES + colour] = COUNT[word, colour]
        show_colour(int(s.own[seat, word]), Obs.HINT_READING, out)
        out[Obs.HINT_ECHO] = s.echo[seat, s.kvanter, domain]
        out[Obs.HINT_ECHO + 1] = s.echo[seat, s.negater, domain]
        out[Obs.HINT_CLASH] = s.clash[seat, s.kvanter, domain]
        out[Obs.HINT_CLASH + 1] = s.clash[seat, s.negater, domain]


def show_colour(stored: int, at: int, out: ByteArray) -> None:
    """Set the entry of a stored colour (1 + colour) in a one-hot block; nothing for 0."""
    if stored:
        out[at + stored - 1] = 1


def show_evidence(s: State, seat: int, out: ByteArray) -> None:
    """The viewer's evidence about the other seats' wavelengths."""
    n, echo, clash = int(s.num_players), s.echo, s.clash
    rows = CLOCKWISE[n - 1, seat]
    for k in range(1, n):
        row = rows[k]
        for domain in range(DOMAINS):
            out[Obs.ECHO + DOMAINS * (k - 1) + domain] = echo[seat, row, domain]
            out[Obs.CLASH + DOMAINS * (k - 1) + domain] = clash[seat, row, domain]


def show_audience(s: State, seat: int, out: ByteArray) -> None:
    """The Kvanter's evidence about the Negater, and summed over the seats that it can exchange with."""
    echo, clash, negater = s.echo, s.clash, int(s.negater)
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


def show_shares(s: State, seat: int, out: ByteArray) -> None:
    """The chance, in sixths, that a seat on another wavelength sets the Kvanter's reading of a word."""
    own, said, banned = s.own, s.said, np.int8(s.banned + 1)
    shares = SHARE[int(s.options.acquaintance)]
    for word in range(WORDS):
        reading = own[seat, word]
        share = FACES if reading == said[word] else shares[word, reading]
        out[Obs.SHARE + word] = share if reading != banned else 0
