"""Check that games with different options play the same in one batch as alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.drivers import EXTERNAL
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator

from .equality import assert_equal, check_next_games, choices, heuristics_of, record
from .variants import option_combinations


def check_mixture(
    game: Game,
    combinations: Iterable[Mapping[str, Any]] | None = None,
    *,
    seed: int = 0,
    decisions: int = 30,
    mode: Mode = Mode.COMPILED,
) -> None:
    """Assert that a batch of games with different options plays each of them as if it were alone.

    Each row is compared at every decision with its game alone, on one thread and on three, also with
    each heuristic of the game as the last player; after saving and loading into a simulator with other
    options; and in the next game of the row, which keeps the options.

    Args:
        game: the game.
        combinations: options of the rows; None uses `option_combinations`.
        seed: seed of the first row.
        decisions: number of decisions to compare in each game.
        mode: how the rules are run.
    """
    given = option_combinations(game) if combinations is None else list(combinations)
    rows = [given[i % len(given)] for i in range(max(200, len(given)))]  # enough for three threads
    numbers = choices(seed, len(rows), decisions)
    where = f"{game.name}, {len(given)} combinations of options side by side"

    def simulator(options: Sequence[Mapping[str, Any]] | None, threads: int = 1) -> Simulator:
        return Simulator(game, len(rows), options, seed, threads, mode)

    for kind in (EXTERNAL, *heuristics_of(game).values()):
        together = record(simulator(rows), numbers, kind)
        threads = simulator(rows, threads=3)
        assert_equal(game, together, record(threads, numbers, kind), f"{where}: one thread and three")
        threads.close()
        for row in range(len(given)):
            alone = record(Simulator(game, 1, rows[row], seed + row, mode=mode), numbers[:, [row]], kind)
            among = together.of(slice(row, row + 1))
            assert_equal(game, among, alone, f"{where}: row {row} and {rows[row]} alone")

    mixed, loaded = simulator(rows), simulator(None)
    loaded.load(mixed.save())
    together = record(mixed, numbers)
    assert_equal(game, together, record(loaded, numbers), f"{where}: saved and loaded")
    absent = np.arange(game.max_players) >= mixed.num_players[:, None]
    assert not together.rewards[:, absent].any(), f"{where}: a seat that takes no part has a reward"
    check_next_games(mixed, np.arange(len(given)), given, where)
