"""Fuzz full disks: whatever cannot be written is told in a sentence, and what was there before stays."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from polytrix.agents import load
from polytrix.agents.checkpoint import read_checkpoint, write_checkpoint
from polytrix.arena.play import Block, Games
from polytrix.arena.records import Records
from polytrix.core.errors import PolytrixError
from polytrix.core.game import Game
from polytrix.core.transcript import Transcript
from polytrix.llm.games import KeptAnswers
from polytrix.llm.models import Reply
from polytrix.web.settings import PERSON, Chair, Settings, new_token
from polytrix.web.store import Store
from polytrix.web.table import Table
from tests.networks import save, some_network

Generator = np.random.Generator


class Writer(NamedTuple):
    """Something that is written: `write` puts a number into a folder, `read` finds the last one there."""

    write: Callable[[Game, Path, int], None]
    read: Callable[[Game, Path], int]


def prepare(game: Game, folder: Path) -> Callable[[Generator], str]:
    """Each try writes where files may grow up to some size only, as on a disk that is nearly full.

    Outcomes: "refused" or "written".
    """
    number = 0

    def attempt(rng: Generator) -> str:
        nonlocal number
        number += 1
        place = folder / str(number)
        place.mkdir()
        name = list(WRITERS)[rng.integers(len(WRITERS))]
        writer = WRITERS[name]
        writer.write(game, place, 0)
        there = sorted(place.iterdir())
        size = max(path.stat().st_size for path in there)
        problem: BaseException | None = None
        with files_below(int(1.3 * size * rng.random())):
            try:
                writer.write(game, place, 1)
            except BaseException as error:
                problem = error
        outcome, last = ("written", 1) if problem is None else ("refused", 0)
        if problem is not None:
            told = isinstance(problem, (OSError, PolytrixError)) and "in use" not in str(problem)
            assert told, f"{name} raised {problem!r}"
        left = {path.name for path in place.iterdir()} - {path.name for path in there}
        assert outcome == "written" or not left, f"{name} leaves {left}"
        assert writer.read(game, place) == last, f"{name}: what was {outcome} is not what is read"
        writer.write(game, place, 2)
        assert writer.read(game, place) == 2, f"{name} cannot be used after a full disk"
        return outcome

    return attempt


@contextmanager
def files_below(size: int) -> Iterator[None]:
    """No file of this process may grow beyond a size in bytes while the block runs."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


# -- what is written --------------------------------------------------------------------------------------


def write_network(game: Game, folder: Path, number: int) -> None:
    save(folder / "a.npz", some_network(game, (4,)), number=number)


def read_network(game: Game, folder: Path) -> int:
    return int(load(folder / "a.npz", game).notes["number"])


def write_records(game: Game, folder: Path, number: int) -> None:
    players = game.num_players(game.options.defaults)
    with closing(_records(game, folder)) as records:
        records.add(_block(number), Games(np.zeros((2, players, players), np.float32), 0, 10))


def read_records(game: Game, folder: Path) -> int:
    with closing(_records(game, folder)) as records:
        return max(number for number in range(3) if _block(number) in records)


def _records(game: Game, folder: Path) -> Records:
    return Records(game, game.options.defaults, 1, folder / "a.jsonl")


def _block(number: int) -> Block:
    return Block("one", "rest", "mark", "other mark", 2 * number, 2)


def write_answer(game: Game, folder: Path, number: int) -> None:
    kept = KeptAnswers(folder / "a.answers.jsonl")
    while kept.find(len(kept.replies()), 0, []) is not None:
        pass
    kept.add(number, 0, [], Reply(f"MOVE: {number}"))


def read_answer(game: Game, folder: Path) -> int:
    return max(KeptAnswers(folder / "a.answers.jsonl").replies())


def write_table(game: Game, folder: Path, number: int) -> None:
    options = dict(game.options.defaults)
    chairs = tuple(Chair(PERSON, token=new_token()) for _ in range(game.num_players(options)))
    with closing(Store(folder / "tables.sqlite")) as store:
        Table.new(Settings(game.id, options, chairs, new_token()), number, store)


def read_table(game: Game, folder: Path) -> int:
    with closing(Store(folder / "tables.sqlite")) as store:
        return max(store.load(table).seed for table, *_ in store.newest(9))


def write_checkpoint_of(game: Game, folder: Path, number: int) -> None:
    write_checkpoint(folder / "a.polytrix", {"number": number, "weights": np.zeros(1000)})


def read_checkpoint_of(game: Game, folder: Path) -> int:
    found: dict[str, Any] = read_checkpoint(folder / "a.polytrix")
    return int(found["number"])


def write_transcript(game: Game, folder: Path, number: int) -> None:
    Transcript(game.id, game.options.defaults, number).save(folder / "a.json")


def read_transcript(game: Game, folder: Path) -> int:
    return Transcript.load(folder / "a.json").seed


WRITERS = {
    "a network": Writer(write_network, read_network),
    "records": Writer(write_records, read_records),
    "an answer": Writer(write_answer, read_answer),
    "a table": Writer(write_table, read_table),
    "a checkpoint": Writer(write_checkpoint_of, read_checkpoint_of),
    "a transcript": Writer(write_transcript, read_transcript),
}
