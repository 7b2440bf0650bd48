"""`polytrix perft`: counts the nodes of the game tree."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from polytrix import testing

from .arguments import GameName, GivenOptions, Seed, read_options
from .screen import err, out, row, table


def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(min=1, max=60, help="Maximum length of the sequences.")],
    seed: Seed = None,
    decisions: Annotated[
        int, typer.Option(min=0, help="Number of random decisions to play first; needs --seed.")
    ] = 0,
    option: GivenOptions = None,
) -> None:
    """Count the sequences of actions and chance outcomes from a position, to find bugs in rules.

    Without --seed, the sequences begin before the first chance event; with it, in the game of that seed.
    """
    found, options = read_options(game, option)
    try:
        with err.status(f"loading {found.title}; the first time on a machine it is compiled ..."):
            testing.perft(found, 0, options, seed=seed, decisions=decisions)
    except ValueError as error:  # decisions without a seed, or beyond the end of the game
        raise typer.BadParameter(str(error)) from None
    shown = table("depth", "nodes", "seconds", "nodes/s", right=("depth", "nodes", "seconds", "nodes/s"))
    for level in range(1, depth + 1):
        with err.status(f"depth {level} ..."):
            start = time.perf_counter()
            counts = testing.perft(found, level, options, seed=seed, decisions=decisions)
            seconds = time.perf_counter() - start
        row(shown, level, f"{counts[level]:,}", f"{seconds:.3f}", f"{sum(counts[1:]) / seconds:,.0f}")
    out.print(shown)
