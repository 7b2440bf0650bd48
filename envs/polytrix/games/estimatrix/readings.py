"""Invariants of the words: how they were drawn, are read, and what is remembered of them."""

from __future__ import annotations

from .evidence import agreement
from .lexicon import COUNT
from .state import (
    COLOUR_COUNT,
    DOMAINS,
    FACES,
    LEXICON,
    NO_HINTS,
    NONE,
    PLACES,
    SEATS,
    SETUP,
    WAVELENGTHS,
    WORDS,
    State,
    first_introduced,
)


def said_fits(s: State) -> bool:
    """The Kvanter's colour is his die, and was not banned."""
    said, said_by, known, n = s.said, s.said_by, s.known, int(s.num_players)
    introduced, domains = first_introduced(s), int(s.options.domains)
    for word in range(WORDS):
        colour, giver = int(said[word]), int(said_by[word])
        if (colour == 0) != (giver == 0) or not 0 <= colour <= COLOUR_COUNT or not 0 <= giver <= n:
            return False
        if colour and (s.options.hints == NO_HINTS or not domains >> (word // PLACES) & 1):
            return False
        if colour and word % PLACES < introduced and known[giver - 1, word] != colour:
            return False
    return True


def known_fits(s: State) -> bool:
    """Readings of introduced words, all dice of words that have been said, nothing of the others."""
    own, known, known_ban, said = s.own, s.known, s.known_ban, s.said
    introduced, players = first_introduced(s), int(s.num_players)
    if s.phase == SETUP:
        players = 0
    for word in range(WORDS):
        ban = int(known_ban[word])
        public = word % PLACES >= introduced
        if (ban != 0) != (said[word] != 0 and not public):
            return False
        for seat in range(SEATS):
            colour = int(known[seat, word])
            if seat >= players:
                if colour:
                    return False
            elif public:
                if colour != own[seat, word]:
                    return False
            elif (colour == 0) != (said[word] == 0) or (colour and colour == ban) or colour > COLOUR_COUNT:
                return False
    return True


def readings_fit(s: State) -> bool:
    """What a seat reads, word by word."""
    own, reading, wave = s.own, s.reading, s.wave
    readers = int(s.num_players) if s.options.hints == LEXICON and s.phase != SETUP else 0
    for seat in range(SEATS):
        for word in range(WORDS):
            expected = 0
            if seat < readers:
                expected = int(reading[word, int(wave[seat, word // PLACES])]) + 1
            if own[seat, word] != expected:
                return False
    return True


def evidence_fits(s: State) -> bool:
    """Word by word, from scratch."""
    echo, clash = s.echo, s.clash
    comparing = int(s.num_players) if s.options.hints == LEXICON and s.phase != SETUP else 0
    for seat in range(SEATS):
        for other in range(SEATS):
            compared = seat != other and max(seat, other) < comparing
            for domain in range(DOMAINS):
                signs = signs_of(s, seat, other, domain) if compared else 0
                if echo[seat, other, domain] != signs % MANY or clash[seat, other, domain] != signs // MANY:
                    return False
    return True


MANY = 100
"""More than any echo: `signs_of` counts clashes in such steps."""


def signs_of(s: State, seat: int, other: int, domain: int) -> int:
    """Echo, and `MANY` times the clash, of a seat with another one in a domain."""
    own, known, known_ban = s.own, s.known, s.known_ban
    signs = 0
    for word in range(PLACES * domain, PLACES * (domain + 1)):
        reading = int(own[seat, word])
        alike = agreement(reading, int(known[other, word]), int(known_ban[word]))
        if alike > 0:
            signs += FACES - int(COUNT[word, reading - 1])
        elif alike < 0:
            signs += MANY
    return signs


def deal_fits(before: State, s: State) -> bool:
    """What has been drawn, in rows and columns; nothing of it changes later."""
    reading, was, wave = s.reading, before.reading, s.wave
    row, column, wavelengths = int(s.dealt_row), int(s.dealt_column), int(s.options.wavelengths)
    if not is_next_draw(s):
        return False
    for word in range(WORDS):
        for wavelength in range(WAVELENGTHS):
            drawn = wavelength < wavelengths and (word < row or (word == row and wavelength < column))
            if drawn != (reading[word, wavelength] != NONE):
                return False
            earlier = int(was[word, wavelength])
            if earlier != NONE and earlier != reading[word, wavelength]:
                return False
    for seat in range(SEATS):
        for domain in range(DOMAINS):
            place = WORDS + seat
            drawn = place < row or (place == row and domain < column)
            if drawn != (wave[seat, domain] != NONE) or wave[seat, domain] >= wavelengths:
                return False
    return True


def is_next_draw(s: State) -> bool:
    """Row and column are those of a draw, or of the one after the last; until then nothing is said."""
    row, column = int(s.dealt_row), int(s.dealt_column)
    last = WORDS + int(s.num_players) if s.options.hints == LEXICON else NONE
    if s.phase != SETUP:
        return row == last and column == 0
    for word in range(WORDS):
        if s.said[word] != 0:
            return False
    for seat in range(s.num_players):
        if s.received[seat] != 0:
            return False
    columns = 1
    if row != NONE:
        columns = int(s.options.wavelengths) if row < WORDS else DOMAINS
    return row <= max(NONE, last - 1) and column < columns


def faces_fit(s: State) -> bool:
    """For all wavelengths, those that nobody is on included."""
    for word in range(WORDS):
        for wavelength in range(WAVELENGTHS):
            colour = int(s.reading[word, wavelength])
            if colour != NONE and COUNT[word, colour] == 0:
                return False
    return True
