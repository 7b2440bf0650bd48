"""Flat vectors made of named blocks: the actions and the observation of a game.

A game declares each block once, as an attribute of a class. In rules the attribute is a number, the index of
the block's first entry; an object of the class is the layout: bounds of the spaces, named views, tables for
the documentation and text for people are all derived from it.

>>> class Obs(Layout):
...     BOARD = block(2, 2, meaning="who stands where")
...     CLOCK = block(meaning="turns", high=9)
>>> Obs.CLOCK, Obs().size
(4, 5)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from .constants import ConstantsType

_Scalar = TypeVar("_Scalar", bound=np.generic)

Symmetry = Mapping[str, Sequence[int]]
"""By the name of an axis, for each thing along it the one that it becomes. Other axes stay as they are."""

NAMES_SHOWN = 6
"""How many blocks a printed layout names."""


class Axis(int):
    """The length of an axis of a block, with a name for the things along it.

    Blocks of a layout have the same things in the same order along axes of the same name.

    >>> Block("runner", (Axis("seat", 2), Axis("square", 9)), "where the runner stands", one_hot=1).axes
    ('seat', 'square')
    """

    name: str

    def __new__(cls, name: str, length: int) -> Axis:
        made = super().__new__(cls, length)
        made.name = name
        return made

    def __getnewargs__(self) -> tuple[str, int]:  # type: ignore[override]
        return self.name, int(self)


@dataclass(frozen=True)
class Block:
    """Consecutive entries of a flat vector that belong together.

    Args:
        name: what the entries are called.
        shape: their shape when viewed by name; an `Axis` says what an axis counts.
        meaning: a one-line description.
        low, high: bounds of every entry (int8); actions do not use them.
        one_hot: along the last so many axes together at most one entry is 1, the others are 0.
        names: the axis whose things the numbers name, from 1 to `high`; 0 is none of them. "": they name none.
    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    low: int = 0
    high: int = 1
    one_hot: int = 0
    names: str = ""

    @property
    def axes(self) -> tuple[str, ...]:
        """What each axis counts; "" if its entries are different things."""
        return tuple(getattr(length, "name", "") for length in self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)


def block(*shape: int, meaning: str, low: int = 0, high: int = 1, one_hot: int = 0, names: str = "") -> int:
    """Declare a block in a subclass of `Layout`, where it becomes a number: the index of its first entry.

    The arguments are those of `Block`; a block without a shape has one entry.
    """
    nameless = partial(
        Block, shape=shape or (1,), meaning=meaning, low=low, high=high, one_hot=one_hot, names=names
    )
    return nameless  # type: ignore[return-value]  # see LayoutType


class LayoutType(ConstantsType):
    """The type of `Layout` and its subclasses: turns declared blocks into the indices where they begin."""

    def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, object]) -> Any:
        blocks = []
        offset = 0
        for key, value in members.items():
            if isinstance(value, partial):
                blocks.append(value(key.lower()))
                members[key] = offset
                offset += blocks[-1].size
        if not bases:  # Layout itself, which has methods
            return type.__new__(cls, name, bases, members)
        return super().__new__(cls, name, bases, members | {"_declared": tuple(blocks)})


class Layout(metaclass=LayoutType):
    """Named blocks, one after another.

    Args:
        *blocks: if a layout is made while a program runs; by default those that its class declares.

    >>> layout = Layout(Block("board", (2, 2), "who stands where"), Block("clock", (1,), "turns", high=9))
    >>> layout
    Layout(5 entries in 2 blocks: board, clock)
    >>> layout.size, layout.offset("clock")
    (5, 4)
    >>> layout.view(np.array([1, 0, 0, 0, 7], np.int8))["clock"]
    array([7], dtype=int8)
    """

    _declared: tuple[Block, ...] = ()

    def __init__(self, *blocks: Block) -> None:
        self.blocks = blocks or self._declared
        self._offsets: dict[str, int] = {}
        position = 0
        for block in self.blocks:
            if block.name in self._offsets:
                raise ValueError(f"two blocks are called {block.name!r}")
            self._offsets[block.name] = position
            position += block.size
        self.size = position

    def __repr__(self) -> str:
        names = [block.name for block in self.blocks[:NAMES_SHOWN]]
        shown = ", ".join(names + ["..."] * (len(self.blocks) > NAMES_SHOWN))
        return f"{type(self).__name__}({self.size} entries in {len(self.blocks)} blocks: {shown})"

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)

    def offset(self, name: str) -> int:
        """Index of the first entry of a block."""
        return self._offsets[name]

    @property
    def low(self) -> npt.NDArray[np.int8]:
        """Lower bound of each entry, shape (size,)."""
        return np.concatenate([np.full(b.size, b.low, np.int8) for b in self.blocks])

    @property
    def high(self) -> npt.NDArray[np.int8]:
        """Upper bound of each entry, shape (size,)."""
        return np.concatenate([np.full(b.size, b.high, np.int8) for b in self.blocks])

    @property
    def scale(self) -> npt.NDArray[np.float32]:
        """Factor for each entry, shape (size,), that scales it as network input: see `input_scale`."""
        return input_scale(self.low, self.high)

    def view(self, vector: npt.NDArray[_Scalar]) -> dict[str, npt.NDArray[_Scalar]]:
        """Views of `vector` (..., size) by block name, each of shape `(..., *block.shape)`.

        Writing to a view writes to `vector`.
        """
        if vector.shape[-1] != self.size:
            raise ValueError(f"the last axis has {vector.shape[-1]} entries; this layout has {self.size}")
        return {
            b.name: vector[..., self._offsets[b.name] : self._offsets[b.name] + b.size].reshape(
                *vector.shape[:-1], *b.shape
            )
            for b in self.blocks
        }

    def locate(self, index: int) -> tuple[Block, tuple[int, ...]]:
        """The block that entry `index` belongs to, and its index there."""
        if not 0 <= index < self.size:
            raise IndexError(f"{index} is not in 0..{self.size - 1}")
        block = next(b for b in reversed(self.blocks) if self._offsets[b.name] <= index)
        rest = int(index) - self._offsets[block.name]
        inside = []
        for length in reversed(block.shape):  # np.unravel_index takes much longer for one index
            rest, place = divmod(rest, length)
            inside.append(place)
        return block, tuple(reversed(inside))

    def describe(self, vector: npt.NDArray[Any]) -> str:
        """The vector as text: one line per block, with its nonzero entries.

        >>> print(Layout(Block("dice", (2, 6), "one-hot")).describe(np.eye(12, dtype=np.int8)[8]))
        dice  [1,2]=1
        """
        width = max(len(b.name) for b in self.blocks)
        lines = []
        for name, block in self.view(vector).items():
            entries = (
                "[" + ",".join(map(str, where)) + f"]={int(block[tuple(where)])}"
                for where in np.argwhere(block)
            )
            lines.append(f"{name:<{width}}  " + (" ".join(entries) or "-"))
        return "\n".join(lines)

    def table(self) -> list[tuple[int, str, str, int, str, str]]:
        """Rows (offset, name, shape, size, range, meaning) for documentation."""
        return [
            (
                self._offsets[b.name],
                b.name,
                " x ".join(map(str, b.shape)),
                b.size,
                f"{b.low}..{b.high}",
                f"one-hot: {b.meaning}" if b.one_hot else b.meaning,
            )
            for b in self.blocks
        ]


def input_scale(low: npt.NDArray[Any], high: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """One over the square root of each entry's bound: the factor for observations as network inputs.

    Counts are mostly far below their bounds; divided by the bounds themselves they would be
    negligible beside entries of 0 and 1.

    >>> input_scale(np.array([0, -4], np.int8), np.array([1, 100], np.int8))
    array([1. , 0.1], dtype=float32)
    """
    bound = np.maximum(np.abs(low.astype(np.float32)), np.abs(high.astype(np.float32)))
    return np.asarray(1.0 / np.sqrt(np.maximum(bound, 1.0)), np.float32)


def hot(vector: npt.NDArray[np.int8], at: int, count: int) -> int:
    """Which of the `count` entries from `at` on, a one-hot block, is not 0; -1 if all are. For policies.

    >>> hot(np.array([5, 0, 0, 1], np.int8), 1, 3)
    2
    """
    for i in range(count):
        if vector[at + i]:
            return i
    return -1
