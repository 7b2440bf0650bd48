"""A picture of a tournament: ratings with intervals, and a cross-table of win rates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from polytrix.drawing import Picture, Shape, circle, line, lines_of, rect, text

from .summary import deals_of

ROW = 44
NAMES = 210
SCALE = 380
CELL = 84
TOP = 110
GAP = 40
NOTE = 200

INK, FAINT, POINT = "#222", "#bbb", "#1f6fb2"
WORST, EVEN, BEST = (0xD9, 0x7B, 0x6C), (0xF7, 0xF5, 0xF0), (0x6C, 0xA8, 0xD9)


def picture(result: Mapping[str, Any]) -> Picture:
    """A picture of a result of `summarise`: ratings on the left, the cross-table on the right."""
    agents = result["agents"]
    width = NAMES + SCALE + GAP + max(CELL * len(met(result)), NOTE) + 20
    height = TOP + ROW * len(agents) + 40
    title = f"{result['environment']}: {deals_of(result)} deals, {result['players']} players"
    shapes = [text(20, 24, title, size=18, fill=INK)]
    for row, agent in enumerate(agents):
        shapes.append(text(20, TOP + ROW * (row + 0.5), agent["name"][:28], size=14, fill=INK))
    return Picture(width, height, tuple(shapes + rating_marks(agents) + cross_table(result)))


def rating_marks(agents: list[Mapping[str, Any]]) -> list[Shape]:
    """A point for each rating, with a line for its interval."""
    low, high = min(float(a["low"]) for a in agents), max(float(a["high"]) for a in agents)
    span = max(high - low, 1.0)

    def place(rating: float) -> float:
        return NAMES + 20 + (SCALE - 40) * (rating - low) / span

    shapes = [text(NAMES + SCALE / 2, TOP - 20, "rating (Elo), 95%", size=12, anchor="middle", fill=INK)]
    for row, agent in enumerate(agents):
        y = TOP + ROW * (row + 0.5)
        left, right = place(agent["low"]), place(agent["high"])
        shapes += [
            line((NAMES, y), (NAMES + SCALE, y), stroke=FAINT, stroke_width=1),
            line((left, y), (right, y), stroke=POINT, stroke_width=4),
            circle(place(agent["rating"]), y, 5, fill=POINT),
            text(place(agent["rating"]), y - 14, f"{agent['rating']:.0f}", size=12, anchor="middle", fill=INK),
        ]
    return shapes


def cross_table(result: Mapping[str, Any]) -> list[Shape]:
    """Win rate and mean payoff of the row's agent among the column's."""
    order = {agent["name"]: number for number, agent in enumerate(result["agents"])}
    columns = {name: number for number, name in enumerate(met(result))}
    left = NAMES + SCALE + GAP
    shapes = [text(left, TOP - 58, "games won, mean payoff", size=12, fill=INK)]
    for name, column in columns.items():
        x = left + CELL * (column + 0.5)
        for number, part in enumerate(reversed(lines_of(name.replace(",", ", "), CELL, 11))):
            y = TOP - 20 - 13 * number
            shapes.append(text(x, y, part[:15], size=11, anchor="middle", fill=INK))
    for one in result["meetings"]:
        x, y = left + CELL * columns[one["others"]], TOP + ROW * order[one["agent"]]
        colour = blend(one["win_rate"], result["fair_share"])
        shapes += [
            rect(x + 1, y + 1, CELL - 2, ROW - 2, fill=colour, radius=4),
            text(x + CELL / 2, y + ROW / 2 - 6, f"{one['win_rate']:.1%}", size=13, anchor="middle", fill=INK),
            text(x + CELL / 2, y + ROW / 2 + 10, f"{one['payoff']:+.3f}", size=10, anchor="middle", fill=INK),
        ]
    note = f"row among column; fair share {result['fair_share']:.0%}"
    shapes.append(text(left, TOP + ROW * len(order) + 18, note, size=11, fill=INK))
    return shapes


def met(result: Mapping[str, Any]) -> list[str]:
    """Names of the agents that were opponents, best first."""
    others = {one["others"] for one in result["meetings"]}
    return [agent["name"] for agent in result["agents"] if agent["name"] in others]


def blend(rate: float, fair: float) -> str:
    """The colour of a win rate, interpolated between those of 0, the fair share and 1.

    >>> blend(0.5, 0.5), blend(1.0, 0.25)
    ('#f7f5f0', '#6ca8d9')
    """
    far = (rate - fair) / (1 - fair) if rate > fair else (fair - rate) / fair
    end = BEST if rate > fair else WORST
    return "#" + "".join(f"{round(a + far * (b - a)):02x}" for a, b in zip(EVEN, end, strict=True))
