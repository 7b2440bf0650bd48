"""What the benchmark measures: ratings, gains of exploiters, cross-play, sampling, learning curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.agents import NetworkPolicy, Policy
from polytrix.agents.population import population
from polytrix.arena import Contestant, Tournament, contestants, summarise
from polytrix.arena.play import play_tables, seat_by_seat
from polytrix.arena.records import Records
from polytrix.arena.statistics import shares_of_the_top
from polytrix.cli.arena import play_with_a_bar
from polytrix.core.baselines import baseline_files
from polytrix.training.benchmarking.cells import Settings, cells
from polytrix.training.benchmarking.crossplay import crossplay, games_among_copies, games_of_seeds
from polytrix.training.benchmarking.exploiters import exploiters_of_trials
from polytrix.training.benchmarking.games import blocks_on
from polytrix.training.benchmarking.measured import measured
from polytrix.training.shared.bars import Bar
from polytrix.training.shared.cluster import Cluster
from polytrix.training.shared.receipts import ROOT, Table, brief, command_of, read_all, rounded
from polytrix.training.trials.trial import Trial

CURVE_SEED = 1 << 42
"""First seed of the deals for learning curves."""


def result_of(table: Table, settings: Settings, cluster: Cluster | None = None) -> dict[str, Any]:
    """Ratings, gains of exploiters and learning curves of the finished trials of a table: its receipt."""
    here = cells(table, settings)
    finished = {cell.name: cell.trial() for cell in here if cell.finished}
    last = {name: trial.agent(settings.points) for name, trial in finished.items()}
    without_search = agents_without_search(table, last)
    agents = contestants(table.game, [*without_search, *settings.agents])
    tournament = Tournament(table.game, table.options, agents, settings.deals, settings.seed)
    records = play(tournament, settings.runs / table.name / "ratings.games.jsonl", settings.processes, cluster)
    summary = summarise(tournament, records)
    copies = games_among_copies(table, agents[: len(without_search)], settings)
    exploited = [exploiter for exploiter in exploiters_of_trials(here) if exploiter.finished]
    command = command_of("benchmark.py", settings, ("runs", "out", "processes", "ray"))
    receipt = table.receipt(command, ["torch"]) | {
        "minutes": settings.minutes,
        "algorithms": [Path(name).stem for name in settings.algorithms],
        "missing": sorted(cell.name for cell in here if cell.name not in finished),
        "ratings": brief(summary, ["greedy"]),
        "exploiters": {
            each.label: {**each.found(), "best": best_against(summary, each.label)} for each in exploited
        },
        "copies": {name: games["decided"] for name, games in copies.items()},
        "crossplay": {
            **crossplay(tournament, records, last, copies),
            "mixed": games_of_seeds(table, [agent for agent in agents if agent.name in last], settings),
            "behaviour": {name: copies[name]["behaviour"] for name in last},
        },
        "population": with_population(table, without_search[1:], settings, cluster),
        "sampling": sampling(table, last, settings),
        "curves": curves(table, finished, last, settings),
    }
    return dict(rounded(receipt))


def marl_eval(folder: Path = ROOT / "benchmarks" / "algorithms") -> dict[str, Any]:
    """The results in a folder in the form of marl-eval's JSON, for the plots of rliable.

    `{"polytrix": {table: {algorithm: {seed: {step: ..., "absolute_metrics": ...}}}}}`. The metrics are shares
    of games won, draws split: `greedy` against that policy, `pool` against all final policies. Time is in
    seconds of the CPU. The absolute metrics are those of the final policy, `greedy` on the deals of `sampling`.
    The plots need the same runs at all tables: those that a table lacks are left out.
    """
    told: dict[str, Any] = {}
    receipts = read_all(folder)
    for receipt in receipts:
        for name, curve in receipt["curves"].items():
            if not all(name in other["curves"] for other in receipts):
                continue
            algorithm, _, seed = name.rpartition("-")
            steps: dict[str, Any] = {
                f"step_{number}": {
                    "step_count": int(point["decisions"]),
                    "elapsed_time": point["cpu_seconds"],
                    "greedy": [point["greedy"]],
                    "pool": [point["pool"]],
                }
                for number, point in enumerate(curve, 1)
            }
            last = receipt["sampling"].get(name, {}).get("most probable", curve[-1]["greedy"])
            steps["absolute_metrics"] = {"greedy": [last], "pool": [curve[-1]["pool"]]}
            told.setdefault(receipt["table"], {}).setdefault(algorithm, {})[f"seed_{seed}"] = steps
    return {"polytrix": told}


def with_population(
    table: Table, agents: Sequence[str], settings: Settings, cluster: Cluster | None = None
) -> dict[str, Any]:
    """What agents win with the bots of the game's population; see `polytrix.arena.summary.strangers`."""
    bots = population(table.game, table.players)
    those = contestants(table.game, [*agents, *bots])
    deals = settings.population_deals
    tournament = Tournament(table.game, table.options, those, deals, settings.seed, tables=[*bots])
    file = settings.runs / table.name / "population.games.jsonl"
    records = play(tournament, file, settings.processes, cluster)
    found: dict[str, Any] = summarise(tournament, records)["population"]
    return {**found, "deals": deals, "games": tournament.num_games}


def best_against(summary: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The meeting in which another agent did best against an agent, or in one seat among several of these."""
    meetings = [one for one in summary["meetings"] if one["others"] == name]
    best = max(meetings, key=lambda one: float(one["payoff"]))
    return {key: best[key] for key in ("agent", "payoff", "payoff_interval")}


def play(tournament: Tournament, file: Path, processes: int, cluster: Cluster | None) -> Records:
    """The games of a tournament, after those that are not in the file yet have been played."""
    records = Records(tournament.game, tournament.options, tournament.seed, file)
    play_with_a_bar(tournament, records, processes, begin=blocks_on(cluster, tournament))
    records.close()
    return records


def agents_without_search(table: Table, last: Mapping[str, str]) -> list[str]:
    """The built-in policies, all final ones and the released networks, as the arena names them."""
    trained = [f"{name}={file}" for name, file in last.items()]
    return ["random", "greedy", *trained, *baseline_files(table.game, table.players)]


def sampling(table: Table, last: Mapping[str, str], settings: Settings) -> dict[str, dict[str, float]]:
    """What each final network wins against `greedy` with its most probable actions, and when it samples them.

    Shares of the games on the same deals; draws are split.
    """
    (greedy,) = contestants(table.game, ["greedy"])
    found: dict[str, dict[str, float]] = {}
    for name, spec in Bar(last.items(), desc=f"{table.name} sampling"):
        (agent,) = contestants(table.game, [f"{name}={spec}"])
        policy = agent.make()
        if not isinstance(policy, NetworkPolicy):
            continue
        found[name] = {}
        for kind in ("most probable", "sampled"):
            policy.deterministic = kind != "sampled"
            found[name][kind] = measured(
                table,
                settings,
                f"{agent.mark} {kind} {settings.sampling_deals}",
                partial(against, table, policy, [greedy], settings.sampling_deals, settings.seed),
            )
    return found


def curves(
    table: Table, trials: Mapping[str, Trial], last: Mapping[str, str], settings: Settings
) -> dict[str, list[dict[str, float]]]:
    """What each kept policy had used, and how it does against `greedy` and against all final policies.

    Against the final policies it is measured again when these have changed.
    """
    (greedy,) = contestants(table.game, ["greedy"])
    opponents = {
        "greedy": [greedy],
        "pool": contestants(table.game, [f"{name}={spec}" for name, spec in last.items()]),
    }
    found: dict[str, list[dict[str, float]]] = {name: [] for name in trials}
    kept = [
        (name, number, used) for name, trial in trials.items() for number, used in enumerate(trial.curve, 1)
    ]
    for name, number, used in Bar(kept, desc=f"{table.name} curves"):
        (agent,) = contestants(table.game, [f"{name}={trials[name].agent(number)}"])
        won = {
            kind: measured(
                table,
                settings,
                " ".join([agent.mark, *sorted(other.mark for other in others), str(settings.curve_deals)]),
                partial(against, table, agent.make(), others, settings.curve_deals, settings.seed),
            )
            for kind, others in opponents.items()
        }
        found[name].append({**used, **won})
    return found


def against(table: Table, policy: Policy, others: Sequence[Contestant], deals: int, seed: int) -> float:
    """The share of games that a policy wins, draws split; each of the others has equally many of the deals."""
    shares, deals = [], max(1, deals // len(others))
    for number, other in enumerate(others):
        rng = np.random.default_rng([seed, number])
        first = CURVE_SEED + number * deals
        both, seating = (policy, other.make()), seat_by_seat(table.players)
        games = play_tables(table.game, table.options, both, seating, first, deals, rng)
        wins = shares_of_the_top(games.payoffs)  # (deals, rotations, seats)
        shares.append(np.einsum("drr->", wins) / (deals * table.players))
    return float(np.mean(shares))
