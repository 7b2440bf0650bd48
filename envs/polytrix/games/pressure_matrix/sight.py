"""The layout of an observation, and the tables by which nodes are shown in it.

A node that can still be blacked out is shown by what it would do now, in nine numbers; one
that is blacked out by zeros. So the nodes of a tile can be compared, and squares by their
nodes, without knowing thirty-two codes. Each of them has a block with bounds of its own,
since a network sees numbers in proportion to their bounds: a flag beside Credits up to 13
would hardly show. The faces themselves are given by number, once.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from polytrix.core.layout import Block, Layout

from .effects import CATALOGUE, CODES, FIRST_SPECIAL, LEVELS
from .matrix import PLACES, SQUARES
from .state import FACES, FINISHED, HIGHEST_BID, MARKERS, PHASES, SEATS

Bytes = npt.NDArray[np.int8]

# The numbers of a node.
GAIN, RIVALS, MARKER, TELEPORTS, FLIPS, INVERTS, PRESSURE, SPECIAL, KIND = range(9)
ASPECTS = 9
LARGEST = 13  # Credits that a node brings are shown up to here: more than any single amount
KINDS = 2 + len(CODES) - FIRST_SPECIAL
PURSE = 31
LEAD = 15

_ASPECTS = (
    ("gain", LARGEST, "own Credits"),
    ("rivals", LARGEST, "Credits of all others"),
    ("hand", 1, "markers in the own hand"),
    ("teleport", 1, "TELEPORT"),
    ("flip", 1, "FLIP; -1: FLIP_THIS"),
    ("invert", 1, "INVERT; -1: INVERT_THIS"),
    ("pressure", 2, "steps of the level"),
    ("special", 1, "it takes a Control Marker"),
    ("kind", KINDS, "kind of the rest: 1 SWAP, 2 DISCARD_RIVAL, 3 and more the special ones"),
)


def _node_blocks(prefix: str, where: str, shape: tuple[int, ...], aspects: int) -> tuple[Block, ...]:
    """A block for each of the first numbers of a node, in their order and side by side."""
    return tuple(
        Block(f"{prefix}_{name}", shape, f"{where}, blacked out now: {help}", low=-bound, high=bound)
        for name, bound, help in _ASPECTS[:aspects]
    )


CONTROLS = (*(f"MOVE {x:+d}" for x in (-3, -2, -1, 1, 2, 3)), *(f"LEVEL {name}" for name in LEVELS))
CONTROLS += CODES[CODES.index("JUMP") :]
"""What a marker can be good for: the columns of the block `held`."""

SHOWN_PHASES = FINISHED + 1

OBSERVATIONS = Layout(
    Block("exists", (SEATS,), "the seat plays; here and below, entry k is the k-th seat to the viewer's left"),
    Block("credits", (SEATS,), "Credits, at most 127 shown", high=127),
    Block("hand", (SEATS,), "Control Markers in hand", high=MARKERS),
    Block("matrix", (SEATS,), "Control Markers in the Matrix", high=MARKERS),
    Block("discarded", (SEATS,), "Control Markers out of the game", high=MARKERS),
    Block("bid", (SEATS,), "1 + bid, where the viewer knows it", high=HIGHEST_BID + 1),
    Block("first", (SEATS,), "one-hot: who had the first turn"),
    Block("active", (SEATS,), "one-hot: whose turn it is"),
    Block("mover", (SEATS,), "one-hot: who decides"),
    Block("phase", (SHOWN_PHASES,), "one-hot " + ", ".join(PHASES[:SHOWN_PHASES])),
    Block("level", (3,), "one-hot green, yellow, red"),
    Block("forced", (3,), "one-hot: the colour of a LEVEL used this turn"),
    Block("adjust", (1,), "sum of the MOVE nodes used this turn", low=-3 * MARKERS, high=3 * MARKERS),
    Block("dice", (3, 6), "one-hot: the dice of this turn, ascending"),
    Block("movement", (1,), "movement of this turn, once rolled", high=6 + 3 * MARKERS),
    Block("effect", (len(CATALOGUE),), "one-hot: the code being carried out, in the order of the catalogue"),
    Block("amount", (1,), "its amount", low=-3, high=9),
    Block("square", (SQUARES,), "one-hot: the tile of this Pressure Phase's node"),
    Block("node", (PLACES,), "one-hot: that node"),
    Block("filled", (1,), "its blackout has made the tile full: yellow will follow"),
    Block("again", (1,), "a new Pressure Phase will follow"),
    Block("won", (1,), "Credits won by the node: what a TAX takes", high=9),
    Block("stake", (1,), "Credits that a SHIELD would save", high=9),
    Block("thief", (SEATS,), "one-hot: who would get them"),
    Block("victim", (SEATS,), "one-hot: who would lose them"),
    Block("window", (3,), "one-hot: reactions to landing, to a win, to a full tile"),
    Block("declared", (SEATS,), "reactions announced and not yet carried out", high=MARKERS),
    Block("left", (SEATS,), "what the seat may still be given by GIVE_EACH", high=9),
    Block("tied", (SEATS,), "who can be made to pay"),
    Block("teleported", (SEATS,), "one-hot: whose runner is being teleported"),
    Block("held", (SEATS, len(CONTROLS)), "markers of the seat on " + ", ".join(CONTROLS), high=MARKERS),
    Block("runner", (SEATS, SQUARES), "one-hot: where the seat's runner stands"),
    Block("open", (SQUARES,), "the square may be entered"),
    Block("black", (SQUARES, PLACES), "Blackout Markers"),
    Block("own_marker", (SQUARES, PLACES), "Control Markers of the viewer"),
    Block("rival_marker", (SQUARES, PLACES), "those of others: places to the viewer's left", high=SEATS - 1),
    Block("face", (SQUARES,), "1 + number of the face that is up", high=FACES),
    Block("reverse", (SQUARES,), "1 + number of the face on the other side, if known", high=FACES),
    Block("purse", (SEATS,), "Credits, at most 31 shown", high=PURSE),
    Block("lead", (SEATS,), "own Credits less the seat's, from -15 to 15", low=-LEAD, high=LEAD),
    Block("best", (SQUARES,), "the largest gain among the free nodes", low=-LARGEST, high=LARGEST),
    *_node_blocks("node", "free nodes", (SQUARES, PLACES), ASPECTS),
    *_node_blocks("here", "free nodes of the tile of the viewer's runner", (PLACES,), KIND),
    Block("here_kind", (PLACES, KINDS), "one-hot: the kind of the rest, there"),
    Block("reverse_drawn", (1,), "the option: other sides are drawn"),
    Block("by_margin", (1,), "the option: payoff by margin"),
    Block("clock", (1,), "127 x decisions / max_decisions, rounded down", high=127),
)

# What the Credits of a node depend on.
FIXED, OWN_CREDITS, RIVAL_CREDITS, CHANGING = range(4)

_ASPECTS_OF = {
    "TELEPORT": (TELEPORTS, 1),
    "FLIP": (FLIPS, 1),
    "FLIP_THIS": (FLIPS, -1),
    "INVERT": (INVERTS, 1),
    "INVERT_THIS": (INVERTS, -1),
    "RECLAIM": (MARKER, 1),
    "PAY_RECLAIM": (MARKER, 1),
    "DISCARD": (MARKER, -1),
    "DISCARD_WIN": (MARKER, -1),
}
KIND_OF_SWAP, KIND_OF_DISCARD_RIVAL, FIRST_KIND_OF_CONTROL = 1, 2, 3
_DEPENDS = {
    "PAY": OWN_CREDITS,
    "GIVE": OWN_CREDITS,
    "PAY_RECLAIM": OWN_CREDITS,
    "STEAL": RIVAL_CREDITS,
    "WIN_LEVEL": CHANGING,
    "WIN_BLACK": CHANGING,
    "LEADER_PAYS": CHANGING,
    "GIVE_EACH": CHANGING,
    "STEAL_EACH": CHANGING,
}

DEPENDS: Bytes = np.array([0, *(_DEPENDS.get(effect.code, FIXED) for effect in CATALOGUE)], np.int8)
"""[code]: what its Credits depend on."""


def shown(code: int, amount: int) -> list[tuple[int, int]]:
    """The numbers of a node that are not zero, its Credits as long as nobody is short of them.

    Returns:
        Two pairs of aspect and number, which is the most that a node has; (GAIN, 0) if it has fewer.

    >>> shown(CODES.index("STEAL"), 3) == [(GAIN, 3), (RIVALS, -3)]
    True
    """
    name = CODES[code]
    numbers = {}
    if name in ("WIN", "DISCARD_WIN", "STEAL"):
        numbers[GAIN] = amount
    if name in ("PAY", "PAY_RECLAIM", "GIVE"):
        numbers[GAIN] = -amount
    if name == "STEAL":
        numbers[RIVALS] = -amount
    if name == "GIVE":
        numbers[RIVALS] = amount
    if name in _ASPECTS_OF:
        aspect, value = _ASPECTS_OF[name]
        numbers[aspect] = value
    if name == "PRESSURE":
        numbers[PRESSURE] = amount
    if name == "SWAP":
        numbers[KIND] = KIND_OF_SWAP
    if name == "DISCARD_RIVAL":
        numbers[KIND] = KIND_OF_DISCARD_RIVAL
    if code >= FIRST_SPECIAL:
        numbers[KIND] = FIRST_KIND_OF_CONTROL + code - FIRST_SPECIAL
        numbers[SPECIAL] = 1
    return [*numbers.items(), (GAIN, 0), (GAIN, 0)][:2]


def control_column(code: int, amount: int) -> int:
    """The column of `held` that a special node belongs to; -1 for others."""
    if code < FIRST_SPECIAL:
        return -1
    name = CODES[code]
    if name == "MOVE":
        return CONTROLS.index(f"MOVE {amount:+d}")
    return CONTROLS.index(f"LEVEL {LEVELS[amount]}" if name == "LEVEL" else name)
