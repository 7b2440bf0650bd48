"""Fuzz the arena's records: `Records` must refuse a file unchanged with RecordsError, or continue it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np

from polytrix.arena.play import Block, Games
from polytrix.arena.records import Records, RecordsError
from polytrix.core.game import Game

from .damage import damaged, damaged_json, put

BLOCKS = 6


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """Each try continues a damaged or forged file of records.

    Args:
        game: the game of the records.
        folder: an empty folder.

    Returns:
        The function that makes a try. Outcomes: "refused" or "taken".
    """
    path = folder / "games.jsonl"
    options = game.options.defaults
    players = game.num_players(options)
    rng = np.random.default_rng(0)

    def opened() -> closing[Records]:
        return closing(Records(game, options, 1, path))

    def block(number: int) -> tuple[Block, Games]:
        payoffs = rng.integers(-1, 2, (2, players, players)).astype(np.float32) / np.float32(3)
        return Block("one", "rest", "mark", "other mark", 2 * number, 2), Games(payoffs, 1, 100)

    blocks = [block(number) for number in range(BLOCKS + 1)]
    last, games = blocks.pop()
    with opened() as records:
        for each in blocks:
            records.add(*each)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)

    def attempt(rng: np.random.Generator) -> str:
        if rng.random() < 0.5:
            data = damaged(whole, rng)
        else:
            changed = list(lines)
            number = int(rng.integers(len(lines)))
            changed[number] = damaged_json(lines[number].decode(), rng).encode() + b"\n"
            data = b"".join(changed)
        put(path, data)
        try:
            opening = opened()
        except RecordsError as error:
            if path.read_bytes() != data or str(path) not in str(error):
                raise AssertionError(f"a file that was refused was changed, or not named: {error}") from error
            return "refused"
        except BaseException as error:
            raise AssertionError(f"opening records raised {error!r}") from error
        with opening as records:
            kept = path.read_bytes()
            assert kept == data[: data.rfind(b"\n") + 1] or whole.startswith(kept), "whole lines were lost"
            known = {each: records[each] for each, _ in blocks if each in records}
            if last not in records:
                records.add(last, games)
        with opened() as records:
            assert last in records, "a block that was added is gone"
            for each, found in known.items():
                assert each in records and np.array_equal(records[each].payoffs, found.payoffs), (
                    "a block changed"
                )
        return "taken"

    return attempt
