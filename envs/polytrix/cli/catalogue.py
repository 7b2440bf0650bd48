"""`polytrix list` and `polytrix describe`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import typer
from rich.box import SIMPLE_HEAD

from polytrix.agents.population import POPULATION, population
from polytrix.agents.resolve import master_specs, names_of
from polytrix.core.baselines import Baseline, baselines
from polytrix.core.calls import SEED_LIMIT
from polytrix.core.catalogue import all_games, find
from polytrix.core.errors import PolytrixError
from polytrix.core.game import Game
from polytrix.core.layout import Layout
from polytrix.core.pages import page_of, section
from polytrix.core.words import listed, moves, seat_text
from polytrix.play.session import Session

from .arguments import GameName, GivenOptions, read_options
from .screen import echo, out, row, table


def list_games() -> None:
    """List all games, with their options, data files and agents."""
    numbers = ("players", "actions", "observation")
    shown = table("id", *numbers, right=numbers)
    shown.box, shown.padding, shown.show_edge = SIMPLE_HEAD, (0, 1, 0, 0), False  # fits into 60 columns
    for game in all_games():
        row(shown, game.id, players_of(game), game.actions.size, game.observations.size)
    out.print(shown)
    for game in all_games():
        names = [*(option.name for option in game.options), *(f"{file.name} (file)" for file in game.data)]
        about = f"options: {', '.join(names)}; agents: {', '.join(names_of(game))}"
        out.print(f"{game.title} ({game.name}): {about}", markup=False)


def players_of(game: Game) -> str:
    """Numbers of players, as `2`, `2 to 5` or `2, 4`."""
    counts = game.player_counts
    if len(counts) > 1 and counts == tuple(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]}"
    return ", ".join(map(str, counts))


def describe(
    game: GameName,
    page: Annotated[
        bool, typer.Option("--page", help="Print the game's whole page: rules, clauses, payoffs.")
    ] = False,
    text: Annotated[
        bool,
        typer.Option("--text", help="Print a position and its legal moves in words, as a seat sees them."),
    ] = False,
    seed: Annotated[
        int, typer.Option(min=0, max=SEED_LIMIT - 1, help="With --text: random seed of the game.")
    ] = 0,
    decisions: Annotated[
        int, typer.Option(min=0, help="With --text: number of random decisions before the position.")
    ] = 0,
    seat: Annotated[
        int | None,
        typer.Option(min=0, help="With --text: the seat that sees it.", show_default="the seat to move"),
    ] = None,
    option: GivenOptions = None,
) -> None:
    """Show the actions, observation, options and payoffs of a game, or with --text a position in words."""
    found = find(game)
    if text:
        show_words(found, option, seed, decisions, seat)
        return
    path = page_of(found)
    if page:
        if path is None:
            raise PolytrixError(f"{found.id} has no page: there is no README.md beside its rules")
        echo(path.read_text(encoding="utf-8"))
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
    if bots := population(found):
        echo(f"bots of `--table {POPULATION}`: {', '.join(bots)}")
    if networks := baselines(found):
        show_baselines(networks)
        for name, spec in master_specs(found).items():
            echo(f"{name}: the agent {spec}")
    if path is not None:
        echo(section(path.read_text(encoding="utf-8"), "Payoffs"))
        echo(f"page: {path}")


def show_words(game: Game, given: list[str] | None, seed: int, decisions: int, seat: int | None) -> None:
    """Print a position after some random decisions, as a seat sees it, and its legal moves if it is to move."""
    configured, options = read_options(game, given)
    session = Session(configured, options, seed)
    rng = np.random.default_rng(seed)
    while not session.over and len(session.actions) < decisions:
        session.play(int(rng.choice(session.legal())))
    mover = int(session.state.mover)
    reader = max(mover, 0) if seat is None else seat
    players = len(session.seats)
    if reader >= players:
        raise typer.BadParameter(f"seat is {seat}; this game of {game.name} has seats 0 to {players - 1}")
    echo(seat_text(configured, session.state, reader))
    if reader == mover:
        echo("\nLegal actions: id, notation, meaning")
        echo(listed(moves(configured, session.state)))


def show_layout(layout: Layout, title: str, ranges: bool) -> None:
    """Print a table of the blocks of a layout; actions have no range."""
    columns = ["offset", "block", "shape", "size", *(["range"] if ranges else []), "meaning"]
    shown = table(*columns, right=("offset", "size"), title=title)
    for offset, name, shape, size, bounds, meaning in layout.table():
        row(shown, offset, name, shape, size, *([bounds] if ranges else []), meaning)
    out.print(shown)


def show_options(game: Game) -> None:
    """Print a table of the options of a game."""
    shown = table("option", "allowed", "default", "meaning", title="options")
    for option in game.options:
        row(shown, option.name, option.allowed, option.default, option.help)
    out.print(shown)


def show_data(game: Game) -> None:
    """Print a table of the data files of a game, which are given like options."""
    title = "data files: give the name of a shipped one, or the path of your own"
    shown = table("data file", "shipped", "meaning", title=title)
    for file in game.data:
        row(shown, file.name, ", ".join(file.shipped), file.help)
    out.print(shown)
    for folder in dict.fromkeys(file.source.parent for file in game.data):
        echo(f"shipped files: {folder}")


def show_baselines(networks: Sequence[Baseline]) -> None:
    """Print a table of the released networks, which are named like other agents."""
    rivals = list(networks[0].won)
    columns = ["players", "trained", *(f"against {rival}" for rival in rivals)]
    title = "released networks, to be named like other agents; games won"
    shown = table("network", *columns, right=columns, title=title)
    for one in networks:
        row(
            shown,
            one.name,
            one.players,
            f"{one.minutes:.0f} minutes",
            *(f"{one.won[rival]:.1%}" for rival in rivals),
        )
    out.print(shown)
