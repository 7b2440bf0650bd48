"""What a seat may believe of the others when it looks ahead: they read as they have shown, and set that.

`redeal` takes all that is possible for equally likely. That is right for proving that nothing leaks, and
useless for choosing hints: whoever has shown the colours that the viewer would have shown may then read
as strangers do. Here the same evidence that the greedy player goes by weighs the worlds.
"""

from __future__ import annotations

from polytrix.core.random import draw

from .evidence import weigh_everything
from .lexicon import COUNT
from .redealing import read_others, redraw, set_others_dice, spread_seats
from .state import DOMAINS, LEXICON, NONE, PLACES, SETUP, State, dice_are_open, first_introduced

MOST_TRIES = 16
"""Ways to spread the seats over a domain's wavelengths that are looked at; then the last one stands."""


def believe(s: State, seat: int) -> None:
    """As `redeal`, but what the others have shown is taken for what they read."""
    if s.phase == SETUP:
        redraw(s)
        return
    lexicon = s.options.hints == LEXICON
    if lexicon:
        for domain in range(DOMAINS):
            for _ in range(MOST_TRIES):
                spread_seats(s, seat, domain)
                if is_believed(s, seat, domain):
                    break
            read_others(s, seat, domain)
            read_as_shown(s, seat, domain)
    if not dice_are_open(s):
        set_others_dice(s, seat)
        if lexicon and s.hint != NONE:
            set_readings(s, seat)
    if lexicon:
        weigh_everything(s)


def is_believed(s: State, seat: int, domain: int) -> bool:
    """Whether to keep who shares whose wavelength: by lot, with the odds that the greedy player gives it."""
    strange = int(s.options.wavelengths) - 1
    for other in range(s.num_players):
        if other != seat:
            same = strange * (4 + int(s.echo[seat, other, domain]))
            unlike = 4 * strange + 8 * int(s.clash[seat, other, domain])
            believed = same if s.wave[other, domain] == s.wave[seat, domain] else unlike
            if draw(s.generator, max(same, unlike)) >= believed:
                return False
    return True


def read_as_shown(s: State, seat: int, domain: int) -> None:
    """On wavelengths that are not the viewer's, words are read as those on them have shown."""
    viewers = int(s.wave[seat, domain])
    for word in range(PLACES * domain, PLACES * domain + first_introduced(s)):
        for other in range(s.num_players):
            wavelength = int(s.wave[other, domain])
            shown = int(s.known[other, word]) - 1
            if wavelength != viewers and shown != NONE and COUNT[word, shown] > 0:
                s.reading[word, wavelength] = shown
        for other in range(s.num_players):
            s.own[other, word] = s.reading[word, int(s.wave[other, domain])] + 1


def set_readings(s: State, seat: int) -> None:
    """Hidden dice show what their owners read in the hint, unless it is banned."""
    for other in range(s.num_players):
        reading = int(s.own[other, s.hint]) - 1
        if other != seat and s.die[other] != NONE and reading != s.banned:
            s.die[other] = reading
