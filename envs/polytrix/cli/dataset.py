"""`polytrix dataset`: plays games and keeps their moves; writes what was seen and done in them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from polytrix.arena import Tournament, contestants
from polytrix.arena.records import Records
from polytrix.arena.tournament import BLOCK
from polytrix.dataset import read
from polytrix.dataset.exports import to_numpy, to_parquet

from .arena import COLUMNS, play_with_a_bar
from .arguments import GameName, GivenOptions, out_file, read_options
from .screen import echo, err

dataset = typer.Typer(no_args_is_help=True, help="Data sets of games: play them, and expand them for learning.")


@dataset.command()
def make(
    game: GameName,
    agents: Annotated[
        list[str],
        typer.Argument(help="As in `polytrix arena`. One plays all seats; several meet as they do there."),
    ],
    file: Annotated[
        Path, out_file("--out", help="File of the games. Games in it are kept: what is missing is played.")
    ],
    games: Annotated[
        int, typer.Option(min=1, help=f"Number of games, rounded up: of each line-up {BLOCK} deals at a time.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the deals and the agents.")] = 0,
    threads: Annotated[int, typer.Option(min=1, help="Number of blocks of games played in parallel.")] = 1,
    option: GivenOptions = None,
) -> None:
    """Play games and keep their seeds, moves, agents and payoffs. If stopped, the same command continues."""
    found, options = read_options(game, option)
    least = Tournament(found, options, contestants(found, agents), BLOCK, seed, keep_moves=True)
    tournament = replace(least, deals=BLOCK * -(-games // least.num_games))
    with closing(Records(found, options, seed, file, found.replaced)) as records:
        try:
            play_with_a_bar(tournament, records, threads)
        except KeyboardInterrupt:
            echo("stopped; the same command continues from here", err=True)
            raise typer.Exit(130) from None
    echo(f"{tournament.num_games:,} games: {file}")


@dataset.command()
def export(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="Games of `polytrix dataset make`.")
    ],
    numpy: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write NumPy arrays, one file each.")
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write Parquet, as the Hugging Face Hub lays it out.")
    ] = None,
    minari: Annotated[
        str | None, typer.Option(metavar="ID", help="Write Minari's data set of this id, namespace/name-vN.")
    ] = None,
) -> None:
    """Expand games to what was seen and done at each decision, by playing them again."""
    if [numpy, parquet, minari].count(None) != 2:
        raise typer.BadParameter("say what to write: one of --numpy, --parquet and --minari")
    games = read(file)
    with Progress(*COLUMNS, console=err) as progress:
        tick = partial(progress.advance, progress.add_task("expanding", total=len(games.games)))
        if numpy is not None:
            to_numpy(games, numpy, tick)
        elif parquet is not None:
            to_parquet(games, parquet, tick)
        elif minari is not None:
            from polytrix.dataset.minari import write

            write(games, minari, tick)
