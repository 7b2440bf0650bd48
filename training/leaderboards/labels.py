"""Labels in a picture that keep clear of points, of lines and of each other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from polytrix.drawing import Shape, text, text_width

STEP = 4
"""Distance of the squares that stand for a line, in pixels."""

OUTSIDE = 100.0
"""Cost of a square pixel outside; one that covers a line or a label costs 1."""


class Box(NamedTuple):
    """A rectangle, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        """Its area."""
        return (self.right - self.left) * (self.bottom - self.top)

    def common(self, other: Box) -> float:
        """The area that two rectangles have in common.

        >>> Box(0, 0, 4, 4).common(Box(2, 3, 9, 9))
        2
        """
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return width * height if width > 0 and height > 0 else 0


class Spot(NamedTuple):
    """A place for a label.

    Args:
        x, y, anchor: as for `polytrix.drawing.text`.
        cost: how much worse it is than others, in square pixels covered.
    """

    x: float
    y: float
    anchor: str = "start"
    cost: float = 0.0


class Label(NamedTuple):
    """What a label says, and its colour."""

    content: str
    colour: str


class Labels:
    """Labels within a rectangle.

    Args:
        inside: the rectangle.
        size: font size.
    """

    def __init__(self, inside: Box, size: float) -> None:
        self.inside = inside
        self.size = size
        self._taken: list[Box] = []
        self._wanted: list[tuple[Sequence[Label], list[Sequence[Spot]]]] = []

    def avoid(self, x: float, y: float, radius: float) -> None:
        """Keep clear of a point."""
        self._taken.append(Box(x - radius, y - radius, x + radius, y + radius))

    def avoid_line(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Keep clear of a line."""
        steps = max(1, math.ceil(math.dist(start, end) / STEP))
        for step in range(steps + 1):
            x, y = (a + (b - a) * step / steps for a, b in zip(start, end, strict=True))
            self.avoid(x, y, STEP / 2)

    def add(self, labels: Sequence[Label], choices: Iterable[Sequence[Spot]]) -> None:
        """Add labels that belong together.

        Args:
            labels: the labels.
            choices: where they may be, with a spot for each label; of equally good ones the first one counts.
        """
        self._wanted.append((labels, list(choices)))

    def column(self, x: float, labels: Sequence[tuple[float, Label]]) -> None:
        """Add the labels of points on top of each other: right or left of them, in the points' order.

        Args:
            x: of the points.
            labels: y of each point, and its label.
        """
        ordered = sorted(labels)
        gap = self.size + 1
        low, high = self.inside.top + self.size / 2, self.inside.bottom - self.size / 2
        places = apart([y for y, _ in ordered], gap, low, high)
        sides = ((x + 9, "start"), (x - 9, "end"))
        choices = [[Spot(at, y, anchor) for y in places] for at, anchor in sides]
        self.add([label for _, label in ordered], choices)

    def shapes(self) -> list[Shape]:
        """The labels, each where it covers least of what is there already."""
        taken, made = [*self._taken], list[Shape]()
        for labels, choices in self._wanted:
            boxes = [[self.box(*each) for each in zip(labels, spots, strict=True)] for spots in choices]
            costs = [self.cost(*each, taken) for each in zip(boxes, choices, strict=True)]
            best = costs.index(min(costs))
            taken += boxes[best]
            made += [self.shape(*each) for each in zip(labels, choices[best], strict=True)]
        return made

    def cost(self, boxes: Iterable[Box], spots: Iterable[Spot], taken: Sequence[Box]) -> float:
        """How bad some spots are, and what would be covered there."""
        covered = sum(box.common(other) for box in boxes for other in taken)
        outside = sum(box.area - box.common(self.inside) for box in boxes)
        return covered + OUTSIDE * outside + sum(spot.cost for spot in spots)

    def box(self, label: Label, spot: Spot) -> Box:
        """What a label covers, with a margin."""
        width = text_width(label.content, self.size)
        left = spot.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[spot.anchor] * width
        return Box(left - 2, spot.y - self.size / 2, left + width + 2, spot.y + self.size / 2)

    def shape(self, label: Label, spot: Spot) -> Shape:
        """A label; its letters have white edges, so that it can be read over a line."""
        return text(
            spot.x, spot.y, label.content, size=self.size, anchor=spot.anchor, fill=label.colour,
            stroke="#fff", stroke_width=3, stroke_linejoin="round", paint_order="stroke", class_="label",
        )  # fmt: skip


def around(x: float, y: float) -> list[Sequence[Spot]]:
    """Choices for the label of a point: beside it, above and below, then farther away."""
    choices = list[Sequence[Spot]]()
    for up, out, cost in ((0, 9, 0), (11, 9, 2), (16, 0, 4), (20, 12, 40), (32, 14, 90)):
        for dy in dict.fromkeys((-up, up)):
            sides = ((out, "start"), (-out, "end")) if out else ((0, "middle"),)
            choices += [[Spot(x + dx, y + dy, anchor, cost)] for dx, anchor in sides]
    return choices


def apart(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Ascending places moved as little as possible, so that there is a gap between any two.

    Args:
        places: ascending.
        gap: least distance between two.
        low, high: least and greatest place; they count only if there is room enough.

    >>> apart([0.0, 10.0, 11.0, 40.0], 5.0, 0.0, 100.0)
    [0.0, 8.0, 13.0, 40.0]
    >>> apart([98.0, 99.0], 5.0, 0.0, 100.0)
    [95.0, 100.0]
    """
    blocks: list[tuple[float, int]] = []  # places that touch: where they begin, but for gaps; their number
    for number, place in enumerate(places):
        start, count = place - number * gap, 1
        while blocks and blocks[-1][0] > start:
            before, others = blocks.pop()
            start = (before * others + start * count) / (others + count)
            count += others
        blocks.append((start, count))
    starts = [start for start, count in blocks for _ in range(count)]
    most = high - (len(places) - 1) * gap
    return [max(low, min(most, start)) + number * gap for number, start in enumerate(starts)]
