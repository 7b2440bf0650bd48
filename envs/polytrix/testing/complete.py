"""Run all checks of a game at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from polytrix.core import catalogue
from polytrix.core.game import Game

from .equality import check_apis_equal, check_determinism, check_mixture
from .hidden_actions import check_hidden_actions
from .leak import check_no_leak
from .public import check_public
from .random_play import check_random_play
from .storage import check_replay, check_snapshots
from .touch import check_touch
from .variants import option_combinations


def check_all(game: Game, combinations: Iterable[Mapping[str, Any]] | None = None, *, seed: int = 0) -> None:
    """Run every check of this package that needs no expected numbers.

    Args:
        game: the game. Register it first: pickling and replay need a registered game.
        combinations: option combinations; None uses `option_combinations`.
        seed: seed of all checks.

    Raises:
        AssertionError: from the first check that fails.
    """
    assert game in catalogue.all_games(), f"{game.name} is not registered; call polytrix.register(game) first"
    chosen = option_combinations(game) if combinations is None else list(combinations)
    for options in chosen:
        check_random_play(game, options, seed=seed)
        check_no_leak(game, options, seed=seed)
        check_public(game, options, seed=seed)
        check_hidden_actions(game, options, seed=seed)
        check_determinism(game, options, seed=seed)
        check_apis_equal(game, options, seed=seed)
        check_snapshots(game, options, seed=seed)
        check_replay(game, options, seed=seed)
        check_touch(game, options, seed=seed)
    check_mixture(game, chosen, seed=seed)
