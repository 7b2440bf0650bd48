"""What has been played, in memory and in a file to which every finished block is added."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from polytrix.core.errors import PolytrixError
from polytrix.core.game import Game

from .play import Games

if TYPE_CHECKING:
    from .tournament import Block

FORMAT = "polytrix arena games 1"


class RecordsError(PolytrixError, ValueError):
    """A file of games that cannot be read, or holds games of something else."""


class Records:
    """Finished blocks.

    Args:
        game, options, seed: what is played. A file with games of other ones is refused.
        path: a file of one JSON object a line, or None: nothing is kept. Blocks in it count as played.

    Raises:
        RecordsError: the file is damaged, or its games are of something else.
    """

    def __init__(self, game: Game, options: Mapping[str, Any], seed: int, path: Path | None = None) -> None:
        self.path = path
        self._games: dict[Block, Games] = {}
        self._header = {
            "format": FORMAT,
            "environment": game.id,
            "data": game.data_marks,
            "options": dict(options),
            "seed": seed,
        }
        if path is not None:
            self._open(path)

    def _open(self, path: Path) -> None:
        """Read the file if there is one, and cut off a line that was not finished."""
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        if lines and not lines[-1].endswith(b"\n"):
            os.truncate(path, sum(map(len, lines[:-1])))
            lines.pop()
        if not lines:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._write(self._header)
            return
        try:
            header, *blocks = map(json.loads, lines)
            found = [self._read(block) for block in blocks]
        except (ValueError, KeyError, TypeError) as error:
            raise RecordsError(f"{path} is damaged ({error}); delete it to begin anew") from None
        if header != self._header:
            differing = [key for key, value in self._header.items() if header.get(key) != value]
            raise RecordsError(
                f"{path} holds games with another {', '.join(differing)}; take another file, or delete it"
            )
        self._games.update(found)

    def _read(self, entry: dict[str, Any]) -> tuple[Block, Games]:
        from .tournament import Block

        payoffs = np.array(entry.pop("payoffs"), np.float32)
        games = Games(payoffs, entry.pop("truncated"), entry.pop("decisions"))
        block = Block(**entry)
        if payoffs.ndim != 3 or len(payoffs) != block.deals:
            raise ValueError(f"payoffs of {len(payoffs)} deals instead of {block.deals}")
        return block, games

    def _write(self, entry: Mapping[str, Any]) -> None:
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line(entry))

    def __contains__(self, block: Block) -> bool:
        return block in self._games

    def __getitem__(self, block: Block) -> Games:
        return self._games[block]

    def add(self, block: Block, games: Games) -> None:
        """Keep a block that has been played."""
        self._games[block] = games
        self._write(told(block, games))

    def keep_only(self, blocks: Iterable[Block]) -> None:
        """Forget all blocks but these, which have been played; the file changes as a whole or not at all."""
        self._games = {block: self._games[block] for block in blocks}
        if self.path is not None:
            unfinished = self.path.with_suffix(".part")
            lines = [self._header, *(told(block, games) for block, games in self._games.items())]
            unfinished.write_text("".join(map(line, lines)), encoding="utf-8")
            os.replace(unfinished, self.path)


def told(block: Block, games: Games) -> dict[str, Any]:
    """A block for the file."""
    decimal = games.payoffs.astype(str).astype(np.float64)  # 0.1, not the binary number next to it
    return {**vars(block), **games._asdict(), "payoffs": short(decimal.tolist())}


def short(number: Any) -> Any:
    """Whole numbers without a decimal point, in nested lists.

    >>> short([[1.0, -0.5], [0.0, 2.0]])
    [[1, -0.5], [0, 2]]
    """
    if isinstance(number, list):
        return [short(each) for each in number]
    return int(number) if number == int(number) else number


def line(entry: Mapping[str, Any]) -> str:
    """An entry of the file."""
    return json.dumps(entry, separators=(",", ":")) + "\n"
