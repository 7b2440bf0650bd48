"""Exact symmetries: things, such as left and right, that may change places in all that is seen and done.

A game declares them once, by the axes of its layouts (`Game.symmetries`). Here they become tables, and
`relabel` shows positions under them.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from .compile.cached import cached_njit
from .game import Game
from .layout import Layout, Symmetry
from .state import ByteArray, IdArray, IntArray

LOWEST = -128
"""The lowest number in observations."""


class Symmetries(NamedTuple):
    """The S symmetries of a game as tables, in the order of `Game.symmetries`.

    Args:
        actions: (S, A), the action that each action becomes.
        entries: (S, O), the entry of an observation that each entry becomes.
        kinds: (O,), which axis the entry's numbers name (`Block.names`); 0 for numbers that stay.
        codes: (S, K, 256), by kind what each number, from `LOWEST`, becomes.
    """

    actions: IdArray
    entries: IdArray
    kinds: ByteArray
    codes: ByteArray


@cache
def symmetries_of(game: Game) -> Symmetries:
    """The symmetries of a game; raises ValueError if they do not fit its layouts."""
    layouts = (game.actions, game.observations)
    axes = {axis for layout in layouts for block in layout for axis in block.axes}
    named = sorted({"", *(block.names for block in game.observations)})
    codes = np.tile(np.arange(256) + LOWEST, (len(game.symmetries), len(named), 1)).astype(np.int8)
    for number, symmetry in enumerate(game.symmetries):
        if unknown := symmetry.keys() - axes:
            raise ValueError(f"{game.name}: symmetries name axes {sorted(unknown)}; allowed: {sorted(axes)}")
        for axis in symmetry.keys() & named:
            codes[number, named.index(axis), 1 - LOWEST :][: len(symmetry[axis])] = np.array(symmetry[axis]) + 1
    actions, entries = (np.array([images(layout, each) for each in game.symmetries]) for layout in layouts)
    kinds = [np.full(block.size, named.index(block.names), np.int8) for block in game.observations]
    return Symmetries(actions, entries, np.concatenate(kinds), codes)


def images(layout: Layout, symmetry: Symmetry) -> IdArray:
    """(size,) the entry of a vector that each entry becomes."""
    entries = layout.view(np.arange(layout.size, dtype=np.int16))
    found = []
    for block in layout:
        ways = [symmetry.get(axis, range(n)) for axis, n in zip(block.axes, block.shape, strict=True)]
        if any(sorted(way) != list(range(n)) for way, n in zip(ways, block.shape, strict=True)):
            raise ValueError(f"{symmetry} does not permute the axes {block.axes} of the block {block.name!r}")
        found.append(entries[block.name][np.ix_(*ways)].ravel())
    return np.concatenate(found)


@cached_njit(nogil=True, error_model="numpy")
def relabel(
    symmetries: Symmetries,
    which: IntArray,
    rows: IntArray,
    observation: ByteArray,
    legal: IdArray,
    count: IntArray,
    seen: ByteArray,
    ids: IdArray,
) -> None:
    """Show n positions each under a symmetry of its own.

    Args:
        symmetries: of the game.
        which: (n,), their numbers.
        rows: (n,), the positions.
        observation, legal, count: (B, O), (B, L) and (B,), what the movers see, their legal actions and the
            number of these.
        seen, ids: (B, O) and (B, L), to be filled in these rows. The actions stay in their order.
    """
    for i in range(len(rows)):
        row, symmetry = rows[i], which[i]
        for k in range(observation.shape[1]):
            number = int(observation[row, k]) - LOWEST
            seen[row, symmetries.entries[symmetry, k]] = symmetries.codes[symmetry, symmetries.kinds[k], number]
        for k in range(count[row]):
            ids[row, k] = symmetries.actions[symmetry, legal[row, k]]
