"""What the table remembers of the hints, and what it tells a seat of the others' wavelengths.

A seat's *echo* with another one in a domain adds up over the words that both seem to read alike, rare
colours weighing more; its *clash* counts the words that they seem to read differently. Both are
kept up to date, word by word, and belong to the seat that compares: it knows its own readings only.
"""

from __future__ import annotations

from polytrix.core.state import Record

from .lexicon import COUNT
from .state import DOMAINS, FACES, LEXICON, NONE, PLACES, SEATS, WORDS, is_introduced


def agreement(s: Record, seat: int, other: int, word: int) -> int:
    """1 if what is known of the other seat is what this one reads, -1 if it is another colour, else 0.

    A colour that was banned tells nothing: the seat could not have shown its own reading either.
    """
    own, seen = int(s.own[seat, word]), int(s.known[other, word])
    if own == 0 or seen == 0 or own == s.known_ban[word]:
        return 0
    return 1 if seen == own else -1


def weigh(s: Record, word: int, sign: int) -> None:
    """Add what is known of a word to all evidence, or take it away."""
    domain = int(word) // PLACES
    for seat in range(s.num_players):
        for other in range(s.num_players):
            if other == seat:
                continue
            alike = agreement(s, seat, other, word)
            if alike > 0:
                rarity = FACES - int(COUNT[word, int(s.own[seat, word]) - 1])
                s.echo[seat, other, domain] += sign * rarity
            elif alike < 0:
                s.clash[seat, other, domain] += sign


def forget_everything(s: Record) -> None:
    """No hint has been given."""
    for word in range(WORDS):
        s.known_ban[word] = 0
        s.said[word] = 0
        s.said_by[word] = 0
        for seat in range(SEATS):
            s.own[seat, word] = 0
            s.known[seat, word] = 0
    clear_evidence(s)


def clear_evidence(s: Record) -> None:
    """No word weighs anything."""
    for seat in range(SEATS):
        for other in range(SEATS):
            for domain in range(DOMAINS):
                s.echo[seat, other, domain] = 0
                s.clash[seat, other, domain] = 0


def read_words(s: Record) -> None:
    """ES-10, ES-12: every seat learns its own readings, and all those of the introduced words."""
    for seat in range(s.num_players):
        for word in range(WORDS):
            s.own[seat, word] = s.reading[word, int(s.wave[seat, word // PLACES])] + 1
            if is_introduced(s, word):
                s.known[seat, word] = s.own[seat, word]
    weigh_everything(s)


def weigh_everything(s: Record) -> None:
    """Evidence from scratch."""
    clear_evidence(s)
    for word in range(WORDS):
        weigh(s, word, 1)


def remember(s: Record) -> None:
    """ES-46: the latest use of the hint is kept; introduced readings stay."""
    word = int(s.hint)
    if word == NONE:
        return
    s.said[word] = s.die[s.kvanter] + 1
    s.said_by[word] = s.kvanter + 1
    if is_introduced(s, word):
        return
    compared = s.options.hints == LEXICON
    if compared:
        weigh(s, word, -1)
    for seat in range(s.num_players):
        s.known[seat, word] = s.die[seat] + 1
    s.known_ban[word] = s.banned + 1
    if compared:
        weigh(s, word, 1)
