"""The APIs with two to four players, in batches of one size and of mixed sizes."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.agents import name_of
from polytrix.api.aec import AECGame
from polytrix.api.shared.arguments import configure_rows
from polytrix.api.shared.learner import LearnerBatch
from polytrix.api.shared.opponents import LEARNER, NOBODY, LineUp, Pool
from polytrix.api.single import SingleEnv
from polytrix.api.vector import VectorEnv
from polytrix.core.errors import OptionError, PolicyError, SnapshotError
from polytrix.core.simulator import Simulator
from tests.api.aec_play import everything, play_out, played
from tests.api.learner_play import first, history, last, same, wild
from tests.high import HIGH, SEAT
from tests.stones import BIG, STONES

SIZES = (2, 3, 4)
MIXED = [{"players": 2 + i % 3} for i in range(60)]


def players_seen(observation):
    """The number of players, read from the observation."""
    return observation[..., SEAT : SEAT + 12 : 3].sum(axis=-1)


# -- PettingZoo ---------------------------------------------------------------------------


@pytest.mark.parametrize("players", SIZES)
def test_every_player_is_an_agent(players):
    env = AECGame(HIGH, players=players, shaping=0.5)
    names = [f"player_{seat}" for seat in range(players)]
    assert env.possible_agents == names
    env.reset(seed=1)
    assert env.agents == names and env.options["players"] == players
    told, left = play_out(env)
    assert set(told) == set(left) == set(names)
    with pytest.raises(ValueError, match=f"agent is 'player_{players}'; allowed: player_0"):
        env.observe(f"player_{players}")


def test_spaces_are_the_same_for_all_sizes():
    two, four = AECGame(HIGH), AECGame(HIGH, players=4)
    assert two.observation_space("player_0") == four.observation_space("player_3")
    assert two.action_space("player_0") == four.action_space("player_3")
    assert two.state_space.shape == four.state_space.shape == (4 * HIGH.observations.size,)
    for env in (two, four):
        env.reset(seed=1)
        assert env.state_space.contains(env.state())
        seen = env.state().reshape(4, -1).any(axis=1).tolist()
        assert seen == [seat < env.num_agents for seat in range(4)]


def test_a_game_of_another_size_is_not_loaded():
    env, other = played(AECGame(HIGH, players=3), 1), played(AECGame(HIGH, players=4), 1)
    before = everything(env)
    with pytest.raises(SnapshotError, match=r"saved game has 4 players; this environment has 3.*players=4"):
        env.load(other.save())
    assert everything(env) == before
    fresh = AECGame(HIGH, players=3)
    fresh.load(env.save())
    assert everything(fresh)[0] == before[0]


# -- one learner --------------------------------------------------------------------------


def test_the_learner_sits_at_every_seat_of_its_table():
    for rule in ("random", "rotate"):
        games = LearnerBatch(Simulator(HIGH, 60, MIXED), LineUp(HIGH, first), seat=rule, seed=0)
        seats = []
        for _ in range(40):
            seats.append(games.seat.copy())
            games.restart()
        for row in range(60):
            count = np.bincount(np.array(seats)[:, row])
            assert len(count) == MIXED[row]["players"] and (count > 0).all(), rule
            if rule == "rotate":
                assert np.ptp(count) <= 1


def test_who_sits_where_in_games_of_all_sizes():
    others = [first, last, wild]
    games = LearnerBatch(Simulator(HIGH, 60, MIXED), LineUp(HIGH, others), seat="rotate", seed=3)
    for row in range(60):
        players, seat = MIXED[row]["players"], int(games.seat[row])
        table = games.player[row].tolist()
        assert table[seat] == LEARNER and table[players:] == [NOBODY] * (4 - players)
        assert [table[(seat + i) % players] for i in range(1, players)] == list(range(players - 1))


def test_a_seat_that_a_table_has_not():
    with pytest.raises(OptionError, match=r"seat is 2; allowed: 0\.\.1, 'random' or 'rotate'"):
        LearnerBatch(Simulator(HIGH, 60, MIXED), LineUp(HIGH, "random"), seat=2)
    assert (LearnerBatch(Simulator(HIGH, 2, {"players": 3}), LineUp(HIGH, "random"), seat=2).seat == 2).all()


def test_opponents_by_seat_are_as_many_as_the_table_has():
    env = SingleEnv(HIGH, players=3, opponent=[first, last])
    assert [name_of(policy) for policy in env._batch.policies] == ["first", "last"]
    with pytest.raises(PolicyError, match="3 opponents are given; this game of polytrix/high-v0 has 2 other"):
        SingleEnv(HIGH, players=3, opponent=[first] * 3)
    with pytest.raises(PolicyError, match="the line-up is for 1 other seats; a game has 3"):
        LearnerBatch(Simulator(HIGH, 1, {"players": 4}), LineUp(HIGH, first, 2))


def test_a_row_plays_the_same_games_beside_others_of_other_sizes():
    """Players, seats, opponents and rewards are the same alone, at the edge of a batch and inside it."""
    for opponents in (lambda: Pool(HIGH, ["random", "greedy", first]), lambda: LineUp(HIGH, "greedy")):
        together = history(LearnerBatch(Simulator(HIGH, 60, MIXED), opponents(), seed=20, seat="rotate"), 30)
        for row in range(6):
            sim = Simulator(HIGH, 1, MIXED[row])
            alone = history(LearnerBatch(sim, opponents(), seed=20 + row, seat="rotate"), 30)
            assert same([column[:, row : row + 1] for column in together], alone)


# -- many learners ------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [SIZES, [4, 2]])
def test_a_vector_of_all_sizes_is_single_environments_of_each(sizes):
    envs = VectorEnv(HIGH, 7, players=sizes, opponent="greedy", seat="rotate", turning=[True, False])
    singles = [
        SingleEnv(
            HIGH, players=sizes[i % len(sizes)], opponent="greedy", seat="rotate", turning=i % 2 == 0
        )
        for i in range(7)
    ]  # fmt: skip
    observation, info = envs.reset(seed=5)
    for i, env in enumerate(singles):
        alone, own = env.reset(seed=5 + i)
        assert (alone == observation[i]).all() and own["seat"] == info["seat"][i]
        assert players_seen(alone) == sizes[i % len(sizes)]
    over = np.zeros(7, bool)
    for _ in range(60):
        actions = info["action_mask"].argmax(axis=1)
        observation, reward, terminated, truncated, info = envs.step(actions)
        for i, env in enumerate(singles):
            if over[i]:
                alone, _ = env.reset()
            else:
                alone, gained, *_ = env.step(actions[i])
                assert gained == reward[i]
            assert (alone == observation[i]).all()
        over = terminated | truncated


def test_lists_of_values_that_are_not_allowed():
    with pytest.raises(OptionError, match=r"an empty list in \{'players': "):
        VectorEnv(HIGH, 2, players=())
    with pytest.raises(OptionError, match="option 'players' is 9"):
        VectorEnv(HIGH, 2, players=(2, 3, 9))  # row 2 does not exist
    with pytest.raises(OptionError, match=r"option 'players' is \(2, 3\); allowed: one of 2, 3, 4"):
        SingleEnv(HIGH, players=(2, 3))
    with pytest.raises(OptionError, match=r"option 'players' is \[2, 3\]"):
        AECGame(HIGH, players=[2, 3])


def test_the_content_of_a_data_file_is_no_list_of_values():
    game, rows = configure_rows(STONES, {"prizes": [1, 2], "steps": BIG, "top": [4, 6]}, 3)
    assert game is STONES.with_data(prizes=[1, 2], steps=BIG)
    assert [row["top"] for row in rows] == [4, 6, 4]
    assert configure_rows(STONES, {"prizes": [1, 2]}, 3)[1] == STONES.options.defaults


def test_self_play_at_tables_of_all_sizes():
    pytest.importorskip("stable_baselines3")
    from polytrix.api.sb3.vec_env import SelfPlayVecEnv

    env = SelfPlayVecEnv(HIGH, 30, players=SIZES, opponents=["random", "greedy", first], seed=2)
    env.reset()
    seen = {players: set() for players in SIZES}
    games = 0
    for _ in range(80):
        _, reward, done, infos = env.step(env.action_masks().argmax(axis=1))
        for row in np.flatnonzero(done):
            info = infos[row]
            assert info["players"] == SIZES[row % 3] == players_seen(info["terminal_observation"])
            assert info["payoff"] == reward[row]
            seen[info["players"]].add(info["seat"])
            games += 1
    assert seen == {players: set(range(players)) for players in SIZES}
    results = env.take_results()
    assert set(results) == {"random", "greedy", "first"}
    assert games < sum(tally.games for tally in results.values()) < 3 * games  # several opponents in one game
