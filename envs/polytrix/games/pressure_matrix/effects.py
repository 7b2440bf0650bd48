"""What nodes can do: thirty-two codes, each a short program over a few operations.

A node that is not special carries out its program when it is blacked out. A special node
only takes a control marker then; the program runs when the owner uses the marker, under
the condition of the node. Reactions (conditions from ON_LANDING on) are carried out by
`reactions.py`. The catalogue is fixed; which codes stand on which tile is data (`tiles.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polytrix.core.state import IntArray

# Operations of a program, and how each takes what follows it.
STOP, GAINS, LOSES, GIVES, STEALS, FLIPS, INVERTS, TELEPORTS, SWAPS, SHIFTS, RECLAIMS, DISCARDS = range(12)
ADJUSTS, RECOLOURS = 12, 13
AMOUNT, BY_LEVEL, BY_BLACKOUTS, BY_FULL_TILES = range(4)  # GAINS: how much
ONE, EACH, LEADER = range(3)  # LOSES, GIVES, STEALS: whom; ONE of LOSES is the active seat itself
CHOSEN, HERE = range(2)  # FLIPS, INVERTS: which tile
ANY, OWN = range(2)  # TELEPORTS: whose runner
MINE, RIVAL = range(2)  # DISCARDS: whose marker

# When the marker on a special node may be used. JUMP has a condition of its own: it also needs an open square.
AT_ROLL, JUMPING, FROZEN, FAILING, ON_LANDING, ON_WIN, ON_STEAL, ON_FULL = range(8)
CONDITIONS = 8
INSTANT = -1  # not special


@dataclass(frozen=True)
class Effect:
    """One code of the catalogue.

    Args:
        code: its name in the tile file.
        amounts: the amounts it may have, or none.
        meaning: in a few words; x is the amount.
        steps: its program, at most two pairs (operation, how).
        condition: when a marker on it may be used; INSTANT for nodes that work when blacked out.
    """

    code: str
    amounts: tuple[int, ...]
    meaning: str
    steps: tuple[tuple[int, int], ...] = ()
    condition: int = INSTANT


NONE: tuple[int, ...] = ()
ONE_TO_NINE = tuple(range(1, 10))
LEVELS = ("GREEN", "YELLOW", "RED")
"""Pressure levels; as amounts of the code LEVEL they are written as words."""

CATALOGUE = (
    Effect("WIN", ONE_TO_NINE, "gain x", ((GAINS, AMOUNT),)),
    Effect("WIN_LEVEL", NONE, "gain 1, 2, 3 at green, yellow, red", ((GAINS, BY_LEVEL),)),
    Effect("WIN_BLACK", NONE, "gain 1 for each blackout on the tile", ((GAINS, BY_BLACKOUTS),)),
    Effect("PAY", ONE_TO_NINE, "lose x", ((LOSES, ONE),)),
    Effect("LEADER_PAYS", ONE_TO_NINE, "the richest runner loses x", ((LOSES, LEADER),)),
    Effect("GIVE", ONE_TO_NINE, "x to another runner", ((GIVES, ONE),)),
    Effect("GIVE_EACH", ONE_TO_NINE, "x to each other runner", ((GIVES, EACH),)),
    Effect("STEAL", ONE_TO_NINE, "x from another runner", ((STEALS, ONE),)),
    Effect("STEAL_EACH", ONE_TO_NINE, "x from each other runner", ((STEALS, EACH),)),
    Effect("FLIP", NONE, "turn over a tile without a runner", ((FLIPS, CHOSEN),)),
    Effect("FLIP_THIS", NONE, "turn over this tile", ((FLIPS, HERE),)),
    Effect("INVERT", NONE, "blackouts and free nodes of a tile change roles", ((INVERTS, CHOSEN),)),
    Effect("INVERT_THIS", NONE, "blackouts and free nodes of this tile change roles", ((INVERTS, HERE),)),
    Effect("TELEPORT", NONE, "put any runner on an open square", ((TELEPORTS, ANY),)),
    Effect("SWAP", NONE, "this tile and another change places", ((SWAPS, CHOSEN),)),
    Effect("PRESSURE", (-2, -1, 1, 2), "the pressure level moves x steps", ((SHIFTS, ONE),)),
    Effect("RECLAIM", NONE, "take back one of your markers", ((RECLAIMS, ONE),)),
    Effect("PAY_RECLAIM", ONE_TO_NINE, "lose x, then take back a marker", ((LOSES, ONE), (RECLAIMS, ONE))),
    Effect("DISCARD", NONE, "one of your markers leaves the game", ((DISCARDS, MINE),)),
    Effect(
        "DISCARD_WIN", ONE_TO_NINE, "discard a marker; if you did, gain x", ((DISCARDS, MINE), (GAINS, AMOUNT))
    ),
    Effect("DISCARD_RIVAL", NONE, "a rival's marker in the matrix leaves the game", ((DISCARDS, RIVAL),)),
    Effect("MOVE", (-3, -2, -1, 1, 2, 3), "x to this turn's movement", ((ADJUSTS, ONE),), AT_ROLL),
    Effect("LEVEL", (0, 1, 2), "this turn's die as if the level were x", ((RECOLOURS, ONE),), AT_ROLL),
    Effect("JUMP", NONE, "teleport your runner instead of rolling", ((TELEPORTS, OWN),), JUMPING),
    Effect("HARVEST", ONE_TO_NINE, "gain 1 for each full tile, at most x", ((GAINS, BY_FULL_TILES),), AT_ROLL),
    Effect("HACK", NONE, "invert a tile", ((INVERTS, CHOSEN),), AT_ROLL),
    Effect("THAW", NONE, "when frozen: take back one more marker", ((RECLAIMS, ONE),), FROZEN),
    Effect(
        "ESCAPE", NONE, "when you cannot move: teleport instead of the penalty", ((TELEPORTS, OWN),), FAILING
    ),
    Effect("TOLL", ONE_TO_NINE, "when a rival lands here: steal x from it", (), ON_LANDING),
    Effect("TAX", NONE, "when a rival gains from a node: steal as much from it", (), ON_WIN),
    Effect("SHIELD", NONE, "when a rival steals from you: it gets nothing", (), ON_STEAL),
    Effect("REBOOT", NONE, "when a tile has become full: turn it over", (), ON_FULL),
)
LEAST_AMOUNT = min(min(effect.amounts, default=0) for effect in CATALOGUE)
MOST_AMOUNT = max(max(effect.amounts, default=0) for effect in CATALOGUE)
MOST_MOVED = max(max(effect.amounts) for effect in CATALOGUE if effect.code == "MOVE")  # up or down

CODES = ("-", *(effect.code for effect in CATALOGUE))
"""Names by number; 0 stands for no effect."""

FIRST_SPECIAL = CODES.index("MOVE")
LEVEL_CODE = CODES.index("LEVEL")
TOLL_CODE = CODES.index("TOLL")

STOPPED = 2  # the step after a program's last one: always STOP


def _programs() -> IntArray:
    table = np.zeros((len(CODES), STOPPED + 1, 2), np.int64)
    for number, effect in enumerate(CATALOGUE, 1):
        for step, pair in enumerate(effect.steps):
            table[number, step] = pair
    return table


PROGRAM = _programs()
"""[code, step]: operation and how; STOP after the last."""

CONDITION = np.array([INSTANT, *(effect.condition for effect in CATALOGUE)], np.int64)
"""[code]: when a marker on such a node may be used, INSTANT if it is not special."""
