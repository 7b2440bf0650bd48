"""Decisions per second: of environments and other libraries, in training, with TorchRL and JAX."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

import polytrix
from polytrix.training.figures.markdown import beside, made, table, three_digits

APIS = {
    "batch": "`Simulator`, 4,096 games, one thread",
    "batch_threads": "the same, two threads",
    "rules": "rules only, no observations",
    "vector": "`gym.make_vec` against random, learner's decisions",
    "greedy": "`Simulator`, against greedy",
    "aec": "PettingZoo AEC loop: `last`, choose, `step`",
    "search_greedy": "inside the simulations of `search:200`",
    "search": "the same with random rollouts",
}
"""The rows of `polytrix bench`."""

PARTS = ("environment", "copies", "inference", "learning")
"""What takes the time of a training; copies between processor and GPU, where there is one."""


def read(root: Path, name: str) -> Any:
    """A receipt of `benchmarks/throughput`."""
    return json.loads((root / "benchmarks" / "throughput" / f"{name}.json").read_text(encoding="utf-8"))


def environments(root: Path) -> str:
    """Decisions per second of each API, one column per game."""
    receipt = read(root, "environments")
    games = list(receipt["games"].values())
    titles = []
    for name, measured in receipt["games"].items():
        game = polytrix.find(name)
        titles.append(f"{game.title}, {game.num_players(measured['options'])} players")
    rows = [
        [told, *(three_digits(measured["rates"][name]["median"]) for measured in games)]
        for name, told in APIS.items()
    ]
    return table(["decisions/s", *titles], rows) + f"\n{made(receipt)}\n"


def libraries(root: Path) -> str:
    """Connect Four in other libraries."""
    receipt = read(root, "peers")
    parts = receipt["cores"].values()
    rows = []
    for name, one in receipt["cores"]["1"]["libraries"].items():
        rates = [part["libraries"][name] for part in parts]
        cells = [beside(rate["median"], (rate["min"], rate["max"]), ",.0f") for rate in rates]
        rows.append([f"{name} {one['version']}", *cells])
    ratios = [
        f"{part['polytrix_against_fastest']['median']:.1f} times on {cores} core{'s' * (cores != '1')}"
        for cores, part in receipt["cores"].items()
    ]
    head = ["library", *(f"decisions/s, {cores} core{'s' * (cores != '1')}" for cores in receipt["cores"])]
    date, cpu, repeats = receipt["date"][:10], receipt["machine"]["cpu"], receipt["settings"]["repeats"]
    return f"""{table(head, rows)}
Median of {repeats} repeats (lowest to highest); {date}, {cpu}. As the median of the ratios of single repeats,
polytrix makes {" and ".join(ratios)} as many decisions as the fastest of the others.
"""


def training(root: Path) -> str:
    """Decisions that `fast_ppo.py` plays and learns from."""
    return "\n".join(of_training(read(root, name)) for name in ("training", "training_gpu"))


def of_training(receipt: Mapping[str, Any]) -> str:
    """Decisions per second of `fast_ppo.py`, by sizes of layers and threads."""
    parts = [part for part in PARTS if part in receipt["runs"][0]["shares"]]
    rows = [
        [
            run["layers"].replace("x", " x "),
            str(run["threads"]),
            beside(run["per_second"], (run["from"], run["to"]), ",.0f"),
            f"{run['times_the_first']:.2f}",
            *(f"{run['shares'][part]:.0%}" for part in parts),
        ]
        for run in receipt["runs"]
    ]
    head = ["units", "threads", "decisions/s", "times the first", *parts]
    title, device = polytrix.find(receipt["game"]).title, receipt["machine"]["device"]
    return f"{table(head, rows)}\n{title}, on {device}; {made(receipt)}\n"


def tensors(root: Path) -> str:
    """Decisions per CPU second with TorchRL and JAX."""
    results = read(root, "tensors")["results"]
    rows = [[name, *(three_digits(median(rates)) for rates in each.values())] for name, each in results.items()]
    games = [f"{int(number):,} games" for number in next(iter(results.values()))]
    return table(["decisions per CPU second", *games], rows) + f"\n{made(read(root, 'tensors'))}\n"
