"""The trials of the benchmark: which algorithm learns at which table, with which seed, and how it is run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polytrix.training.benchmarking.jobs import Job
from polytrix.training.shared.arguments import Amount, Count, Positive, Seed, Sizes
from polytrix.training.shared.receipts import ROOT, Table
from polytrix.training.shared.runs import Budget
from polytrix.training.trials.trial import RECORD, Trial

MAX_DECISIONS = 1000
"""Limit of a game in training."""


@dataclass(frozen=True)
class Settings:
    """Settings of the benchmark."""

    games: tuple[str, ...] = ()
    """Names of games; all by default."""
    algorithms: tuple[str, ...] = ("ppo", "mmd", "nash_pg", "fsp", "sb3")
    """Algorithms: names in training/algorithms/, or files."""
    agents: tuple[str, ...] = ()
    """Agents that join the ratings without a trial: NAME=SPEC."""
    seeds: Sizes = (5, 3)
    """Number of trials of an algorithm in a game, with the random seeds 1, 2, ...: one number for each
    algorithm, the last one for all others."""
    minutes: Positive = 10.0
    """Minutes of CPU time of a trial."""
    decisions: Amount = 0
    """Maximum number of decisions of a trial: with few enough, a slower machine finds the same; 0: no limit."""
    processes: Count = 1
    """Trials, and games of the ratings, that run side by side: not more than cores that nobody else uses."""
    ray: str = ""
    """Address of a Ray cluster on which they run instead: HOST:PORT, or auto for that of this machine."""
    points: Count = 10
    """Points of a learning curve."""
    deals: Count = 60
    """Deals per pair of agents for the ratings; every deal is played once from each seat."""
    curve_deals: Count = 100
    """Deals against `greedy`, and against all final policies together, for each point of a learning curve."""
    sampling_deals: Count = 1000
    """Deals against `greedy` on which final policies play their most probable actions, and sample them."""
    copies_deals: Count = 250
    """Deals that each agent plays among copies of itself, and the seeds of an algorithm at mixed tables."""
    population_deals: Count = 50
    """Deals of each agent with each bot of the game's population."""
    exploited: Amount = 1
    """Exploiters are trained against the results of so many seeds; 0: of none."""
    exploiter_decisions: Count = 2_000_000
    """Decisions of an exploiter in training; see best_response.py."""
    exploiter_games: Count = 600
    """Games of each exploiter, its network and its search, for what they gain; a quarter as many, on other
    deals, choose between the two."""
    seed: Seed = 1
    """Random seed of the deals."""
    runs: Path = Path("runs/benchmark")
    """Folder of the trials."""
    out: Path = ROOT / "benchmarks" / "algorithms"
    """Folder of the results."""


@dataclass(frozen=True)
class Cell:
    """An algorithm at a table, with a seed."""

    table: Table
    algorithm: str
    seed: int
    settings: Settings

    @property
    def name(self) -> str:
        """By which the result is called: the algorithm and the seed."""
        return f"{Path(self.algorithm).stem}-{self.seed}"

    @property
    def folder(self) -> Path:
        """The folder of the trial."""
        return self.settings.runs / self.table.name / self.name

    @property
    def options(self) -> dict[str, Any]:
        """The options of the games in training."""
        return {**self.table.options, "max_decisions": MAX_DECISIONS}

    @property
    def finished(self) -> bool:
        """Whether the trial has come to its end."""
        return (self.folder / RECORD).exists()

    def trial(self) -> Trial:
        """The trial as far as it has come.

        Raises:
            SystemExit: there is one with other settings in the folder.
        """
        settings = self.settings
        budget = Budget(cpu_minutes=settings.minutes, decisions=settings.decisions)
        return Trial(self.table.game, self.options, self.seed, budget, self.folder, settings.points)

    def job(self) -> Job:
        """The trial as a job."""
        settings, file = self.settings, Path(self.algorithm)
        arguments = [
            *(self.table.game.name, str(file.absolute()) if file.suffix else self.algorithm, "--out", "."),
            *("--minutes", str(settings.minutes), "--decisions", str(settings.decisions)),
            *("--seed", str(self.seed), "--points", str(settings.points), "--games", "0"),
            *self.table.arguments(self.options),
        ]
        return Job(f"{self.name} at {self.table.name}", "try_algorithm.py", arguments, self.folder)


def cells(table: Table, settings: Settings) -> list[Cell]:
    """All trials at a table. Those of the first seed come first."""
    return [
        Cell(table, algorithm, seed, settings)
        for seed in range(1, max(settings.seeds) + 1)
        for number, algorithm in enumerate(settings.algorithms)
        if seed <= settings.seeds[: number + 1][-1]
    ]
