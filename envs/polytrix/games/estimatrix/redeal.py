"""Sampling the hidden part of a state: dice, wavelengths and readings.

A seat knows its own readings and those of introduced words. `redeal` enumerates all assignments of the other
seats to wavelengths, weighs each by the probability of the public readings, and draws one.

`redeal` ignores what dice suggest about readings. That is right for tests that nothing leaks, and useless for
choosing hints: a seat that has always set the viewer's readings counts as a stranger. `believe` weighs
this evidence as the greedy policy does.
"""

from __future__ import annotations

from polytrix.core.random import draw

from .evidence import compare_seats
from .lexicon import COUNT, FACE
from .state import (
    COLOUR_COUNT,
    DOMAINS,
    FACES,
    NONE,
    PLACES,
    WAVELENGTHS,
    WORDS,
    Act,
    Hints,
    Phase,
    State,
    dice_are_open,
    first_introduced,
    own_reading,
)

BITS = 6
"""Bits of a `public_code` and of a `faces_alike`, in packed integers."""


def redeal(s: State, seat: int) -> None:
    """Draw everything hidden from `seat` again, uniformly."""
    if s.phase == Phase.SETUP:
        redraw(s)
        return
    if not dice_are_open(s):
        set_others_dice(s, seat)
    if s.options.hints == Hints.LEXICON:
        for domain in range(DOMAINS):
            spread_seats(s, seat, domain)
            read_others(s, seat, domain)
            compare_seats(s, domain)


def redraw(s: State) -> None:
    """During set-up nothing is known: draw all readings and wavelengths so far again."""
    for word in range(WORDS):
        for wavelength in range(WAVELENGTHS):
            if s.reading[wavelength, word] != NONE:
                s.reading[wavelength, word] = FACE[word, draw(s.generator, FACES)]
    for seat in range(s.num_players):
        for domain in range(DOMAINS):
            if s.wave[seat, domain] != NONE:
                s.wave[seat, domain] = draw(s.generator, s.options.wavelengths)


def set_others_dice(s: State, seat: int) -> None:
    """ES-25: hidden dice show any colour that is not banned."""
    for other in range(s.num_players):
        if other != seat and s.die[other] != NONE:
            colour = draw(s.generator, COLOUR_COUNT - 1)
            s.die[other] = colour + 1 if colour >= s.banned else colour


def spread_seats(s: State, seat: int, domain: int) -> None:
    """Draw the wavelengths of all other seats in a domain."""
    wavelengths = s.options.wavelengths
    first = int(s.wave[seat, domain])
    codes, chances, ways = 0, 0, 1
    for other in range(s.num_players - 1, -1, -1):
        if other != seat:
            codes = codes << BITS | public_code(s, other, domain)
            chances = chances << BITS | faces_alike(s, other, domain)
            ways *= wavelengths
    own, others = public_code(s, seat, domain), s.num_players - 1
    free = FACES**s.options.acquaintance
    total = 0
    for way in range(ways):
        total += weight(way, codes, chances, own, free, wavelengths, others)
    left = draw(s.generator, total)
    for way in range(ways):
        left -= weight(way, codes, chances, own, free, wavelengths, others)
        if left < 0:
            break
    for other in range(s.num_players):
        if other != seat:
            s.wave[other, domain] = (first + way % wavelengths) % wavelengths
            way //= wavelengths


def public_code(s: State, seat: int, domain: int) -> int:
    """A number for a seat's readings of the introduced words of a domain: equal for equal readings."""
    code = 0
    behind = PLACES * (domain + 1)
    for word in range(behind - s.options.acquaintance, behind):
        code = (COLOUR_COUNT + 1) * code + int(s.known[seat, word])
    return code


def faces_alike(s: State, seat: int, domain: int) -> int:
    """The number of ways to draw a face for each introduced word of a domain that give the seat's readings."""
    product = 1
    behind = PLACES * (domain + 1)
    for word in range(behind - s.options.acquaintance, behind):
        product *= int(COUNT[word, int(s.known[seat, word]) - 1])
    return product


def weight(way: int, codes: int, chances: int, own: int, free: int, wavelengths: int, others: int) -> int:
    """The number of ways to draw faces, on wavelengths other than the viewer's, that give all public readings.

    Args:
        way: the other seats' wavelengths, digits in base `wavelengths`; 0 is the viewer's wavelength.
        codes, chances: `public_code` and `faces_alike` of the other seats, `BITS` bits each.
        own: the viewer's `public_code`.
        free: the number of ways to draw faces for one wavelength.
        wavelengths, others: number of wavelengths, number of other seats.
    """
    product = 1
    for wavelength in range(wavelengths):
        code, alike = (own, 1) if wavelength == 0 else (NONE, free)
        left = way
        for other in range(others):
            if left % wavelengths == wavelength:
                reads = codes >> BITS * other & (1 << BITS) - 1
                if code == NONE:
                    code, alike = reads, chances >> BITS * other & (1 << BITS) - 1
                elif code != reads:
                    return 0
            left //= wavelengths
        product *= alike
    return product


def read_others(s: State, seat: int, domain: int) -> None:
    """Draw the readings of the other wavelengths of a domain, but for those of introduced words on them."""
    reading, wave, known = s.reading, s.wave, s.known
    introduced, viewers = first_introduced(s), wave[seat, domain]
    n, wavelengths = s.num_players, s.options.wavelengths
    for word in range(PLACES * domain, PLACES * (domain + 1)):
        for wavelength in range(wavelengths):
            if wavelength != viewers:
                reading[wavelength, word] = FACE[word, draw(s.generator, FACES)]
        if word % PLACES >= introduced:
            for other in range(n):
                reading[wave[other, domain], word] = known[other, word] - 1


MOST_TRIES = 16
"""Assignments of seats to wavelengths to try; after that, `believe` takes the last one."""


def believe(s: State, seat: int) -> None:
    """Like `redeal`, but assume that the dice which other seats have shown are their readings."""
    if s.phase == Phase.SETUP:
        redraw(s)
        return
    lexicon = s.options.hints == Hints.LEXICON
    if lexicon:
        for domain in range(DOMAINS):
            for _ in range(MOST_TRIES):
                spread_seats(s, seat, domain)
                if is_believed(s, seat, domain):
                    break
            read_others(s, seat, domain)
            read_as_shown(s, seat, domain)
            compare_seats(s, domain)
    if not dice_are_open(s):
        set_others_dice(s, seat)
        if lexicon and s.hint != NONE:
            set_readings(s, seat)


def is_believed(s: State, seat: int, domain: int) -> bool:
    """Accept or reject an assignment to wavelengths at random, by the greedy policy's odds."""
    strange = s.options.wavelengths - 1
    for other in range(s.num_players):
        if other != seat:
            same = strange * (4 + s.echo[seat, other, domain])
            unlike = 4 * strange + 8 * s.clash[seat, other, domain]
            believed = same if s.wave[other, domain] == s.wave[seat, domain] else unlike
            if draw(s.generator, max(same, unlike)) >= believed:
                return False
    return True


def read_as_shown(s: State, seat: int, domain: int) -> None:
    """On wavelengths other than the viewer's, set readings to colours that seats on them have shown."""
    viewers = s.wave[seat, domain]
    for word in range(PLACES * domain, PLACES * domain + first_introduced(s)):
        for other in range(s.num_players):
            wavelength = s.wave[other, domain]
            shown = s.known[other, word] - 1
            if wavelength != viewers and shown != NONE and COUNT[word, shown] > 0:
                s.reading[wavelength, word] = shown


def set_readings(s: State, seat: int) -> None:
    """Hidden dice show their owners' readings of the hint, unless banned."""
    for other in range(s.num_players):
        reading = own_reading(s, other, s.hint) - 1
        if other != seat and s.die[other] != NONE and reading != s.banned:
            s.die[other] = reading


def hidden_action(s: State, seat: int) -> int:
    """ES-25: the action by which the seat has set its die, until all dice are set; or NONE."""
    return NONE if s.die[seat] == NONE or dice_are_open(s) else Act.SET + int(s.die[seat])


def set_hidden_action(s: State, seat: int, action: int) -> None:
    """Let the seat's hidden die show another colour, unless that one is banned."""
    colour = action - Act.SET
    if hidden_action(s, seat) != NONE and 0 <= colour < COLOUR_COUNT and colour != s.banned:
        s.die[seat] = colour
