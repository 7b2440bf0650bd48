"""The benchmark of algorithms, and the exploiters of released agents."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import polytrix
from polytrix.core.behaviour import shown
from polytrix.training.benchmarking.crossplay import algorithm_of
from polytrix.training.figures.markdown import (
    Receipt,
    beside,
    column,
    heading,
    interval,
    made,
    table,
    with_interval,
)
from polytrix.training.figures.pictures import draw_curves
from polytrix.training.shared.receipts import read_all

ENOUGH = 5
"""Seeds of an algorithm for which a mean has an interval."""


def benchmark(root: Path) -> str:
    """One row per algorithm, one column per table."""
    receipts = read_all(root / "benchmarks" / "algorithms")
    algorithms = list(dict.fromkeys(name for receipt in receipts for name in receipt["algorithms"]))
    rows = [[f"`{name}`", *(cell(receipt, name) for receipt in receipts)] for name in algorithms]
    return table(["algorithm", *(column(receipt, "benchmark_tables.md") for receipt in receipts)], rows)


def trials_of(receipt: Receipt, algorithm: str) -> list[str]:
    """The names of the finished trials of an algorithm."""
    return [name for name in receipt["curves"] if algorithm_of(name) == algorithm]


def cell(receipt: Receipt, algorithm: str) -> str:
    """Rating, games won against `greedy` and with strangers, its exploiter's gain, and decisions."""
    trials = trials_of(receipt, algorithm)
    if not trials:
        return "not run"
    ratings = {agent["name"]: agent["rating"] for agent in receipt["ratings"]["agents"]}
    own, won, strangers = (
        [ratings[name] for name in trials],
        won_against_greedy(receipt),
        with_strangers(receipt),
    )
    exploiters = [receipt["exploiters"][name] for name in trials if name in receipt["exploiters"]]
    gains = [max(one["gains"][one["chosen"]]["gain"], one["best"]["payoff"]) for one in exploiters]
    decisions = np.mean([receipt["curves"][name][-1]["decisions"] for name in trials]) / 1e6
    return "<br>".join(
        [
            f"**{np.mean(own):.0f}**",
            interval((min(own), max(own)), ".0f"),
            f"wins {np.mean([won[name] for name in trials]):.0%}",
            f"strangers {np.mean([strangers[name] for name in trials]):.0%}",
            *(f"gain {gain:+.2f}" for gain in gains),
            f"{decisions:.1f} million",
        ]
    )


def won_against_greedy(receipt: Receipt) -> dict[str, float]:
    """Share of games that each agent won against `greedy`, or in one seat among `greedy` ones."""
    return {one["agent"]: one["win_rate"] for one in receipt["ratings"]["meetings"]}


def with_strangers(receipt: Receipt) -> dict[str, float]:
    """Share of games that each agent won in one seat, the mean over all other agents in the other seats."""
    return {agent["name"]: agent["win_rate"] for agent in receipt["ratings"]["agents"]}


def benchmark_tables(root: Path) -> str:
    """The section of each table, and its picture."""
    receipts = read_all(root / "benchmarks" / "algorithms")
    for receipt in receipts:
        draw_curves(receipt, root / "docs" / "images" / f"benchmark_{receipt['table']}.png")
    return "\n".join(map(section, receipts))


def section(receipt: Receipt) -> str:
    """Picture, ratings of all agents, gains of exploiters, and where they come from."""
    rows, won, strangers = [], won_against_greedy(receipt), with_strangers(receipt)
    intervals = receipt["crossplay"]["strangers"]
    population = {agent["name"]: agent for agent in receipt["population"]["agents"]}
    for agent in receipt["ratings"]["agents"]:
        name, row = agent["name"], [beside(agent["rating"], (agent["low"], agent["high"]), ".0f")]
        copies, sampling = receipt["copies"].get(name), receipt["sampling"].get(name)
        row += [beside(strangers[name], intervals[name], ".1%")]
        row += [f"{won[name]:.1%}" if name in receipt["curves"] else ""]
        row += [f"{sampling['sampled'] - sampling['most probable']:+.1%}" if sampling else ""]
        row += ["" if copies is None else f"{copies:.1%}"]
        row += [among_bots(population.get(name, {}).get(group)) for group in ("all", "unseen")]
        rows.append([f"`{name}`", *row])
    head = ["agent", "rating (95%)", "won with<br>strangers", "won against<br>`greedy`"]
    head += ["change by<br>sampling", "decided<br>among copies"]
    head += ["with the<br>population", "with its<br>unseen bots"]
    gains = []
    for name, one in receipt["exploiters"].items():
        best = one["best"]
        others = f"{beside(best['payoff'], best['payoff_interval'], '+.2f')}, `{best['agent']}`"
        gains.append([f"`{name}`", gain(one, "search"), gain(one, "network"), others])
    titles = ["exploiter of", "its search gains (95%)", "its network gains (95%)", "best of the others (95%)"]
    missing = f" Not finished: {', '.join(receipt['missing'])}." if receipt["missing"] else ""
    return f"""## {heading(receipt)}

![learning curves](images/benchmark_{receipt["table"]}.png)

{table(head, rows)}{cross_tables(receipt)}
{table(titles, gains) if gains else ""}
Each trial had {receipt["minutes"]:g} minutes of CPU time. {receipt["ratings"]["games"]:,} games with seed
{receipt["ratings"]["seed"]}, {receipt["ratings"]["deals"][0]} deals of each pair. {made(receipt)}{missing}
"""


def among_bots(found: Mapping[str, Any] | None) -> str:
    """The mean share of games won among bots, and the lowest with its bot; "" if they have not met."""
    if found is None:
        return ""
    return f"{found['mean']:.1%}<br>worst {found['worst']:.0%}, `{found['worst_bot']}`"


def cross_tables(receipt: Receipt) -> str:
    """What the seeds of each algorithm won among whom, one by one and on average; "" without trials."""
    crossed = receipt["crossplay"]
    if not crossed["algorithms"]:
        return ""
    names, won = crossed["agents"], crossed["won"]
    seeds = {name: [names.index(trial) for trial in trials_of(receipt, name)] for name in crossed["algorithms"]}
    matrices, rows = [], []
    for name, own in seeds.items():
        matrices += [[f"`{names[i]}`", *(f"{won[i][j]:.1%}" for j in own)] for i in own]
        found, strangers = crossed["algorithms"][name], with_strangers(receipt)
        row = [f"{np.mean([won[i][i] for i in own]):.1%}"]
        for other, columns in seeds.items():
            means = [np.mean([won[i][j] for j in columns if i != j]) for i in own if [i] != columns]
            row.append(averaged(means, found["among"][other]))
        row.append(averaged([strangers[names[i]] for i in own], found["strangers"]))
        if mixed := crossed["mixed"].get(name):
            row.append(f"{averaged(mixed['won'], None)}<br>decided {mixed['decided']:.0%}")
        rows.append([f"`{name}`", *row])
    columns = [f"seed {number}" for number in range(1, max(map(len, seeds.values())) + 1)]
    head = ["seeds of", "among copies", *(f"`{name}`" for name in seeds), "with strangers"]
    head += ["at mixed tables"] if crossed["mixed"] else []
    return f"""
{table(["among its own<br>algorithm", *columns], [padded(row, len(columns) + 1) for row in matrices])}
{table(head, [padded(row, len(head)) for row in rows])}{how_seeds_play(receipt, crossed["mixed"])}"""


def how_seeds_play(receipt: Receipt, algorithms: Collection[str]) -> str:
    """How the seeds of each algorithm play among copies and at mixed tables; "" if there are no such tables."""
    crossed, layout = receipt["crossplay"], polytrix.find(receipt["environment"]).behaviour
    rows = []
    for name in algorithms:
        copies = [crossed["behaviour"][trial] for trial in trials_of(receipt, name)]
        among = {figure.name: np.sum([each[figure.name] for each in copies], axis=0) for figure in layout}
        for where, counted in (("among copies", among), ("mixed", crossed["mixed"][name]["behaviour"])):
            rows.append([f"`{name}`, {where}", *(shown(figure, *counted[figure.name]) for figure in layout)])
    return "\n" + table(["how they play", *(figure.name for figure in layout)], rows) if rows else ""


def averaged(figures: Sequence[float], bounds: Sequence[float] | None) -> str:
    """The mean over seeds with its interval; of too few for a good one, with the figure of each."""
    if not figures:
        return ""
    if bounds and len(figures) >= ENOUGH:
        return with_interval(float(np.mean(figures)), bounds, ".1%")
    return f"**{np.mean(figures):.1%}**<br>{' '.join(f'{figure:.0%}' for figure in figures)}"


def padded(row: Sequence[str], size: int) -> list[str]:
    """A row with empty cells at its end."""
    return [*row, *[""] * (size - len(row))]


def gain(exploiter: Mapping[str, Any], kind: str) -> str:
    """What an exploiter of a kind gains, with its interval; nothing if there is none."""
    found = exploiter["gains"].get(kind)
    return beside(found["gain"], found["gain_interval"], "+.2f") if found else ""


def exploiters(root: Path) -> str:
    """What exploiters of the released agents gain."""
    receipts = read_all(root / "benchmarks" / "exploiters")
    head = ["game", "agent", "a search gains", "its network alone", "million decisions"]
    rows = [
        [heading(receipt), f"`{agent}`", *(gain(found, kind) for kind in ("search", "network")),
         f"{found['decisions'] / 1e6:.1f}"]
        for receipt in receipts
        for agent, found in receipt["agents"].items()
    ]  # fmt: skip
    lines = [
        f"- {heading(receipt)}: {receipt['minutes']:g} minutes of training on one thread and "
        f"{receipt['value_minutes']:g} for values. {made(receipt)}\n"
        for receipt in receipts
    ]
    return table(head, rows, left=2) + "\n" + "".join(lines)
