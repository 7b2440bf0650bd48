"""Other observations (codings) of Pressure Matrix, for comparison with the shipped one.

Each has a layout and a compiled `observe`:

- *features*: 22 numbers for each node of both faces of every tile, 5,360 entries in total;
- *numbers*: the shipped coding without its derived blocks, from `purse` on;
- *together*: the nine numbers of a node in one block with common bounds, and Credits up to 127 only.

All have the same information. They work with the shipped tiles only.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np
import numpy.typing as npt

from polytrix.core.bits import lowest
from polytrix.core.constants import Constants
from polytrix.core.layout import Block, Layout
from polytrix.core.state import ByteArray, Record
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.aspects import ASPECTS, DEPENDS, LARGEST, DependsOn, shown
from polytrix.games.pressure_matrix.effects import CATALOGUE, CODES
from polytrix.games.pressure_matrix.matrix import FIRST_SQUARES, MATRIX, PLACES, SQUARES, TILE
from polytrix.games.pressure_matrix.observation import (
    MOST_SHOWN,
    Obs,
    own_credits,
    rival_credits,
    show_pending,
    show_seats,
    show_turn,
)
from polytrix.games.pressure_matrix.state import FACES, SEATS, blackouts, clockwise, open_squares
from polytrix.games.pressure_matrix.tiles import FACE_AMOUNT, FACE_CODE

Bytes = npt.NDArray[np.int8]
SHIPPED = GAME.observations


def relaid(function: Any, layout: Layout, **others: Any) -> Any:
    """A function of `observation.py` that writes its blocks where another layout has them.

    Args:
        function: it finds offsets in `Obs`.
        layout: has the blocks that the function writes.
        others: other names of the module to replace.
    """
    offsets = {block.name.upper(): layout.offset(block.name) for block in layout}
    names = {**function.__globals__, "Obs": type(Obs)("Obs", (Constants,), Obs.members() | offsets), **others}
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__)


def blocks(first: str, last: str) -> tuple[Block, ...]:
    """The blocks of the shipped layout from `first` to `last`."""
    names = [block.name for block in SHIPPED]
    return SHIPPED.blocks[names.index(first) : names.index(last) + 1]


def show_credits_only(credits: int, mine: int, k: int, out: ByteArray) -> None:
    """The Credits of the k-th seat, once."""
    out[Obs.CREDITS + k] = min(credits, MOST_SHOWN)


# -- features: both faces by what their nodes say ----------------------------------------------------

FEATURE_NAMES = (
    "win", "pay", "give", "steal", "flip", "invert", "teleport", "swap", "pressure", "reclaim", "discard",
    "move", "level", "wide", "here", "before_roll", "frozen", "fail", "landing", "on_win", "on_steal",
    "on_full",
)  # fmt: skip
WIDTH = len(FEATURE_NAMES)
LOWEST, HIGHEST = -3, 9  # amounts

# For each code the feature that has its amount (1 if it has none), then features that are 1.
FEATURES_OF_CODES = {
    "WIN": "win", "WIN_LEVEL": "win wide", "WIN_BLACK": "win here", "PAY": "pay", "LEADER_PAYS": "pay wide",
    "GIVE": "give", "GIVE_EACH": "give wide", "STEAL": "steal", "STEAL_EACH": "steal wide", "FLIP": "flip",
    "FLIP_THIS": "flip here", "INVERT": "invert", "INVERT_THIS": "invert here", "TELEPORT": "teleport",
    "SWAP": "swap", "PRESSURE": "pressure", "RECLAIM": "reclaim", "PAY_RECLAIM": "pay reclaim",
    "DISCARD": "discard", "DISCARD_WIN": "win discard", "DISCARD_RIVAL": "discard wide",
    "MOVE": "move before_roll", "LEVEL": "level before_roll", "JUMP": "teleport before_roll",
    "HARVEST": "win wide before_roll", "HACK": "invert before_roll", "THAW": "reclaim frozen",
    "ESCAPE": "teleport fail", "TOLL": "steal here landing", "TAX": "steal wide on_win", "SHIELD": "on_steal",
    "REBOOT": "flip on_full",
}  # fmt: skip


def features(code: int, amount: int) -> list[int]:
    """The 22 numbers of a node; zeros for code 0.

    >>> [f"{name}={x}" for name, x in zip(FEATURE_NAMES, features(CODES.index("TOLL"), 2)) if x]
    ['steal=2', 'here=1', 'landing=1']
    """
    numbers = [0] * WIDTH
    if code:
        first, *flags = (FEATURE_NAMES.index(name) for name in FEATURES_OF_CODES[CODES[code]].split())
        for flag in flags:
            numbers[flag] = 1
        numbers[first] = amount if CATALOGUE[code - 1].amounts else 1
        if CODES[code] == "LEVEL":
            numbers[first] = amount + 1  # green is 0 as an amount
    return numbers


FACE_FEATURES: Bytes = np.array(
    [
        [features(int(FACE_CODE[face, place]), int(FACE_AMOUNT[face, place])) for place in range(PLACES)]
        for face in range(FACES)
    ],
    np.int8,
)
"""[face, place, feature]."""

EFFECT_FEATURES: Bytes = np.array(
    [[features(code, amount) for amount in range(LOWEST, HIGHEST + 1)] for code in range(len(CODES))], np.int8
)
"""[code, amount - LOWEST, feature], for the pending effect."""

FEATURES = Layout(
    *blocks("exists", "movement"),
    Block("effect", (WIDTH,), "features of what is being carried out", low=LOWEST, high=HIGHEST),
    *blocks("square", "again"),
    Block("won", (1,), "Credits won by the node: what a TAX takes", high=MOST_SHOWN),
    Block("stake", (1,), "Credits that a SHIELD would save", high=MOST_SHOWN),
    *blocks("thief", "teleported"),
    Block("square_exists", (SQUARES,), "the square is in the Matrix"),
    *blocks("runner", "runner"),
    *blocks("black", "black"),
    Block("marker", (SQUARES, PLACES, SEATS), "Control Markers, by seat"),
    Block("face", (SQUARES, PLACES, WIDTH), "features of the nodes that are up", low=LOWEST, high=HIGHEST),
    Block("reverse", (SQUARES, PLACES, WIDTH), "those of the other side, if known", low=LOWEST, high=HIGHEST),
    Block("reverse_known", (SQUARES,), "the other side is known"),
    *blocks("reverse_drawn", "clock"),
)
F_EFFECT = FEATURES.offset("effect")
F_SQUARE = FEATURES.offset("square")
F_NODE = FEATURES.offset("node")
F_FILLED = FEATURES.offset("filled")
F_AGAIN = FEATURES.offset("again")
F_WON = FEATURES.offset("won")
F_STAKE = FEATURES.offset("stake")
F_THIEF = FEATURES.offset("thief")
F_VICTIM = FEATURES.offset("victim")
F_WINDOW = FEATURES.offset("window")
F_TIED = FEATURES.offset("tied")
F_TELEPORTED = FEATURES.offset("teleported")
F_EXISTS = FEATURES.offset("square_exists")
F_BLACK = FEATURES.offset("black")
F_MARKER = FEATURES.offset("marker")
F_FACE = FEATURES.offset("face")
F_REVERSE = FEATURES.offset("reverse")
F_KNOWN = FEATURES.offset("reverse_known")


def place_markers(s: Record, seat: int, out: ByteArray) -> None:
    """The Control Markers of all seats."""
    for k in range(s.num_players):
        for half in range(2):
            nodes = int(s.marker[clockwise(s, seat, k), half])
            while nodes:
                node = PLACES * FIRST_SQUARES * half + lowest(nodes)
                nodes &= nodes - 1
                out[F_MARKER + SEATS * node + k] = 1
                out[Obs.MATRIX + k] += 1


show_seats_with_features = relaid(
    show_seats, FEATURES, show_markers=place_markers, show_wealth=show_credits_only
)
show_turn_with_features = relaid(show_turn, FEATURES)


def show_pending_features(s: Record, out: ByteArray) -> None:
    """The features of the pending effect."""
    if s.code:
        for feature in range(WIDTH):
            out[F_EFFECT + feature] = EFFECT_FEATURES[s.code, s.amount - LOWEST, feature]


show_pending_with_features = relaid(show_pending, FEATURES, show_effect=show_pending_features)


def observe_features(s: Record, seat: int, out: ByteArray) -> None:
    """The coding *features*."""
    show_seats_with_features(s, seat, out)
    show_turn_with_features(s, out)
    show_pending_with_features(s, seat, out)
    left = int(MATRIX[s.num_players])
    while left:
        square = lowest(left)
        left &= left - 1
        out[F_EXISTS + square] = 1
        black = blackouts(s, square)
        for place in range(PLACES):
            out[F_BLACK + PLACES * square + place] = black >> place & 1
        if s.up[square] >= 0:
            show_face(int(s.up[square]), F_FACE + PLACES * WIDTH * square, out)
        if s.reverse[square] >= 0:
            out[F_KNOWN + square] = 1
            show_face(int(s.reverse[square]), F_REVERSE + PLACES * WIDTH * square, out)


def show_face(face: int, at: int, out: ByteArray) -> None:
    """The features of four nodes."""
    for place in range(PLACES):
        for feature in range(WIDTH):
            out[at + WIDTH * place + feature] = FACE_FEATURES[face, place, feature]


# -- numbers: nothing derived -------------------------------------------------------------------------

NUMBERS = Layout(*blocks("exists", "reverse"), *blocks("reverse_drawn", "clock"))

show_seats_with_numbers = relaid(show_seats, NUMBERS, show_wealth=show_credits_only)
show_turn_with_numbers = relaid(show_turn, NUMBERS)


def observe_numbers(s: Record, seat: int, out: ByteArray) -> None:
    """The coding *numbers*."""
    show_seats_with_numbers(s, seat, out)
    show_turn_with_numbers(s, out)
    show_pending(s, seat, out)
    show_numbers(s, out)


def show_numbers(s: Record, out: ByteArray) -> None:
    """Blackout Markers and the numbers of the faces of every tile."""
    enterable = open_squares(s)
    left = int(MATRIX[s.num_players])
    while left:
        square = lowest(left)
        left &= left - 1
        out[Obs.FACE + square] = s.up[square] + 1
        out[Obs.REVERSE + square] = s.reverse[square] + 1
        if s.up[square] >= 0:
            out[Obs.OPEN + square] = enterable >> square & 1
        black = blackouts(s, square)
        for place in range(PLACES):
            out[Obs.BLACK + PLACES * square + place] = black >> place & 1


# -- together: the numbers of a node in one block ------------------------------------------------------

TOGETHER = Layout(
    *blocks("exists", "reverse"),
    *blocks("best", "best"),
    Block("effects", (SQUARES, PLACES, ASPECTS), "the nine numbers of the free nodes", -LARGEST, LARGEST),
    Block("here", (PLACES, ASPECTS), "those of the tile of the viewer's runner", -LARGEST, LARGEST),
    *blocks("reverse_drawn", "clock"),
)
T_BEST = TOGETHER.offset("best")
T_EFFECTS = TOGETHER.offset("effects")
T_HERE = TOGETHER.offset("here")

show_seats_together = relaid(show_seats, TOGETHER, show_wealth=show_credits_only)
show_turn_together = relaid(show_turn, TOGETHER)

FACE_NUMBERS: Bytes = np.array(
    [
        [shown(int(FACE_CODE[face, place]), int(FACE_AMOUNT[face, place])) for place in range(PLACES)]
        for face in range(FACES)
    ],
    np.int8,
)
"""[face, place, aspect], for Credits enough."""

FACE_DEPENDS: Bytes = DEPENDS[FACE_CODE]
"""[face, place]: what the Credits of the node depend on."""


def observe_together(s: Record, seat: int, out: ByteArray) -> None:
    """The coding *together*."""
    show_seats_together(s, seat, out)
    show_turn_together(s, out)
    show_pending(s, seat, out)
    show_numbers(s, out)
    mine = int(s.credits[seat])
    rich = 0
    for other in range(s.num_players):
        if other != seat:
            rich = max(rich, int(s.credits[other]))
    left = int(MATRIX[s.num_players])
    while left:
        square = lowest(left)
        left &= left - 1
        if s.up[square] >= 0:
            show_nodes_together(s, seat, square, mine, rich, out)
    if s.runner[seat] >= 0:
        for entry in range(PLACES * ASPECTS):
            out[T_HERE + entry] = out[T_EFFECTS + PLACES * ASPECTS * int(s.runner[seat]) + entry]


def show_nodes_together(s: Record, seat: int, square: int, mine: int, rich: int, out: ByteArray) -> None:
    """Effects of the free nodes of a tile."""
    face = int(s.up[square])
    black = blackouts(s, square)
    best = -LARGEST
    for place in range(PLACES):
        if black >> place & 1:
            continue
        at = T_EFFECTS + ASPECTS * (PLACES * square + place)
        for aspect in range(ASPECTS):
            out[at + aspect] = FACE_NUMBERS[face, place, aspect]
        own, rivals = int(out[at]), int(out[at + 1])
        depends = FACE_DEPENDS[face, place]
        if depends == DependsOn.POSITION:
            code, amount = int(FACE_CODE[face, place]), int(FACE_AMOUNT[face, place])
            own = own_credits(s, seat, code, amount, black, mine, rich)
            rivals = rival_credits(code, amount, own, mine, rich)
        most = LARGEST
        if depends == DependsOn.OWN_CREDITS:
            most = min(mine, LARGEST)
        elif depends == DependsOn.RIVAL_CREDITS:
            most = min(rich, LARGEST)
        out[at] = min(max(own, -most), most)
        out[at + 1] = min(max(rivals, -most), most)
        best = max(best, int(out[at]))
    if black != TILE:
        out[T_BEST + square] = best
