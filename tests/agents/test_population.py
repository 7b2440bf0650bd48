"""The population: bots with different flaws, for games with strangers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import polytrix
from polytrix.agents import ask_rows, name_of, resolve
from polytrix.agents.population import NoisyPolicy, population
from polytrix.agents.resolve import names_of
from polytrix.agents.search import TreeSearch
from polytrix.arena.contestants import contestant
from polytrix.core.baselines import baseline_files
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from tests.searching import COMPILED
from tests.toys import SECRET

GAMES = [game for game in polytrix.all_games() if game.habits]
TABLES = [(game, n) for game in GAMES for n in game.player_counts if baseline_files(game, n)]
HABITUAL = replace(SECRET, heuristics=("caller",), habits=("shy",))

every_table = pytest.mark.parametrize(("game", "players"), TABLES, ids=[f"{g.name}-{n}" for g, n in TABLES])


@every_table
def test_a_third_of_each_tables_bots_is_never_seen_in_training(game: Game, players: int) -> None:
    bots = population(game, players)
    unseen = [name for name in bots if name.startswith("unseen-")]
    assert 12 <= len(bots) <= 20
    assert abs(len(unseen) - len(bots) / 3) < 1


@every_table
def test_bots_play_legal_moves_under_their_names(game: Game, players: int) -> None:
    simulator = Simulator(game, 3, {"players": players} if len(game.player_counts) > 1 else {}, seed=3)
    rng = np.random.default_rng(0)
    for name in population(game, players):
        bot = resolve(name, game)
        assert name_of(bot) == contestant(game, name).name == name
        if isinstance(bot, TreeSearch) and game.name not in COMPILED:
            continue
        for _ in range(2):
            live = np.flatnonzero(~simulator.over)
            simulator.step(ask_rows(bot, simulator, live, rng), live)  # refuses what is illegal


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_what_plays_greedys_worst_moves_is_worse_than_greedy(game: Game) -> None:
    policies, games = game.built_in_policies, 60
    simulator = Simulator(game, games, seed=1)
    players = int(simulator.num_players[0])
    simulator.policy[:, :players] = policies["greedy"]
    seats = np.arange(games) % players
    simulator.policy[np.arange(games), seats] = policies["contrary"]
    simulator.seed(1)
    assert simulator.over.all()
    assert simulator.reward[np.arange(games), seats].mean() < -0.05


def test_lists_do_not_show_habits_but_they_play() -> None:
    assert names_of(HABITUAL) == ["random", "greedy", "caller"]
    assert population(HABITUAL).keys() >= {"caller", "shy", "noisy", "hasty", "unseen-dreamer"}
    assert resolve("shy", HABITUAL).name == "shy"
    with pytest.raises(
        PolicyError, match=r"Allowed: 'random', 'greedy', 'caller', 'search.* a bot .* Did you mean 'shy'"
    ):
        resolve("shyy", HABITUAL)


def test_a_share_of_the_decisions_is_random() -> None:
    simulator = Simulator(SECRET, 4000, seed=1)
    seen, rng = (simulator.observation, simulator.mask), np.random.default_rng(0)
    shy = resolve("shy", SECRET)(*seen, rng)
    for share in (0, 0.4, 1):
        noisy = resolve(f"noisy:{share},shy", SECRET)
        assert isinstance(noisy, NoisyPolicy)
        # A random decision differs from that of *shy* as often as uniform play does.
        uniform = float((resolve("random", SECRET)(*seen, rng) != shy).mean())
        assert uniform > 0.2
        assert abs(float((noisy(*seen, rng) != shy).mean()) - share * uniform) < 0.04


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("noisy:2,greedy", "the share of random decisions is '2'; allowed: 0 to 1"),
        ("noisy:greedy", "the share of random decisions is 'greedy'"),
        ("noisy:0.5,gredy", "policy 'gredy' is neither a name"),
        ("noisy:0.5,search:5", "'search:5' needs more than observations"),
        ("noisy:0.5,tests.remembering:Elephant", "needs more than observations"),
    ],
)
def test_noise_that_is_refused(spec: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        resolve(spec, SECRET)


def test_stored_games_of_a_bot_count_as_long_as_its_network_and_noise_are_the_same() -> None:
    game = polytrix.find("quatrix")
    marks = {
        spec: contestant(game, spec).mark for spec in ("hasty", "search:7", "noisy:0,ppo", "noisy:0.1,ppo")
    }
    assert len({*marks.values(), contestant(game, "noisy:0,expert").mark}) == 5
    assert contestant(game, "mine=hasty").mark == contestant(game, "search:6").mark == marks["hasty"]
    assert contestant(game, "ppo").mark in marks["noisy:0,ppo"]
