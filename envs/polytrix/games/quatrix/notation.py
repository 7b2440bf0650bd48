"""Actions as text.

Both seats name squares alike, `a1` to `g11`:

    Rd1-d4    the ring from d1 to the empty d4      De5+e8   the disc joins its ring
    Dc3xc7    the disc pops a ring                  Pd1-d5   the pip as a unit
    Dg5+g10#  and wins                              @c11     the popped ring goes to c11
"""

from __future__ import annotations

import re
from typing import NamedTuple

from polytrix.core.notation import ids_of
from polytrix.core.state import OVER

from . import rules
from .bitboard import COLUMNS, LAST_ROW, ROWS, SQUARES, has
from .state import ACTIONS, MAX_LEGAL, STEP, Kind, Seat, State

COLOURS = ("red", "blue")
LETTERS = {Kind.RING: "R", Kind.DISC: "D", Kind.PIP: "P"}
ENEMY = 3
_SQUARE = "([a-g](?:1[01]|[1-9]))"
_DIE_MOVE = re.compile(f"([RDP]){_SQUARE}[-+x]{_SQUARE}#?")


def format_action(s: State, action: int) -> str:
    """The action in notation; `!311` if it is illegal here."""
    block, where = ACTIONS.locate(action)
    if action not in ids_of(rules.legal, s, MAX_LEGAL):
        return f"!{action}"
    if block.name == "pass":
        return "pass"
    if block.name == "place":
        return "@" + square_name(s.turn_seat, LAST_ROW * COLUMNS + where[0])
    move = die_move(s, action)
    squares = (square_name(s.turn_seat, square) for square in (move.square, move.landing))
    sign = "+" if move.target in LETTERS else "x" if move.target else "-"
    return LETTERS[move.kind] + sign.join(squares) + "#" * wins(s, action, move)


def objection(s: State, text: str) -> str:
    """Why a text is no legal die move, as far as its squares and the dice tell; "" if they do not."""
    written = _DIE_MOVE.fullmatch(text)
    if written is None or s.mover < 0:
        return ""
    seat = s.turn_seat
    letter, start, end = written.groups()
    named = [square_name(seat, square) for square in range(SQUARES)]
    square, landing = named.index(start), named.index(end)
    kind = unit_at(s, square)
    if kind not in LETTERS:
        return f"{COLOURS[seat]} has nothing on {start}"
    if LETTERS[kind] != letter and (kind, letter) != (Kind.PIP, LETTERS[Kind.RING]):  # QX-21
        return f"on {start} stands a {Kind.name_of(kind).lower()}"
    rows, columns = abs(square // COLUMNS - landing // COLUMNS), abs(square % COLUMNS - landing % COLUMNS)
    if (rows == 0) == (columns == 0):
        return "a die move goes straight along a row or a column"
    left = [int(die) for die, used in zip(s.dice, s.used, strict=True) if die and not used]
    if rows + columns not in left:
        shown = " and ".join(map(str, left)) or "nothing"
        return f"that is {rows + columns} squares, and the dice left show {shown}"
    return ""


class DieMove(NamedTuple):
    """A die move in the mover's own view."""

    kind: int  # RING, DISC or PIP
    leaves_disc: bool  # a ring leaves a pip
    square: int
    direction: int
    steps: int
    landing: int
    target: int  # the unit there, see `unit_at`


def die_move(s: State, action: int) -> DieMove:
    """The die move of a legal `move` or `pip` action."""
    block, where = ACTIONS.locate(action)
    *_, square, direction = where
    steps = int(s.dice[where[0] if block.name == "move" else int(s.used[0])])
    landing = square + steps * int(STEP[direction])
    unit = unit_at(s, square)
    leaves_disc = unit == Kind.PIP and block.name == "move"  # QX-21
    return DieMove(
        Kind.RING if leaves_disc else unit, leaves_disc, square, direction, steps, landing, unit_at(s, landing)
    )


def unit_at(s: State, square: int) -> int:
    """The unit on a square in the own view of whose turn it is: its kind, or ENEMY + its kind; 0 for none."""
    seat = s.turn_seat
    own = Kind.RING * has(s.ring[seat], square) + Kind.DISC * has(s.disc[seat], square)
    enemy = Kind.RING * has(s.enemy_ring[seat], square) + Kind.DISC * has(s.enemy_disc[seat], square)
    return ENEMY + enemy if enemy else own


def square_name(seat: int, square: int) -> str:
    """Board coordinates of a square in the own view of `seat`.

    >>> square_name(0, 3), square_name(1, 3)
    ('d1', 'd11')
    """
    row, column = divmod(square if seat == Seat.RED else ROWS * COLUMNS - 1 - square, COLUMNS)
    return "abcdefg"[column] + str(row + 1)


def wins(s: State, action: int, move: DieMove) -> bool:
    """Whether a legal die move ends the game: one that makes or carries a pip may (QX-80)."""
    if move.target not in LETTERS and move.kind != Kind.PIP:
        return False
    after = s.copy()
    rules.apply(after, action)
    return bool(after.mover == OVER)


def format_chance(s: State, outcome: int) -> str:
    """The number that the die shows."""
    return f"={outcome + 1}"
