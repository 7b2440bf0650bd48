"""The pictures of the leaderboard and of the benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.agents.search import is_search, search_settings
from polytrix.training.figures.markdown import Receipt, heading
from polytrix.training.shared.pictures import save


def draw_costs(receipt: Receipt, file: Path) -> None:
    """Draw ratings against milliseconds a move; lines connect searches of a kind."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    times = {name: one["ms"] for name, one in receipt["thinking"]["agents"].items()}
    kinds: dict[str, list[Mapping[str, Any]]] = {}
    for agent in receipt["tables"][0]["agents"]:
        kinds.setdefault(kind_of(agent["name"]), []).append(agent)
    for kind, agents in sorted(kinds.items()):  # the same colours in all games
        agents = sorted(agents, key=lambda agent: times[agent["name"]])
        ratings = np.array([(agent["low"], agent["rating"], agent["high"]) for agent in agents])
        errors = np.abs(ratings[:, (0, 2)].T - ratings[:, 1])
        places = [times[agent["name"]] for agent in agents]
        axes.errorbar(places, ratings[:, 1], errors, marker="o", markersize=4, linewidth=1.2, label=kind)
        for agent, x in zip(agents, places, strict=True):
            if is_search(agent["name"]):
                count = f"{search_settings(agent['name'])['simulations']:g}"
                axes.annotate(count, (x, agent["rating"]), (6, -11), textcoords="offset points", fontsize=8)
    axes.set(xscale="log", xlabel="milliseconds a move", ylabel="rating (Elo), 95%", title=heading(receipt))
    axes.grid(alpha=0.3)
    axes.margins(x=0.08)
    figure.legend(loc="outside lower center", ncols=3, fontsize=8)
    save(figure, file)


def kind_of(name: str) -> str:
    """The line of a picture that an agent belongs to.

    >>> kind_of("search:50"), kind_of("search:50,network=expert"), kind_of("ppo")
    ('search, by simulations', 'search with the network of expert', 'ppo')
    """
    if not is_search(name):
        return name
    network = search_settings(name).get("network")
    return f"search with the network of {network}" if network else "search, by simulations"


def draw_curves(receipt: Receipt, file: Path) -> None:
    """Draw learning curves, means and ranges over the seeds: against `greedy` and all results, draws split."""
    from matplotlib import pyplot

    against = {
        "greedy": "won against greedy, draws split",
        "pool": "won against all final policies, draws split",
    }
    over = {"cpu_seconds": (1 / 60, "CPU minutes"), "decisions": (1e-6, "million decisions")}
    figure, panels = pyplot.subplots(
        len(against), len(over), figsize=(10, 7), layout="constrained", sharey="row", sharex="col"
    )
    for row, (opponent, told) in zip(panels, against.items(), strict=True):
        for panel, (unit, (scale, label)) in zip(row, over.items(), strict=True):
            for algorithm in receipt["algorithms"]:
                curves = [
                    curve for name, curve in receipt["curves"].items() if name.rpartition("-")[0] == algorithm
                ]
                if curves:
                    x = np.mean([[point[unit] * scale for point in curve] for curve in curves], axis=0)
                    y = np.array([[point[opponent] for point in curve] for curve in curves])
                    panel.plot(x, y.mean(0), "o-", markersize=3, label=algorithm)
                    panel.fill_between(x, y.min(0), y.max(0), alpha=0.15, linewidth=0)
            panel.axhline(1 / receipt["players"], color="gray", linestyle="--", linewidth=1)
            panel.set(xlim=(0, None), ylim=(-0.02, 1.02))
            panel.grid(alpha=0.3)
            if panel in panels[-1]:
                panel.set_xlabel(label)
            if panel is row[0]:
                panel.set_ylabel(told)
    panels[0][0].legend(fontsize=8)
    figure.suptitle(heading(receipt))
    save(figure, file)
