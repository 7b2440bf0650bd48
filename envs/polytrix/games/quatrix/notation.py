"""Actions as text and back.

Both seats name squares alike, `a1` to `g11`:

    Rd1-d4    the ring from d1 to the empty d4      De5+e8   the disc joins its ring
    Dc3xc7    the disc pops a ring                  Pd1-d5   the pip as a unit
    Dg5+g10#  and wins                              @c11     the popped ring goes to c11
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from polytrix.core.calls import shown
from polytrix.core.errors import NotationError
from polytrix.core.notation import as_text, ids_of, some_of
from polytrix.core.state import OVER

from . import rules
from .bitboard import COLUMNS, LAST_ROW, ROWS
from .state import ACTIONS, MAX_LEGAL, STEP, Kind, Seat, State, board

COLOURS = ("red", "blue")
LETTERS = {Kind.RING: "R", Kind.DISC: "D", Kind.PIP: "P"}
_SQUARE = "[a-g](?:1[01]|[1-9])"
_ACTION = re.compile(f"pass|@{_SQUARE}|[RDP]{_SQUARE}[-+x]{_SQUARE}#?")
_ID = re.compile("!([0-9]{1,6})")


def format_action(s: State, action: int) -> str:
    """The action in notation; `!311` if it is illegal here."""
    if action not in legal_ids(s):
        ACTIONS.locate(action)
        return f"!{action}"
    return name(s, board(s), action) + ("#" if wins(s, action) else "")


def parse_action(s: State, text: str) -> int:
    """The action that `text` names in this position; `#` is optional, and `!311` is any action by number."""
    if number := _ID.fullmatch(as_text(text)):
        if int(number[1]) >= ACTIONS.size:
            raise NotationError(f"{text}: there are only the actions !0 to !{ACTIONS.size - 1}")
        return int(number[1])
    if not _ACTION.fullmatch(text):
        raise NotationError(
            f"{shown(text)} is not an action; write Rd1-d4, De5+e8, Dc3xc7, Pd1-d5, @c11 or pass; "
            f"squares are a1 to g{ROWS}"
        )
    units = board(s)
    names = {name(s, units, action): action for action in legal_ids(s)}
    action = names.get(text.removesuffix("#"), -1)
    if action < 0:
        reason = objection(s, units, text)
        raise NotationError(f"{text!r} is illegal here{reason and ': ' + reason}; {hint(text, names)}")
    if text.endswith("#") and not wins(s, action):
        raise NotationError(f"{text!r} does not win; write it without #")
    return action


def objection(s: State, units: npt.NDArray[np.int8], text: str) -> str:
    """Why a die move is illegal, as far as its squares and the dice tell; "" if they do not.

    Args:
        s: the position.
        units: the board.
        text: the move in notation.
    """
    if text[0] not in LETTERS.values() or s.turn_seat < 0:
        return ""
    start, end = re.findall(_SQUARE, text)
    (row, column), (last_row, last_column) = (
        (int(name[1:]) - 1, "abcdefg".index(name[0])) for name in (start, end)
    )
    seat, unit = s.turn_seat, int(units[row, column])
    if not unit or (unit - 1) // 3 != seat:
        return f"{COLOURS[seat]} has nothing on {start}"
    kind = (unit - 1) % 3 + 1
    if LETTERS[kind] != text[0] and (kind, text[0]) != (Kind.PIP, LETTERS[Kind.RING]):  # QX-21
        return f"on {start} stands a {Kind.name_of(kind).lower()}"
    if (row == last_row) == (column == last_column):
        return "a die move goes straight along a row or a column"
    steps = abs(row - last_row) + abs(column - last_column)
    left = [int(die) for die, used in zip(s.dice, s.used, strict=True) if die and not used]
    if steps not in left:
        return f"that is {steps} squares, and the dice left show {' and '.join(map(str, left)) or 'nothing'}"
    return ""


def legal_ids(s: State) -> list[int]:
    """The legal actions, ascending; none if no seat is to move."""
    return ids_of(rules.legal, s, MAX_LEGAL)


def name(s: State, units: npt.NDArray[np.int8], action: int) -> str:
    """A legal action in notation without `#`; `units` is the board."""
    block, where = ACTIONS.locate(action)
    seat = s.turn_seat
    if block.name == "pass":
        return "pass"
    if block.name == "place":
        return "@" + square_name(seat, LAST_ROW * COLUMNS + where[0])
    move = die_move(s, units, action)
    sign = "-" if move.target == 0 else "+" if (move.target - 1) // 3 == seat else "x"
    return LETTERS[move.kind] + square_name(seat, move.square) + sign + square_name(seat, move.landing)


class DieMove(NamedTuple):
    """A die move in the mover's own view."""

    kind: int  # RING, DISC or PIP
    leaves_disc: bool  # a ring leaves a pip
    square: int
    direction: int
    steps: int
    landing: int
    target: int  # the unit there, coded as in `board`


def die_move(s: State, units: npt.NDArray[np.int8], action: int) -> DieMove:
    """The die move of a legal `move` or `pip` action; `units` is the board."""
    block, where = ACTIONS.locate(action)
    seat = s.turn_seat
    *_, square, direction = where
    steps = int(s.dice[where[0] if block.name == "move" else int(s.used[0])])
    landing = square + steps * int(STEP[direction])
    unit = unit_at(units, seat, square) - 3 * seat
    leaves_disc = unit == Kind.PIP and block.name == "move"  # QX-21
    kind = Kind.RING if leaves_disc else unit
    return DieMove(kind, leaves_disc, square, direction, steps, landing, unit_at(units, seat, landing))


def unit_at(units: npt.NDArray[np.int8], seat: int, square: int) -> int:
    """The unit on a square of the own view of `seat`, coded as in `board`."""
    return int(units.flat[square if seat == Seat.RED else units.size - 1 - square])


def square_name(seat: int, square: int) -> str:
    """Board coordinates of a square in the own view of `seat`.

    >>> square_name(0, 3), square_name(1, 3)
    ('d1', 'd11')
    """
    row, column = divmod(square if seat == Seat.RED else ROWS * COLUMNS - 1 - square, COLUMNS)
    return "abcdefg"[column] + str(row + 1)


def wins(s: State, action: int) -> bool:
    """Whether a legal action ends the game."""
    after = s.copy()
    rules.apply(after, action)
    return bool(after.mover == OVER)


def hint(text: str, names: Iterable[str]) -> str:
    """Suggest the action with the same squares and another sign, or else some legal actions."""
    squares = re.split("[-+x#]", text)[:2]
    for other in names:
        if re.split("[-+x]", other) == squares:
            return f"did you mean {other!r}?"
    return some_of(sorted(names))


def format_chance(s: State, outcome: int) -> str:
    """The number that the die shows."""
    return f"={outcome + 1}"
