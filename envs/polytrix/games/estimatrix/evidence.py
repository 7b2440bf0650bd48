"""The latest use of each word, and evidence about who shares a wavelength.

A seat's *echo* with another seat sums up the words of a domain that both seem to read alike; rare colours
weigh more. Its *clash* counts the words that they seem to read differently. A seat compares with its own
readings, so both differ from seat to seat. They are updated word by word.
"""

from __future__ import annotations

from .lexicon import COUNT
from .state import DOMAINS, FACES, NONE, PLACES, SEATS, WORDS, Hints, State, first_introduced, is_introduced


def agreement(own: int, known: int, ban: int) -> int:
    """Evidence of one word about a shared wavelength: 1 for it, -1 against it, 0 neither.

    Args:
        own: 1 + the viewer's reading; 0 if there is none.
        known: 1 + the colour known of the other seat; 0 if there is none.
        ban: 1 + the colour banned then. If it is the viewer's reading, the other seat could not show it.
    """
    if own == 0 or known == 0 or own == ban:
        return 0
    return 1 if known == own else -1


def weigh(s: State, word: int, sign: int) -> None:
    """Add a word to all seats' echo and clash (`sign` 1), or subtract it (-1)."""
    domain = int(word) // PLACES
    own, known, echo, clash = s.own, s.known, s.echo, s.clash
    ban, n = int(s.known_ban[word]), int(s.num_players)
    for seat in range(n):
        reading = int(own[seat, word])
        for other in range(n):
            alike = agreement(reading, int(known[other, word]), ban) if other != seat else 0
            if alike > 0:
                echo[seat, other, domain] += sign * (FACES - int(COUNT[word, reading - 1]))
            elif alike < 0:
                clash[seat, other, domain] += sign


def forget_everything(s: State) -> None:
    """Reset to the state before the first hint."""
    own, known, known_ban, said, said_by = s.own, s.known, s.known_ban, s.said, s.said_by
    for word in range(WORDS):
        known_ban[word] = 0
        said[word] = 0
        said_by[word] = 0
        for seat in range(SEATS):
            own[seat, word] = 0
            known[seat, word] = 0
    clear_evidence(s)


def clear_evidence(s: State) -> None:
    """Set all echo and clash to zero."""
    echo, clash = s.echo, s.clash
    for seat in range(SEATS):
        for other in range(SEATS):
            for domain in range(DOMAINS):
                echo[seat, other, domain] = 0
                clash[seat, other, domain] = 0


def read_words(s: State) -> None:
    """ES-10, ES-12: every seat learns its own readings, and all readings of introduced words."""
    own, known, reading, wave = s.own, s.known, s.reading, s.wave
    introduced = first_introduced(s)
    for seat in range(s.num_players):
        for word in range(WORDS):
            own[seat, word] = reading[word, int(wave[seat, word // PLACES])] + 1
            if word % PLACES >= introduced:
                known[seat, word] = own[seat, word]
    weigh_everything(s)


def weigh_everything(s: State) -> None:
    """Compute echo and clash from scratch."""
    clear_evidence(s)
    introduced = first_introduced(s)
    said = s.said
    for word in range(WORDS):
        if said[word] or word % PLACES >= introduced:
            weigh(s, word, 1)


def remember(s: State) -> None:
    """ES-46: record this turn as the latest use of its hint; readings of introduced words stay."""
    word = int(s.hint)
    if word == NONE:
        return
    s.said[word] = s.die[s.kvanter] + 1
    s.said_by[word] = s.kvanter + 1
    if is_introduced(s, word):
        return
    compared = s.options.hints == Hints.LEXICON
    if compared:
        weigh(s, word, -1)
    for seat in range(s.num_players):
        s.known[seat, word] = s.die[seat] + 1
    s.known_ban[word] = s.banned + 1
    if compared:
        weigh(s, word, 1)
