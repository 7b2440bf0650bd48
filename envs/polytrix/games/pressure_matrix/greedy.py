"""The heuristic opponent: what each action brings at once, by the numbers that the observation shows."""

from __future__ import annotations

from polytrix.core.state import ByteArray, FloatArray, IdArray, RecordArray

from .effects import CODES
from .matrix import NODES, PLACES, SQUARES
from .sight import ASPECTS, KIND, KIND_OF_DISCARD_RIVAL, MARKER, RIVALS, SPECIAL, TELEPORTS
from .state import (
    BEFORE_ROLL,
    BID,
    BID_BLOCK,
    DISCARD,
    DISCARD_BLOCK,
    DIVIDE,
    FAIL,
    FLIP,
    FLIP_BLOCK,
    GIVE,
    GIVE_BLOCK,
    HAND,
    MOVE,
    MOVE_BLOCK,
    NODE,
    NODE_BLOCK,
    PASS,
    PAYER,
    PAYER_BLOCK,
    RECALL,
    RECALL_IT,
    RUNNER,
    RUNNER_BLOCK,
    SEATS,
    SHIELD,
    STEAL,
    STEAL_BLOCK,
    TELEPORT,
    TELEPORT_BLOCK,
    USE_BLOCK,
    WINDOW,
)
from .tiles import FACE_AMOUNT, FACE_CODE
from .view import (
    BLACK,
    CREDITS,
    DISCARDED,
    EXISTS,
    FACE,
    HAND_HELD,
    IN_MATRIX,
    NODE_SHOWN,
    OPEN,
    PHASE,
    RUNNER_AT,
    STAKE,
    TELEPORTED,
    WINDOW_SHOWN,
    WON,
)

HARVEST = CODES.index("HARVEST")
JUMP = CODES.index("JUMP")
THAW = CODES.index("THAW")

WORTH_A_MARKER = 3  # what a HARVEST must pay, or a JUMP lead to
WORTH_AN_ANSWER = 2  # Credits at stake for a TAX or SHIELD to be used
NO_NODE = -100.0


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Rate each action; what is not rated here is left to chance."""
    phase = shown_phase(observation)
    for i in range(count):
        score[i] = value(observation, phase, int(ids[i]))


def shown_phase(observation: ByteArray) -> int:
    """What is being decided."""
    phase = 0
    while observation[PHASE + phase] == 0:
        phase += 1
    return phase


def value(observation: ByteArray, phase: int, action: int) -> float:
    """How good an action looks, among those of its phase."""
    if phase == NODE:
        return node_value(observation, own_square(observation), action - NODE_BLOCK)
    if phase == MOVE:
        return square_value(observation, action - MOVE_BLOCK)
    if phase == TELEPORT:
        own = observation[TELEPORTED] == 1
        return square_value(observation, action - TELEPORT_BLOCK) if own else 0.0
    if phase == BEFORE_ROLL:
        return before_roll_value(observation, action)
    if phase in (WINDOW, SHIELD):
        return answer_value(observation, action)
    if phase == STEAL:
        return float(observation[CREDITS + action - STEAL_BLOCK + 1])
    if phase in (GIVE, DIVIDE):
        return -float(observation[CREDITS + action - GIVE_BLOCK + 1])
    if phase == FLIP:
        return float(blackouts_shown(observation, action - FLIP_BLOCK))
    if phase == BID:
        return 1.0 if action == BID_BLOCK + 1 else 0.0
    if phase == PAYER:
        return 0.0 if action == PAYER_BLOCK else 1.0
    if phase == RUNNER:
        return 1.0 if action == RUNNER_BLOCK else 0.0
    if phase == RECALL:
        return 1.0 if action == RECALL_IT else 0.0
    if phase == DISCARD:
        return 0.0 if action == DISCARD_BLOCK + HAND else 1.0
    if phase == FAIL:
        return 0.0 if action == PASS else 1.0
    return 0.0


# -- nodes and squares ----------------------------------------------------------------------------


def own_square(observation: ByteArray) -> int:
    """Where the own runner stands."""
    square = 0
    while observation[RUNNER_AT + square] == 0:
        square += 1
    return square


def rivals(observation: ByteArray) -> int:
    """How many others play."""
    count = 0
    for k in range(1, SEATS):
        count += observation[EXISTS + k]
    return count


def node_value(observation: ByteArray, square: int, place: int) -> float:
    """What blacking out a free node is worth: own Credits, the mean of the others' lost, and the rest."""
    gain = NODE_SHOWN + PLACES * square + place
    own = int(observation[gain])
    others = int(observation[gain + NODES * RIVALS])
    if observation[gain + NODES * TELEPORTS]:
        return 1.5
    if observation[gain + NODES * SPECIAL]:
        return marker_value(int(observation[HAND_HELD]))
    if observation[gain + NODES * KIND] == KIND_OF_DISCARD_RIVAL:
        return 0.5
    marker = int(observation[gain + NODES * MARKER])
    if marker > 0 and observation[IN_MATRIX] == 0 and observation[DISCARDED] == 0:
        marker = 0
    if marker == 0 and own == 0 and others == 0:
        return 0.2 if changes_something(observation, gain) else 0.0
    return own - others / float(rivals(observation)) + marker


def changes_something(observation: ByteArray, gain: int) -> bool:
    """Whether the node, whose gain stands there, does more than move Credits and markers."""
    for aspect in range(TELEPORTS, ASPECTS):
        if observation[gain + NODES * aspect]:
            return True
    return False


def marker_value(hand: int) -> float:
    """A special node takes a marker: welcome as long as enough are left."""
    if hand >= 3:
        return 0.6
    if hand == 2:
        return 0.1
    return -1.5 if hand == 1 else 0.2


def square_value(observation: ByteArray, square: int) -> float:
    """That of its best free node."""
    best = NO_NODE
    for place in range(PLACES):
        if observation[BLACK + PLACES * square + place] == 0:
            best = max(best, node_value(observation, square, place))
    return best


def blackouts_shown(observation: ByteArray, square: int) -> int:
    """Blackout Markers on a tile."""
    count = 0
    for place in range(PLACES):
        count += observation[BLACK + PLACES * square + place]
    return count


# -- markers --------------------------------------------------------------------------------------


def code_of(observation: ByteArray, node: int) -> int:
    """The code of a node, by the face that is up."""
    return int(FACE_CODE[int(observation[FACE + node // PLACES]) - 1, node % PLACES])


def before_roll_value(observation: ByteArray, action: int) -> float:
    """Roll, unless a HARVEST or a JUMP pays. When frozen: end the game if alone in the lead, else get going."""
    frozen = observation[HAND_HELD] == 0
    if action < USE_BLOCK:
        if frozen:
            return 5.0 if leads_alone(observation) else 0.0
        return 1.0
    node = action - USE_BLOCK
    code = code_of(observation, node)
    if code == HARVEST:
        amount = int(FACE_AMOUNT[int(observation[FACE + node // PLACES]) - 1, node % PLACES])
        if min(amount, full_tiles(observation)) >= WORTH_A_MARKER:
            return 4.0
    if code == JUMP and best_open_square(observation) >= WORTH_A_MARKER:
        return 3.0
    if frozen:
        return 2.0 if code == THAW else 1.0
    return 0.0


def leads_alone(observation: ByteArray) -> bool:
    """More Credits and markers in hand than any other seat."""
    own = int(observation[CREDITS]) + int(observation[HAND_HELD])
    for k in range(1, SEATS):
        if observation[EXISTS + k] and int(observation[CREDITS + k]) + int(observation[HAND_HELD + k]) >= own:
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
        if observation[OPEN + square]:
            best = max(best, square_value(observation, square))
    return best


def answer_value(observation: ByteArray, action: int) -> float:
    """TOLL and REBOOT always, TAX and SHIELD for enough Credits."""
    if action == PASS:
        return 0.5
    at_stake = int(observation[STAKE]) if observation[STAKE] else int(observation[WON])
    if observation[WINDOW_SHOWN + 1] or observation[STAKE]:
        return 1.0 if at_stake >= WORTH_AN_ANSWER else 0.0
    return 1.0
