"""The command group, and its handling of errors."""

from __future__ import annotations

from typing import Any

import typer
from rich.text import Text
from typer.core import TyperGroup

from polytrix import __version__
from polytrix.core.errors import PolytrixError

from . import arena, bench, bot, catalogue, dataset, mcp, perft, play, replay, table, train, warmup, watch
from .screen import echo, err


class Commands(TyperGroup):
    """A command group that prints the package's own errors, and file errors, without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # `polytrix ... | head`: Typer exits quietly
            raise
        except (PolytrixError, OSError) as error:
            err.print(Text(f"error: {error}"), soft_wrap=not err.is_terminal)
            raise typer.Exit(2) from None


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Tabletop games as reinforcement-learning environments: play, watch, measure.",
)


def show_version(wanted: bool) -> None:
    if wanted:
        echo(f"polytrix {__version__}")
        raise typer.Exit


@app.callback()
def polytrix(
    version: bool = typer.Option(
        False, "--version", callback=show_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Tabletop games as reinforcement-learning environments: play, watch, measure."""


app.command("list")(catalogue.list_games)
app.command("describe")(catalogue.describe)
app.command("play")(play.play)
app.command("watch")(watch.watch)
app.command("arena")(arena.arena)
app.command(
    "train",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
)(train.train)
app.add_typer(dataset.dataset, name="dataset")
app.command("bot")(bot.bot)
app.command("mcp")(mcp.mcp)
app.command("bench")(bench.bench)
app.command("warmup")(warmup.warmup)
app.command("perft")(perft.perft)
app.command("replay")(replay.replay)
app.command("table")(table.table)
