"""Actions as text and back. Squares are those of the board, `a1` to `g11`, for both seats.

    Rd1-d4    the ring from d1 to the empty d4      De5+e8   the disc joins its ring
    Dc3xc7    the disc pops a ring                  Pd1-d5   the pip as a unit
    Dg5+g10#  and wins                              @c11     the popped ring goes to c11
"""

from __future__ import annotations

import re

import numpy as np

from polytrix.core.errors import NotationError
from polytrix.core.state import Record

from . import rules
from .state import (
    ACTIONS,
    BLUE,
    COLUMNS,
    DISC,
    LAST_COLUMN,
    LAST_ROW,
    MAX_LEGAL,
    PASS,
    PHASES,
    PIP,
    PLACE_OFFSET,
    RING,
    ROWS,
    RED,
    STEP,
    board,
    pips_home,
)

LETTERS = {RING: "R", DISC: "D", PIP: "P"}
_MOVE = re.compile(r"([RDP])([a-g])(\d+)[-+x]([a-g])(\d+)(#?)")
_PLACE = re.compile(r"@([a-g])(\d+)")


def square_name(seat: int, square: int) -> str:
    """Board coordinates of a square in the own view of `seat`."""
    row, column = divmod(square, COLUMNS)
    if seat == BLUE:
        row, column = LAST_ROW - row, LAST_COLUMN - column
    return "abcdefg"[column] + str(row + 1)


def square_number(seat: int, letter: str, number: str) -> int:
    """The square in the own view of `seat`."""
    row, column = int(number) - 1, "abcdefg".index(letter)
    if not 0 <= row < ROWS:
        raise NotationError(f"there is no square {letter}{number}; the board is a1 to g{ROWS}")
    if seat == BLUE:
        row, column = LAST_ROW - row, LAST_COLUMN - column
    return row * COLUMNS + column


def legal_ids(s: Record) -> list[int]:
    """The legal actions of the position, in plain Python."""
    ids = np.zeros(MAX_LEGAL, np.int16)
    count = rules.legal(s, ids) if s.mover >= 0 else 0
    return [int(i) for i in ids[:count]]


def format_action(s: Record, action: int) -> str:
    """The action in notation; `!311` for one that is illegal here.

    Errors: IndexError for a number that is no action.
    """
    block, _ = ACTIONS.locate(action)
    if action not in legal_ids(s):
        return f"!{action}"
    seat = int(s.turn_seat)
    if block.name == "pass":
        return "pass"
    if block.name == "place":
        return "@" + square_name(seat, LAST_ROW * COLUMNS + action - PLACE_OFFSET)
    kind, square, landing = what(s, action)
    popped = rules.pops(s, seat, kind, landing)
    row, column = divmod(landing if seat == RED else ROWS * COLUMNS - 1 - landing, COLUMNS)
    joins = board(s)[row, column] != 0 and not popped
    sign = "x" if popped else "+" if joins else "-"
    text = LETTERS[kind] + square_name(seat, square) + sign + square_name(seat, landing)
    return text + ("#" if wins(s, action) else "")


def what(s: Record, action: int) -> tuple[int, int, int]:
    """Kind, square and landing square of a die move."""
    square = rules.square_of(action)
    distance = int(s.dice[rules.die_of(s, action)])
    return rules.kind_of(s, int(s.turn_seat), action), square, square + distance * int(STEP[action % 4])


def wins(s: Record, action: int) -> bool:
    """Whether a die move ends the game."""
    after = s.copy()
    rules.apply(after, action)
    return bool(pips_home(after, int(s.turn_seat)) == rules.PIECES)


def parse_action(s: Record, text: str) -> int:
    """The action that `text` names in this position; `!311` for any number.

    Raises:
        NotationError: for text that is no action, or names none that is legal here.
    """
    text = text.strip()
    if text == "pass":
        return PASS
    if re.fullmatch(r"!\d+", text) and int(text[1:]) < ACTIONS.size:
        return int(text[1:])
    seat = int(s.turn_seat)
    if place := _PLACE.fullmatch(text):
        row, column = divmod(square_number(seat, *place.groups()), COLUMNS)
        if row != LAST_ROW:
            raise NotationError(f"{text}: a popped ring returns to its own start track")
        return PLACE_OFFSET + column
    found = _MOVE.fullmatch(text)
    if not found:
        raise NotationError(
            f"{text!r} is no action; write Rd1-d4, De5+e8, Dc3xc7, Pd1-d5, @c11 or pass"
        )
    letter, *squares, hash_sign = found.groups()
    square, landing = square_number(seat, *squares[:2]), square_number(seat, *squares[2:])
    for action in legal_ids(s):
        if action < PLACE_OFFSET and what(s, action) == (_kind(letter), square, landing):
            named = format_action(s, action)
            if named in (text, text + "#"):
                return action
            raise NotationError(f"{text!r} is written {named!r} in this position")
    raise NotationError(f"{text!r} is not legal in this position")


def _kind(letter: str) -> int:
    return next(kind for kind, own in LETTERS.items() if own == letter)


def format_chance(s: Record, outcome: int) -> str:
    """One die: what it shows."""
    return f"={outcome + 1}"


def text(s: Record, seat: int | None) -> str:
    """The position for a terminal: red rings, discs, pips are r d p, blue ones R D P."""
    units = board(s)
    lines = []
    for row in range(ROWS) if seat == BLUE else reversed(range(ROWS)):
        columns = reversed(range(COLUMNS)) if seat == BLUE else range(COLUMNS)
        lines.append(f"{row + 1:2} " + " ".join(".rdpRDP"[units[row, column]] for column in columns))
    lines.append("   " + " ".join("gfedcba" if seat == BLUE else "abcdefg"))
    lines.append(status(s))
    return "\n".join(lines)


def status(s: Record) -> str:
    """Turn, dice and pips home in one line."""
    home = f"home {pips_home(s, 0)}:{pips_home(s, 1)}"
    if s.mover < -1:
        result = "truncated" if s.truncated else f"{colour(s.winner)} wins, odds {s.odds}"
        return f"{result}  {home}"
    if s.turn_seat < 0:
        return f"opening roll  {home}"
    dice = "-".join(f"({n})" if used else str(n) for n, used in zip(s.dice, s.used, strict=True) if n)
    return f"{colour(s.turn_seat)} {PHASES[s.phase]} {dice or 'to roll'}  {home}"


def colour(seat: int) -> str:
    return ("red", "blue")[seat]
