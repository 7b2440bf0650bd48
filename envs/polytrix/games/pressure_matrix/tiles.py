"""The tile set: read, validated and turned into tables.

Rules, observations and text read the tables; another tile file replaces them. Face 2 * i is the front and
2 * i + 1 the back of tile i, counted from 0. A file may also ask for a smaller game, see `RANGES`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from polytrix.core.calls import did_you_mean
from polytrix.core.constants import Constants
from polytrix.core.data import DataFile, Replacement, entry, game_settings, list_of
from polytrix.core.errors import DataError
from polytrix.core.state import ByteArray

from .aspects import DEPENDS, Aspect, DependsOn, Entries, as_entries, control_column, shown
from .effects import CATALOGUE, CODES, CONDITION, CONDITIONS, MOST_AMOUNT, Code, Level, When
from .matrix import MATRIX, PLACE_NAMES, PLACES, STARTS, corners, square_set

TILES = 50
SOURCE = Path(__file__).with_name("tiles.json")
MICRO_FILE = Path(__file__).with_name("micro.json")
"""A game so small that its whole tree can be searched."""


class Setting(Constants):
    """What a tile file may set under "game" (PM-94 to PM-97)."""

    SIDE, DIE, BID, TURNS, STACKED, LOTS = range(6)


RANGES = {
    "side": (2, 5, 3),  # squares on a side of the Matrix of two players
    "die": (2, 6, 6),  # sides of a die
    "bid": (1, 5, 5),  # the highest one
    "turns": (0, 100, 0),  # after which the game ends; 0: no limit
    "stacked": (0, 1, 0),  # whether tiles are not dealt, but laid in the order of the file, front up
    "lots": (0, 1, 0),  # whether lots decide ties in place of roll-offs
}
"""By setting: lowest and highest value, and default."""

Node = tuple[int, int]
"""Code and amount."""


class Tables(NamedTuple):
    """Everything that depends on the tile set."""

    code: ByteArray  # [face, place]: the code's number in the catalogue
    amount: ByteArray  # [face, place]: 0 where there is none; the level for LEVEL
    control: ByteArray  # [face, condition]: places of special nodes with that condition, as bits
    column: ByteArray  # [face, place]: column of the observation's block `held`; -1 if not special
    position: ByteArray  # [face]: places of nodes whose Credits depend on the position, as bits
    # How observations show the tile while its nodes are free, see `aspects.py`. The Credits of a node are the
    # sum of two numbers: by those of the viewer, and by those of the richest other seat.
    aspects: Entries  # [face, aspect], for Credits enough
    by_mine: Entries  # [credits, face, aspect]: GAIN and RIVALS
    by_rich: Entries  # the same
    settings: ByteArray  # [Setting]: the size of the game


def node_text(code: int, amount: int) -> str:
    """A node as the tile file writes it.

    >>> node_text(1, 3), node_text(22, 2), node_text(23, 2), node_text(24, 0)
    ('WIN 3', 'MOVE +2', 'LEVEL RED', 'JUMP')
    """
    amounts = CATALOGUE[code - 1].amounts
    if not amounts:
        return CODES[code]
    if code == Code.LEVEL:
        return f"{CODES[code]} {Level.names()[amount]}"
    return f"{CODES[code]} {amount:+d}" if amounts[0] < 0 else f"{CODES[code]} {amount}"


def meaning_of(code: int, amount: int) -> str:
    """What a node does, with its amount.

    >>> meaning_of(4, 3)
    'lose 3'
    """
    effect = CATALOGUE[code - 1]
    if not effect.amounts:
        return effect.meaning
    signed = f"{amount:+d}" if effect.amounts[0] < 0 else str(amount)
    shown = Level.names()[amount].lower() if code == Code.LEVEL else signed
    return re.sub(r"\bx\b", shown, effect.meaning)


NODES_BY_TEXT: dict[str, Node] = {
    node_text(code, amount): (code, amount)
    for code, effect in enumerate(CATALOGUE, 1)
    for amount in effect.amounts or (0,)
}
"""All possible nodes."""


def parse_node(text: Any, where: str) -> Node:
    """Code and amount of a node.

    Args:
        text: as in the tile file.
        where: its place in the file, for error messages.

    Raises:
        DataError: there is no such node.
    """
    if isinstance(text, str) and text in NODES_BY_TEXT:
        return NODES_BY_TEXT[text]
    word = text.split(" ")[0] if isinstance(text, str) else ""
    if word in CODES[1:]:
        allowed = [node for node in NODES_BY_TEXT if node.split(" ")[0] == word]
        raise DataError(f"{where} is {text!r}; allowed with {word}: {', '.join(map(repr, allowed))}")
    hint = did_you_mean(word, CODES[1:])
    raise DataError(f"{where} is {text!r}; allowed: a code ({', '.join(CODES[1:])}) and its amount.{hint}")


def parse_face(nodes: Any, where: str) -> list[Node]:
    """The four nodes of a face; raises DataError."""
    four = list_of(nodes, PLACES, f"nodes, {', '.join(PLACE_NAMES)}", where)
    face = [parse_node(text, f"{where}[{place}]") for place, text in enumerate(four)]
    tolls = sum(code == Code.TOLL for code, _ in face)
    if tolls > 1:
        raise DataError(f"{where} has {tolls} TOLL nodes; allowed: at most one on a face")
    return face


def parse_tiles(content: Any) -> list[list[Node]]:
    """The hundred faces of a tile file, by number.

    Args:
        content: the parsed JSON; its field `game` has the settings.

    Raises:
        DataError: names the place of the mistake, what it says, and what is allowed.
    """
    faces = []
    for index, tile in enumerate(list_of(entry(content, "tiles", "the tile set"), TILES, "tiles", "tiles")):
        where = f"tiles[{index}]"
        faces += [parse_face(entry(tile, side, where), f"{where}.{side}") for side in ("front", "back")]
        if tile.get("tile", index + 1) != index + 1:
            raise DataError(
                f"{where} has the number {tile['tile']!r}; allowed: {index + 1}, tiles are in order"
            )
    return faces


def tables(faces: Sequence[Sequence[Node]], settings: Sequence[int]) -> Tables:
    """The tables of a set of faces, and of a game of this size."""
    code = np.array([[node[0] for node in face] for face in faces], np.int8)
    amount = np.array([[node[1] for node in face] for face in faces], np.int8)
    control = np.zeros((len(faces), CONDITIONS), np.int8)
    for face, place in zip(*np.nonzero(CONDITION[code] != When.INSTANT), strict=True):
        control[face, CONDITION[code[face, place]]] |= 1 << place
    depends = DEPENDS[code]
    aspects = np.array([[shown(*node) for node in face] for face in faces]).transpose(0, 2, 1)
    credits = aspects[:, [Aspect.GAIN, Aspect.RIVALS]]
    purses = np.arange(MOST_AMOUNT + 1)[:, None, None, None]
    limited = np.clip(credits, -purses, purses)
    by_whose = depends[:, None]  # [face, aspect, place]
    return Tables(
        code,
        amount,
        control,
        column=np.array([[control_column(*node) for node in face] for face in faces], np.int8),
        position=((depends == DependsOn.POSITION) @ (1 << np.arange(PLACES))).astype(np.int8),
        aspects=as_entries(aspects),
        by_mine=as_entries(
            np.where(by_whose == DependsOn.OWN_CREDITS, limited, credits * (by_whose == DependsOn.NOTHING))
        ),
        by_rich=as_entries(np.where(by_whose == DependsOn.RIVAL_CREDITS, limited, 0)),
        settings=np.array(settings, np.int8),
    )


_SHIPPED = tables(
    parse_tiles(json.loads(SOURCE.read_text(encoding="utf-8"))), [default for _, _, default in RANGES.values()]
)
(
    FACE_CODE, FACE_AMOUNT, FACE_CONTROL, FACE_COLUMN, FACE_POSITION, FACE_ASPECTS, FACE_BY_MINE, FACE_BY_RICH,
    SETTINGS,
) = _SHIPPED  # fmt: skip


def build(content: Any) -> Replacement:
    """The tables of another tile file, and a Matrix of its size; raises DataError."""
    faces, settings = parse_tiles(content), game_settings(content, RANGES, "tiles")
    matrix, starts, side = MATRIX.copy(), STARTS.copy(), settings[Setting.SIDE]
    matrix[2], starts[2, :PLACES] = square_set(side), corners(side)
    shipped, made = (*_SHIPPED, MATRIX, STARTS), (*tables(faces, settings), matrix, starts)
    return Replacement(tables=list(zip(shipped, made, strict=True)))


TILE_FILE = DataFile(
    name="tiles",
    help="the fifty tiles: JSON with a list `tiles` of {tile, front: [4 nodes], back: [4 nodes]}; and how "
    "large the game is",
    source=SOURCE,
    build=build,
    samples=(MICRO_FILE,),
)


def face_name(face: int) -> str:
    """Number of the tile and side: `17f`, `17b`.

    >>> face_name(32), face_name(33)
    ('17f', '17b')
    """
    return f"{face // 2 + 1}{'fb'[face % 2]}"
