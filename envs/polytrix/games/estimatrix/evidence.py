"""The latest use of each word, and evidence about who shares a wavelength.

A seat's *echo* with another seat sums up the words of a domain that both seem to read alike; rare colours
weigh more. Its *clash* counts the words that they seem to read differently. A seat compares with its own
readings, so both differ from seat to seat.
"""

from __future__ import annotations

from .lexicon import COUNT
from .state import DOMAINS, FACES, NONE, PLACES, Hints, State, first_introduced, is_introduced, own_reading


def agreement(own: int, known: int, ban: int) -> int:
    """Evidence of one word about a shared wavelength: 1 for it, -1 against it, 0 neither.

    Args:
        own: 1 + the viewer's reading.
        known: 1 + the colour known of the other seat; 0 if there is none.
        ban: 1 + the colour banned then. If it is the viewer's reading, the other seat could not show it.
    """
    if known == 0 or own == ban:
        return 0
    return 1 if known == own else -1


def weigh(s: State, word: int, sign: int) -> None:
    """Add a word to all seats' echo and clash (`sign` 1), or subtract it (-1)."""
    known, echo, clash, n = s.known, s.echo, s.clash, s.num_players
    domain = word // PLACES
    for seat in range(n):
        own = own_reading(s, seat, word)
        for other in range(n):
            alike = agreement(own, known[other, word], s.known_ban[word]) if other != seat else 0
            if alike > 0:
                echo[seat, other, domain] += sign * (FACES - COUNT[word, own - 1])
            elif alike < 0:
                clash[seat, other, domain] += sign


def compare_seats(s: State, domain: int) -> None:
    """Compute all seats' echo and clash in a domain from scratch."""
    s.echo[:, :, domain] = 0
    s.clash[:, :, domain] = 0
    for word in range(PLACES * domain, PLACES * (domain + 1)):
        if s.known[0, word]:  # what is known of one seat is known of all
            weigh(s, word, 1)


def introduce_words(s: State) -> None:
    """ES-12: all readings of the introduced words become known."""
    for domain in range(DOMAINS):
        for word in range(PLACES * domain + first_introduced(s), PLACES * (domain + 1)):
            for seat in range(s.num_players):
                s.known[seat, word] = own_reading(s, seat, word)
        compare_seats(s, domain)


def remember(s: State) -> None:
    """ES-46: record this turn as the latest use of its hint; readings of introduced words stay."""
    word = s.hint
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
