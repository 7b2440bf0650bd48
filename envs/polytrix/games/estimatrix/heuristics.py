"""The heuristic opponents. They see the observation only, and play at random where there are no readings.

greedy models the others: it gives hints that those read as it does with whom it wants to exchange,
and the Negater does not, and answers by what it knows of the Kvanter. *plain* does the same without
any memory of what others read, *chooser* only gives its hints by it, and *literal* models nobody.
"""

from __future__ import annotations

from polytrix.core.state import ByteArray, FloatArray, IdArray, RecordArray

from .belief import hint_value, seat_shown, seems_introduced, sharing, wants_to_miss
from .lexicon import COUNT
from .sight import (
    BANNED,
    HINT_AGAIN,
    HINT_GIVEN,
    HINT_KVANTER,
    KVANTER,
    OPT_DOMAINS,
    OPT_HINTS,
    PHASE,
    READING,
    SHOWN_BAN,
    SHOWN_DIE,
    SHOWN_HINT,
)
from .state import COLOUR_COUNT, FACES, HINT_BLOCK, NONE, PLACES, ROLL_IT, SET_BLOCK, WAIT, WORDS

HEURISTICS = ("literal", "plain", "chooser")
LITERAL, PLAIN, CHOOSER = range(3)

NEVER = -100.0
"""Less than any other rating."""


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Rate each action by beliefs about the others."""
    rate_by_belief(observation, ids, count, score, 1, 1)


def rate(
    heuristic: int, observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """Rate each action as one of `HEURISTICS` does."""
    if heuristic == LITERAL:
        rate_literally(observation, ids, count, score)
    elif heuristic == PLAIN:
        rate_by_belief(observation, ids, count, score, 0, 0)
    else:
        rate_by_belief(observation, ids, count, score, 1, 0)


def has_readings(observation: ByteArray) -> bool:
    """ES-08: hints are words of the lexicon."""
    return bool(observation[OPT_HINTS] == 1)


def rate_by_belief(
    observation: ByteArray, ids: IdArray, count: int, score: FloatArray, hint_memory: int, answer_memory: int
) -> None:
    """Rate hints and answers by beliefs, each with or without memory."""
    for i in range(count):
        score[i] = 0.0
    if not has_readings(observation):
        return
    if observation[PHASE + SHOWN_BAN]:
        rate_bans(observation, ids, count, score, hint_memory)
    elif observation[PHASE + SHOWN_HINT]:
        for i in range(count):
            word = int(ids[i]) - HINT_BLOCK
            score[i] = NEVER if is_banned(observation, word) else hint_value(observation, word, hint_memory)
    elif observation[KVANTER]:
        rate_own_reading(observation, ids, count, score)
    else:
        rate_answers(observation, ids, count, score, answer_memory)


# -- the Kvanter ----------------------------------------------------------------------------------


def rate_bans(observation: ByteArray, ids: IdArray, count: int, score: FloatArray, memory: int) -> None:
    """Colours that are on no face of the best hint."""
    best, highest = NONE, NEVER
    for word in range(WORDS):
        if observation[OPT_DOMAINS + word // PLACES]:
            value = hint_value(observation, word, memory)
            if value > highest:
                best, highest = word, value
    for i in range(count):
        score[i] = 1.0 if ids[i] < ROLL_IT and COUNT[best, ids[i]] == 0 else 0.0


def is_banned(observation: ByteArray, word: int) -> bool:
    """Whether the viewer's reading of a word cannot be set in this turn."""
    return bool(observation[BANNED + int(observation[READING + word]) - 1])


def hinted(observation: ByteArray) -> int:
    """The word that is the hint."""
    word = 0
    while observation[HINT_GIVEN + word] == 0:
        word += 1
    return word


def rate_own_reading(observation: ByteArray, ids: IdArray, count: int, score: FloatArray) -> None:
    """The own reading of the hint; if it is banned, any colour. No waiting."""
    own = SET_BLOCK + int(observation[READING + hinted(observation)]) - 1
    for i in range(count):
        score[i] = 1.0 if ids[i] == own else 0.0
        if ids[i] == WAIT:
            score[i] = NEVER


# -- answers --------------------------------------------------------------------------------------


def rate_answers(observation: ByteArray, ids: IdArray, count: int, score: FloatArray, memory: int) -> None:
    """The colour that the Kvanter has most likely set; the least likely one for a seat that wants to miss."""
    word = hinted(observation)
    kvanter = seat_shown(observation, KVANTER)
    alike = sharing(observation, kvanter, word // PLACES, memory)
    sign = -1.0 if wants_to_miss(observation) else 1.0
    for i in range(count):
        colour = int(ids[i]) - SET_BLOCK
        belief = (1.0 - alike) * int(COUNT[word, colour]) / FACES
        if observation[READING + word] == colour + 1:
            belief += alike
        if memory:
            belief += shown_before(observation, word, colour)
        score[i] = sign * belief


def shown_before(observation: ByteArray, word: int, colour: int) -> float:
    """1 for the colour that the Kvanter set with this hint before; else for its introduced reading."""
    for other in range(COLOUR_COUNT):
        if observation[HINT_AGAIN + other]:
            return 1.0 if other == colour else 0.0
    if seems_introduced(observation, word):
        return float(observation[HINT_KVANTER + colour])
    return 0.0


# -- without beliefs ------------------------------------------------------------------------------


def rate_literally(observation: ByteArray, ids: IdArray, count: int, score: FloatArray) -> None:
    """Any ban, any word whose reading can be set, and the own reading, or else the word's commonest colour."""
    for i in range(count):
        score[i] = 0.0
    if not has_readings(observation):
        return
    if observation[PHASE + SHOWN_DIE]:
        word = hinted(observation)
        own = int(observation[READING + word]) - 1
        for i in range(count):
            if ids[i] == WAIT:
                score[i] = NEVER
            else:
                colour = int(ids[i]) - SET_BLOCK
                score[i] = float(FACES + 1) if colour == own else float(COUNT[word, colour])
    else:
        for i in range(count):
            score[i] = 1.0
            if observation[PHASE + SHOWN_BAN]:
                if ids[i] == ROLL_IT:
                    score[i] = 0.0
            elif is_banned(observation, int(ids[i]) - HINT_BLOCK):
                score[i] = 0.0
