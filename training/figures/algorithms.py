"""The benchmark of algorithms, and the exploiters of released agents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.training.exploiters.agent import LONGER
from polytrix.training.figures.markdown import beside, heading, interval, made, narrow, table
from polytrix.training.figures.pictures import draw_curves
from polytrix.training.shared.receipts import read_all

Receipt = Mapping[str, Any]


def benchmark(root: Path) -> str:
    """One row per algorithm, one column per table."""
    receipts = read_all(root / "benchmarks" / "algorithms")
    algorithms = list(dict.fromkeys(name for receipt in receipts for name in receipt["algorithms"]))
    rows = [[f"`{name}`", *(cell(receipt, name) for receipt in receipts)] for name in algorithms]
    return table(["algorithm", *map(narrow, receipts)], rows)


def trials_of(receipt: Receipt, algorithm: str) -> list[str]:
    """The names of the finished trials of an algorithm."""
    return [name for name in receipt["curves"] if name.rpartition("-")[0] == algorithm]


def cell(receipt: Receipt, algorithm: str) -> str:
    """Rating, games won against `greedy`, its exploiter's gain, and decisions of an algorithm at a table."""
    trials = trials_of(receipt, algorithm)
    if not trials:
        return "not run"
    ratings = {agent["name"]: agent["rating"] for agent in receipt["ratings"]["agents"]}
    own, won = [ratings[name] for name in trials], won_against_greedy(receipt)
    exploiters = [receipt["exploiters"][name] for name in trials if name in receipt["exploiters"]]
    gains = [max(one["gains"][one["chosen"]]["gain"], one["best"]["payoff"]) for one in exploiters]
    decisions = np.mean([receipt["curves"][name][-1]["decisions"] for name in trials]) / 1e6
    return "<br>".join(
        [
            f"**{np.mean(own):.0f}**",
            interval((min(own), max(own)), ".0f"),
            f"wins {np.mean([won[name] for name in trials]):.0%}",
            *(f"gain {gain:+.2f}" for gain in gains),
            f"{decisions:.1f} million",
        ]
    )


def won_against_greedy(receipt: Receipt) -> dict[str, float]:
    """Share of games that each agent won against `greedy`, or in one seat among `greedy` ones."""
    return {one["agent"]: one["win_rate"] for one in receipt["ratings"]["meetings"]}


def benchmark_tables(root: Path) -> str:
    """The section of each table, and its picture."""
    receipts = read_all(root / "benchmarks" / "algorithms")
    for receipt in receipts:
        draw_curves(receipt, root / "docs" / "images" / f"benchmark_{receipt['table']}.png")
    return "\n".join(map(section, receipts))


def section(receipt: Receipt) -> str:
    """Picture, ratings of all agents, gains of exploiters, and where they come from."""
    rows, won = [], won_against_greedy(receipt)
    for agent in receipt["ratings"]["agents"]:
        name, row = agent["name"], [beside(agent["rating"], (agent["low"], agent["high"]), ".0f")]
        copies, sampling = receipt["copies"].get(name), receipt["sampling"].get(name)
        row += [f"{won[name]:.1%}" if name in receipt["curves"] else ""]
        row += [f"{sampling['sampled'] - sampling['most probable']:+.1%}" if sampling else ""]
        row += ["" if copies is None else f"{copies:.1%}"]
        rows.append([f"`{name}`", *row])
    head = ["agent", "rating (95%)", "won against<br>`greedy`", "change by<br>sampling"]
    gains = []
    for name, one in receipt["exploiters"].items():
        best = one["best"]
        others = f"{beside(best['payoff'], best['payoff_interval'], '+.2f')}, `{best['agent']}`"
        gains.append([f"`{name}`", gain(one, "search"), gain(one, "network"), others])
    titles = ["exploiter of", "its search gains (95%)", "its network gains (95%)", "best of the others (95%)"]
    missing = f" Not finished: {', '.join(receipt['missing'])}." if receipt["missing"] else ""
    return f"""### {heading(receipt)}

![learning curves](images/benchmark_{receipt["table"]}.png)

{table([*head, "decided<br>among copies"], rows)}
{table(titles, gains) if gains else ""}
Each trial had {receipt["minutes"]:g} minutes of CPU time. {receipt["ratings"]["games"]:,} games with seed
{receipt["ratings"]["seed"]}, {receipt["ratings"]["deals"][0]} deals of each pair. {made(receipt)}{missing}
"""


def gain(exploiter: Mapping[str, Any], kind: str) -> str:
    """What an exploiter of a kind gains, with its interval; nothing if there is none."""
    found = exploiter["gains"].get(kind)
    return beside(found["gain"], found["gain_interval"], "+.2f") if found else ""


def exploiters(root: Path) -> str:
    """What exploiters of the released agents gain."""
    receipts = read_all(root / "benchmarks" / "exploiters")
    head = ["game", "agent", "a search gains", "its network alone", "the agent's own search, for longer"]
    rows = [
        [heading(receipt), f"`{agent}`", *(gain(found, kind) for kind in ("search", "network", LONGER)),
         f"{found['decisions'] / 1e6:.1f}"]
        for receipt in receipts
        for agent, found in receipt["agents"].items()
    ]  # fmt: skip
    lines = [
        f"- {heading(receipt)}: {receipt['minutes']:g} minutes of training on one thread and "
        f"{receipt['value_minutes']:g} for values. {made(receipt)}\n"
        for receipt in receipts
    ]
    return table([*head, "million decisions"], rows, left=2) + "\n" + "".join(lines)
