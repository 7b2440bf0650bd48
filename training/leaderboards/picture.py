"""A picture of what ratings cost: rating against simulations, against time, and against training."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from polytrix.agents.search import is_search, search_settings
from polytrix.core.baselines import EXPERT
from polytrix.drawing import Picture, Shape, circle, group, line, polygon, polyline, rect, text, text_width
from polytrix.training.leaderboards.labels import Box, Label, Labels, Spot, around

WIDTH, HEIGHT = 1040, 458
LEFT, RIGHT, TOP, BOTTOM = 66, 1024, 80, 398
"""The picture and its panels, in pixels."""

GAP, INSET = 24, 22
"""Space between two panels, and from the side of a panel to its lowest and highest figure."""

SIZE = 14
"""Font size: 11 pixels on a page that shows the picture 800 pixels wide."""

INK, GRID, EDGE = "#222", "#e6e6e6", "#bbb"

SEARCH, GUIDED, NETWORK, BUILT_IN = "search:N", f"search:N,network={EXPERT}", "network", "built-in"
COLOURS = {SEARCH: "#1f6fb2", GUIDED: "#c8553d", NETWORK: "#3a7d44", BUILT_IN: "#6b6b6b"}
"""The kinds of agents, in the order of the legend."""


@dataclass(frozen=True)
class Agent:
    """An agent of a board.

    Args:
        name: its name.
        kind: one of `COLOURS`.
        rating, low, high: rating and its interval (Elo).
        simulations: per decision; None if it does not search.
        ms: milliseconds of a decision; None if they are not known.
        minutes: of training, 0 without a network; None if they are not known.
    """

    name: str
    kind: str
    rating: float
    low: float
    high: float
    simulations: float | None
    ms: float | None
    minutes: float | None

    @property
    def label(self) -> str:
        """Its name beside a point, whose colour tells the kind: for a search, the number of simulations."""
        return self.name if self.simulations is None else f"{self.simulations:g}"


@dataclass(frozen=True)
class Panel:
    """What a panel shows.

    Args:
        title: what the figures are.
        figures: by the names of the agents that have points.
        logarithmic: whether equal ratios of figures have equal lengths.
        connected: whether lines connect searches of a kind.
        labelled: whether points have labels.
        levels: whether agents that do not search are lines from side to side.
    """

    title: str
    figures: Mapping[str, float]
    logarithmic: bool = True
    connected: bool = True
    labelled: bool = True
    levels: bool = False


def effort_picture(board: Mapping[str, Any]) -> Picture:
    """A picture of a board's first table, with a panel for each kind of cost that is known."""
    agents = agents_of(board)
    panels = panels_of(agents)
    width = (RIGHT - LEFT + GAP) / len(panels)
    up = ratings_axis(agents)
    shapes = [text(20, 24, f"{board['environment']}, {board['players']} players", size=18, fill=INK)]
    shapes += [*legend(agents), text(20, TOP - 12, "rating (Elo), 95%", size=SIZE, fill=INK)]
    for rating in up.ticks():
        shapes.append(text(LEFT - 8, up.at(rating), f"{rating:.0f}", size=SIZE, anchor="end", fill=INK))
    for number, panel in enumerate(panels):
        left = LEFT + number * width
        shapes.append(Drawing(panel, agents, left, left + width - GAP, up).shape())
    return Picture(WIDTH, HEIGHT, tuple(shapes))


def agents_of(board: Mapping[str, Any]) -> list[Agent]:
    """The agents of a board's first table."""
    times, trained = board.get("thinking", {}).get("agents", {}), board.get("minutes", {})
    found = []
    for one in board["tables"][0]["agents"]:
        name = one["name"]
        settings = search_settings(name) if is_search(name) else {}
        kind = kind_of(name, board["baselines"])
        with_network = kind in (NETWORK, GUIDED)
        found.append(
            Agent(
                name, kind, one["rating"], one["low"], one["high"],
                simulations=settings.get("simulations"),
                ms=times[name]["ms"] if name in times else None,
                minutes=trained.get(settings.get("network", name)) if with_network else 0.0,
            )
        )  # fmt: skip
    return found


def kind_of(name: str, networks: Container[str]) -> str:
    """The kind of an agent, one of `COLOURS`.

    Args:
        name: its name.
        networks: names of the board's networks.

    >>> [kind_of(name, ["ppo"]) for name in ("search:50", "search:50,network=expert", "ppo", "random")]
    ['search:N', 'search:N,network=expert', 'network', 'built-in']
    """
    if is_search(name):
        return GUIDED if "network" in search_settings(name) else SEARCH
    return NETWORK if name in networks else BUILT_IN


def panels_of(agents: Sequence[Agent]) -> list[Panel]:
    """The panels: simulations, time and training, if they are known."""
    searches = {agent.name: agent.simulations for agent in agents if agent.simulations is not None}
    times = {agent.name: agent.ms for agent in agents if agent.ms is not None}
    minutes = {agent.name: agent.minutes for agent in agents if agent.minutes is not None}
    panels = []
    if searches:
        panels.append(Panel("simulations per decision", searches, labelled=False, levels=True))
    if times:
        panels.append(Panel("milliseconds a move", times))
    if any(minutes.values()):
        panels.append(Panel("minutes of training", minutes, logarithmic=False, connected=False))
    return panels


def legend(agents: Iterable[Agent]) -> list[Shape]:
    """The colours of the kinds that take part, in a line that ends at the right."""
    kinds = {agent.kind for agent in agents}
    shapes, x = [], float(RIGHT)
    for kind in reversed(COLOURS):
        if kind in kinds:
            x -= text_width(kind, SIZE)
            shapes.append(text(x, 25, kind, size=SIZE, fill=INK))
            shapes.append(circle(x - 10, 25, 5, fill=COLOURS[kind]))
            x -= 40
    return shapes


# -- axes ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Axis:
    """Places of figures.

    Args:
        low, high: its ends.
        start, end: their places, in pixels.
        logarithmic: whether equal ratios have equal lengths.
    """

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def at(self, figure: float) -> float:
        """The place of a figure, in pixels.

        >>> Axis(1, 100, 0, 50, logarithmic=True).at(10)
        25.0
        """
        low, high, given = (math.log10(x) if self.logarithmic else x for x in (self.low, self.high, figure))
        return self.start + (self.end - self.start) * (given - low) / (high - low)

    def ticks(self) -> list[float]:
        """Round figures from `low` to `high`, about 50 pixels from each other or more.

        >>> Axis(20, 1200, 0, 300, logarithmic=True).ticks()
        [20.0, 50.0, 100.0, 200.0, 500.0, 1000.0]
        >>> Axis(940, 1480, 300, 0).ticks()
        [1000.0, 1100.0, 1200.0, 1300.0, 1400.0]
        """
        most = max(2, int(abs(self.end - self.start) / 50))
        if self.logarithmic:
            decades = range(math.floor(math.log10(self.low)), math.floor(math.log10(self.high)) + 1)
            every = [[float(f"{digit}e{decade}") for decade in decades for digit in (1, 2, 5)]]
            every += [[float(f"1e{decade}") for decade in decades[::step]] for step in (1, 2, 3)]
            within = [[x for x in figures if self.low <= x <= self.high] for figures in every]
            return next((figures for figures in within if len(figures) <= most), within[-1])
        rough = (self.high - self.low) / most
        decade = 10.0 ** math.floor(math.log10(rough))
        step = next(digit * decade for digit in (1, 2, 5, 10) if digit * decade >= rough)
        return [n * step for n in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


def ratings_axis(agents: Sequence[Agent]) -> Axis:
    """The axis of ratings. It has room for all agents but `random`, which is far below the others."""
    others = [agent for agent in agents if agent.name != "random"] or agents
    low, high = min(agent.low for agent in others), max(agent.high for agent in others)
    span = max(high - low, 50.0)
    return Axis(low - 0.15 * span, high + 0.08 * span, BOTTOM, TOP)


def figures_axis(panel: Panel, left: float, right: float) -> Axis:
    """The axis of a panel between two sides."""
    low, high = min(panel.figures.values()), max(panel.figures.values())
    if low == high:
        low, high = (low / 2, high * 2) if panel.logarithmic else (low - 1, high + 1)
    return Axis(low, high, left + INSET, right - INSET, panel.logarithmic)


# -- panels -------------------------------------------------------------------------------


class Drawing:
    """A panel as it is drawn.

    Args:
        panel: what it shows.
        agents: the agents.
        left, right: its sides, in pixels.
        up: the axis of ratings.
    """

    def __init__(self, panel: Panel, agents: Sequence[Agent], left: float, right: float, up: Axis) -> None:
        self.panel, self.agents = panel, agents
        self.left, self.right = left, right
        self.up, self.across = up, figures_axis(panel, left, right)
        self.labels = Labels(Box(left + 2, TOP + 2, right - 2, BOTTOM - 2), SIZE)

    def shape(self) -> Shape:
        """The panel."""
        with_figures = [agent for agent in self.agents if agent.name in self.panel.figures]
        shapes = self.grid()
        if self.panel.levels:
            shapes += self.levels()
        if self.panel.connected:
            shapes += self.series(with_figures)
        for agent in with_figures:
            shapes += self.point(agent)
        if self.panel.labelled:
            self.label(with_figures)
        return group(*shapes, *self.labels.shapes(), class_="panel")

    def grid(self) -> list[Shape]:
        """Edges, ticks and title."""
        shapes = []
        for rating in self.up.ticks():
            y = self.up.at(rating)
            shapes.append(line((self.left, y), (self.right, y), stroke=GRID, stroke_width=1))
        for figure in self.across.ticks():
            x = self.across.at(figure)
            shapes.append(line((x, TOP), (x, BOTTOM), stroke=GRID, stroke_width=1))
            shapes.append(text(x, BOTTOM + 16, f"{figure:g}", size=SIZE, anchor="middle", fill=INK))
        width, middle = self.right - self.left, (self.left + self.right) / 2
        shapes.append(rect(self.left, TOP, width, BOTTOM - TOP, fill="none", stroke=EDGE, stroke_width=1))
        shapes.append(text(middle, BOTTOM + 42, self.panel.title, size=SIZE, anchor="middle", fill=INK))
        return shapes

    def levels(self) -> list[Shape]:
        """Lines from side to side with bands for intervals, of what does not search and is within the axis."""
        level = [one for one in self.agents if one.simulations is None and one.rating >= self.up.low]
        heights = [self.up.at(agent.rating) for agent in level]
        shapes = []
        for agent, y in zip(level, heights, strict=True):
            colour, top, bottom = COLOURS[agent.kind], *self.interval(agent)
            band = rect(self.left, top, self.right - self.left, bottom - top, fill=colour, opacity=0.15)
            ends = (self.left, y), (self.right, y)
            shapes += [band, line(*ends, stroke=colour, stroke_width=2, class_="level")]
            self.labels.avoid_line(*ends)
            free = [side for side in (12, -12) if not any(0 < (other - y) / side < 2 for other in heights)]
            across = range(int(self.right) - 8, int(self.left) + 60, -8)
            spots = [[Spot(x, y + side, "end")] for side in free or (12, -12) for x in across]
            self.labels.add([Label(agent.label, colour)], spots)
        return shapes

    def series(self, agents: Sequence[Agent]) -> list[Shape]:
        """A line through the points of each kind of search."""
        shapes = []
        for kind in (SEARCH, GUIDED):
            places = sorted(self.place(agent) for agent in agents if agent.kind == kind)
            for start, end in pairwise(places):
                self.labels.avoid_line(start, end)
            if len(places) > 1:
                shapes.append(polyline(places, stroke=COLOURS[kind], stroke_width=2, class_="series"))
        return shapes

    def point(self, agent: Agent) -> list[Shape]:
        """A point with a line for the interval; an arrow if it is below the axis."""
        colour, (x, y) = COLOURS[agent.kind], self.place(agent)
        self.labels.avoid(x, y, 6)
        if agent.rating < self.up.low:
            return [polygon([(x - 6, y - 4), (x + 6, y - 4), (x, y + 6)], fill=colour, class_="below")]
        top, bottom = self.interval(agent)
        self.labels.avoid_line((x, top), (x, bottom))
        return [
            line((x, top), (x, bottom), stroke=colour, stroke_width=3, stroke_opacity=0.5),
            circle(x, y, 4.5, fill=colour, class_="point"),
        ]

    def label(self, agents: Sequence[Agent]) -> None:
        """Label the points: one by one if lines connect them, else those of a figure together."""
        columns: dict[float, list[tuple[float, Label]]] = {}
        for agent in agents:
            x, y = self.place(agent)
            below = f" {agent.rating:.0f}" if agent.rating < self.up.low else ""
            label = Label(agent.label + below, COLOURS[agent.kind])
            if self.panel.connected:
                self.labels.add([label], around(x, y))
            else:
                columns.setdefault(x, []).append((y, label))
        for x, labels in columns.items():
            self.labels.column(x, labels)

    def place(self, agent: Agent) -> tuple[float, float]:
        """Where an agent's point is, in pixels; one below the axis is at its end."""
        return self.across.at(self.panel.figures[agent.name]), min(self.up.at(agent.rating), BOTTOM - 10)

    def interval(self, agent: Agent) -> tuple[float, float]:
        """Top and bottom of the interval of a rating, in pixels, within the axis."""
        return self.up.at(agent.high), min(self.up.at(agent.low), BOTTOM)
