"""What a seat may know: everything but the dice not yet open, and how others read the words."""

from __future__ import annotations

from polytrix.core.state import OVER, ByteArray

from .lexicon import COUNT
from .sight import (
    BANNED,
    CLASH,
    CLOCK,
    ECHO,
    EXCHANGE,
    HINT_AGAIN,
    HINT_BY,
    HINT_CLASH,
    HINT_DOMAIN,
    HINT_ECHO,
    HINT_FACES,
    HINT_GIVEN,
    HINT_KNOWN,
    HINT_KVANTER,
    HINT_READING,
    HINT_SAID,
    KNOWN,
    KNOWN_BAN,
    KVANTER,
    LARGEST,
    LAST_DICE,
    LAST_KVANTER,
    LAST_NEGATER,
    MOVER,
    NEAR,
    NEGATER,
    NEGATER_CLASH,
    NEGATER_ECHO,
    NEGATER_LAST,
    OPT_ACQUAINTANCE,
    OPT_ADVANCED,
    OPT_DOMAINS,
    OPT_HINTS,
    OPT_ROLLED,
    OPT_WAVELENGTHS,
    OWN_DIE,
    PAIRS,
    PARTNER_CLASH,
    PARTNER_ECHO,
    PHASE,
    PLACED,
    READING,
    RECEIVED,
    SAID,
    SAID_BY,
    SEATS_AT,
    SHARE,
    SHOWN_BAN,
    SHOWN_DIE,
    SHOWN_HINT,
    SHOWN_OVER,
    TURNS_LEFT,
    WAITED,
)
from .state import (
    BAN,
    COLOUR_COUNT,
    DIE,
    DOMAINS,
    FACES,
    FINISHED,
    HINT,
    LEXICON,
    PLACES,
    ROLLED,
    SEATS,
    SETUP,
    WORDS,
    State,
    first_introduced,
    places_from,
    seat_after,
)


def observe(s: State, seat: int, out: ByteArray) -> None:
    """What `seat` may know, with the others numbered from its left."""
    show_options(s, out)
    show_seats(s, seat, out)
    if s.phase == SETUP:
        return
    show_turn(s, seat, out)
    if s.hint >= 0:
        show_hint(s, seat, out)
    if s.options.hints == LEXICON:
        show_readings(s, seat, out)
    show_memory(s, seat, out)


# -- seats and turn -------------------------------------------------------------------------------


def show_seats(s: State, seat: int, out: ByteArray) -> None:
    """Letters, and what was set in the turn before."""
    n = int(s.num_players)
    row = seat
    for k in range(n):
        out[SEATS_AT + k] = 1
        out[RECEIVED + k] = s.received[row]
        out[NEAR + k] = s.received[row] == n - 2
        if s.last_die[row] >= 0:
            out[LAST_DICE + COLOUR_COUNT * k + int(s.last_die[row])] = 1
        if s.received[row]:
            column = seat
            for j in range(n):
                out[PAIRS + SEATS * k + j] = s.pair[row, column]
                column = seat_after(s, column)
        row = seat_after(s, row)
    show_seat(s, seat, int(s.last_kvanter), LAST_KVANTER, out)
    show_seat(s, seat, int(s.last_negater), LAST_NEGATER, out)
    show_seat(s, seat, int(s.negater), NEGATER, out)
    show_seat(s, seat, int(s.kvanter), KVANTER, out)
    show_seat(s, seat, int(s.mover), MOVER, out)


def show_seat(s: State, seat: int, other: int, at: int, out: ByteArray) -> None:
    """One seat of six, counted from the viewer; none if `other` is negative."""
    if other >= 0:
        out[at + places_from(s, seat, other)] = 1


def show_turn(s: State, seat: int, out: ByteArray) -> None:
    """What is public in this turn, and the viewer's own die."""
    out[NEGATER_LAST] = s.negater_turns == 2
    out[WAITED] = s.waited
    if s.banned >= 0:
        out[BANNED + int(s.banned)] = 1
    if s.die[seat] >= 0:
        out[OWN_DIE + int(s.die[seat])] = 1
    other = seat
    for k in range(s.num_players):
        out[PLACED + k] = s.die[other] >= 0  # ES-25: that it is set, not what it shows
        if other != s.kvanter and other != s.negater:
            if not s.pair[s.kvanter, other]:
                out[EXCHANGE + k] = 1
            elif s.options.advanced:
                out[EXCHANGE + k] = -1
        other = seat_after(s, other)


def show_options(s: State, out: ByteArray) -> None:
    """The rules that are in force, the phase and the clocks."""
    options = s.options
    out[OPT_ADVANCED] = options.advanced
    out[OPT_HINTS + int(options.hints)] = 1
    for domain in range(DOMAINS):
        out[OPT_DOMAINS + domain] = int(options.domains) >> domain & 1
    if options.hints == LEXICON:
        out[OPT_WAVELENGTHS + int(options.wavelengths) - 1] = 1
        out[OPT_ACQUAINTANCE] = options.acquaintance >= 1
        out[OPT_ACQUAINTANCE + 1] = options.acquaintance >= 2
    out[OPT_ROLLED] = options.ban == ROLLED
    out[CLOCK] = LARGEST * int(s.decisions) // int(options.max_decisions)
    if s.mover == OVER or s.phase == FINISHED:
        out[PHASE + SHOWN_OVER] = 1
        return
    out[TURNS_LEFT] = min(LARGEST, int(options.max_turns) - int(s.turn) + 1)
    if s.phase == HINT:
        out[PHASE + SHOWN_HINT] = 1
    elif s.phase == DIE:
        out[PHASE + SHOWN_DIE] = 1
    else:
        out[PHASE + SHOWN_BAN] = 1


# -- words ----------------------------------------------------------------------------------------


def show_hint(s: State, seat: int, out: ByteArray) -> None:
    """The hint, and all that is known of it."""
    word = int(s.hint)
    domain = word // PLACES
    out[HINT_GIVEN + word] = 1
    out[HINT_DOMAIN + domain] = 1
    other = seat
    for k in range(s.num_players):
        show_colour(int(s.known[other, word]), HINT_KNOWN + COLOUR_COUNT * k, out)
        other = seat_after(s, other)
    show_colour(int(s.known[s.kvanter, word]), HINT_KVANTER, out)
    show_colour(int(s.said[word]), HINT_SAID, out)
    giver = int(s.said_by[word]) - 1
    show_seat(s, seat, giver, HINT_BY, out)
    if giver == s.kvanter:
        show_colour(int(s.said[word]), HINT_AGAIN, out)
    if s.options.hints == LEXICON:
        for colour in range(COLOUR_COUNT):
            out[HINT_FACES + colour] = COUNT[word, colour]
        show_colour(int(s.own[seat, word]), HINT_READING, out)
        out[HINT_ECHO] = s.echo[seat, s.kvanter, domain]
        out[HINT_ECHO + 1] = s.echo[seat, s.negater, domain]
        out[HINT_CLASH] = s.clash[seat, s.kvanter, domain]
        out[HINT_CLASH + 1] = s.clash[seat, s.negater, domain]


def show_colour(stored: int, at: int, out: ByteArray) -> None:
    """A colour that is stored as 1 + colour, one-hot; nothing for 0."""
    if stored:
        out[at + stored - 1] = 1


def show_readings(s: State, seat: int, out: ByteArray) -> None:
    """ES-10: the viewer's own readings, and what they say of the others' wavelengths."""
    own, echo, clash = s.own, s.echo, s.clash
    for word in range(WORDS):
        out[READING + word] = own[seat, word]
    other = seat
    for k in range(s.num_players - 1):
        other = seat_after(s, other)
        for domain in range(DOMAINS):
            out[ECHO + DOMAINS * k + domain] = echo[seat, other, domain]
            out[CLASH + DOMAINS * k + domain] = clash[seat, other, domain]
    if seat == s.kvanter:
        show_audience(s, out)
        if (s.phase == BAN or s.phase == HINT) and s.mover != OVER:
            show_shares(s, out)


def show_audience(s: State, out: ByteArray) -> None:
    """The Kvanter's evidence about the Negater, and about those with whom letters can be exchanged."""
    seat = int(s.kvanter)
    for domain in range(DOMAINS):
        out[NEGATER_ECHO + domain] = s.echo[seat, s.negater, domain]
        out[NEGATER_CLASH + domain] = s.clash[seat, s.negater, domain]
        echo, clash = 0, 0
        for other in range(s.num_players):
            if other != seat and other != s.negater and not s.pair[seat, other]:
                echo += int(s.echo[seat, other, domain])
                clash += int(s.clash[seat, other, domain])
        out[PARTNER_ECHO + domain] = min(LARGEST, echo)
        out[PARTNER_CLASH + domain] = clash


def show_shares(s: State, out: ByteArray) -> None:
    """How many would set the Kvanter's reading of each word without sharing a wavelength, in sixths."""
    seat, banned, introduced = int(s.kvanter), int(s.banned) + 1, first_introduced(s)
    readings, said = s.own, s.said
    for word in range(WORDS):
        own = int(readings[seat, word])
        if own == banned:
            continue
        if own == said[word] or word % PLACES >= introduced:
            out[SHARE + word] = FACES
        else:
            out[SHARE + word] = COUNT[word, own - 1]


def show_memory(s: State, seat: int, out: ByteArray) -> None:
    """ES-46: the latest use of every word."""
    n, said, said_by, known, known_ban = int(s.num_players), s.said, s.said_by, s.known, s.known_ban
    for word in range(WORDS):
        out[SAID + word] = said[word]
        out[KNOWN_BAN + word] = known_ban[word]
        giver = int(said_by[word])
        if giver:
            place = giver - seat
            out[SAID_BY + word] = place if place > 0 else place + n
    other = seat
    for k in range(n):
        for word in range(WORDS):
            out[KNOWN + WORDS * k + word] = known[other, word]
        other = seat_after(s, other)
