"""The released networks, and the leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polytrix
from polytrix.agents import load
from polytrix.agents.search import is_search
from polytrix.core.behaviour import shown
from polytrix.training.figures.markdown import Receipt, column, heading, made, table, two_digits, with_interval
from polytrix.training.figures.pictures import draw_costs
from polytrix.training.shared.receipts import read_all


def networks(root: Path) -> str:
    """One row for each released network: what it was trained with."""
    rows = [
        [f"`{one.game}`", str(one.players), f"[`{one.name}`]({one.path.parent.name}/card.md)",
         " x ".join(str(len(bias)) for _, bias in load(one.path).layers[:-1]),
         f"{one.steps / 1e6:.1f}", f"{one.minutes:.0f}"]
        for one in polytrix.baselines()
    ]  # fmt: skip
    return table(["environment", "players", "network", "layers", "million decisions", "minutes"], rows, left=3)


def leaderboard(root: Path) -> str:
    """All agents against `greedy`, then ratings and times of each table; draws a picture for each table."""
    receipts = read_all(root / "benchmarks" / "leaderboard")
    for receipt in receipts:
        draw_costs(receipt, root / "docs" / "images" / f"leaderboard_{receipt['table']}.png")
    return "\n".join([overview(receipts), *map(section, receipts)])


def overview(receipts: list[dict[str, Any]]) -> str:
    """All agents against `greedy`: one row for each of them, one column for each table."""
    cells: dict[str, dict[str, str]] = {}
    for receipt in receipts:
        for one in receipt["tables"][0]["meetings"]:
            if one["others"] == "greedy":
                cells.setdefault(usual(one["agent"]), {})[receipt["table"]] = won(one)
    names = sorted(cells, key=lambda name: (is_search(name) + 2 * ("network" in name), name != "random"))
    rows = [
        ["fair share", *(f"{1 / receipt['players']:.0%}" for receipt in receipts)],
        *(
            ["<br>".join(f"`{part}`" for part in name.split(",")),
             *(cells[name].get(receipt["table"], "") for receipt in receipts)]
            for name in names
        ),
    ]  # fmt: skip
    head = ["agent", *map(column, receipts)]
    return "Games won against `greedy` in all other seats:\n\n" + table(head, rows)


def usual(name: str) -> str:
    """The name of an agent without the number of players that its network was trained with.

    >>> usual("search:50,network=expert-players4")
    'search:50,network=expert'
    """
    return name.partition("-players")[0]


def section(receipt: Receipt) -> str:
    """The section of one table."""
    picture = f"![ratings against milliseconds a move](images/leaderboard_{receipt['table']}.png)"
    first, thinking = receipt["tables"][0], receipt["thinking"]
    times = {name: two_digits(one["ms"]) for name, one in thinking["agents"].items()}
    games = sum(each["games"] for each in receipt["tables"])
    deals = " to ".join(f"{count:,}" for count in dict.fromkeys(first["deals"]))
    told = (
        f"{games:,} games with seed {first['seed']}, {deals} deals of each pair; "
        f"{first['truncated'] / first['games']:.1%} of the games reached their limit. {made(receipt)} Times: "
        f"{thinking['date']}, {thinking['positions']} positions, {thinking['machine']['cpu']}.\n"
    )
    parts = [ratings(each, times) for each in receipt["tables"]] + behaviour(receipt)
    return "\n".join([f"## {heading(receipt)}\n", f"{picture}\n", *parts, told])


def behaviour(receipt: Receipt) -> list[str]:
    """How the agents of the first tournament play, if its games were counted."""
    agents = [one for one in receipt["tables"][0]["agents"] if one.get("behaviour")]
    layout = polytrix.find(receipt["environment"]).behaviour
    if not agents:
        return []
    rows = [
        [f"`{one['name']}`", *(shown(figure, *one["behaviour"].get(figure.name, (0, 0))) for figure in layout)]
        for one in agents
    ]
    meanings = "; ".join(f"*{figure.name}*, {figure.meaning}" for figure in layout)
    return [f"How they play: {meanings}.\n\n" + table(["agent", *(figure.name for figure in layout)], rows)]


def ratings(tournament: Receipt, times: Mapping[str, str]) -> str:
    """The ratings of a tournament: of all against all, or of each in one seat among opponents of one kind."""
    met = {(one["agent"], one["others"]): won(one) for one in tournament["meetings"]}
    rows, others = [], tournament["table"]
    for agent in tournament["agents"]:
        name, rating = agent["name"], with_interval(agent["rating"], (agent["low"], agent["high"]), ".0f")
        if others is None:
            cells = [met.get((name, other), "") for other in ("greedy", "random")]
        elif agent["games"]:
            cells = [won(agent), with_interval(agent["payoff"], agent["payoff_interval"], "+.3f")]
        else:
            continue
        rows.append([f"`{name}`", rating, *cells, times.get(name, "")])
    if others is None:
        return table(["agent", "rating", "won against `greedy`", "won against `random`", "ms a move"], rows)
    head = ["agent", "rating", "games won", "mean payoff", "ms a move"]
    return f"One seat among `{others}` ones; equals get 0:\n\n" + table(head, rows)


def won(one: Mapping[str, Any]) -> str:
    """The games that an agent won, and the interval."""
    return with_interval(one["win_rate"], one["win_interval"], ".1%")
