"""What nodes can do: thirty-two codes, whose effects take at most two steps.

Each step is one of a few operations. Blacking out a node carries out the steps of its effect, unless the
node is special: then it only takes a Control Marker, and the effect begins when the owner uses the marker,
under the condition of the node. Reactions (`When.ON_LANDING` and later ones) have no steps; see `reactions.py`.
The catalogue is fixed; which codes are on which tile is data (`tiles.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polytrix.core.constants import Constants
from polytrix.core.state import IntArray


class Op(Constants):
    """What a step does; the classes below say how."""

    STOP, GAIN, LOSE, GIVE, STEAL, FLIP, INVERT, TELEPORT, SWAP, SHIFT, RECLAIM, DISCARD = range(12)
    ADJUST, RECOLOUR = 12, 13


class HowMuch(Constants):
    """GAIN: how many Credits."""

    AMOUNT, BY_LEVEL, BY_BLACKOUTS, BY_FULL_TILES = range(4)


class Whom(Constants):
    """LOSE, GIVE, STEAL: which seats; ONE of LOSE is the active seat itself."""

    ONE, EACH, LEADER = range(3)


class Which(Constants):
    """FLIP, INVERT: which tile."""

    CHOSEN, HERE = range(2)


class WhoseRunner(Constants):
    """TELEPORT: whose runner."""

    ANY, OWN = range(2)


class WhoseMarker(Constants):
    """DISCARD: whose marker."""

    MINE, RIVAL = range(2)


class When(Constants):
    """When a seat may use its marker on a node. JUMPING is AT_ROLL with an open square."""

    INSTANT = -1  # never: the node is not special
    AT_ROLL, JUMPING, FROZEN, FAILING, ON_LANDING, ON_WIN, ON_STEAL, ON_FULL = range(8)


CONDITIONS = 8


class Level(Constants):
    """Pressure Levels; amounts of the code LEVEL are written by these names."""

    GREEN, YELLOW, RED = range(3)


@dataclass(frozen=True)
class Effect:
    """One code of the catalogue.

    Args:
        code: its name in the tile file.
        amounts: the amounts it may have, or none.
        meaning: in a few words; x is the amount.
        steps: at most two pairs (operation, how).
        condition: when a marker on it may be used.
    """

    code: str
    amounts: tuple[int, ...]
    meaning: str
    steps: tuple[tuple[int, int], ...] = ()
    condition: int = When.INSTANT


NONE: tuple[int, ...] = ()
ONE_TO_NINE = tuple(range(1, 10))

CATALOGUE = (
    Effect("WIN", ONE_TO_NINE, "gain x", ((Op.GAIN, HowMuch.AMOUNT),)),
    Effect("WIN_LEVEL", NONE, "gain 1, 2, 3 at green, yellow, red", ((Op.GAIN, HowMuch.BY_LEVEL),)),
    Effect(
        "WIN_BLACK",
        NONE,
        "gain 1 for each blackout on the tile, this one too",
        ((Op.GAIN, HowMuch.BY_BLACKOUTS),),
    ),
    Effect("PAY", ONE_TO_NINE, "lose x", ((Op.LOSE, Whom.ONE),)),
    Effect("LEADER_PAYS", ONE_TO_NINE, "the richest runner loses x", ((Op.LOSE, Whom.LEADER),)),
    Effect("GIVE", ONE_TO_NINE, "give x to another runner", ((Op.GIVE, Whom.ONE),)),
    Effect("GIVE_EACH", ONE_TO_NINE, "give x to each other runner", ((Op.GIVE, Whom.EACH),)),
    Effect("STEAL", ONE_TO_NINE, "steal x from another runner", ((Op.STEAL, Whom.ONE),)),
    Effect("STEAL_EACH", ONE_TO_NINE, "steal x from each other runner", ((Op.STEAL, Whom.EACH),)),
    Effect("FLIP", NONE, "turn over a tile without a runner", ((Op.FLIP, Which.CHOSEN),)),
    Effect("FLIP_THIS", NONE, "turn over this tile", ((Op.FLIP, Which.HERE),)),
    Effect("INVERT", NONE, "on a tile free nodes turn black, black ones free", ((Op.INVERT, Which.CHOSEN),)),
    Effect(
        "INVERT_THIS", NONE, "on this tile free nodes turn black, black ones free", ((Op.INVERT, Which.HERE),)
    ),
    Effect("TELEPORT", NONE, "put any runner on an open square", ((Op.TELEPORT, WhoseRunner.ANY),)),
    Effect("SWAP", NONE, "this tile and another change places", ((Op.SWAP, 0),)),
    Effect("PRESSURE", (-2, -1, 1, 2), "the pressure level moves x steps", ((Op.SHIFT, 0),)),
    Effect("RECLAIM", NONE, "take back one of your markers", ((Op.RECLAIM, 0),)),
    Effect(
        "PAY_RECLAIM", ONE_TO_NINE, "lose x, then take back a marker", ((Op.LOSE, Whom.ONE), (Op.RECLAIM, 0))
    ),
    Effect("DISCARD", NONE, "one of your markers leaves the game", ((Op.DISCARD, WhoseMarker.MINE),)),
    Effect(
        "DISCARD_WIN",
        ONE_TO_NINE,
        "discard a marker; if you did, gain x",
        ((Op.DISCARD, WhoseMarker.MINE), (Op.GAIN, HowMuch.AMOUNT)),
    ),
    Effect(
        "DISCARD_RIVAL",
        NONE,
        "a rival's marker in the matrix leaves the game",
        ((Op.DISCARD, WhoseMarker.RIVAL),),
    ),
    Effect("MOVE", (-3, -2, -1, 1, 2, 3), "add x to this turn's movement", ((Op.ADJUST, 0),), When.AT_ROLL),
    Effect("LEVEL", (0, 1, 2), "this turn's die as if the level were x", ((Op.RECOLOUR, 0),), When.AT_ROLL),
    Effect(
        "JUMP", NONE, "teleport your runner instead of rolling", ((Op.TELEPORT, WhoseRunner.OWN),), When.JUMPING
    ),
    Effect(
        "HARVEST",
        ONE_TO_NINE,
        "gain 1 for each full tile, at most x",
        ((Op.GAIN, HowMuch.BY_FULL_TILES),),
        When.AT_ROLL,
    ),
    Effect(
        "HACK",
        NONE,
        "on a tile free nodes turn black, black ones free",
        ((Op.INVERT, Which.CHOSEN),),
        When.AT_ROLL,
    ),
    Effect("THAW", NONE, "with no marker in hand: take back one more", ((Op.RECLAIM, 0),), When.FROZEN),
    Effect(
        "ESCAPE",
        NONE,
        "when you cannot move: teleport instead of the penalty",
        ((Op.TELEPORT, WhoseRunner.OWN),),
        When.FAILING,
    ),
    Effect("TOLL", ONE_TO_NINE, "when a rival lands here: steal x from it", (), When.ON_LANDING),
    Effect("TAX", NONE, "when a rival gains from a node: steal as much from it", (), When.ON_WIN),
    Effect("SHIELD", NONE, "when a rival steals from you: it gets nothing", (), When.ON_STEAL),
    Effect("REBOOT", NONE, "when a tile has become full: turn it over", (), When.ON_FULL),
)
LEAST_AMOUNT = min(min(effect.amounts, default=0) for effect in CATALOGUE)
MOST_AMOUNT = max(max(effect.amounts, default=0) for effect in CATALOGUE)
MOST_MOVED = max(max(effect.amounts) for effect in CATALOGUE if effect.code == "MOVE")  # up or down

CODES = ("-", *(effect.code for effect in CATALOGUE))
"""Names by number; 0 stands for no effect."""


class Code(Constants):
    """The codes that rules know by name."""

    WIN_LEVEL = CODES.index("WIN_LEVEL")
    WIN_BLACK = CODES.index("WIN_BLACK")
    LEADER_PAYS = CODES.index("LEADER_PAYS")
    GIVE_EACH = CODES.index("GIVE_EACH")
    FIRST_SPECIAL = CODES.index("MOVE")
    LEVEL = CODES.index("LEVEL")
    JUMP = CODES.index("JUMP")
    HARVEST = CODES.index("HARVEST")
    THAW = CODES.index("THAW")
    TOLL = CODES.index("TOLL")


MOST_STEPS = 2


def _steps() -> IntArray:
    table = np.zeros((len(CODES), MOST_STEPS + 1, 2), np.int64)
    for number, effect in enumerate(CATALOGUE, 1):
        for step, pair in enumerate(effect.steps):
            table[number, step] = pair
    return table


STEPS = _steps()
"""[code, step]: operation and how; STOP after the last step."""

CONDITION = np.array([When.INSTANT, *(effect.condition for effect in CATALOGUE)], np.int64)
"""[code]: when a marker on such a node may be used, INSTANT if it is not special."""
