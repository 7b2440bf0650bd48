"""Games as rows of bytes, and a step from rows to other rows."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from .compile.compiler import Mode
from .compile.programs import as_argument, programs
from .drivers import Outputs
from .game import Game
from .state import RecordArray, new_records
from .transition import row_dtype

LEAST = 256
"""The fewest rows for which a thread is worth its start."""


def new_row(game: Game, options: Mapping[str, Any]) -> RecordArray:
    """A row (1,) with these values of all options, in which the caller plays all seats. Nothing has begun."""
    row = new_records(1, row_dtype(game))
    game.write_options(row["game"], options)
    return row


def results_of(game: Game) -> list[tuple[tuple[int, ...], Any]]:
    """Shape and type, for one row, of what `transition` writes: rows, `Outputs`, terminated, truncated."""
    return [
        ((row_dtype(game).itemsize,), np.uint8), ((game.observations.size,), np.int8),
        ((game.actions.size,), np.bool_), ((game.max_legal,), np.int16), ((), np.int32), ((), np.int8),
        ((game.max_players,), np.float32), ((), np.bool_), ((), np.bool_),
    ]  # fmt: skip


def step_rows(
    game: Game,
    rows: npt.NDArray[np.uint8],
    actions: npt.NDArray[np.int32],
    num_threads: int = 1,
    mode: Mode = Mode.COMPILED,
) -> tuple[npt.NDArray[Any], ...]:
    """`transition` with the actions (...) in new games, from rows (..., R): arrays as in `results_of`."""
    count, record = actions.size, row_dtype(game)
    before = np.ascontiguousarray(rows).reshape(count, record.itemsize).view(record)[:, 0]
    chosen = np.ascontiguousarray(actions).reshape(count)
    made = [np.empty((count, *shape), dtype) for shape, dtype in results_of(game)]
    flags = [each.view(np.int8) if each.dtype == np.bool_ else each for each in made]
    outputs: list[Any] = flags[1:-2]
    after, (terminated, truncated) = flags[0].view(record)[:, 0], flags[-2:]
    before, after = as_argument(before, mode), as_argument(after, mode)

    def play(first: int, last: int) -> None:
        out = Outputs(*(each[first:last] for each in outputs))
        ends = terminated[first:last], truncated[first:last]
        work = as_argument(new_records(2, game.state), mode)
        score = np.zeros(game.max_legal, np.float32)
        programs(game, mode).transition(
            before[first:last], chosen[first:last], after[first:last], out, *ends, work, score
        )

    starts = [count * thread // num_threads for thread in range(num_threads + 1)]
    if num_threads == 1 or count < num_threads * LEAST:
        play(0, count)
    else:
        list(_pool(num_threads).map(play, starts[:-1], starts[1:]))
    return tuple(each.reshape(actions.shape + each.shape[1:]) for each in made)


_pool = cache(ThreadPoolExecutor)
