"""Play the leaderboard and write its page: random, greedy, the released networks, and searches.

python training/leaderboard.py                   # all games; can be stopped and continued at any time
python training/leaderboard.py --games quatrix --deals 40 --search-deals 20 --to /tmp/board

Finished games are kept in benchmarks/leaderboard. Only pairs with a changed agent are played again. Then each
new or changed agent is timed, on one core, and the page is written. Changes of rules or heuristics are not
detected: after these use --restart, and --time-again if only the speed has changed.
"""

from __future__ import annotations

import gzip
import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import tyro

from polytrix.arena import Contestant, Tournament, contestants, summarise
from polytrix.arena.records import Records
from polytrix.bench import machine
from polytrix.cli.arena import play_with_a_bar
from polytrix.core.baselines import EXPERT, baseline_files
from polytrix.core.files import write_json
from polytrix.training.benchmarking.games import blocks_on
from polytrix.training.shared.cluster import Cluster, joined
from polytrix.training.shared.receipts import ROOT, Table, brief, command_of, rounded, tables
from polytrix.training.shared.runs import ends_in_words
from polytrix.training.shared.thinking import milliseconds, positions
from polytrix.training.write_figures import write_figures


@dataclass(frozen=True)
class Settings:
    """Command line of this script."""

    games: tuple[str, ...] = ()
    """names of games; all by default"""
    deals: int = 1000
    """deals per pair of agents; every deal is played once from each seat"""
    search_deals: int = 100
    """deals of a search agent and `greedy`"""
    other_search_deals: int = 40
    """deals of a search agent and any other agent"""
    simulations: tuple[int, ...] = (50, 200, 1000)
    """simulations of the search agents"""
    expert_simulations: tuple[int, ...] = (50, 200, 800)
    """simulations of the search agents that the network of expert iteration guides"""
    seed: int = 1
    """random seed of the deals and the agents"""
    threads: int = 1
    """number of pairs that are played in parallel"""
    ray: str = ""
    """address of a Ray cluster that plays them instead: HOST:PORT, or auto for that of this machine"""
    to: Path = ROOT
    """folder of benchmarks/leaderboard/, and of docs/ with the page"""
    restart: bool = False
    """delete finished games and start again"""
    time_again: bool = False
    """measure the thinking times of all agents again"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the missing games, and write the page."""
    settings = tyro.cli(Settings, args=arguments, description=__doc__)
    folder = settings.to / "benchmarks" / "leaderboard"
    folder.mkdir(parents=True, exist_ok=True)
    with ends_in_words(), joined(settings.ray) as cluster:
        for table in tables(settings.games):
            bring_up_to_date(table, settings, folder, cluster)
    print(f"results: {folder}")
    write_figures(settings.to, ["leaderboard"])


def tournaments(table: Table, settings: Settings) -> list[Tournament]:
    """With two players all agents meet each other; else each plays one seat among opponents of one kind."""
    networks = list(baseline_files(table.game, table.players))
    names = [f"search:{count}" for count in settings.simulations]
    guides = [name for name in networks if name.partition("-")[0] == EXPERT]
    names += [f"search:{count},network={name}" for name in guides for count in settings.expert_simulations]
    built_in, trained, searching = (
        contestants(table.game, each) for each in (["random", "greedy"], networks, names)
    )

    def tournament(agents: list[Contestant], *others: str) -> Tournament:
        one = Tournament(table.game, table.options, agents, settings.deals, settings.seed, others)
        slow = {agent.name for agent in searching}
        at_most = {pair: settings.other_search_deals for pair in one.line_ups if slow & {*pair}}
        at_most |= {pair: settings.search_deals for pair in at_most if "greedy" in pair}
        return replace(one, at_most=at_most, behaviour=True)

    if table.players == 2:
        return [tournament([*built_in, *searching, *trained])]
    rest = [tournament([*built_in, *trained], name) for name in ("random", *networks)]
    return [tournament([*built_in, *searching, *trained], "greedy"), *rest]


def bring_up_to_date(table: Table, settings: Settings, folder: Path, cluster: Cluster | None) -> None:
    """Play the missing games of a table, measure the missing times, and write the receipt."""
    file, games = folder / f"{table.name}.json", folder / f"{table.name}.games.jsonl"
    if settings.restart:
        for old in (file, games, packed(games)):
            old.unlink(missing_ok=True)
    todo = tournaments(table, settings)
    wanted = {block: None for one in todo for block in one.blocks()}
    stopped = games.exists()  # in the middle of the games
    unpack(games)
    records = Records(table.game, table.options, settings.seed, games)
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    rated = [{agent["name"] for agent in one["agents"]} for one in known.get("tables", [])]
    if stopped or rated != [{*one.names} for one in todo] or not all(block in records for block in wanted):
        for one in todo:
            play_with_a_bar(one, records, settings.threads, begin=blocks_on(cluster, one))
        free = ("games", "threads", "ray", "to", "restart", "time_again")
        again = command_of("leaderboard.py", settings, free)
        known |= rounded(table.receipt(again) | {"tables": [brief(summarise(one, records)) for one in todo]})
        write_json(file, known)
        records.keep_only(wanted)
    records.close()
    pack(games)
    if settings.time_again:
        known.pop("thinking", None)
    measure_times(table, todo[0].agents, known, file)


def measure_times(table: Table, agents: Sequence[Contestant], receipt: dict[str, Any], file: Path) -> None:
    """Measure how long the agents think; the receipt is written after each of them.

    Times from another machine cannot be compared, so they count only if nothing is missing.
    """
    marks, known = {agent.name: agent.mark for agent in agents}, receipt.get("thinking", {})
    times = {name: one for name, one in known.get("agents", {}).items() if marks.get(name) == one["mark"]}
    if len(times) == len(agents):
        return
    here = machine()
    if known.get("machine") != here:
        times = {}
    asked = positions(table.game, table.options)
    for agent in agents:
        if agent.name not in times:
            print(f"{table.name}: measuring how long {agent.name} thinks")
            times[agent.name] = {"mark": agent.mark, "ms": milliseconds(agent.make(), asked)}
            about = {"date": time.strftime("%Y-%m-%d"), "machine": here, "positions": asked.num_envs}
            receipt["thinking"] = {**about, "agents": times}
            write_json(file, receipt)


def packed(games: Path) -> Path:
    """The compressed file of a finished table's games."""
    return games.with_name(games.name + ".gz")


def pack(games: Path) -> None:
    """Compress the games; equal games give an equal file."""
    unfinished = games.with_suffix(".part")
    unfinished.write_bytes(gzip.compress(games.read_bytes(), mtime=0))
    os.replace(unfinished, packed(games))
    games.unlink()


def unpack(games: Path) -> None:
    """Decompress the games, so that more can be added."""
    if packed(games).exists() and not games.exists():
        unfinished = games.with_suffix(".part")
        unfinished.write_bytes(gzip.decompress(packed(games).read_bytes()))
        os.replace(unfinished, games)


if __name__ == "__main__":
    main()
