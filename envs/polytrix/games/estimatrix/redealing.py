"""Dealing anew what a seat cannot know: hidden dice, and how the other wavelengths read the words.

The seat knows its own readings and those of the introduced words. All ways to spread the other seats over
the wavelengths are weighed by the chance of just these public readings, and one is drawn by its weight.
"""

from __future__ import annotations

from polytrix.core.random import draw
from polytrix.core.state import Record

from .evidence import weigh_everything
from .lexicon import COUNT, FACE
from .state import (
    COLOUR_COUNT,
    DOMAINS,
    FACES,
    LEXICON,
    NONE,
    PLACES,
    SETUP,
    WAVELENGTHS,
    WORDS,
    dice_are_open,
    is_introduced,
)


def redeal(s: Record, seat: int) -> None:
    """Everything hidden from `seat`, uniformly."""
    if s.phase == SETUP:
        redraw(s)
        return
    if not dice_are_open(s):
        set_others_dice(s, seat)
    if s.options.hints == LEXICON:
        for domain in range(DOMAINS):
            spread_seats(s, seat, domain)
            read_others(s, seat, domain)
        weigh_everything(s)


def redraw(s: Record) -> None:
    """Set-up: readings and wavelengths drawn so far are known to nobody before all are."""
    for word in range(WORDS):
        for wavelength in range(WAVELENGTHS):
            if s.reading[word, wavelength] != NONE:
                s.reading[word, wavelength] = FACE[word, draw(s.generator, FACES)]
    for seat in range(s.num_players):
        for domain in range(DOMAINS):
            if s.wave[seat, domain] != NONE:
                s.wave[seat, domain] = draw(s.generator, s.options.wavelengths)


def set_others_dice(s: Record, seat: int) -> None:
    """ES-25: a die that is set shows one of the five colours that are not banned."""
    for other in range(s.num_players):
        if other != seat and s.die[other] != NONE:
            colour = draw(s.generator, COLOUR_COUNT - 1)
            s.die[other] = colour + 1 if colour >= s.banned else colour


def spread_seats(s: Record, seat: int, domain: int) -> None:
    """Draw the wavelengths of all other seats in a domain."""
    ways = 1
    for _ in range(s.num_players - 1):
        ways *= int(s.options.wavelengths)
    total = 0
    for way in range(ways):
        tune(s, seat, domain, way)
        total += weight(s, seat, domain)
    left = draw(s.generator, total)
    for way in range(ways):
        tune(s, seat, domain, way)
        left -= weight(s, seat, domain)
        if left < 0:
            return


def tune(s: Record, seat: int, domain: int, way: int) -> None:
    """Put the other seats on wavelengths by the digits of `way`."""
    wavelengths = int(s.options.wavelengths)
    rest = way
    for other in range(s.num_players):
        if other != seat:
            s.wave[other, domain] = rest % wavelengths
            rest //= wavelengths


def weight(s: Record, seat: int, domain: int) -> int:
    """Sets of faces, for each introduced word and other wavelength, that agree with what is public."""
    product = 1
    behind = PLACES * (domain + 1)
    for word in range(behind - int(s.options.acquaintance), behind):
        for wavelength in range(s.options.wavelengths):
            colour = public_reading(s, word, wavelength)
            if colour == SPLIT:
                return 0
            if wavelength == s.wave[seat, domain]:
                continue  # it reads as the seat does, which is on it
            product *= FACES if colour == NONE else int(COUNT[word, colour])
    return product


SPLIT = -2
"""Several colours, where there can be one only."""


def public_reading(s: Record, word: int, wavelength: int) -> int:
    """The colour in which all seats on a wavelength read an introduced word; NONE without a seat, or SPLIT."""
    colour = NONE
    for seat in range(s.num_players):
        if s.wave[seat, word // PLACES] == wavelength:
            own = int(s.known[seat, word]) - 1
            if colour not in (NONE, own):
                return SPLIT
            colour = own
    return colour


def read_others(s: Record, seat: int, domain: int) -> None:
    """Readings of the other wavelengths of a domain, and what the seats on them read."""
    for word in range(PLACES * domain, PLACES * (domain + 1)):
        for wavelength in range(s.options.wavelengths):
            if wavelength == s.wave[seat, domain]:
                continue
            colour = public_reading(s, word, wavelength) if is_introduced(s, word) else NONE
            s.reading[word, wavelength] = FACE[word, draw(s.generator, FACES)] if colour == NONE else colour
        for other in range(s.num_players):
            s.own[other, word] = s.reading[word, int(s.wave[other, domain])] + 1
