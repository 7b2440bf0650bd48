"""Writes what was seen and done in the games of a data set: as NumPy arrays, or as Parquet."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polytrix.arena.records import RecordsError
from polytrix.core.errors import MissingExtraError
from polytrix.core.files import UNFINISHED
from polytrix.core.lock import FileLock

from .expansion import Expanded, empty, expand
from .games import Dataset

Tick = Callable[[int], object]
"""Called with numbers of finished games."""


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder to fill, which appears at `path` when the block ends without an exception.

    Raises:
        RecordsError: there is something at `path`, or another process fills it.
    """
    if path.exists():
        raise RecordsError(f"{path} exists; delete it, or choose another folder")
    unfinished = path.with_name(path.name + UNFINISHED)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        lock = FileLock(path.with_name(path.name + ".lock"))
    except BlockingIOError as error:
        raise RecordsError(f"{path} is being written by {error.strerror}; choose another folder") from None
    try:
        shutil.rmtree(unfinished, ignore_errors=True)  # from a process that was killed
        unfinished.mkdir()
        yield unfinished
        os.replace(unfinished, path)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
        lock.release()


def to_numpy(dataset: Dataset, folder: Path, tick: Tick = lambda games: None) -> None:
    """Write a file NAME.npy for each array of `Expanded`, and `games.json` with what was played by whom.

    Raises:
        RecordsError: there is such a folder, or the games do not replay.
    """
    games, decisions = len(dataset.games), sum(len(game.actions) for game in dataset.games)
    with new_folder(folder) as unfinished, ExitStack() as stack:
        files = [stack.enter_context((unfinished / f"{name}.npy").open("wb")) for name in Expanded._fields]
        of_one_game: Sequence[NDArray[Any]] = empty(dataset, games=1, decisions=0)
        for file, array in zip(files, of_one_game, strict=True):
            shape = (games if len(array) else decisions, *array.shape[1:])
            header = {"descr": array.dtype.str, "fortran_order": False, "shape": shape}
            np.lib.format.write_array_header_1_0(file, header)
        for part in expand(dataset):
            arrays: Sequence[NDArray[Any]] = part._replace(game=part.number[part.game])
            for file, array in zip(files, arrays, strict=True):
                array.tofile(file)
            tick(len(part.number))
        about = {
            "seeds": [game.seed for game in dataset.games],
            "agents": [game.agents for game in dataset.games],
        }
        (unfinished / "games.json").write_text(json.dumps(described(dataset) | about), encoding="utf-8")


def to_parquet(dataset: Dataset, folder: Path, tick: Tick = lambda games: None) -> None:
    """Write a row for each decision, and a card, in the layout of a data set of the Hugging Face Hub.

    Raises:
        RecordsError: there is such a folder, or the games do not replay.
        MissingExtraError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise MissingExtraError("Parquet", "parquet") from None

    def rows(array: NDArray[Any]) -> pa.Array:
        return pa.FixedSizeListArray.from_arrays(pa.array(array.ravel()), array.shape[1])

    with new_folder(folder) as unfinished, ExitStack() as stack:
        writer = None
        (unfinished / "data").mkdir()
        for part in expand(dataset):
            games = [dataset.games[number] for number in part.number]
            agents = np.array([game.agents for game in games])
            table = pa.table(
                {
                    "game": part.number[part.game],
                    "seed": np.array([game.seed for game in games])[part.game],
                    "seat": part.seat,
                    "agent": agents[part.game, part.seat],
                    "observation": rows(part.observation),
                    "action_mask": rows(part.action_mask),
                    "action": part.action,
                    "payoffs": rows(part.payoffs[part.game]),
                    "truncated": part.truncated[part.game],
                }
            )
            if writer is None:
                file = unfinished / "data" / "train-00000-of-00001.parquet"
                writer = stack.enter_context(ParquetWriter(file, table.schema, compression="zstd"))
            writer.write_table(table)
            tick(len(part.number))
        (unfinished / "README.md").write_text(CARD.format(**described(dataset)), encoding="utf-8")


def described(dataset: Dataset) -> dict[str, object]:
    """What was played, for a card."""
    agents = sorted({agent for game in dataset.games for agent in game.agents})
    return {"environment": dataset.game.id, "options": dict(dataset.options), "players": ", ".join(agents)}


CARD = """---
configs:
- config_name: default
  data_files: data/*.parquet
tags: [reinforcement-learning, imitation-learning, board-games]
---
# Games of {environment}

Played by {players}, with {options}; made with `polytrix dataset`. A row is a decision: `observation` is
what the seat `seat` saw, `action_mask` has 1 where an action was legal, `action` is what the agent `agent` did,
and `payoffs` is what each seat got when the game, number `game` of seed `seed`, was over.
"""
