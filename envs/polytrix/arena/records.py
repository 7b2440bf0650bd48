"""Finished games of an arena, in memory and in a file to which every finished block is appended."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.core.errors import PolytrixError
from polytrix.core.files import whole_file
from polytrix.core.game import Game
from polytrix.core.lock import FileLock

from .play import Block, Games

FORMAT = "polytrix arena games 1"


class RecordsError(PolytrixError, ValueError):
    """A file of games cannot be read or written, or has games with other settings."""


class Records:
    """Finished blocks.

    A file is locked until `close`, or until the process ends.

    Args:
        game, options, seed: settings of the games. A file with other settings is refused.
        path: a file with one JSON object per line, or None to keep nothing. Blocks in it count as played.
        data: what the file says of replaced data files: their content, for `Games.moves`. None: short hashes.

    Raises:
        RecordsError: the file is damaged, has other settings, or is locked by another process. It is
            unchanged.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any],
        seed: int,
        path: Path | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        self.path = path
        self._games: dict[Block, Games] = {}
        self._players = game.num_players(options)
        self._header = {
            "format": FORMAT,
            "environment": game.id,
            "data": game.data_marks if data is None else dict(data),
            "options": dict(options),
            "seed": seed,
        }
        self._lock: FileLock | None = None
        if path is not None:
            self._lock = self._lock_file(path)
            try:
                self._open(path)
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Release the file."""
        if self._lock is not None:
            self._lock.release()

    def _lock_file(self, path: Path) -> FileLock:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return FileLock(path.with_name(path.name + ".lock"))
        except BlockingIOError as error:
            raise RecordsError(
                f"{path} is being written by {error.strerror}; wait for it, or use another file"
            ) from None
        except OSError as error:
            raise RecordsError(f"{path} cannot be written ({error.strerror})") from None

    def _open(self, path: Path) -> None:
        """Read the file if it exists, and remove an unfinished last line."""
        data = path.read_bytes() if path.exists() else b""
        *lines, unfinished = data.split(b"\n")
        if not lines:
            if not line(self._header).encode().startswith(unfinished):
                raise RecordsError(f"{path} is not a file of an arena's games; use another file")
            self._replace([])
            return
        self._compare(path, parse(path, 1, lines[0]))
        for number, each in enumerate(lines[1:], 2):
            block, games = block_in(path, number, each, self._players)
            known = self._games.setdefault(block, games)
            if known is not games and told(block, known) != told(block, games):
                raise RecordsError(f"{path}, line {number}: a block comes again with other games; {_MEND}")
        if unfinished:
            os.truncate(path, len(data) - len(unfinished))

    def _compare(self, path: Path, header: Any) -> None:
        if not isinstance(header, dict):
            raise RecordsError(f"{path}, line 1: {header!r:.40} is not a header; {_MEND}")
        differing = [key for key, value in self._header.items() if key not in header or header[key] != value]
        if differing:
            raise RecordsError(
                f"{path} has games with another {', '.join(differing)}; use another file, or delete it"
            )

    def _write(self, entry: Mapping[str, Any]) -> None:
        if self.path is None:
            return
        size = self.path.stat().st_size
        try:
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(line(entry))
        except OSError as error:
            os.truncate(self.path, size)
            raise RecordsError(
                f"{self.path} cannot be written ({error.strerror}); it has the games up to now"
            ) from None

    def _replace(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """Rewrite the whole file."""
        if self.path is not None:
            with whole_file(self.path) as file:
                for entry in (self._header, *entries):
                    file.write(line(entry).encode())

    def __contains__(self, block: Block) -> bool:
        return block in self._games

    def __getitem__(self, block: Block) -> Games:
        return self._games[block]

    def add(self, block: Block, games: Games) -> None:
        """Add a finished block.

        Raises:
            RecordsError: it cannot be written, or was added before. The file is unchanged.
        """
        if block in self._games:
            raise RecordsError(f"deals from {block.first} of {block.one} among {block.rest} are there already")
        self._write(told(block, games))
        self._games[block] = games

    def keep_only(self, blocks: Iterable[Block]) -> None:
        """Drop all blocks except these. The file is replaced atomically."""
        self._games = {block: self._games[block] for block in blocks}
        self._replace(told(block, games) for block, games in self._games.items())


_MEND = "delete the file to start again"


def parse(path: Path, number: int, text: bytes) -> Any:
    """The JSON in a line."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordsError(f"{path}, line {number} is damaged ({error!s:.100}); {_MEND}") from None


def block_in(path: Path, number: int, text: bytes, players: int) -> tuple[Block, Games]:
    """The block in a line, or RecordsError if `told` would not have written the line."""
    entry = parse(path, number, text)
    try:
        if not isinstance(entry, dict):
            raise ValueError(f"{entry!r:.40} is no block of games")
        given = dict(entry)
        payoffs = np.array(given.pop("payoffs"))
        with np.errstate(over="ignore"):
            payoffs = payoffs.astype(np.float32)
        counts, moves = given.pop("behaviour", {}), given.pop("moves", [])
        games = Games(payoffs, given.pop("truncated"), given.pop("decisions"), counts, moves)
        block = Block(**given)
        whole = (block.first, block.deals, games.truncated, games.decisions)
        names = (block.one, block.rest, block.one_mark, block.rest_mark)
        if any(type(name) is not str for name in names) or any(type(each) is not int for each in whole):
            raise ValueError("names that are not text, or counts that are not integers")
        shape = (block.deals, len(block.seating(players)), players)
        if payoffs.shape != shape or not np.isfinite(payoffs).all():
            raise ValueError(f"payoffs of shape {payoffs.shape}; expected numbers of shape {shape}")
        if counts != {}:
            pairs = np.array([*dict(counts).values()])
            of_two = pairs.shape[1:] == (2, 2) and pairs.dtype == np.int64
            if type(counts) is not dict or not of_two or pairs.min() < 0:
                raise ValueError("behaviour that is no sum and number of occasions of two sides")
        if min(whole) < 0 or block.deals < 1 or games.truncated > payoffs[..., 0].size:
            raise ValueError("impossible counts")
        if moves != []:
            of_lists = all(type(game) is list for deal in moves for game in deal)
            if not of_lists or [*map(len, moves)] != [shape[1]] * shape[0]:
                raise ValueError(f"moves that are not those of {shape[0]} deals, each played {shape[1]} times")
            actions = [*chain.from_iterable(chain.from_iterable(moves))]
            if {*map(type, actions)} - {int} or len(actions) != games.decisions:
                raise ValueError(f"moves that are not {games.decisions} integers")
        if line(told(block, games)) != line(entry):
            raise ValueError("numbers in another form than written by this version")
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise RecordsError(f"{path}, line {number} is damaged ({error!s:.100}); {_MEND}") from None
    return block, games


def told(block: Block, games: Games) -> dict[str, Any]:
    """A block as written to the file."""
    decimal = games.payoffs.astype(str).astype(np.float64)  # 0.1, not the float32 closest to it
    entry = {**vars(block), **games._asdict(), "payoffs": short(decimal.tolist())}
    return {
        name: value for name, value in entry.items() if value not in ({}, [])
    }  # what was not counted or kept


def short(number: Any) -> Any:
    """Whole numbers without a decimal point, in nested lists.

    >>> short([[1.0, -0.5], [0.0, 2.0]])
    [[1, -0.5], [0, 2]]
    """
    if isinstance(number, list):
        return [short(each) for each in number]
    return int(number) if number == int(number) else number


def line(entry: Mapping[str, Any]) -> str:
    """An entry as a line of the file."""
    return json.dumps(entry, separators=(",", ":")) + "\n"
