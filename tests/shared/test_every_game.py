"""The checks of `polytrix.testing` for every registered game.

Random play covers all option combinations, slower checks every value of every option; `make test-all`
runs them for every pair of values. For a long run:
`python -m polytrix.testing --game NAME --games 100000 --threads 2`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.agents import HeuristicPolicy, RandomPolicy, SearchPolicy
from polytrix.core.compile.compiler import Mode
from polytrix.core.drivers import GREEDY, RANDOM
from polytrix.core.game import Game
from polytrix.core.options import Choice
from polytrix.core.simulator import Simulator
from polytrix.core.state import Record
from polytrix.core.symmetry import symmetries_of
from polytrix.core.transcript import Transcript
from polytrix.core.viewers import Viewer
from polytrix.core.words import moves
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
from tests.every_game import every_game

GAMES = polytrix.all_games()
Options = dict[str, Any]


def option_pairs(game: Game) -> list[Options]:
    """Some of all combinations: the default, and every pair of values of two options.

    For checks that are too slow for all combinations; most defects depend on one or two options.
    """
    return covering(game, option_combinations(game), 2)


def option_values(game: Game) -> list[Options]:
    """The smallest such subset: the default, and every value of every option. Some of `option_pairs`."""
    return covering(game, option_pairs(game), 1)


def covering(game: Game, every: list[Options], size: int) -> list[Options]:
    """The default and, in their order, some combinations that have all values of up to `size` options."""
    left = {
        number: {part for n in range(size) for part in combinations(options.items(), n + 1)}
        for number, options in enumerate(every)
    }
    default = next(number for number in left if every[number].items() <= game.options.defaults.items())
    chosen: list[int] = []
    while any(left.values()):
        best = max(left, key=lambda number: len(left[number])) if chosen else default
        met = left.pop(best)
        chosen.append(best)
        left = {number: parts - met for number, parts in left.items()}
    return [every[number] for number in sorted(chosen)]


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


@pytest.mark.parametrize(
    ("name", "options", "games", "least"),
    [
        ("quatrix", {"max_decisions": 2000}, 40, 38),
        ("resistor", {}, 60, 50),
        *(("pixel_tactics", {"best_of": best_of}, 200, 195) for best_of in (1, 3)),
        *(("pressure_matrix", {"players": players}, 40, 39) for players in (2, 3, 4, 5)),
    ],
)
def test_greedy_beats_random_players_from_every_seat(
    name: str, options: Options, games: int, least: int
) -> None:
    """In Estimatrix, where greedy players need each other, `test_greedy.py` says how much."""
    sim = Simulator(polytrix.find(name), games, options, seed=0)
    rows, seats = np.arange(games), np.arange(games) % sim.num_players
    sim.policy[:] = RANDOM
    sim.policy[rows, seats] = GREEDY
    sim.restart()
    assert sim.over.all()
    assert (sim.reward[rows, seats] > 0).sum() >= least


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


@every_game
def test_what_is_said_to_be_one_hot_is(game: Game) -> None:
    """In random play of games of all sizes, with the usual other options."""
    sizes = [each for each in game.options if isinstance(each, Choice) and each.name == "players"]
    players = [{"players": count} for each in sizes for count in each.values] or [{}]
    sim = Simulator(game, 48, [players[row % len(players)] for row in range(48)], seed=1)
    hot = {block.name: block for block in game.observations if block.one_hot}
    assert hot
    for _ in range(300):
        for name, seen in game.observations.view(sim.observation).items():
            if name in hot:
                together = seen.reshape(*seen.shape[: seen.ndim - hot[name].one_hot], -1)
                assert ((seen == 0) | (seen == 1)).all() and together.sum(axis=-1).max() <= 1, name
        sim.step(sim.random_actions())
        sim.restart(np.flatnonzero(sim.over))


@every_game
def test_an_axis_of_a_name_has_one_length(game: Game) -> None:
    found = {
        (name, int(length))
        for block in (*game.observations, *game.actions)
        for name, length in zip(block.axes, block.shape, strict=True)
    }
    lengths = [name for name, _ in found if name]
    assert lengths and len(set(lengths)) == len(lengths)


@every_game
def test_symmetries_are_a_group(game: Game) -> None:
    for tables in symmetries_of(game)[:2]:
        known = {each.tobytes() for each in tables}
        assert (tables[0] == np.arange(len(tables[0]))).all()
        assert all(one[tables[-1]].tobytes() in known for one in tables)


# -- looking at it -------------------------------------------------------------------------


def looks(game: Game, s: Record, viewer: Viewer) -> list[object]:
    """What a viewer is shown of a position."""
    words = moves(game, s) if s.mover >= 0 else []
    places = [game.touch(s, move.id) for move in words] if game.touch else []
    return [game.draw(s, viewer).svg(), game.text(s, viewer), words, places]


@every_game
def test_looking_changes_nothing_and_repeats_exactly(game: Game) -> None:
    simulator = Simulator(game, 1, {"max_decisions": 21}, seed=4)
    s = simulator.states[0]
    sizes = set()
    for decisions in range(22):
        if decisions in (2, 21):
            before = s.tobytes()
            for viewer in (None, 0, 1):
                assert looks(game, s, viewer) == looks(game, s, viewer)
                sizes.add(game.draw(s, viewer).rgb().shape)
            assert s.tobytes() == before
        if decisions < 21:
            simulator.step(simulator.random_actions())
    assert simulator.over[0] and len(sizes) == 1


WIDTH = 120


@every_game
def test_everything_of_a_game_is_shown_in_a_line(game: Game) -> None:
    simulator = Simulator(game, 3, mode=Mode.PLAIN)
    policies = (RandomPolicy(game), HeuristicPolicy(game), SearchPolicy(game, mode=Mode.PLAIN))
    drawing = game.draw(simulator.states[0], 0)
    seed = Transcript(game.id, game.options.defaults, 7, tuple(range(500)))
    for thing in (game, game.observations, game.actions, simulator, *policies, drawing, seed):
        shown = repr(thing)
        assert len(shown) <= WIDTH and "\n" not in shown and " at 0x" not in shown
        assert shown.startswith(f"{type(thing).__name__}("), shown
    for thing in (game, simulator, *policies, seed):
        assert game.id in repr(thing)
