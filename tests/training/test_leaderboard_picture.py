"""The picture of what ratings cost: panels, lines, points and labels."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest

from polytrix.drawing import text_width
from polytrix.training.leaderboards.labels import Box, apart
from polytrix.training.leaderboards.picture import (
    COLOURS,
    GUIDED,
    NETWORK,
    SEARCH,
    SIZE,
    Axis,
    agents_of,
    effort_picture,
)

RATINGS = {
    "search:800,network=expert": 1620, "search:200,network=expert": 1560, "search:1000": 1480,
    "search:50,network=expert": 1470, "search:200": 1411, "expert": 1400, "ppo": 1380, "search:50": 1299,
    "greedy": 1000, "random": -229,
}  # fmt: skip
CLOSE = dict(zip(RATINGS, (1700, 1690, 1680, 1672, 1618, 1262, 1257, 1436, 1000, 267), strict=True))


def record(ratings: dict[str, int] = RATINGS, baselines: tuple[str, ...] = ("ppo", "expert")) -> dict[str, Any]:
    """The results of a board, as far as the picture needs them."""
    names = [name for name in ratings if name in (*baselines, "greedy", "random") or name.startswith("search")]
    names = [name for name in names if "network" not in name or "expert" in baselines]
    agents = [
        {"name": name, "rating": ratings[name], "low": ratings[name] - 25, "high": ratings[name] + 25}
        for name in names
    ]
    return {
        "environment": "polytrix/secret-v0",
        "players": 2,
        "baselines": {name: f"checkpoints/{name}" for name in baselines},
        "minutes": {name: {"ppo": 10.0, "expert": 22.0}[name] for name in baselines},
        "thinking": {"agents": {name: {"ms": 20.0 / (1 + place)} for place, name in enumerate(names)}},
        "tables": [{"agents": agents}],
    }


def panels(board: dict[str, Any]) -> list[str]:
    """The SVG of each panel."""
    return effort_picture(board).svg().split('class="panel"')[1:]


def counted(panel: str) -> dict[str, int]:
    """How many shapes of each class a panel has."""
    return {name: panel.count(f'class="{name}"') for name in ("series", "level", "point", "below", "label")}


def test_panels_show_simulations_time_and_training() -> None:
    simulations, time, training = panels(record())
    assert counted(simulations) == {"series": 2, "level": 3, "point": 6, "below": 0, "label": 3}
    assert counted(time) == {"series": 2, "level": 0, "point": 9, "below": 1, "label": 10}
    assert counted(training) == {"series": 0, "level": 0, "point": 9, "below": 1, "label": 10}
    titles = ("simulations per decision", "milliseconds a move", "minutes of training")
    assert all(title in panel for title, panel in zip(titles, (simulations, time, training), strict=True))
    assert ">random -229<" in time and ">random -229<" in training and ">random" not in simulations


def test_without_an_expert_there_is_one_line_of_searches() -> None:
    simulations, time, training = panels(record(baselines=("ppo",)))
    assert counted(simulations) == {"series": 1, "level": 2, "point": 3, "below": 0, "label": 2}
    assert counted(time)["series"] == 1 and counted(training)["point"] == 5
    assert COLOURS[GUIDED] not in simulations + time + training


def test_without_a_baseline_there_is_no_panel_of_training() -> None:
    simulations, time = panels(record(baselines=()))
    assert counted(simulations)["level"] == 1 and "milliseconds a move" in time
    assert COLOURS[NETWORK] not in simulations + time


def test_what_is_not_known_is_left_out() -> None:
    board = record()
    board["minutes"]["expert"] = None
    training = panels(board)[2]
    assert counted(training)["point"] == 9 - 4  # nor the searches that it guides
    del board["minutes"], board["thinking"]
    assert len(panels(board)) == 1


def test_searches_have_the_minutes_of_their_network() -> None:
    minutes = {agent.name: agent.minutes for agent in agents_of(record())}
    assert minutes["search:50,network=expert"] == minutes["expert"] == 22
    assert minutes["ppo"] == 10
    assert minutes["search:1000"] == minutes["greedy"] == minutes["random"] == 0


def test_points_are_where_the_axes_say() -> None:
    panel = panels(record())[0]
    found = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="4.5" fill="(#\w+)"', panel)
    places = {colour: sorted((float(x), float(y)) for x, y, own in found if own == colour)
              for colour in (COLOURS[SEARCH], COLOURS[GUIDED])}  # fmt: skip
    (x50, _), (x200, _), (x800, y800) = places[COLOURS[GUIDED]]
    (_, y50), (_, y200), (x1000, y1000) = places[COLOURS[SEARCH]]
    assert x200 - x50 == pytest.approx(x800 - x200, abs=0.1)  # equal ratios
    assert x1000 > x800
    assert y50 > y200 > y1000 > y800  # stronger is higher
    assert (y50 - y200) / (y200 - y1000) == pytest.approx((1411 - 1299) / (1480 - 1411), rel=0.01)


def labels(panel: str) -> list[tuple[str, Box]]:
    """The labels of a panel, and the letters' boxes."""
    form = r'<text x="([\d.]+)" y="([\d.]+)" font-size="\d+" text-anchor="(\w+)"[^>]*class="label">([^<]+)<'
    found = []
    for x, y, anchor, content in re.findall(form, panel):
        width = text_width(content, SIZE)
        left = float(x) - {"start": 0, "middle": 0.5, "end": 1}[anchor] * width
        found.append((content, Box(left, float(y) - 0.7 * SIZE, left + width, float(y))))
    return found


@pytest.mark.parametrize("ratings", [RATINGS, CLOSE])
def test_no_label_covers_another_one_or_a_point(ratings: dict[str, int]) -> None:
    for panel in panels(record(ratings)):
        points = [
            Box(float(x) - 4.5, float(y) - 4.5, float(x) + 4.5, float(y) + 4.5)
            for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', panel)
        ]
        placed = labels(panel)
        assert placed
        for (one, box), (other, second) in combinations(placed, 2):
            assert box.common(second) == 0, (one, other)
        for content, box in placed:
            assert not any(box.common(each) for each in points), content


def test_labels_of_one_figure_have_the_order_of_their_points() -> None:
    heights = {content: box.top for content, box in labels(panels(record(CLOSE))[2]) if box.left > 500}
    assert heights["800"] < heights["200"] < heights["50"] < heights["expert"]


def test_places_are_moved_apart() -> None:
    assert apart([0.0, 10.0, 11.0, 40.0], 5.0, 0.0, 100.0) == [0, 8, 13, 40]
    assert apart([98.0, 99.0], 5.0, 0.0, 100.0) == [95, 100]
    assert apart([1.0, 1.0, 1.0], 10.0, 0.0, 100.0) == [0, 10, 20]


@pytest.mark.parametrize(
    ("axis", "ticks"),
    [
        (Axis(50, 1000, 0, 300, logarithmic=True), [50, 100, 200, 500, 1000]),
        (Axis(0.008, 30, 0, 300, logarithmic=True), [0.01, 0.1, 1, 10]),
        (Axis(0.0001, 3e5, 0, 300, logarithmic=True), [0.0001, 0.01, 1, 100, 10000]),
        (Axis(0, 37, 0, 300), [0, 10, 20, 30]),
        (Axis(-40, 15, 0, 300), [-40, -30, -20, -10, 0, 10]),
    ],
)
def test_ticks_are_round_and_few(axis: Axis, ticks: list[float]) -> None:
    assert axis.ticks() == ticks
