"""Check that what players touch is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import Record
from polytrix.drawing import Picture

from .random_play import play_on


def check_touch(
    game: Game,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    decisions: int = 50,
    mode: Mode = Mode.COMPILED,
) -> int:
    """Assert that every place which a legal action touches is drawn for its mover, in random games.

    Args:
        game: the game; without `touch` nothing is checked.
        options: values for its options.
        seed: seed of the first game.
        decisions: number of decisions checked in each game.
        mode: how the rules are run.

    Returns:
        The largest number of legal actions that touch the same places; those that touch none do not count.

    Raises:
        AssertionError: with the position and what is wrong.
    """
    if game.touch is None:
        return 0
    sim = Simulator(game, 2, options, seed=seed, mode=mode)
    most = 0
    for number in range(decisions):
        for row in np.flatnonzero(~sim.over):
            most = max(most, check_places(game, sim.states[row], f"{game.name}, seed {seed}, step {number}"))
        play_on(sim)
    return most


def check_places(game: Game, s: Record, where: str = "") -> int:
    """`check_touch` for one position, in which a seat is to move."""
    assert game.touch is not None
    picture = game.draw(s, int(s.mover))
    assert isinstance(picture, Picture), f"{where}: `draw` returns no Picture, which `touch` needs"
    drawn = Counter(picture.places)
    twice = [name for name, count in drawn.items() if count > 1]
    assert not twice, f"{where}: places are drawn twice: {twice}"
    touched: Counter[frozenset[str]] = Counter()
    for action in game.legal_ids(s):
        names = game.touch(s, action)
        wrong = [name for name in names if name not in drawn or names.count(name) > 1]
        assert not wrong, (
            f"{where}: {game.format_action(s, action)} touches {wrong}; allowed: each once of {list(drawn)}"
        )
        touched[frozenset(names)] += 1
    del touched[frozenset()]
    return max(touched.values(), default=0)
