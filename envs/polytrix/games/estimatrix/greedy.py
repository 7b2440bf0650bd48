"""Heuristic policies. They use only the observation, and play at random if there are no readings.

*greedy* models the other seats. It prefers hints that desired partners read as it does, unlike the Negater, and
answers by its evidence about the Kvanter. *plain* does the same without memory. *chooser* uses memory for
hints only. *literal* models nobody. The habits are greedy in all but one kind of decision.

`memory` is 1 to use the evidence about other seats, and 0 to ignore it.
"""

from __future__ import annotations

from polytrix.core.constants import Constants
from polytrix.core.layout import hot
from polytrix.core.state import ByteArray, FloatArray, IdArray, RecordArray

from .lexicon import COUNT
from .observation import Obs, ShownPhase
from .state import COLOUR_COUNT, DOMAINS, FACES, NONE, PLACES, SEATS, WORDS, Act


class Heuristic(Constants):
    """Policies that `rate` implements; those after the third are habits."""

    LITERAL, PLAIN, CHOOSER = range(3)
    CONTRARY, OWN_READING, MOST_FACES, CLEAR_HINTS, SETS_MOST_FACES, IDLE_NEGATER = range(3, 9)
    UNSEEN_OBSCURE_HINTS, UNSEEN_BY_NUMBER, UNSEEN_INTRODUCED, UNSEEN_WAITS = range(9, 13)


NAMES = Heuristic.written()
HEURISTICS, HABITS = NAMES[:3], NAMES[3:]

NEVER = -100.0
"""Below all other ratings."""


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Rate actions by beliefs about the other seats."""
    rate_by_belief(observation, ids, count, score, 1, 1)


def rate(
    heuristic: int, observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """Rate actions as one of `NAMES` does."""
    if heuristic == Heuristic.LITERAL:
        rate_literally(observation, ids, count, score)
    elif heuristic <= Heuristic.CHOOSER:
        rate_by_belief(observation, ids, count, score, int(heuristic == Heuristic.CHOOSER), 0)
    else:
        rate_by_belief(observation, ids, count, score, 1, 1)
        if has_readings(observation):
            for i in range(count):
                score[i] = rated_by_habit(heuristic, observation, int(ids[i]), score[i])


def has_readings(observation: ByteArray) -> bool:
    """ES-08: the hints are words of the lexicon."""
    return bool(observation[Obs.OPT_HINTS] == 1)


def rate_by_belief(
    observation: ByteArray, ids: IdArray, count: int, score: FloatArray, hint_memory: int, answer_memory: int
) -> None:
    """Rate bans and hints with `hint_memory`, answers with `answer_memory`."""
    for i in range(count):
        score[i] = 0.0
    if not has_readings(observation):
        return
    if observation[Obs.PHASE + ShownPhase.BAN]:
        rate_bans(observation, ids, count, score, hint_memory)
    elif observation[Obs.PHASE + ShownPhase.HINT]:
        for i in range(count):
            word = int(ids[i]) - Act.HINT
            score[i] = NEVER if is_banned(observation, word) else hint_value(observation, word, hint_memory)
    elif observation[Obs.KVANTER]:
        rate_own_reading(observation, ids, count, score)
    else:
        rate_answers(observation, ids, count, score, answer_memory)


# -- the Kvanter ----------------------------------------------------------------------------------


def rate_bans(observation: ByteArray, ids: IdArray, count: int, score: FloatArray, memory: int) -> None:
    """Prefer colours that no face of the best hint has."""
    best, highest = NONE, NEVER
    for word in range(WORDS):
        if observation[Obs.OPT_DOMAINS + word // PLACES]:
            value = hint_value(observation, word, memory)
            if value > highest:
                best, highest = word, value
    for i in range(count):
        score[i] = 1.0 if ids[i] < Act.ROLL and COUNT[best, ids[i]] == 0 else 0.0


def is_banned(observation: ByteArray, word: int) -> bool:
    """Whether the viewer's reading of the word is banned in this turn."""
    return bool(observation[Obs.BANNED + int(observation[Obs.READING + word]) - 1])


def rate_own_reading(observation: ByteArray, ids: IdArray, count: int, score: FloatArray) -> None:
    """Prefer the viewer's reading of the hint; if it is banned, any colour. Never wait."""
    own = Act.SET + int(observation[Obs.READING + hint_word(observation)]) - 1
    for i in range(count):
        score[i] = 1.0 if ids[i] == own else 0.0
        if ids[i] == Act.WAIT:
            score[i] = NEVER


# -- answers --------------------------------------------------------------------------------------


def rate_answers(observation: ByteArray, ids: IdArray, count: int, score: FloatArray, memory: int) -> None:
    """Prefer the colour that the Kvanter most likely set, or the least likely one if the seat wants to miss."""
    word = hint_word(observation)
    kvanter = hot(observation, Obs.KVANTER, SEATS)
    alike = sharing(observation, kvanter, word // PLACES, memory)
    sign = -1.0 if wants_to_miss(observation) else 1.0
    for i in range(count):
        colour = int(ids[i]) - Act.SET
        belief = (1.0 - alike) * int(COUNT[word, colour]) / FACES
        if observation[Obs.READING + word] == colour + 1:
            belief += alike
        if memory:
            belief += shown_before(observation, word, colour)
        score[i] = sign * belief


def shown_before(observation: ByteArray, word: int, colour: int) -> float:
    """1 for the Kvanter's colour when it last gave this hint, or else for its reading of an introduced word."""
    for other in range(COLOUR_COUNT):
        if observation[Obs.HINT_AGAIN + other]:
            return 1.0 if other == colour else 0.0
    if seems_introduced(observation, word):
        return float(observation[Obs.HINT_KVANTER + colour])
    return 0.0


# -- without beliefs ------------------------------------------------------------------------------


def rate_literally(observation: ByteArray, ids: IdArray, count: int, score: FloatArray) -> None:
    """Any ban; any hint whose reading is not banned; the viewer's reading, or else the most frequent face."""
    for i in range(count):
        score[i] = 0.0
    if not has_readings(observation):
        return
    if observation[Obs.PHASE + ShownPhase.DIE]:
        word = hint_word(observation)
        own = int(observation[Obs.READING + word]) - 1
        for i in range(count):
            if ids[i] == Act.WAIT:
                score[i] = NEVER
            else:
                colour = int(ids[i]) - Act.SET
                score[i] = float(FACES + 1) if colour == own else float(COUNT[word, colour])
    else:
        for i in range(count):
            score[i] = 1.0
            if observation[Obs.PHASE + ShownPhase.BAN]:
                if ids[i] == Act.ROLL:
                    score[i] = 0.0
            elif is_banned(observation, int(ids[i]) - Act.HINT):
                score[i] = 0.0


# -- habits ---------------------------------------------------------------------------------------


def rated_by_habit(habit: int, observation: ByteArray, action: int, rating: float) -> float:
    """The rating of an action with a habit, where greedy's is `rating`."""
    if habit == Heuristic.CONTRARY:
        return -rating
    if observation[Obs.PHASE + ShownPhase.HINT]:
        return NEVER if rating == NEVER else hint_by_habit(habit, observation, action - Act.HINT, rating)
    if observation[Obs.PHASE + ShownPhase.DIE]:
        if action == Act.WAIT:
            return 2.0 if habit == Heuristic.UNSEEN_WAITS else NEVER
        return die_by_habit(habit, observation, action - Act.SET, rating)
    return rating


def hint_by_habit(habit: int, observation: ByteArray, word: int, rating: float) -> float:
    """Prefer words that are clear, obscure or introduced, or whose numbers stand for allowed colours."""
    clear = float(COUNT[word, int(observation[Obs.READING + word]) - 1])
    if habit == Heuristic.CLEAR_HINTS:
        return clear
    if habit == Heuristic.UNSEEN_OBSCURE_HINTS:
        return -clear
    if habit == Heuristic.UNSEEN_INTRODUCED:
        return rating - NEVER / 2 if seems_introduced(observation, word) else rating
    if habit == Heuristic.UNSEEN_BY_NUMBER:
        return NEVER * int(observation[Obs.BANNED + word % COLOUR_COUNT])
    return rating


def die_by_habit(habit: int, observation: ByteArray, colour: int, rating: float) -> float:
    """Set by faces or by the word's number as the Kvanter; without doubt or with much as another seat."""
    word = hint_word(observation)
    if observation[Obs.KVANTER]:
        if habit == Heuristic.SETS_MOST_FACES:
            return float(COUNT[word, colour])
        if habit == Heuristic.UNSEEN_BY_NUMBER:
            return 1.0 if colour == word % COLOUR_COUNT else 0.0
    elif habit == Heuristic.OWN_READING:
        return 1.0 if observation[Obs.READING + word] == colour + 1 else 0.0
    elif habit == Heuristic.MOST_FACES:
        return float(COUNT[word, colour])
    elif habit == Heuristic.IDLE_NEGATER and observation[Obs.NEGATER]:
        return -rating
    return rating


def players_seen(observation: ByteArray) -> int:
    """The number of players."""
    count = 0
    for k in range(SEATS):
        count += observation[Obs.SEATS + k]
    return count


def hint_word(observation: ByteArray) -> int:
    """The word given as the hint."""
    return hot(observation, Obs.HINT, WORDS)


def seems_introduced(observation: ByteArray, word: int) -> bool:
    """ES-12: all seats' readings of the word are public."""
    return bool(
        word % PLACES
        >= PLACES - int(observation[Obs.OPT_ACQUAINTANCE]) - int(observation[Obs.OPT_ACQUAINTANCE + 1])
    )


# -- letters ----------------------------------------------------------------------------------------


def desire(observation: ByteArray, own: int, other: int) -> int:
    """How seat `own` rates a hit that involves it and `other`: 1 wanted, 0 no effect, -1 unwanted.

    Unwanted are returns, and exchanges by which only the other seat would complete the word. Exception: in the
    basic game, a seat that lacks only letters of such seats accepts them, as it cannot win any more.
    """
    if observation[Obs.PAIRS + SEATS * own + other]:
        return -1 if observation[Obs.OPT_ADVANCED] else 0
    if observation[Obs.NEAR + other] and not observation[Obs.NEAR + own]:
        return 1 if not observation[Obs.OPT_ADVANCED] and is_lost(observation, own) else -1
    return 1


def is_lost(observation: ByteArray, own: int) -> bool:
    """Whether every seat whose letter this one lacks would complete the word by an exchange."""
    for other in range(players_seen(observation)):
        if (
            other != own
            and not observation[Obs.PAIRS + SEATS * own + other]
            and not observation[Obs.NEAR + other]
        ):
            return False
    return True


# -- readings ---------------------------------------------------------------------------------------


def sharing(observation: ByteArray, other: int, domain: int, memory: int) -> float:
    """The estimated probability that another seat is on the viewer's wavelength."""
    echo = memory * int(observation[Obs.ECHO + DOMAINS * (other - 1) + domain])
    clash = memory * int(observation[Obs.CLASH + DOMAINS * (other - 1) + domain])
    wavelengths = 3 if observation[Obs.OPT_WAVELENGTHS + 2] else 2
    return (4.0 + echo) / (4.0 * wavelengths + echo + 8.0 * clash)


def answer_chance(observation: ByteArray, other: int, word: int, memory: int) -> float:
    """The estimated probability that another seat answers a hint with the viewer's reading."""
    own = int(observation[Obs.READING + word])
    if memory and observation[Obs.SAID + word] == own:
        return 1.0
    if memory and seems_introduced(observation, word):
        if observation[Obs.NEGATER + other]:
            return 1.0  # he knows the others' readings
        return 1.0 if observation[Obs.KNOWN + WORDS * other + word] == own else 0.0
    alike = sharing(observation, other, word // PLACES, memory)
    return alike + (1.0 - alike) * int(COUNT[word, own - 1]) / FACES


def hint_value(observation: ByteArray, word: int, memory: int) -> float:
    """The value of a hint to the Kvanter, who would set its own reading.

    The expected number of desired exchanges, unless the Negater hits. If no exchange is desired: the
    probability that the Negater hits.
    """
    n = players_seen(observation)
    negater = hot(observation, Obs.NEGATER, SEATS)
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
    """Whether an answering seat prefers a colour other than the Kvanter's."""
    kvanter, negater = hot(observation, Obs.KVANTER, SEATS), hot(observation, Obs.NEGATER, SEATS)
    if negater != 0:
        return desire(observation, 0, kvanter) < 0
    if not observation[Obs.OPT_ADVANCED]:
        return False
    for other in range(1, players_seen(observation)):
        if other != kvanter and not observation[Obs.PAIRS + SEATS * kvanter + other]:
            return False
    return True  # the Negater could only prevent returns
