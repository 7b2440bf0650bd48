"""`polytrix list` and `polytrix describe`."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Annotated

import typer

from polytrix.core.catalogue import all_games, find
from polytrix.core.errors import PolytrixError
from polytrix.core.game import Game
from polytrix.core.layout import Layout

from .arguments import GameName
from .screen import out, row, table


def list_games() -> None:
    """Show all games, with the names of their options and data files."""
    numbers = ("players", "actions", "observation")
    shown = table("id", "title", *numbers, right=numbers)
    for game in all_games():
        row(shown, game.id, game.title, players_of(game), game.actions.size, game.observations.size)
    out.print(shown)
    for game in all_games():
        names = [*(option.name for option in game.options), *(f"{file.name} (file)" for file in game.data)]
        out.print(f"{game.name}: {', '.join(names)}", markup=False)


def players_of(game: Game) -> str:
    """How many can play, as `2` or `2 to 5`; counts with gaps one by one."""
    counts = game.player_counts
    if len(counts) > 1 and counts == tuple(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]}"
    return ", ".join(map(str, counts))


def describe(
    game: GameName,
    page: Annotated[
        bool, typer.Option("--page", help="Print the game's whole page: rules, clauses, payoffs.")
    ] = False,
) -> None:
    """Show what actions, observation, options and payoffs of a game are."""
    found = find(game)
    path = page_of(found)
    if page:
        if path is None:
            raise PolytrixError(f"{found.id} has no page: there is no README.md beside its rules")
        typer.echo(path.read_text(encoding="utf-8"))
        return
    players = " or ".join(map(str, found.player_counts))
    out.print(f"{found.title} ({found.id}), {players} players, seats: {', '.join(found.seats)}\n", markup=False)
    show_layout(
        found.actions, f"actions: {found.actions.size}, at most {found.max_legal} of them legal", ranges=False
    )
    show_layout(
        found.observations, f"observation: {found.observations.size} x int8, as the viewer sees it", ranges=True
    )
    show_options(found)
    if found.data:
        show_data(found)
    if path is not None:
        typer.echo(section(path.read_text(encoding="utf-8"), "Payoffs"))
        typer.echo(f"page: {path}")


def show_layout(layout: Layout, title: str, ranges: bool) -> None:
    """A table of the blocks of a flat vector; actions have no range."""
    columns = ["offset", "block", "shape", "size", *(["range"] if ranges else []), "meaning"]
    shown = table(*columns, right=("offset", "size"), title=title)
    for offset, name, shape, size, bounds, meaning in layout.table():
        row(shown, offset, name, shape, size, *([bounds] if ranges else []), meaning)
    out.print(shown)


def show_options(game: Game) -> None:
    """A table of the options of a game."""
    shown = table("option", "allowed", "default", "meaning", title="options")
    for option in game.options:
        row(shown, option.name, option.allowed, option.default, option.help)
    out.print(shown)


def show_data(game: Game) -> None:
    """A table of the data files of a game, which are given like options."""
    shown = table("data file", "meaning", "shipped file", title="data files: give the path of your own")
    for file in game.data:
        row(shown, file.name, file.help, file.source)
    out.print(shown)


def page_of(game: Game) -> Path | None:
    """The README.md beside the rules of a game, if there is one."""
    path = Path(inspect.getfile(game.setup)).parent / "README.md"
    return path if path.is_file() else None


def section(page: str, heading: str) -> str:
    r"""The part of a Markdown page under a heading of the second level, itself included; "" if it is missing.

    >>> section("# A\n## Payoffs\n1 or -1\n## More\n", "Payoffs")
    '## Payoffs\n1 or -1\n'
    """
    found = re.search(rf"^## {re.escape(heading)}$.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return found.group() if found else ""
