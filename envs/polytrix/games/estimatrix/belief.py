"""What the heuristics make of an observation: whom they want to exchange with, and what others read.

`memory` is 1 for a player who uses what it has seen of the others, and 0 for one who has forgotten it all.
"""

from __future__ import annotations

from polytrix.core.state import ByteArray

from .lexicon import COUNT
from .sight import (
    CLASH,
    ECHO,
    KNOWN,
    KVANTER,
    NEAR,
    NEGATER,
    OPT_ACQUAINTANCE,
    OPT_ADVANCED,
    OPT_WAVELENGTHS,
    PAIRS,
    READING,
    SAID,
    SEATS_AT,
)
from .state import DOMAINS, FACES, PLACES, SEATS, WORDS


def players_seen(observation: ByteArray) -> int:
    """How many take part."""
    count = 0
    for k in range(SEATS):
        count += observation[SEATS_AT + k]
    return count


def seat_shown(observation: ByteArray, at: int) -> int:
    """The seat that a one-hot block shows, counted from the viewer; 0 if it shows none."""
    for k in range(SEATS):
        if observation[at + k]:
            return k
    return 0


def wavelengths_seen(observation: ByteArray) -> int:
    """The option, which says how likely it is to share a wavelength by chance."""
    return 3 if observation[OPT_WAVELENGTHS + 2] else 2


def seems_introduced(observation: ByteArray, word: int) -> bool:
    """ES-12: everybody's reading of the word is public."""
    return bool(
        word % PLACES >= PLACES - int(observation[OPT_ACQUAINTANCE]) - int(observation[OPT_ACQUAINTANCE + 1])
    )


# -- letters ----------------------------------------------------------------------------------------


def desire(observation: ByteArray, own: int, other: int) -> int:
    """How much one of two seats wants that both hit: 1, 0, or -1 if it had better not.

    It is -1 for a return, and if the other one would complete the word and it would not; unless, in the
    basic game, it can exchange only with seats that would complete it: then it cannot win any more.
    """
    if observation[PAIRS + SEATS * own + other]:
        return -1 if observation[OPT_ADVANCED] else 0
    if observation[NEAR + other] and not observation[NEAR + own]:
        return 1 if not observation[OPT_ADVANCED] and is_lost(observation, own) else -1
    return 1


def is_lost(observation: ByteArray, own: int) -> bool:
    """Whether all those whose letter the seat lacks would complete the word by giving it."""
    for other in range(players_seen(observation)):
        if other != own and not observation[PAIRS + SEATS * own + other] and not observation[NEAR + other]:
            return False
    return True


# -- readings ---------------------------------------------------------------------------------------


def sharing(observation: ByteArray, other: int, domain: int, memory: int) -> float:
    """The belief that another seat is on the viewer's wavelength."""
    echo = memory * int(observation[ECHO + DOMAINS * (other - 1) + domain])
    clash = memory * int(observation[CLASH + DOMAINS * (other - 1) + domain])
    return (4.0 + echo) / (4.0 * wavelengths_seen(observation) + echo + 8.0 * clash)


def answer_chance(observation: ByteArray, other: int, word: int, memory: int) -> float:
    """The belief that another seat would set the viewer's reading of a word, if that is the hint."""
    own = int(observation[READING + word])
    if memory and observation[SAID + word] == own:
        return 1.0
    if memory and seems_introduced(observation, word):
        if observation[NEGATER + other]:
            return 1.0  # he knows what the others read
        return 1.0 if observation[KNOWN + WORDS * other + word] == own else 0.0
    alike = sharing(observation, other, word // PLACES, memory)
    return alike + (1.0 - alike) * int(COUNT[word, own - 1]) / FACES


def hint_value(observation: ByteArray, word: int, memory: int) -> float:
    """How good a hint looks to the Kvanter, who would set its own reading.

    Desired exchanges, each with its chance, unless the Negater hits; if none is desired, that he does.
    """
    n = players_seen(observation)
    negater = seat_shown(observation, NEGATER)
    blocked = answer_chance(observation, negater, word, memory)
    gain = 0.0
    desired = False
    for other in range(1, n):
        if other == negater:
            continue
        wish = desire(observation, 0, other)
        desired = desired or wish > 0
        if wish:
            gain += wish * answer_chance(observation, other, word, memory)
    return (1.0 - blocked) * gain if desired else blocked


def wants_to_miss(observation: ByteArray) -> bool:
    """Whether a seat that answers had better set another colour than the Kvanter."""
    kvanter, negater = seat_shown(observation, KVANTER), seat_shown(observation, NEGATER)
    if negater != 0:
        return desire(observation, 0, kvanter) < 0
    if not observation[OPT_ADVANCED]:
        return False
    for other in range(1, players_seen(observation)):
        if other != kvanter and not observation[PAIRS + SEATS * kvanter + other]:
            return False
    return True  # all that the Negater could prevent are returns
