"""Writes the leaderboard page, with tables and pictures, from the stored results."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from polytrix.agents.resolve import MASTER, MASTER_SEARCH
from polytrix.arena.picture import picture
from polytrix.arena.summary import deals_of
from polytrix.training.leaderboards.picture import BUILT_IN, GUIDED, NETWORK, SEARCH, effort_picture, kind_of

PAGE = "leaderboard.md"

HEAD = f"""# Leaderboard

<!-- Made by `python training/leaderboard.py` from benchmarks/leaderboard. Do not edit. -->

All agents of a table play the same deals, every deal from every seat. The highest payoff wins if it is above
zero. Ratings are Bradley-Terry strengths on the Elo scale; `greedy`, or the opponent in the other seats, has
1000. Intervals are 95%. `ppo` and `expert` are the [released networks](../checkpoints/README.md) for the
table's number of players; they play their most probable action. `search:N` makes N simulations per decision,
and `search:N,network=expert` asks that network; `{MASTER}` is `{MASTER_SEARCH}`. [Arena](arena.md)
explains games, ratings and intervals. The [files](../benchmarks/leaderboard) behind this page are in the
repository.

The second picture of a table shows ratings against what they cost: simulations, time, and minutes of training.
*ms a move* is the CPU time of a decision on one core, in milliseconds, for an agent that is asked for one
position at a time: the mean over positions from games of `greedy` against itself, the same for all agents. The
minutes of `expert` include those of the network that it began with; a search has the minutes of its network. A
triangle is an agent below the axis.
"""


def write_page(results: Path, docs: Path) -> Path:
    """Write the page and its pictures, two for each board.

    Args:
        results: folder with a JSON file for each board.
        docs: folder of the page and of `images/`.
    """
    stored = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(results.glob("*.json"))]
    images = docs / "images"
    images.mkdir(parents=True, exist_ok=True)
    for board in stored:
        image = images / picture_name(board)
        image.write_bytes(picture(board["tables"][0]).png(2))
        (images / effort_name(board)).write_bytes(effort_picture(board).png(2))
    page = docs / PAGE
    sections = [HEAD, overview(stored), *(section(board, docs, results.parents[1]) for board in stored)]
    page.write_text("\n".join(sections), encoding="utf-8")
    return page


def picture_name(board: Mapping[str, Any]) -> str:
    """File name of a board's picture."""
    return f"leaderboard_{board['board']}.png"


def effort_name(board: Mapping[str, Any]) -> str:
    """File name of the picture of what a board's ratings cost."""
    return f"leaderboard_{board['board']}-effort.png"


def overview(stored: list[dict[str, Any]]) -> str:
    """All agents against `greedy`: one row for each of them, one column for each board."""
    kinds: dict[str, str] = {}
    columns = []
    for board in stored:
        meetings = [one for one in board["tables"][0]["meetings"] if one["others"] == "greedy"]
        kinds |= {one["agent"]: kind_of(one["agent"], board["baselines"]) for one in meetings}
        columns.append({one["agent"]: won(one) for one in meetings})
    agents = sorted(kinds, key=lambda name: (BUILT_IN, SEARCH, NETWORK, GUIDED).index(kinds[name]))
    head = ["agent", *(f"[{narrow(heading(board))}](#{anchor(board)})" for board in stored)]
    rows = [
        ["fair share", *(f"{board['tables'][0]['fair_share']:.0%}" for board in stored)],
        *([two_lines(name), *(column.get(name, "") for column in columns)] for name in agents),
    ]
    return "Games won against `greedy` in all other seats, with intervals in percent:\n\n" + markdown(
        head, rows, left=1
    )


def section(board: Mapping[str, Any], docs: Path, root: Path) -> str:
    """The section of one board."""
    parts = [f"## {heading(board)}\n", f"![ratings and games won](images/{picture_name(board)})\n"]
    parts.append(f"![ratings against simulations, time and training](images/{effort_name(board)})\n")
    times = times_of(board)
    parts += [
        all_against_all(table, times) if table["table"] is None else one_among(table, times)
        for table in board["tables"]
    ]
    trained = ", ".join(
        f"[{name}]({os.path.relpath(root / folder / 'card.md', docs)})" + trained_for(board, name)
        for name, folder in board["baselines"].items()
    )
    machine, first = board["machine"], board["tables"][0]
    options = ", ".join(f"{name} {value}" for name, value in first["options"].items())
    parts.append(
        f"`{board['environment']}` with {options}; "
        f"{sum(table['games'] for table in board['tables']):,} games with seed {first['seed']}, "
        f"{deals_of(first)} deals of each pair; "
        f"{first['truncated'] / first['games']:.1%} of the games reached their limit. "
        + (f"Training: {trained}. " if trained else "No baseline. ")
        + f"Played {board['date']} by `{board['command']}`, {machine['cpu']}, {machine['usable_cores']} cores; "
        + ", ".join(f"{name} {number}" for name, number in board["versions"].items())
        + "."
        + measured_on(board)
        + "\n"
    )
    return "\n".join(parts)


def trained_for(board: Mapping[str, Any], name: str) -> str:
    """Minutes of training of a network, if they are known."""
    minutes = board.get("minutes", {}).get(name)
    return "" if minutes is None else f" {minutes:.0f} minutes"


def times_of(board: Mapping[str, Any]) -> dict[str, str]:
    """Milliseconds of a decision of the agents that were measured, by name."""
    agents = board.get("thinking", {}).get("agents", {})
    return {name: two_digits(one["ms"]) for name, one in agents.items()}


def measured_on(board: Mapping[str, Any]) -> str:
    """Where the times were measured."""
    if "thinking" not in board:
        return ""
    one = board["thinking"]
    return f" Times measured {one['date']} in {one['positions']} positions, {one['machine']['cpu']}."


def two_digits(figure: float) -> str:
    """A positive figure with two digits, or more before its point.

    >>> two_digits(0.0412), two_digits(3.14), two_digits(123.4)
    ('0.041', '3.1', '123')
    """
    return f"{figure:.{max(0, 1 - math.floor(math.log10(figure)))}f}"


def heading(board: Mapping[str, Any]) -> str:
    """What a board, or a table of the benchmark, is called."""
    return f"{board['title']}, {board['players']} players"


def narrow(text: str) -> str:
    """A heading with a line for each word of a name, for a column of a table.

    >>> narrow("Pixel Tactics, 2 players")
    'Pixel<br>Tactics<br>2 players'
    """
    name, players = text.split(", ")
    return "<br>".join([*name.split(), players])


def two_lines(name: str) -> str:
    """The name of an agent, with a line for the network of a search.

    >>> two_lines("search:200,network=expert")
    '`search:200`<br>`network=expert`'
    """
    return "<br>".join(f"`{part}`" for part in name.split(","))


def anchor(board: Mapping[str, Any]) -> str:
    """The heading's anchor, as GitHub makes it."""
    kept = "".join(letter for letter in heading(board).lower() if letter.isalnum() or letter in " _-")
    return kept.replace(" ", "-")


def all_against_all(table: Mapping[str, Any], times: Mapping[str, str]) -> str:
    """The table of a tournament in which all agents met each other; `times` as from `times_of`."""
    met = {(one["agent"], one["others"]): one for one in table["meetings"]}
    rows = []
    for agent in table["agents"]:
        meetings = [met.get((agent["name"], other)) for other in ("greedy", "random")]
        cells = ["" if one is None else won(one) for one in meetings]
        rows.append([f"`{agent['name']}`", rating(agent), *cells, times.get(agent["name"], "")])
    head = ["agent", "rating", "won against `greedy`", "won against `random`", "ms a move"]
    return markdown(head, rows, left=1)


def one_among(table: Mapping[str, Any], times: Mapping[str, str]) -> str:
    """The table of a tournament in which each agent played one seat, and one opponent all others."""
    rows = []
    for agent in table["agents"]:
        if agent["games"]:
            payoff = with_interval(f"{agent['payoff']:+.3f}", agent["payoff_interval"], "+.3f")
            last = [f"{agent['games']:,}", times.get(agent["name"], "")]
            rows.append([f"`{agent['name']}`", rating(agent), won(agent), payoff, *last])
    head = ["agent", "rating", "games won", "mean payoff", "games", "ms a move"]
    title = f"One seat among `{table['table']}` ones; fair share {table['fair_share']:.0%}, equals get 0:"
    return f"{title}\n\n" + markdown(head, rows, left=1)


def rating(agent: Mapping[str, Any]) -> str:
    """An agent's rating and its interval."""
    return with_interval(f"{agent['rating']:.0f}", (agent["low"], agent["high"]), ".0f")


def won(agent: Mapping[str, Any]) -> str:
    """The games that an agent won, and the interval, in percent."""
    low, high = agent["win_interval"]
    return with_interval(f"{agent['win_rate']:.1%}", (100 * low, 100 * high), ".1f")


def with_interval(figure: str, bounds: tuple[float, float], form: str) -> str:
    """The text of a cell: a figure, and below it its interval.

    >>> with_interval("31%", (25.0, 38.0), ".0f")
    '**31%**<br>25 to 38'
    """
    return f"**{figure}**<br>{interval(bounds, form)}"


def interval(bounds: tuple[float, float], form: str) -> str:
    """An interval as text.

    >>> interval((0.25, 0.5), ".1%")
    '25.0% to 50.0%'
    """
    return f"{bounds[0]:{form}} to {bounds[1]:{form}}"


def markdown(head: list[str], rows: list[list[str]], left: int) -> str:
    """A table with the first `left` columns left-aligned, the others right-aligned."""
    marks = ["---"] * left + ["---:"] * (len(head) - left)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [head, marks, *rows])
