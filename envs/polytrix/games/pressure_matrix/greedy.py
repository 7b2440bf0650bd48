"""The greedy policy: it rates actions by what they bring at once, as the observation shows it.

Habits are greedy but for what they prefer above all.
"""

from __future__ import annotations

from polytrix.core.constants import Constants
from polytrix.core.layout import hot
from polytrix.core.state import ByteArray, FloatArray, IdArray, RecordArray

from .aspects import ASPECTS, Aspect, Kind
from .effects import Code
from .matrix import NODES, PLACES, SQUARES
from .observation import SHOWN_PHASES, Obs
from .state import HAND, SEATS, Act, Phase
from .tiles import FACE_AMOUNT, FACE_CODE

WORTH_A_MARKER = 3  # Credits that a HARVEST or JUMP must bring
WORTH_AN_ANSWER = 2  # Credits at stake for a TAX or SHIELD to be used
NO_NODE = -100.0
PREFERENCE = 1000.0
"""Above the differences between other ratings."""


class Habit(Constants):
    """Habits that `rate` implements."""

    CONTRARY, BIDS_MOST, BIDS_NOTHING, OWN_CREDITS, HOARDS_MARKERS, SPENDS_MARKERS, NEVER_ANSWERS = range(7)
    UNSEEN_SPITEFUL, UNSEEN_FILLS_TILES, UNSEEN_WANDERS = range(7, 10)


HABITS = Habit.written()


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Rate the legal actions; equal ratings mean a random choice."""
    phase = hot(observation, Obs.PHASE, SHOWN_PHASES)
    for i in range(count):
        score[i] = value(observation, phase, int(ids[i]))


def rate(
    habit: int, observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """Rate actions as one of `HABITS` does."""
    greedy(observation, ids, count, work, score)
    phase = hot(observation, Obs.PHASE, SHOWN_PHASES)
    for i in range(count):
        if habit == Habit.CONTRARY:
            score[i] = -score[i]
        elif habit == Habit.UNSEEN_WANDERS and phase == Phase.MOVE:
            score[i] = 0.0
        else:
            score[i] += PREFERENCE * preference(habit, observation, phase, int(ids[i]))


def preference(habit: int, observation: ByteArray, phase: int, action: int) -> int:
    """How a habit rates an action, above all that greedy thinks of."""
    if phase == Phase.BID:
        if habit == Habit.BIDS_MOST:
            return action
        return -action if habit == Habit.BIDS_NOTHING else 0
    if phase == Phase.MOVE:
        if habit == Habit.UNSEEN_FILLS_TILES:
            return blackouts_shown(observation, action - Act.MOVE)
        return int(observation[Obs.BEST + action - Act.MOVE]) if habit == Habit.OWN_CREDITS else 0
    if phase in (Phase.WINDOW, Phase.SHIELD):
        return int(habit == Habit.NEVER_ANSWERS and action == Act.PASS)
    if phase != Phase.NODE:
        return 0
    gain = Obs.NODE_GAIN + PLACES * hot(observation, Obs.RUNNER, SQUARES) + action - Act.NODE
    if habit == Habit.OWN_CREDITS:
        return int(observation[gain])
    if habit == Habit.UNSEEN_SPITEFUL:
        return -int(observation[gain + NODES * Aspect.RIVALS])
    takes_a_marker = int(observation[gain + NODES * Aspect.SPECIAL] != 0)
    if habit == Habit.HOARDS_MARKERS:
        return -takes_a_marker
    return takes_a_marker if habit == Habit.SPENDS_MARKERS else 0


def value(observation: ByteArray, phase: int, action: int) -> float:
    """The rating of an action, to be compared within its phase."""
    if phase == Phase.NODE:
        return node_value(observation, hot(observation, Obs.RUNNER, SQUARES), action - Act.NODE)
    if phase == Phase.MOVE:
        return square_value(observation, action - Act.MOVE)
    if phase == Phase.TELEPORT:
        own = observation[Obs.TELEPORTED] == 1
        return square_value(observation, action - Act.TELEPORT) if own else 0.0
    if phase == Phase.BEFORE_ROLL:
        return before_roll_value(observation, action)
    if phase in (Phase.WINDOW, Phase.SHIELD):
        return answer_value(observation, action)
    if phase == Phase.STEAL:
        return float(observation[Obs.CREDITS + action - Act.STEAL + 1])
    if phase in (Phase.GIVE, Phase.DIVIDE):
        return -float(observation[Obs.CREDITS + action - Act.GIVE + 1])
    if phase == Phase.FLIP:
        return float(blackouts_shown(observation, action - Act.FLIP))
    if phase == Phase.BID:
        return 1.0 if action == Act.BID + 1 else 0.0
    if phase == Phase.PAYER:
        return 0.0 if action == Act.PAYER else 1.0
    if phase == Phase.RUNNER:
        return 1.0 if action == Act.RUNNER else 0.0
    if phase == Phase.RECALL:
        return 1.0 if action == Act.RECALL else 0.0
    if phase == Phase.DISCARD:
        return 0.0 if action == Act.DISCARD + HAND else 1.0
    if phase == Phase.FAIL:
        return 0.0 if action == Act.PASS else 1.0
    return 0.0


# -- nodes and squares ----------------------------------------------------------------------------


def rivals(observation: ByteArray) -> int:
    """The number of other seats that play."""
    count = 0
    for k in range(1, SEATS):
        count += observation[Obs.EXISTS + k]
    return count


def node_value(observation: ByteArray, square: int, place: int) -> float:
    """The value of a free node: own Credits, less the mean of what the others get, and other effects."""
    gain = Obs.NODE_GAIN + PLACES * square + place
    own = int(observation[gain])
    others = int(observation[gain + NODES * Aspect.RIVALS])
    if observation[gain + NODES * Aspect.TELEPORT]:
        return 1.5
    if observation[gain + NODES * Aspect.SPECIAL]:
        return marker_value(int(observation[Obs.HAND]))
    if observation[gain + NODES * Aspect.KIND] == Kind.DISCARD_RIVAL:
        return 0.5
    marker = int(observation[gain + NODES * Aspect.MARKER])
    if marker > 0 and observation[Obs.MATRIX] == 0 and observation[Obs.DISCARDED] == 0:
        marker = 0
    if marker == 0 and own == 0 and others == 0:
        return 0.2 if changes_something(observation, gain) else 0.0
    return own - others / float(rivals(observation)) + marker


def changes_something(observation: ByteArray, gain: int) -> bool:
    """Whether the node, given by the entry of its gain, does more than move Credits and markers."""
    for aspect in range(Aspect.TELEPORT, ASPECTS):
        if observation[gain + NODES * aspect]:
            return True
    return False


def marker_value(hand: int) -> float:
    """The value of a special node, which takes a marker: the fewer are in hand, the lower."""
    if hand >= 3:
        return 0.6
    if hand == 2:
        return 0.1
    return -1.5 if hand == 1 else 0.2


def square_value(observation: ByteArray, square: int) -> float:
    """The value of the best free node of a tile."""
    best = NO_NODE
    for place in range(PLACES):
        if observation[Obs.BLACK + PLACES * square + place] == 0:
            best = max(best, node_value(observation, square, place))
    return best


def blackouts_shown(observation: ByteArray, square: int) -> int:
    """Blackout Markers on a tile."""
    count = 0
    for place in range(PLACES):
        count += observation[Obs.BLACK + PLACES * square + place]
    return count


# -- markers --------------------------------------------------------------------------------------


def before_roll_value(observation: ByteArray, action: int) -> float:
    """Roll, unless a HARVEST or JUMP pays. If frozen, end the game as the only leader, else use a marker."""
    frozen = observation[Obs.HAND] == 0
    if action < Act.USE:
        if frozen:
            return 5.0 if leads_alone(observation) else 0.0
        return 1.0
    square, place = divmod(action - Act.USE, PLACES)
    face = int(observation[Obs.FACE + square]) - 1
    code = int(FACE_CODE[face, place])
    if code == Code.HARVEST and min(FACE_AMOUNT[face, place], full_tiles(observation)) >= WORTH_A_MARKER:
        return 4.0
    if code == Code.JUMP and best_open_square(observation) >= WORTH_A_MARKER:
        return 3.0
    if frozen:
        return 2.0 if code == Code.THAW else 1.0
    return 0.0


def leads_alone(observation: ByteArray) -> bool:
    """Whether the own score is the highest, and no other equals it."""
    own = int(observation[Obs.CREDITS]) + int(observation[Obs.HAND])
    for k in range(1, SEATS):
        other = int(observation[Obs.CREDITS + k]) + int(observation[Obs.HAND + k])
        if observation[Obs.EXISTS + k] and other >= own:
            return False
    return True


def full_tiles(observation: ByteArray) -> int:
    """Tiles with four Blackout Markers."""
    count = 0
    for square in range(SQUARES):
        count += blackouts_shown(observation, square) == PLACES
    return count


def best_open_square(observation: ByteArray) -> float:
    """The value of the best square that may be entered."""
    best = NO_NODE
    for square in range(SQUARES):
        if observation[Obs.OPEN + square]:
            best = max(best, square_value(observation, square))
    return best


def answer_value(observation: ByteArray, action: int) -> float:
    """Use TOLL and REBOOT always, TAX and SHIELD for enough Credits."""
    if action == Act.PASS:
        return 0.5
    at_stake = int(observation[Obs.STAKE]) if observation[Obs.STAKE] else int(observation[Obs.WON])
    if observation[Obs.WINDOW + 1] or observation[Obs.STAKE]:
        return 1.0 if at_stake >= WORTH_AN_ANSWER else 0.0
    return 1.0
