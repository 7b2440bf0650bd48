"""Perft: count the positions of the game tree by depth to find bugs in the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import RecordArray, new_records


def perft(
    game: Game,
    depth: int,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int | None = None,
    decisions: int = 0,
    mode: Mode = Mode.COMPILED,
) -> list[int]:
    """The number of sequences of 0, 1, ..., `depth` actions and chance outcomes from a position.

    Every chance outcome counts as one step of a sequence.

    Args:
        game: the game.
        depth: length of the longest sequences.
        options: values for its options.
        seed: count from the game with this seed; None counts from the start, before any chance event.
        decisions: number of random decisions to play first, which needs a seed.
        mode: how the rules are run.

    >>> import polytrix
    >>> from polytrix.testing import perft
    >>> perft(polytrix.find("quatrix"), 3)  # three dice of the opening roll
    [1, 6, 36, 216]
    """
    stack = new_records(depth + 1, game.state)
    stack[:1] = position(game, options, seed, decisions, mode)
    # A row holds the actions of a position or the outcomes of a chance event; int16 can number them all.
    ids = np.zeros((depth + 1, np.iinfo(np.int16).max), np.int16)
    left, counts = np.zeros((2, depth + 1), np.int64)
    programs(game, mode).perft(stack, ids, left, depth, counts)
    return [int(n) for n in counts]


def position(
    game: Game, options: Mapping[str, Any] | None, seed: int | None, decisions: int, mode: Mode
) -> RecordArray:
    """The position that `perft` counts from, as an array of one state."""
    if seed is None:
        if decisions:
            raise ValueError(f"decisions is {decisions}, but no seed says by which dice or cards")
        return game.opening(game.options.validate(options or {}))
    sim = Simulator(game, 1, options, seed=seed, mode=mode)
    for number in range(decisions):
        if sim.over[0]:
            raise ValueError(f"the game of seed {seed} is over after {number} random decisions")
        sim.step(sim.random_actions())
    return sim.states


def check_perft(
    game: Game,
    expected: Sequence[int],
    options: Mapping[str, Any] | None = None,
    *,
    seed: int | None = None,
    decisions: int = 0,
    mode: Mode = Mode.COMPILED,
) -> None:
    """Assert that `perft` returns the expected counts, from depth 0 on."""
    found = perft(game, len(expected) - 1, options, seed=seed, decisions=decisions, mode=mode)
    assert found == list(expected), (
        f"{game.name} {dict(options or {})}, seed {seed}, {decisions} decisions: "
        f"perft is {found}; expected {list(expected)}"
    )
