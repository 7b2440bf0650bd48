"""What is it worth in Estimatrix Spectrum to model how the others read words?

    python benchmarks/studies/estimatrix_readings.py

One seat plays one heuristic, all others another, on held-out seeds with each seat equally often. *greedy* uses
what the dice have shown about the others' readings, when it gives hints and when it answers; *chooser* only
when it gives hints; *plain* never; *literal* answers its own reading and models nobody. The mean payoff of the
single seat is the value of its heuristic: among equals it is 0. Prints a table, and writes
`estimatrix_readings.json` and `estimatrix_readings.png`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import tyro
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

from polytrix.agents import resolve
from polytrix.games.estimatrix import GAME

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from report import write_report

from polytrix.training.shared.evaluation import Result, evaluate

REPORT = Path(__file__).with_suffix(".json")

TABLES = (
    ("chooser", "plain", "hints by what others read, answers without"),
    ("greedy", "plain", "hints and answers by what others read"),
    ("greedy", "literal", "the same, among seats that model nobody"),
    ("literal", "greedy", "models nobody, among seats that do"),
    ("random", "greedy", "plays at random among seats that model"),
)
"""Heuristic of the single seat, of all other seats, and what is compared."""

PLAYERS = (3, 4, 5, 6)
ACQUAINTANCE = (0, 1, 2)


@dataclass(frozen=True)
class Arguments:
    """Arguments of the study."""

    games: int = 20_000
    """Games per table."""
    out: Path = REPORT
    """File for the figures; the picture is written beside it."""


def compare(single: str, others: str, games: int, **options: Any) -> Result:
    """Play one seat against the others."""
    return evaluate(GAME, resolve(single, GAME), others, games, options)


def figures(result: Result) -> dict[str, Any]:
    """A result for JSON."""
    return {
        "games": result.games,
        "payoff": round(result.payoff, 4),
        "interval": [round(bound, 4) for bound in result.payoff_interval],
        "won": round(result.rate, 4),
        "truncated": result.truncated,
        "decisions": round(result.decisions, 1),
    }


def measure(games: int) -> dict[str, Any]:
    """All tables with every number of players, and the first one with different numbers of public words."""
    steps = len(TABLES) * len(PLAYERS) + len(ACQUAINTANCE)
    with tqdm(total=steps, desc="tables") as bar:
        tables = []
        for single, others, meaning in TABLES:
            by_players = {}
            for players in PLAYERS:
                by_players[str(players)] = figures(compare(single, others, games, players=players))
                bar.update()
            tables.append({"single": single, "others": others, "meaning": meaning, "players": by_players})
        by_words = {}
        for words in ACQUAINTANCE:
            by_words[str(words)] = figures(compare("chooser", "plain", games, players=4, acquaintance=words))
            bar.update()
    return {"tables": tables, "acquaintance": by_words}


def shown(measured: dict[str, Any]) -> Table:
    """The mean payoffs as a table."""
    table = Table(title="mean payoff of the single seat, with half the width of its 95% interval")
    for heading in ("single seat", "all others", *(f"{n} players" for n in PLAYERS)):
        table.add_column(heading, justify="right" if heading[0].isdigit() else "left")
    for row in measured["tables"]:
        cells = [payoff(row["players"][str(n)]) for n in PLAYERS]
        table.add_row(row["single"], row["others"], *cells)
    return table


def payoff(result: dict[str, Any]) -> str:
    """`+0.17 ± 0.02`."""
    low, high = result["interval"]
    return f"{result['payoff']:+.2f} ± {(high - low) / 2:.2f}"


def draw(measured: dict[str, Any], file: Path) -> None:
    """Plot the payoffs as bars, by number of players and by number of public words."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4), width_ratios=[3, 1], layout="constrained")
    width = 0.8 / len(TABLES)
    for i, row in enumerate(measured["tables"]):
        results = [row["players"][str(n)] for n in PLAYERS]
        places = [x + width * (i - (len(TABLES) - 1) / 2) for x in range(len(PLAYERS))]
        bars(left, places, results, width, label=f"{row['single']} among {row['others']}")
    left.set_xticks(range(len(PLAYERS)), [f"{n} players" for n in PLAYERS])
    left.set(ylabel="mean payoff of the single seat", title="one seat plays otherwise than the rest")
    left.legend(fontsize=8, ncols=3, loc="lower center")
    left.set_ylim(bottom=-0.72)
    bars(right, range(len(ACQUAINTANCE)), list(measured["acquaintance"].values()), 0.6)
    right.set_xticks(range(len(ACQUAINTANCE)), [str(words) for words in ACQUAINTANCE])
    right.set(title="chooser among plain,\n4 players", xlabel="public words of each domain")
    for panel in (left, right):
        panel.axhline(0, color="gray", linewidth=0.8)
        panel.grid(axis="y", alpha=0.3)
    figure.savefig(file, dpi=110)
    pyplot.close(figure)


def bars(panel: Any, places: Any, results: list[dict[str, Any]], width: float, **style: Any) -> None:
    """Bars of payoffs with their intervals."""
    spread = [(result["interval"][1] - result["interval"][0]) / 2 for result in results]
    panel.bar(places, [result["payoff"] for result in results], 0.9 * width, yerr=spread, capsize=2, **style)


def main() -> None:
    """Measure, print, write."""
    arguments = tyro.cli(Arguments, description=__doc__)
    console = Console(width=120)
    measured = measure(arguments.games)
    console.print(shown(measured))
    write_report(arguments.out, __file__, sys.argv[1:], measured, partial(draw, measured), console)


if __name__ == "__main__":
    main()
