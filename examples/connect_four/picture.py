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
    return Picture(WIDTH, HEIGHT, (heading, frame, *holes(s), *labels(), *places()), background=PAPER)


def holes(s: State) -> list[Shape]:
    """The squares, each with its stone if it has one."""
    return [
        circle(
            middle_of(column), HEADING + CELL * (ROWS - row - 0.5), 24, fill=STONE[colour_at(s, row, column)]
        )
        for row in range(ROWS)
        for column in range(COLUMNS)
    ]


def labels() -> list[Shape]:
    """The numbers of the columns."""
    below = HEIGHT - MARGIN + 12
    return [
        text(middle_of(column), below, name, size=16, anchor="middle", fill=INK)
        for column, name in enumerate(NAMES)
    ]


def places() -> list[Shape]:
    """The columns, to be touched."""
    return [
        place(column_place(column), MARGIN + CELL * column, HEADING, CELL, CELL * ROWS)
        for column in range(COLUMNS)
    ]


def column_place(column: int) -> str:
    """The name of a column, as a place of the picture."""
    return f"column-{NAMES[column]}"


def touch(s: State, action: int) -> tuple[str, ...]:
    """The column into which the stone falls."""
    return (column_place(action),)


def middle_of(column: int) -> float:
    """The horizontal middle of a column."""
    return MARGIN + CELL * (column + 0.5)
