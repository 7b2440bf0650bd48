"""What a log of Quatrix may say and must, see `tests/games/truth.py`.

All see all, so `words.explain` is the log. Moves are carried out on a board of its own, which must end like the
state.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.state import OVER, Record
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import Phase, board
from tests.games.truth import Reader, Step

from .random_positions import first_decisions

SQUARE = "([a-g]1?[0-9])"
KINDS = {1: {"ring"}, 2: {"disc"}, 3: {"ring", "disc"}}
DIRECTIONS = {"forward": (1, 0), "backward": (-1, 0), "left": (0, -1), "right": (0, 1)}
"""Rows and columns, as red sees them; blue sees them turned."""


class Board:
    """`square -> (seat, pieces)`."""

    def __init__(self, s: Record) -> None:
        self.units = {
            "abcdefg"[column] + str(row + 1): (int(unit - 1) // 3, set(KINDS[int(unit - 1) % 3 + 1]))
            for (row, column), unit in np.ndenumerate(board(s))
            if unit
        }

    def take(self, square: str, piece: str) -> bool:
        """Take a piece away; whether it was there."""
        _, pieces = self.units.get(square, (0, set()))
        was = piece in pieces
        pieces.discard(piece)
        if not pieces:
            self.units.pop(square, None)
        return was

    def put(self, square: str, seat: int, piece: str) -> bool:
        """Put a piece down; whether there was room."""
        owner, pieces = self.units.setdefault(square, (seat, set()))
        free = owner == seat and piece not in pieces
        pieces.add(piece)
        return free


def a_rare_position(rng: np.random.Generator) -> Record:
    """Few units among walls, all pieces, or one move before a win."""
    return first_decisions(rng, 1, Mode.PLAIN).states[0].copy()


READER = Reader(positions=a_rare_position, table=Board)


@READER.line(
    rf"the (ring of the pip|whole pip|ring|disc) goes (\d) (\w+) from {SQUARE} to {SQUARE}"
    "(?: and joins its (ring|disc): a pip)?( and pops the enemy ring there)?(, which wins the game)?"
)
def goes(step: Step, what: str, count: str, way: str, start: str, end: str, *told: str | None) -> bool:
    joined, pops, wins = told
    seat, units = int(step.before.mover), step.table.units
    (rows, columns), sign = DIRECTIONS[way], 1 - 2 * seat
    rows, columns = sign * int(count) * rows, sign * int(count) * columns
    far = (ord(end[0]) - ord(start[0]), int(end[1:]) - int(start[1:])) == (columns, rows)
    owner, pieces = units.get(start, (1 - seat, set()))
    whole = (pieces == {"ring", "disc"} and what in ("ring of the pip", "whole pip")) or pieces == {what}
    met, there = units.get(end, (seat, set()))
    fits = whole and owner == seat and bool(pops) == (met != seat) and (joined is None or there == {joined})
    if pops:
        fits &= there == {"ring"} and step.table.take(end, "ring")
    for piece in ("ring", "disc"):
        if what == "whole pip" or piece == what.split()[0]:
            fits &= step.table.take(start, piece) and step.table.put(end, seat, piece)
    over = step.after.mover == OVER and not step.after.truncated
    return (
        far
        and fits
        and bool(joined) == (what != "whole pip" and len(units[end][1]) == 2)
        and bool(wins) == over
    )


@READER.line(f"put the popped ring back on {SQUARE}(, where it makes a pip with its disc)?")
def puts_back(step: Step, square: str, pip: str | None) -> bool:
    owner = 1 - int(step.before.mover)  # QX-62: who has popped it puts it back
    room = step.table.put(square, owner, "ring")
    return (
        room
        and bool(pip) == (step.table.units[square][1] == {"ring", "disc"})
        and step.before.phase == Phase.PLACE
    )


@READER.line("nothing can be moved: forfeit the roll")
def forfeits(step: Step) -> bool:
    return GAME.format_action(step.before, step.event) == "pass" and step.after.phase != Phase.MOVE


@READER.at_the_end
def the_board(step: Step) -> Iterator[str]:
    """Whoever carries out what is told has the board as it is."""
    true, told = Board(step.after).units, step.table.units
    if told != true:
        yield f"board is {true}, but told is {told}"


@READER.change("winner")
def the_winner(step: Step) -> Iterator[str]:
    if step.after.winner >= 0:
        yield "wins the game"
