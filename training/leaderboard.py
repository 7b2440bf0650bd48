"""Play the leaderboard and write its page: random, greedy, the released networks, and searches.

python training/leaderboard.py                   # all games; can be stopped and continued at any time
python training/leaderboard.py --games quatrix --deals 40 --search-deals 20 --to /tmp/board

Finished games are kept in benchmarks/leaderboard. Only pairs with a changed agent are played again; if no
game is missing, only the page is written. Then each new or changed agent is timed, on one core. Changes of
rules or heuristics are not detected: after these use --restart, and --time-again if only the speed has changed.
"""

from __future__ import annotations

import gzip
import json
import os
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import tyro

import polytrix
from polytrix.arena import Contestant, Tournament, contestants, summarise
from polytrix.arena.contestants import contestant
from polytrix.arena.records import Records
from polytrix.bench import machine
from polytrix.cli.arena import play_with_a_bar
from polytrix.core.baselines import EXPERT, policy_name
from polytrix.core.errors import PolytrixError
from polytrix.core.files import write_json
from polytrix.core.game import Game
from polytrix.training.leaderboards.page import write_page
from polytrix.training.leaderboards.times import milliseconds, positions, training_minutes

ROOT = Path(__file__).resolve().parents[1]

FORMAT = "polytrix leaderboard 1"


@dataclass(frozen=True)
class Settings:
    """Command line of this script."""

    games: tuple[str, ...] = ()
    """names of games; all by default"""
    deals: int = 1000
    """deals per pair of agents; every deal is played once from each seat"""
    search_deals: int = 400
    """deals of a search agent and `greedy`"""
    other_search_deals: int = 100
    """deals of a search agent and any other agent"""
    simulations: tuple[int, ...] = (50, 200, 1000)
    """simulations of the search agents"""
    expert_simulations: tuple[int, ...] = (50, 200, 800)
    """simulations of the search agents that the network of expert iteration guides"""
    seed: int = 1
    """random seed of the deals and the agents"""
    threads: int = 1
    """number of pairs that are played in parallel"""
    checkpoints: Path = ROOT / "checkpoints"
    """folder with the released baselines"""
    to: Path = ROOT
    """folder of docs/leaderboard.md, docs/images/ and benchmarks/leaderboard/"""
    restart: bool = False
    """delete finished games and start again"""
    time_again: bool = False
    """measure the thinking times of all agents again"""


@dataclass(frozen=True)
class Board:
    """An environment with its baselines.

    Args:
        game: the game.
        options: values of all options.
        baselines: folders of the baselines, by agent name.
    """

    game: Game
    options: dict[str, Any]
    baselines: dict[str, Path]

    @property
    def name(self) -> str:
        """The id and the options that are not default, as in the name of the baseline's folder."""
        usual = self.game.options.defaults
        own = [f"-{name}{value}" for name, value in self.options.items() if value != usual[name]]
        return self.game.id.partition("/")[2] + "".join(own)

    @property
    def players(self) -> int:
        """Number of players."""
        return self.game.num_players(self.options)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the missing games, and write the page."""
    settings = tyro.cli(Settings, args=arguments, description=__doc__)
    folder = settings.to / "benchmarks" / "leaderboard"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        games = [polytrix.find(name) for name in settings.games] or list(polytrix.all_games())
        for board in boards(settings.checkpoints, games):
            bring_up_to_date(board, settings, folder)
    except PolytrixError as error:
        raise SystemExit(str(error)) from None
    except KeyboardInterrupt:
        raise SystemExit("stopped; the same command continues from here") from None
    page = write_page(folder, settings.to / "docs")
    print(f"page: {page}, results: {folder}")


# -- who plays ----------------------------------------------------------------------------


def boards(checkpoints: Path, games: Sequence[Game]) -> list[Board]:
    """All environments: every game with its default options, and those with a baseline."""
    found = [Board(game, dict(game.options.defaults), {}) for game in games]
    for game, options, folder in baselines(checkpoints):
        if game in games:
            own = [board for board in found if board.game is game and board.options == options]
            if not own:
                own = [Board(game, options, {})]
                found += own
            own[0].baselines[policy_name(folder.name.removeprefix(own[0].name))] = folder
    order = {game.id: number for number, game in enumerate(games)}
    return sorted(found, key=lambda board: (order[board.game.id], board.name))


def baselines(checkpoints: Path) -> Iterator[tuple[Game, dict[str, Any], Path]]:
    """Game, options and folder of each saved network with a `result.json`."""
    for file in sorted(checkpoints.glob("*/result.json")):
        if (file.parent / "policy.npz").exists():
            record = json.loads(file.read_text(encoding="utf-8"))
            game = polytrix.find(record["environment"])
            given = record["settings"].get("options", {})
            own = {name: given[name] for name in game.options.defaults if name in given}
            own.pop("max_decisions", None)  # training may truncate games earlier than the leaderboard
            yield game, dict(game.options.validate(own)), file.parent


def tournaments(board: Board, settings: Settings) -> list[Tournament]:
    """With two players all agents meet each other; else each plays one seat among opponents of one kind."""
    built_in = contestants(board.game, ["random", "greedy"])
    trained = contestants(board.game, [f"{name}={folder}" for name, folder in board.baselines.items()])
    searching = searches(board, settings)

    def tournament(agents: list[Contestant], table: str | None = None) -> Tournament:
        one = Tournament(board.game, board.options, agents, settings.deals, settings.seed, table)
        slow = {agent.name for agent in searching}
        at_most = {pair: settings.other_search_deals for pair in one.line_ups if slow & {*pair}}
        at_most |= {pair: settings.search_deals for pair in at_most if "greedy" in pair}
        return replace(one, at_most=at_most)

    if board.players == 2:
        return [tournament([*built_in, *searching, *trained])]
    fast = [*built_in, *trained]
    others = [tournament(fast, name) for name in ("random", *board.baselines)]
    return [tournament([*built_in, *searching, *trained], "greedy"), *others]


def searches(board: Board, settings: Settings) -> list[Contestant]:
    """The search agents; those that the board's network guides are named after it."""
    found = contestants(board.game, [f"search:{count}" for count in settings.simulations])
    if EXPERT in board.baselines:
        for count in settings.expert_simulations:
            spec = f"search:{count},network={{}}"
            one = contestant(board.game, spec.format(board.baselines[EXPERT]))
            found.append(replace(one, name=spec.format(EXPERT)))
    return found


# -- playing ------------------------------------------------------------------------------


def bring_up_to_date(board: Board, settings: Settings, folder: Path) -> None:
    """Play the missing games of a board, measure the missing times, and write its results."""
    file, games = folder / f"{board.name}.json", folder / f"{board.name}.games.jsonl"
    if settings.restart:
        for old in (file, games, packed(games)):
            old.unlink(missing_ok=True)
    todo = tournaments(board, settings)
    contents = [content(one) for one in todo]
    result = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    if result.get("contents") != contents:
        unpack(games)
        records = Records(board.game, board.options, settings.seed, games)
        for one in todo:
            play_with_a_bar(one, records, settings.threads)
        result |= {
            "format": FORMAT,
            "board": board.name,
            "title": board.game.title,
            "environment": board.game.id,
            "players": board.players,
            "date": time.strftime("%Y-%m-%d"),
            "command": command(settings),
            "machine": machine(),
            "versions": {"python": platform.python_version()}
            | {name: version(name) for name in ("polytrix", "numpy", "numba")},
            "baselines": {
                name: Path(os.path.relpath(path, settings.to)).as_posix()
                for name, path in board.baselines.items()
            },
            "contents": contents,
            "tables": [summarise(one, records) for one in todo],
        }
        write_json(file, result)
        records.keep_only({block: None for one in todo for block in one.blocks()})
        records.close()
        pack(games)
    minutes = {name: training_minutes(path) for name, path in board.baselines.items()}
    if result.get("minutes") != minutes:
        result["minutes"] = minutes
        write_json(file, result)
    if settings.time_again:
        result.pop("thinking", None)
    for thinking in measured(board, todo[0].agents, result.get("thinking", {})):
        result["thinking"] = thinking
        write_json(file, result)


def measured(board: Board, agents: Sequence[Contestant], known: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Measure how long the agents think; yields what is known after each of them.

    Times from another machine cannot be compared, so they count only if nothing is missing.

    Args:
        board: the board.
        agents: its agents.
        known: earlier measurements, as yielded.
    """
    marks = {agent.name: agent.mark for agent in agents}
    times = {name: one for name, one in known.get("agents", {}).items() if marks.get(name) == one["mark"]}
    if len(times) == len(agents):
        return
    here = machine()
    if known.get("machine") != here:
        times = {}
    asked = positions(board.game, board.options)
    for agent in agents:
        if agent.name not in times:
            print(f"{board.name}: measuring how long {agent.name} thinks")
            times[agent.name] = {"mark": agent.mark, "ms": milliseconds(agent.make(), asked)}
            yield {
                "date": time.strftime("%Y-%m-%d"),
                "machine": here,
                "positions": asked.num_envs,
                "agents": dict(times),
            }


def packed(games: Path) -> Path:
    """The compressed file of a finished board's games."""
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


def content(one: Tournament) -> dict[str, Any]:
    """Everything that determines the results of a tournament, for JSON."""
    return {
        "agents": {agent.name: agent.mark for agent in one.agents},
        "deals": {" - ".join(line_up): one.deals_of(line_up) for line_up in one.line_ups},
        "seed": one.seed,
        "options": dict(one.options),
        "data": one.game.data_marks,
    }


def command(settings: Settings) -> str:
    """The command that plays these games again."""
    usual = Settings()
    own = [
        f"--{name.replace('_', '-')} {' '.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name in ("deals", "search_deals", "other_search_deals", "simulations", "expert_simulations", "seed")
        if (value := getattr(settings, name)) != getattr(usual, name)
    ]
    return " ".join(["python training/leaderboard.py", *own])


if __name__ == "__main__":
    main()
