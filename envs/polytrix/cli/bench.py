"""`polytrix bench`: runs the measurements of `polytrix.bench`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from polytrix.bench import Settings, measure, receipt
from polytrix.core.catalogue import all_games
from polytrix.core.files import write_json

from .arguments import GivenOptions, out_file, read_options
from .screen import echo, err, out, row, table


def bench(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Which game; all by default."),
    ] = None,
    option: GivenOptions = None,
    num_envs: Annotated[int, typer.Option(min=1, help="Number of games in a batch.")] = 4096,
    seconds: Annotated[
        float, typer.Option(min=0.0, help="Seconds per measurement, all repeats together.")
    ] = 5.0,
    repeats: Annotated[int, typer.Option(min=1, help="Repeats of each measurement; the median counts.")] = 5,
    threads: Annotated[int, typer.Option(min=1, help="Threads of the multi-threaded measurement.")] = 2,
    save: Annotated[Path | None, out_file("--json", help="Write a receipt to this file.")] = None,
) -> None:
    """Measure decisions per second of the environments, and the time of the parts of a step."""
    if option and game is None:
        raise typer.BadParameter("options are of one game: name it")
    wanted = [read_options(each, option) for each in ([game] if game else all_games())]
    settings = Settings(num_envs=num_envs, seconds=seconds, repeats=repeats, threads=threads)
    measured: dict[str, Any] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        bar = progress.add_task("", total=None)
        for one, values in wanted:

            def say(label: str, name: str = one.name) -> None:
                progress.update(bar, description=f"{name}: {label}")

            measured[one.id] = measure(one, settings, values, say)
    result = receipt(settings, measured)
    show_machine(result)
    for name, measurements in measured.items():
        if option:
            echo(f"{name}: {', '.join(option)}")
        show_rates(name, measurements)
        show_times(name, measurements)
    if save is not None:
        write_json(save, result)
        echo(f"receipt: {save}")


def show_machine(result: dict[str, Any]) -> None:
    """Print machine and versions."""
    machine, versions = result["machine"], result["versions"]
    echo(f"{machine['cpu']}, {machine['cores']} cores ({machine['usable_cores']} usable), {machine['system']}")
    echo(", ".join(f"{name} {version}" for name, version in versions.items()))


def show_rates(name: str, measurements: dict[str, Any]) -> None:
    """Print a table of decisions per second."""
    columns = ("median", "lowest", "highest", "reference")
    shown = table("decisions per second", *columns, right=columns, title=name)
    for rate in measurements["rates"].values():
        cells = [f"{rate[key]:,.0f}" for key in ("median", "min", "max")]
        row(shown, rate["label"], *cells, f"{rate['per_reference']:,.1f}")
    out.print(shown)
    echo("reference: decisions in the time of one round of a fixed Python and NumPy loop, timed in between")
    scaling = measurements["threads_ratio"]
    echo(f"{scaling['threads']} threads: {scaling['median']:.2f} times one thread")


def show_times(name: str, measurements: dict[str, Any]) -> None:
    """Print the parts of a batched step, and the time of the first step."""
    shown = table("part of a step", "ns per decision", "share", right=("ns per decision", "share"), title=name)
    for part in measurements["parts"].values():
        row(shown, part["label"], f"{part['nanoseconds']:.0f}", f"{part['share']:.0%}")
    out.print(shown)
    start = measurements["start"]
    for key, label in (("import", "import polytrix"), ("first_step", "first step, programs in the cache")):
        times = start[key]
        echo(f"{label}: {times['median']:.2f} s ({times['min']:.2f} to {times['max']:.2f})")
