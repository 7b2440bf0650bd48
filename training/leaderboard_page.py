"""Writes the leaderboard page, with tables and pictures, from the stored results."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from polytrix.agents.resolve import MASTER, MASTER_SEARCH
from polytrix.arena.picture import picture
from polytrix.arena.summary import deals_of

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
"""


def write_page(results: Path, docs: Path) -> Path:
    """Write the page and its pictures.

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
    page = docs / PAGE
    sections = [HEAD, overview(stored), *(section(board, docs, results.parents[1]) for board in stored)]
    page.write_text("\n".join(sections), encoding="utf-8")
    return page


def picture_name(board: Mapping[str, Any]) -> str:
    """File name of a board's picture."""
    return f"leaderboard_{board['board']}.png"


def overview(stored: list[dict[str, Any]]) -> str:
    """All agents against `greedy`: one row per board."""
    rows = []
    for board in stored:
        against_greedy = {
            one["agent"]: f"{one['win_rate']:.1%} ({interval(one['win_interval'], '.1%')})"
            for one in board["tables"][0]["meetings"]
            if one["others"] == "greedy"
        }
        searches = [name for name in against_greedy if name.startswith("search:")]
        trained = list(board["baselines"])
        cells = [
            f"[{board['title']}](#{anchor(board)})",
            f"{board['players']}",
            f"{board['tables'][0]['fair_share']:.0%}",
            against_greedy["random"],
            "<br>".join(f"{name}: {against_greedy[name]}" for name in searches),
            "<br>".join(f"{name}: {against_greedy[name]}" for name in trained) or "none",
        ]
        rows.append(cells)
    head = ["game", "players", "fair share", "random", "search", "trained"]
    return "Games won against `greedy`, in all other seats:\n\n" + markdown(head, rows, left=1)


def section(board: Mapping[str, Any], docs: Path, root: Path) -> str:
    """The section of one board."""
    parts = [f"## {heading(board)}\n", f"![ratings and games won](images/{picture_name(board)})\n"]
    parts += [all_against_all(t) if t["table"] is None else one_among(t) for t in board["tables"]]
    trained = ", ".join(
        f"[{name}]({os.path.relpath(root / folder / 'card.md', docs)})"
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
        + ".\n"
    )
    return "\n".join(parts)


def heading(board: Mapping[str, Any]) -> str:
    """Heading of a board's section."""
    return f"{board['title']}, {board['players']} players"


def anchor(board: Mapping[str, Any]) -> str:
    """The heading's anchor, as GitHub makes it."""
    kept = "".join(letter for letter in heading(board).lower() if letter.isalnum() or letter in " _-")
    return kept.replace(" ", "-")


def all_against_all(table: Mapping[str, Any]) -> str:
    """The table of a tournament in which all agents met each other."""
    met = {(one["agent"], one["others"]): one for one in table["meetings"]}
    rows = []
    for agent in table["agents"]:
        cells = [agent["name"], *rating(agent)]
        for other in ("greedy", "random"):
            one = met.get((agent["name"], other))
            cells += (
                ["", ""] if one is None else [f"{one['win_rate']:.1%}", interval(one["win_interval"], ".1%")]
            )
        rows.append(cells)
    head = ["agent", "rating", "95%", "won against `greedy`", "95%", "won against `random`", "95%"]
    return markdown(head, rows, left=1)


def one_among(table: Mapping[str, Any]) -> str:
    """The table of a tournament in which each agent played one seat, and one opponent all others."""
    rows = []
    for agent in table["agents"]:
        if agent["games"]:
            won = [f"{agent['win_rate']:.1%}", interval(agent["win_interval"], ".1%")]
            payoff = [f"{agent['payoff']:+.3f}", interval(agent["payoff_interval"], "+.3f")]
            rows.append([agent["name"], *rating(agent), *won, *payoff, f"{agent['games']:,}"])
    head = ["agent", "rating", "95%", "games won", "95%", "mean payoff", "95%", "games"]
    title = f"One seat among `{table['table']}` ones; fair share {table['fair_share']:.0%}, equals get 0:"
    return f"{title}\n\n" + markdown(head, rows, left=1)


def rating(agent: Mapping[str, Any]) -> list[str]:
    """An agent's rating and its interval."""
    return [f"{agent['rating']:.0f}", interval((agent["low"], agent["high"]), ".0f")]


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
