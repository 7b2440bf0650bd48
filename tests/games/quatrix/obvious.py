"""A slow, obvious model of Quatrix: units in a dictionary, and a search through all sequences of die moves.

A turn is seen by the seat to move: a square is (row, column) in its own view; a unit is 1, 2, 3 for an own
ring, disc, pip and 4, 5, 6 for an enemy one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from polytrix.games.quatrix.state import Phase, board

Square = tuple[int, int]
RING, DISC, PIP = 1, 2, 3
ENEMY_RING, ENEMY_DISC, ENEMY_PIP = 4, 5, 6
STEPS = ((1, 0), (-1, 0), (0, -1), (0, 1))  # forward, backward, left, right
PASS = 847


class DieMove(NamedTuple):
    die: int
    kind: int
    start: Square
    direction: int
    end: Square

    @property
    def id(self) -> int:
        square = 7 * self.start[0] + self.start[1]
        if self.kind == PIP:
            return 560 + 4 * square + self.direction
        return 280 * self.die + 4 * square + self.direction


@dataclass(frozen=True)
class Turn:
    """A turn in progress."""

    units: dict[Square, int]
    dice: tuple[int, int]  # the higher first
    used: tuple[bool, bool]
    first: DieMove | None  # its die is -1: `used` tells
    returning: bool  # a popped ring waits
    depth: int
    both: bool  # combined_straight

    @property
    def doubles(self) -> bool:
        return self.dice[0] == self.dice[1]


def read(s: Any) -> Turn:
    """The turn of a state in MOVE or PLACE."""
    units = board(s).astype(int)
    if s.turn_seat == 1:
        units = units[::-1, ::-1]
        units = np.where(units == 0, 0, np.where(units > 3, units - 3, units + 3))
    first = None
    if s.first_kind:
        start, end = divmod(int(s.first_from), 7), divmod(int(s.first_to), 7)
        first = DieMove(-1, int(s.first_kind), start, int(s.first_direction), end)
    return Turn(
        units={(int(r), int(c)): int(units[r, c]) for r, c in np.argwhere(units)},
        dice=(int(s.dice[0]), int(s.dice[1])),
        used=(bool(s.used[0]), bool(s.used[1])),
        first=first,
        returning=bool(s.phase == Phase.PLACE),
        depth=int(s.options.finish_depth),
        both=int(s.options.combined_straight) == 0,
    )


def along(start: Square, direction: int, distance: int) -> Square:
    return start[0] + distance * STEPS[direction][0], start[1] + distance * STEPS[direction][1]


def is_open(turn: Turn, square: Square, kind: int) -> bool:
    """QX-50."""
    unit = turn.units.get(square)
    if unit is None:
        return True
    if kind == RING:
        return unit == DISC
    if kind == DISC:
        return unit in (RING, ENEMY_RING)
    return False


def die_moves(turn: Turn, die: int) -> Iterator[DieMove]:
    """All die moves with this die, whatever the duty to use both dice says."""
    distance = turn.dice[die]
    for start, unit in turn.units.items():
        kinds = {RING: [RING], DISC: [DISC], PIP: [RING, PIP] if turn.doubles else [RING]}.get(unit, [])
        for kind in kinds:
            for direction in range(4):
                end = along(start, direction, distance)
                move = DieMove(die, kind, start, direction, end)
                if 0 <= end[0] <= 9 and 0 <= end[1] <= 6 and can_be_made(turn, move):
                    yield move


def can_be_made(turn: Turn, move: DieMove) -> bool:
    distance = turn.dice[move.die]
    if not is_open(turn, move.end, move.kind):
        return False
    between = (along(move.start, move.direction, n) for n in range(1, distance))
    if any(turn.units.get(square) == ENEMY_PIP for square in between):
        return False  # QX-52
    first = turn.first
    if first is None:
        return True
    same_unit = move.start == first.end and not (first.kind == DISC and move.kind == RING)  # QX-16
    if same_unit and move.direction == first.direction ^ 1:
        return False  # QX-15
    disc_after_ring = move.start == first.start and (first.kind, move.kind) == (RING, DISC)
    if turn.doubles and disc_after_ring and move.direction == first.direction:
        return False  # QX-44
    if same_unit and move.direction == first.direction and not turn.doubles and turn.both:
        return is_open(turn, along(first.start, move.direction, distance), move.kind)  # QX-31
    return True


def after(turn: Turn, move: DieMove) -> Turn:
    """The turn after the die move; a popped ring is not returned yet."""
    units = dict(turn.units)
    left = units.pop(move.start) - move.kind
    if left:
        units[move.start] = left
    there = units.pop(move.end, 0)
    popped = there == ENEMY_RING
    units[move.end] = move.kind if popped else there + move.kind
    used = (turn.used[0] or move.die == 0, turn.used[1] or move.die == 1)
    return replace(turn, units=units, used=used, first=turn.first or move._replace(die=-1), returning=popped)


def home(turn: Turn) -> int:
    """The mover's pips in its finish zone."""
    return sum(unit == PIP and 10 - turn.depth <= row <= 9 for (row, _), unit in turn.units.items())


def odds(turn: Turn) -> int:
    """QX-83 to QX-85, once the mover has won."""
    rows = [row for (row, _), unit in turn.units.items() if unit > 3]
    if 10 in rows:
        return 3
    return 2 if any(10 - turn.depth <= row <= 9 for row in rows) else 1


def second_exists(turn: Turn) -> bool:
    """Whether the unused die has a move. A popped ring never matters: it returns out of reach (QX-12)."""
    return any(True for _ in die_moves(turn, turn.used.index(False)))


def die_results(turn: Turn) -> dict[int, Turn]:
    """The legal die moves by number, with the turn after each."""
    dice = [die for die in (0, 1) if not turn.used[die]]
    if turn.doubles:
        dice = dice[:1]
    every = {move.id: after(turn, move) for die in dice for move in die_moves(turn, die)}
    if turn.first is not None:
        return every
    winning = {action for action, then in every.items() if home(then) == 7}
    both_dice = {action for action, then in every.items() if action not in winning and second_exists(then)}
    kept = winning | both_dice if both_dice else set(every)  # QX-70, QX-71, QX-82
    return {action: every[action] for action in sorted(kept)}


def return_results(turn: Turn) -> dict[int, Turn]:
    """The returns of a popped ring by number, with the turn after each (QX-62, QX-63)."""
    results = {}
    for column in range(7):
        there = turn.units.get((10, column))
        if there not in (ENEMY_RING, ENEMY_PIP):
            unit = ENEMY_PIP if there == ENEMY_DISC else ENEMY_RING
            results[840 + column] = replace(turn, units=turn.units | {(10, column): unit}, returning=False)
    return results


def results(turn: Turn) -> dict[int, Turn]:
    """The legal actions by number, ascending, with the turn after each."""
    found = return_results(turn) if turn.returning else die_results(turn)
    return dict(sorted(found.items())) or {PASS: turn}


def goes_on(turn: Turn) -> bool:
    """Whether the turn goes on after a decision other than `pass`."""
    if home(turn) == 7:
        return False
    return turn.returning or (not all(turn.used) and second_exists(turn))
