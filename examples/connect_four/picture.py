"""The position as a picture: the board with its holes, and whose turn it is; and what is touched to move."""

from __future__ import annotations

from polytrix.drawing import Picture, Shape, circle, place, rect, text

from .state import COLUMNS, ROWS, State
from .words import NAMES, colour_at, status

CELL, MARGIN, HEADING = 60, 20, 60
WIDTH, HEIGHT = CELL * COLUMNS + 2 * MARGIN, CELL * ROWS + HEADING + 2 * MARGIN
PAPER, BLUE, INK = "#f5f3ee", "#1f62c4", "#2b2a28"
STONE = ("#d0342c", "#f2c230", PAPER)  # red, yellow; last an empty hole, as NO_SEAT is -1


def draw(s: State, seat: int | None) -> Picture:
    """The board; the same for both seats."""
    heading = text(MARGIN, 40, status(s), size=22, fill=INK)
    frame = rect(MARGIN, HEADING, CELL * COLUMNS, CELL * ROWS, radius=10, fill=BLUE)
    shapes = [shape for column in range(COLUMNS) for shape in column_shapes(s, column)]
    return Picture(WIDTH, HEIGHT, (heading, frame, *shapes), background=PAPER)


def column_shapes(s: State, column: int) -> list[Shape]:
    """A column: its squares, each with its stone if it has one, its number, and the place that is touched."""
    left, below = MARGIN + CELL * column, HEIGHT - MARGIN + 12
    middle = left + CELL / 2
    squares = [
        circle(middle, HEADING + CELL * (ROWS - row - 0.5), 24, fill=STONE[colour_at(s, row, column)])
        for row in range(ROWS)
    ]
    number = text(middle, below, NAMES[column], size=16, anchor="middle", fill=INK)
    return [*squares, number, place(column_place(column), left, HEADING, CELL, CELL * ROWS)]


def column_place(column: int) -> str:
    """The name of a column, as a place of the picture."""
    return f"column-{NAMES[column]}"


def touch(s: State, action: int) -> tuple[str, ...]:
    """The column into which the stone falls."""
    return (column_place(action),)
