"""Cards as shapes: tracks between golden chips, diamonds, arrows, locks.

A card is drawn in a frame of any size; its parts scale with the width. Near is left.
"""

from __future__ import annotations

from collections.abc import Container

from polytrix.drawing import Shape, arrow, circle, group, line, polygon, polyline, rect, text
from polytrix.drawing.colours import INK

from .deck import Seat
from .reading import SEATS, Line, Reading

LINE_COLOR = ("#ff5b4f", "#4ea6ff")
SEAT_COLOR = ("#c92f28", "#1f62c4")
CARD, CHIP, ARROW, HANDLE = "#27323c", "#c9a44c", "#e9eef2", "#7d8b97"
UNKNOWN, EMPTY = "#d5d1c8", "#c4bfb4"
MARK = "#ffcf3f"
LIGHT = "#fff6d0"

PROPORTION = 4 / 3  # height to width
TRACKS = 0.5 - 0.17, 0.5 + 0.17  # of the height, by chip
APART = 0.035  # of the width: a reader's own lines run above those of the enemy by twice this
KNEES = 0.27, 0.73  # of the width: where lines leave and reach their tracks


def card_side(
    face: Reading | None, reader: int, x: float, y: float, width: float, wired: Container[Line] = ()
) -> list[Shape]:
    """A side of a card, its upper left corner at (x, y): drawn if it is known, else a question mark.

    Lines that are wired from end to end light up.
    """
    return unknown_card(x, y, width) if face is None else known_card(face, reader, x, y, width, wired)


def known_card(
    face: Reading, reader: int, x: float, y: float, width: float, wired: Container[Line]
) -> list[Shape]:
    """The side of a card that is seen."""
    height = PROPORTION * width
    ground = rect(x, y, width, height, radius=0.07 * width, fill=CARD)
    lines = [track(each, reader, x, y, width, lit=each in wired) for each in reversed(face.lines)]
    shapes = [ground, *arrow_and_handle(face.turned, x, y, width), *lines, *chips(x, y, width)]
    return [*shapes, diamond(x + width / 2, y + height / 2, 0.18 * width)] if face.diamond else shapes


def unknown_card(x: float, y: float, width: float) -> list[Shape]:
    """A side that the reader has not seen."""
    height = PROPORTION * width
    return [
        rect(x, y, width, height, radius=0.07 * width, fill=UNKNOWN),
        text(x + width / 2, y + height / 2, "?", size=0.5 * width, anchor="middle", fill=INK),
    ]


def empty_place(x: float, y: float, width: float) -> Shape:
    """A place where no card lies."""
    size = width, PROPORTION * width
    outline = rect(x, y, *size, radius=0.07 * width)
    return group(outline, fill="none", stroke=EMPTY, stroke_width=1.5, stroke_dasharray="5 4", class_="empty")


def track(stretch: Line, reader: int, x: float, y: float, width: float, *, lit: bool) -> Shape:
    """A line from chip to chip, or between a chip and the diamond in the middle."""
    height = PROPORTION * width
    shift = APART * width * (-1 if stretch.colour == reader else 1)
    near, far = (
        y + height * (0.5 if end is None else TRACKS[end]) + shift for end in (stretch.near, stretch.far)
    )
    left, right = KNEES
    points = [(x, near), (x + left * width, near), (x + right * width, far), (x + width, far)]
    if stretch.near is None:
        points = [(x + width / 2, near), *points[2:]]
    if stretch.far is None:
        points = [*points[:2], (x + width / 2, far)]
    drawn = polyline(
        points,
        stroke=LINE_COLOR[stretch.colour],
        stroke_width=0.06 * width,
        stroke_linejoin="round",
        class_=f"line {SEATS[stretch.colour]}",
    )
    light = polyline(points, stroke=LIGHT, stroke_width=0.13 * width, stroke_linejoin="round", class_="light")
    return group(light, drawn) if lit else drawn


def chips(x: float, y: float, width: float) -> list[Shape]:
    """The four chips, half beyond the edges, where they meet those of the next card."""
    size = 0.1 * width, 0.21 * width
    return [
        rect(
            edge - size[0] / 2,
            y + height * PROPORTION * width - size[1] / 2,
            *size,
            radius=0.025 * width,
            fill=CHIP,
        )
        for edge in (x, x + width)
        for height in TRACKS
    ]


def diamond(x: float, y: float, radius: float) -> Shape:
    """The sign of a Resistor."""
    corners = [(x - radius, y), (x, y - radius), (x + radius, y), (x, y + radius)]
    return polygon(corners, fill="#fff", class_="diamond")


def arrow_and_handle(turned: int, x: float, y: float, width: float) -> list[Shape]:
    """The arrow at the upper end and the handle at the lower end, exchanged on a turned card."""
    height, middle = PROPORTION * width, x + width / 2
    top, bottom = 0.06 * width, height - 0.06 * width
    tip, step = (y + bottom, -0.2 * width) if turned else (y + top, 0.2 * width)
    handle = y + (top if turned else bottom)
    name = "arrow down" if turned else "arrow up"
    return [
        arrow((middle, tip + step), (middle, tip), color=ARROW, width=0.035 * width, class_=name),
        line(
            (middle - 0.13 * width, handle),
            (middle + 0.13 * width, handle),
            stroke=HANDLE,
            stroke_width=0.05 * width,
            stroke_linecap="round",
        ),
    ]


def padlock(seat: int, x: float, y: float) -> Shape:
    """A Lock Card of a seat, around (x, y)."""
    color = LINE_COLOR[seat]
    return group(
        circle(x, y - 4, 5, fill="none", stroke="#fff", stroke_width=3),
        rect(x - 8.5, y - 4, 17, 13, radius=2.5, fill=color, stroke="#fff", stroke_width=1.5),
        circle(x, y + 2.5, 2, fill="#fff"),
        class_=f"lock {SEATS[seat]}",
    )


def knower_dots(knowers: tuple[int, ...], x: float, y: float) -> list[Shape]:
    """A dot around (x, y) for a seat that knows both sides of a card."""
    return [
        circle(x + (8 if seat == Seat.BLUE else -8) * (len(knowers) - 1), y, 5.5, fill=SEAT_COLOR[seat],
               class_=f"knows {SEATS[seat]}")
        for seat in knowers
    ]  # fmt: skip
