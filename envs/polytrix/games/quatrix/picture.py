"""The position as a picture: the board, and beside it each colour's corner with its dice.

The board stands as red sees it; for blue it is turned by 180 degrees, corners included.
Its squares keep their names. Nothing is hidden, so both seats see the same.
"""

from __future__ import annotations

from polytrix.core.state import OVER
from polytrix.drawing import Picture, Shape, arrow, circle, group, line, place, rect, text
from polytrix.drawing.colours import CARD, FADED, GRID, INK, PAPER

from .bitboard import COLUMNS, LAST_COLUMN, LAST_ROW, ROWS
from .ending import pips_home
from .notation import square_name
from .state import PIECES, Kind, Phase, Seat, State, board
from .text import result

WIDTH, HEIGHT = 452, 640
CELL = 48  # 40 pixels on a narrow screen: a finger meets it
LEFT, TOP = 28, 64  # of the board
BOARD_WIDTH, BOARD_HEIGHT = COLUMNS * CELL, ROWS * CELL
PANEL_LEFT, PANEL_WIDTH = 372, 72
PANEL_MIDDLE = PANEL_LEFT + PANEL_WIDTH / 2
CORNER_HEIGHT = 176
DIE = 34

NAMES = ("Red", "Blue")
COLOR = ("#c92f28", "#1f62c4")
TINT = ("#f8dedb", "#dbe7f9")  # start tracks
FAINT_TINT = ("#fdf3f1", "#f1f6fd")  # finish zones
MARK = "#fff0b3"


def draw(s: State, seat: int | None) -> Picture:
    """The position as `seat` sees it; None sees it as red does."""
    top = Seat.RED if seat == Seat.BLUE else Seat.BLUE
    shapes = (
        *heading(s),
        *squares(s, top),
        *labels(top),
        *finish_lines(s, top),
        *first_move(s, top),
        *units(s, top),
        *corner(s, top, TOP),
        *corner(s, 1 - top, TOP + BOARD_HEIGHT - CORNER_HEIGHT),
        *popped_ring(s),
        *square_places(s, top),
    )
    return Picture(WIDTH, HEIGHT, shapes, background=PAPER)


# -- the board ----------------------------------------------------------------------------


def corner_of(row: int, column: int, top: int) -> tuple[int, int]:
    """Upper left corner of a square of the board, in pixels."""
    if top == Seat.BLUE:
        row = LAST_ROW - row
    else:
        column = LAST_COLUMN - column
    return LEFT + CELL * column, TOP + CELL * row


def middle_of(row: int, column: int, top: int) -> tuple[int, int]:
    """Middle of a square of the board, in pixels."""
    x, y = corner_of(row, column, top)
    return x + CELL // 2, y + CELL // 2


def squares(s: State, top: int) -> list[Shape]:
    """The rows in their colours, marks for the turn's first die move, and the grid."""
    first_column = 0 if top == Seat.BLUE else LAST_COLUMN
    rows = [
        rect(*corner_of(row, first_column, top), BOARD_WIDTH, CELL, fill=row_color(s, row))
        for row in range(ROWS)
    ]
    marks = [rect(*corner_of(*square, top), CELL, CELL, fill=MARK) for square in first_squares(s)]
    right, bottom = LEFT + BOARD_WIDTH, TOP + BOARD_HEIGHT
    across = [line((LEFT, y), (right, y)) for y in range(TOP + CELL, bottom, CELL)]
    down = [line((x, TOP), (x, bottom)) for x in range(LEFT + CELL, right, CELL)]
    frame = rect(LEFT, TOP, BOARD_WIDTH, BOARD_HEIGHT, radius=3, fill="none", stroke=FADED, stroke_width=1.5)
    return [*rows, *marks, group(*across, *down, stroke=GRID), frame]


def row_color(s: State, row: int) -> str:
    """A tint of the seat's colour on start tracks, a fainter one on finish zones."""
    depth = s.options.finish_depth
    if row == 0:
        return TINT[Seat.RED]
    if row == LAST_ROW:
        return TINT[Seat.BLUE]
    if row >= LAST_ROW - depth:
        return FAINT_TINT[Seat.RED]
    if row <= depth:
        return FAINT_TINT[Seat.BLUE]
    return CARD


def square_places(s: State, top: int) -> list[Shape]:
    """The squares, to be touched; spoken of by what stands there."""
    position, places = board(s), []
    for row in range(ROWS):
        for column in range(COLUMNS):
            name, label = square_name(Seat.RED, COLUMNS * row + column), ""
            if position[row, column]:
                seat, kind = divmod(int(position[row, column]) - 1, 3)
                label = f"{name}, {NAMES[seat].lower()} {Kind.name_of(kind + 1).lower()}"
            places.append(place(name, *corner_of(row, column, top), CELL, CELL, label=label))
    return places


def labels(top: int) -> list[Shape]:
    """Names of the rows and columns; a square has the same name in both views."""
    x, y = LEFT - 16, TOP + BOARD_HEIGHT + 16
    rows = [text(x, middle_of(row, 0, top)[1], str(row + 1), size=15, anchor="middle") for row in range(ROWS)]
    columns = [
        text(middle_of(0, column, top)[0], y, "abcdefg"[column], size=15, anchor="middle")
        for column in range(COLUMNS)
    ]
    return [group(*rows, *columns, fill=FADED, class_="labels")]


def finish_lines(s: State, top: int) -> list[Shape]:
    """Each colour's finish line, on the near side of its zone."""
    depth = s.options.finish_depth
    lines = []
    for seat, row in ((Seat.RED, LAST_ROW - depth), (Seat.BLUE, depth)):
        y = corner_of(row, 0, top)[1]
        if seat != top:
            y += CELL
        ends = (LEFT, y), (LEFT + BOARD_WIDTH, y)
        lines.append(line(*ends, stroke=COLOR[seat], stroke_width=4, class_=f"finish {NAMES[seat].lower()}"))
    return lines


def first_squares(s: State) -> list[tuple[int, int]]:
    """Row and column where the turn's first die move started and ended; none before it."""
    if s.first_kind == Kind.NONE:
        return []
    places = [divmod(int(square), COLUMNS) for square in (s.first_from, s.first_to)]
    if s.turn_seat == Seat.BLUE:
        return [(LAST_ROW - row, LAST_COLUMN - column) for row, column in places]
    return places


def first_move(s: State, top: int) -> list[Shape]:
    """An arrow for the turn's first die move, to the edge of the unit."""
    marked = first_squares(s)
    if not marked:
        return []
    (x1, y1), (x2, y2) = (middle_of(*square, top) for square in marked)
    step_x, step_y = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
    end = (x2 - 20 * step_x, y2 - 20 * step_y)
    return [arrow((x1, y1), end, color=INK, width=4, opacity=0.45, class_="first-move")]


def units(s: State, top: int) -> list[Shape]:
    """Every ring, disc and pip on its square."""
    shapes = []
    position = board(s)
    for row in range(ROWS):
        for column in range(COLUMNS):
            if position[row, column]:
                seat, kind = divmod(int(position[row, column]) - 1, 3)
                shapes += unit(seat, kind + 1, *middle_of(row, column, top))
    return shapes


def unit(seat: int, kind: int, x: float, y: float) -> list[Shape]:
    """A hollow ring, a small filled disc, or a pip: the disc in the ring."""
    name = NAMES[seat].lower()
    ring = circle(x, y, 15.5, fill="none", stroke=COLOR[seat], stroke_width=5.5, class_=f"ring {name}")
    disc = circle(x, y, 8.5, fill=COLOR[seat], class_=f"disc {name}")
    return {Kind.RING: [ring], Kind.DISC: [disc], Kind.PIP: [ring, disc]}[kind]


# -- beside the board ---------------------------------------------------------------------


def heading(s: State) -> list[Shape]:
    """The status, and the number of the seat's turn."""
    seat = hero(s)
    begun = s.turns + (1 if s.phase == Phase.ROLL and s.mover != OVER else 0)
    number = (begun + 1) // 2  # turns alternate (QX-08)
    shapes = [text(LEFT, 34, status(s), size=22, fill=COLOR[seat] if seat >= 0 else INK, class_="status")]
    if number:
        right = PANEL_LEFT + PANEL_WIDTH
        shapes.append(text(right, 35, f"turn {number}", size=15, anchor="end", fill=FADED, class_="turn"))
    return shapes


def hero(s: State) -> int:
    """The seat on turn, or the winner; -1 for nobody."""
    return s.winner if s.mover == OVER else s.turn_seat


def status(s: State) -> str:
    """The phase or the result."""
    if s.mover == OVER:
        return result(s).capitalize()
    if s.phase == Phase.OPENING:
        return "Opening roll"
    mover = NAMES[s.turn_seat]
    if s.phase == Phase.PLACE:
        return f"{mover} returns the popped ring"
    return f"{mover} to roll" if s.phase == Phase.ROLL else f"{mover} to move"


def corner(s: State, seat: int, y: int) -> list[Shape]:
    """A colour's corner: its name, its pips at home and its dice."""
    is_hero = hero(s) == seat
    box = rect(
        PANEL_LEFT,
        y,
        PANEL_WIDTH,
        CORNER_HEIGHT,
        radius=8,
        fill=CARD,
        stroke=COLOR[seat] if is_hero else GRID,
        stroke_width=2.5 if is_hero else 1.5,
    )
    home = pips_home(s, seat)
    name = text(PANEL_MIDDLE, y + 20, NAMES[seat], size=17, anchor="middle", fill=COLOR[seat])
    caption = text(PANEL_MIDDLE, y + 41, f"{home} home", size=15, anchor="middle", fill=INK, class_="home")
    return [box, name, caption, *home_slots(seat, home, y + 60), *dice_of(s, seat, y + 84)]


def home_slots(seat: int, home: int, y: int) -> list[Shape]:
    """Seven small circles, filled for the pips at home."""
    step = 9
    left = PANEL_MIDDLE - step * (PIECES - 1) / 2
    return [
        circle(left + step * i, y, 3, fill=COLOR[seat] if i < home else GRID, class_="slot")
        for i in range(PIECES)
    ]


def dice_of(s: State, seat: int, y: int) -> list[Shape]:
    """The rolled dice of the colour, in this turn or in the opening."""
    opening = s.phase == Phase.OPENING
    if not opening and s.turn_seat != seat:
        return []
    numbers = s.opening[seat] if opening else s.dice
    return [
        die(int(number), bool(spent), PANEL_MIDDLE - DIE / 2, y + i * (DIE + 10), COLOR[seat])
        for i, (number, spent) in enumerate(zip(numbers, s.used, strict=True))
        if number
    ]


def die(number: int, used: bool, x: float, y: float, color: str) -> Shape:
    """A die with its spots, pale once it is used."""
    spots = [
        circle(x + DIE * (0.5 + 0.25 * across), y + DIE * (0.5 + 0.25 * down), 3.2, fill="#fff")
        for across, down in SPOTS[number]
    ]
    name = f"die {'used' if used else 'unused'}"
    return group(rect(x, y, DIE, DIE, radius=7, fill=FADED if used else color), *spots,
                 opacity=0.4 if used else 1, class_=name)  # fmt: skip


_DIAGONAL = ((-1, 1), (1, -1))
_CORNERS = (*_DIAGONAL, (-1, -1), (1, 1))
SPOTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: _DIAGONAL,
    3: (*_DIAGONAL, (0, 0)),
    4: _CORNERS,
    5: (*_CORNERS, (0, 0)),
    6: (*_CORNERS, (-1, 0), (1, 0)),
}
"""The spots of each number, as steps right and down from the middle."""


def popped_ring(s: State) -> list[Shape]:
    """The popped ring beside the board, until its return."""
    if s.phase != Phase.PLACE:
        return []
    y = TOP + BOARD_HEIGHT // 2
    caption = text(PANEL_MIDDLE, y + 38, "popped", size=15, anchor="middle", fill=INK)
    return [*unit(1 - s.turn_seat, Kind.RING, PANEL_MIDDLE, y), caption]
