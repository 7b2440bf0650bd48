"""PM-18 to PM-21: the squares where a move of an exact length can end.

A move is a simple path over free squares. The search keeps its path in two integers, a set of squares and a
string of directions, so it allocates nothing; it takes the last two steps of all continuations at once.
"""

from __future__ import annotations

from polytrix.core.bits import size

from .matrix import ADJACENT, COLOUR, NEIGHBOUR, STEP, spread

FEW_STEPS = 6  # up to here the search is faster than the test whether there are squares enough


def reach(free: int, start: int, steps: int) -> int:
    """The squares where a path of exactly `steps` steps from `start` can end, as a set.

    Args:
        free: the squares that may be entered; `start` is not one of them.
        start: the square of the runner.
        steps: 1 or more.
    """
    first = int(ADJACENT[start]) & free
    if steps == 1:
        return first
    if steps == 2:  # the third square differs from the first, which is not free
        return spread(first) & free
    around = first
    for _ in range(steps - 1):
        wider = around | spread(around) & free
        if wider == around:
            break
        around = wider
    ends = around & int(COLOUR[(start + steps) % 2])
    if steps > FEW_STEPS and (
        size(ends) < (steps + 1) // 2 or size(around ^ ends) < steps // 2  # not enough squares for the path
    ):
        return 0
    return search(free, start, steps, ends)


def search(free: int, start: int, steps: int, ends: int) -> int:
    """Search depth-first until every square of `ends` is found. `steps` is 3 or more."""
    found = 0
    here = start
    left = free  # squares off the path
    ways = 0  # directions taken, two bits each, the latest lowest
    depth = 0
    direction = 0  # to try next
    while True:
        if depth == steps - 2:
            found |= spread(int(ADJACENT[here]) & left) & left
            if found == ends:
                return found
            direction = 4
        there = -1
        while direction < 4:
            there = int(NEIGHBOUR[here, direction])
            if there >= 0 and left >> there & 1:
                break
            direction += 1
        if direction < 4:
            left ^= 1 << there
            here = there
            ways = ways << 2 | direction
            depth += 1
            direction = 0
        elif depth == 0:
            return found
        else:
            left |= 1 << here
            direction = ways & 3
            here -= int(STEP[direction])
            ways >>= 2
            depth -= 1
            direction += 1
