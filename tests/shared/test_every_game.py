"""The checks of `polytrix.testing` for every registered game.

Random play covers all option combinations, slower checks every value of every option; `make test-all`
runs them for every pair of values. For a long run:
`python -m polytrix.testing --game NAME --games 100000 --threads 2`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.testing import (
    check_apis_equal,
    check_determinism,
    check_mixture,
    check_no_leak,
    check_public,
    check_random_play,
    check_replay,
    check_snapshots,
    option_combinations,
)
from tests.shared.variants import option_pairs, option_values

GAMES = polytrix.all_games()
Options = dict[str, Any]


def variants(
    chosen: Callable[[Game], list[Options]], always: Callable[[Game], list[Options]]
) -> pytest.MarkDecorator:
    """All games, each with its chosen option combinations; those that are not in `always` are slow."""
    params = [
        pytest.param(
            game,
            options,
            id="-".join([game.name, *(f"{k}={v}" for k, v in options.items())]),
            marks=() if options in always(game) else pytest.mark.slow,
        )
        for game in GAMES
        for options in chosen(game)
    ]
    return pytest.mark.parametrize(("game", "options"), params)


every_variant = variants(option_combinations, option_combinations)
every_pair = variants(option_pairs, option_values)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@every_variant
def test_random_play_under_bounds_checking(game: Game, options: Options) -> None:
    report = check_random_play(game, options, 4000)
    assert report.decisions >= 4000 and report.most_legal > 1


@every_pair
def test_random_play_in_plain_python(game: Game, options: Options) -> None:
    check_random_play(game, options, 60, Mode.PLAIN, games=2)


@every_game
def test_greedy_play_ends_by_the_rules(game: Game) -> None:
    if game.greedy is None:
        pytest.skip("no greedy opponent")
    report = check_random_play(game, None, 1500, policy="greedy", games=4)
    assert report.terminated > 0


@every_pair
def test_nobody_learns_what_he_cannot_know(game: Game, options: Options) -> None:
    check_no_leak(game, options, games=3, decisions=24, playouts=1)


@every_pair
def test_nobody_misses_what_is_public(game: Game, options: Options) -> None:
    check_public(game, options, decisions=24)


@every_pair
def test_a_seed_says_everything(game: Game, options: Options) -> None:
    check_determinism(game, options)


@every_pair
def test_the_same_game_however_it_is_run(game: Game, options: Options) -> None:
    check_apis_equal(game, options, decisions=16)


@every_game
def test_games_of_different_options_and_players_run_side_by_side(game: Game) -> None:
    check_mixture(game)


@every_pair
def test_snapshots(game: Game, options: Options) -> None:
    check_snapshots(game, options)


@every_pair
def test_transcripts_replay(game: Game, options: Options) -> None:
    check_replay(game, options)


@every_game
def test_the_layouts_fit_their_integer_types(game: Game) -> None:
    assert game.actions.size <= np.iinfo(np.int16).max
    for block in game.observations:
        assert -128 <= block.low <= block.high <= 127, block.name
        assert block.meaning, block.name
