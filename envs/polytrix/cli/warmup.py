"""`polytrix warmup`: compiles the programs of games ahead of time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from polytrix.agents import HeuristicPolicy, SearchPolicy, resolve
from polytrix.agents.resolve import master_specs
from polytrix.core.catalogue import all_games, find
from polytrix.core.compile.cache_directory import cache_directory
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.play.opponents import compile_policy
from polytrix.testing import perft

from .screen import err, out

Task = tuple[str, Callable[[], object]]


def warmup(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Which games; all by default."),
    ] = None,
) -> None:
    """Compile games ahead of time, so that later starts are fast."""
    wanted = [find(name) for name in names] if names else list(all_games())
    tasks = [task for game in wanted for task in programs_of(game)]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err) as progress:
        bar = progress.add_task("", total=len(tasks))
        for label, compile_it in tasks:
            progress.update(bar, description=label)
            compile_it()
            progress.advance(bar)
        progress.update(bar, description="ready")
    out.print(f"{len(tasks)} programs are in {cache_directory()}", markup=False, soft_wrap=True)


def programs_of(game: Game) -> Iterable[Task]:
    """Each program of a game, with a call that compiles it or loads it from the cache.

    The calls are those of users, since a program is compiled for the types of its arguments.
    """
    sim: list[Simulator] = []
    rows = [0]
    yield f"{game.name}: step", lambda: sim.append(Simulator(game, 2, seed=0))
    yield f"{game.name}: random choice", lambda: sim[0].random_actions()
    yield f"{game.name}: check", lambda: sim[0].step(sim[0].random_actions())
    yield f"{game.name}: next game", lambda: sim[0].restart(rows)
    yield f"{game.name}: next game, alone", lambda: Simulator(game, 1, seed=0).restart()  # another array layout
    yield f"{game.name}: view", lambda: sim[0].view(0)
    yield f"{game.name}: refresh", lambda: sim[0].refresh()
    yield f"{game.name}: redeal", lambda: sim[0].redeal(0)
    yield f"{game.name}: potential", lambda: sim[0].potential()
    yield f"{game.name}: load", lambda: sim[0].load(sim[0].save())
    yield f"{game.name}: step of loaded games", lambda: sim[0].step(sim[0].random_actions())
    yield f"{game.name}: perft", lambda: perft(game, 1)
    if game.greedy is not None:  # all heuristics are in one program
        yield f"{game.name}: greedy", lambda: compile_policy(game, HeuristicPolicy(game))
    yield f"{game.name}: search", lambda: compile_policy(game, SearchPolicy(game, 1))
    if masters := list(master_specs(game)):  # one program for all networks
        yield f"{game.name}: {masters[0]}", lambda: compile_policy(game, resolve(masters[0], game))
