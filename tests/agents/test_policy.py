"""Built-in policies, specs of policies, and invalid answers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from polytrix.agents import HeuristicPolicy, RandomPolicy, ask, ask_rows, begin_games, name_of, resolve
from polytrix.api.shared.opponents import LineUp, Pool
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import PolicyError
from polytrix.core.simulator import Simulator
from tests.high import HIGH
from tests.remembering import Elephant
from tests.toys import CALL, CALLABLE_FROM, SECRET


def decisions(pile_from: int = 0, count: int = 300):
    """Observations and masks of positions in which the mover may call or not."""
    sim = Simulator(SECRET, count, seed=3)
    for _ in range(3):
        live = np.flatnonzero(~sim.over)
        sim.step(sim.random_actions(live), live)
    live = ~sim.over & (sim.states["pile"] >= pile_from)
    return sim.observation[live], sim.mask[live]


def test_random_plays_every_legal_action_equally_often():
    mask = np.tile(np.array([[0, 1, 1, 0, 1]], np.int8), (3000, 1))
    actions = RandomPolicy(SECRET)(np.zeros((3000, 2), np.int8), mask, np.random.default_rng(0))
    count = np.bincount(actions, minlength=5)
    assert count[[0, 3]].sum() == 0
    assert (abs(count[[1, 2, 4]] - 1000) < 4 * np.sqrt(3000 * 2 / 9)).all()


def test_greedy_plays_a_highest_rated_action():
    observation, mask = decisions(pile_from=CALLABLE_FROM)
    actions = HeuristicPolicy(SECRET)(observation, mask, np.random.default_rng(0))
    high = observation[:, 4] + observation[:, 5] > 0
    assert high.any() and not high.all()
    assert (actions[high] == CALL).all()
    assert np.isin(actions[~high], [0, CALL]).all()  # calling is rated like adding 1
    assert len(set(actions[~high])) == 2


@pytest.mark.parametrize("name", ["bold", "random"])
def test_a_name_that_no_heuristic_has(name):
    with pytest.raises(PolicyError, match=f"no {name} policy"):
        HeuristicPolicy(SECRET, name)


def test_further_heuristics_play_as_they_do():
    observation, mask = decisions(pile_from=CALLABLE_FROM)
    assert mask[:, CALL].all() and len(mask)
    for name, calls in (("caller", True), ("shy", False)):
        actions = resolve(name, SECRET)(observation, mask, np.random.default_rng(0))
        assert ((actions == CALL) == calls).all()


def test_a_heuristic_plays_inside_the_loop_as_it_does_outside():
    shy = HeuristicPolicy(SECRET, "shy")
    inside, outside = Simulator(SECRET, 200, seed=1), Simulator(SECRET, 200, seed=1)
    inside.policy[:, 1] = shy.built_in
    for sim in (inside, outside):
        sim.restart()
        while not sim.over.all():
            for seat, policy in enumerate((first_legal, shy)):
                asked = np.flatnonzero(~sim.over & (sim.mover == seat))
                sim.step(policy(sim.observation[asked], sim.mask[asked], np.random.default_rng(0)), asked)
    assert (inside.reward == outside.reward).all()
    assert (inside.states["pile"] == outside.states["pile"]).all()


def first_legal(observation, mask, rng):
    return mask.argmax(axis=1)


@pytest.mark.parametrize(
    ("spec", "name"), [("random", "random"), ("greedy", "greedy"), ("shy", "shy"), (first_legal, "first_legal")]
)
def test_resolve(spec, name):
    assert name_of(resolve(spec, SECRET)) == name


@pytest.mark.parametrize("spec", ["gredy", 7, None, "nowhere/net.npz"])
def test_resolve_says_what_is_allowed(spec):
    names = "'random', 'greedy', 'caller', 'shy', 'search:SIMULATIONS'"
    with pytest.raises(PolicyError, match=f"{names}, the path .* callable .* 'module:name'"):
        resolve(spec, SECRET)


def test_resolve_refuses_a_policy_for_another_game():
    with pytest.raises(PolicyError, match="plays polytrix/secret-v0; this is polytrix/other-v0"):
        resolve(RandomPolicy(SECRET), replace(SECRET, name="other"))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.array([0.0, 1.0]), "dtype float64"),
        (np.array([True, False]), "dtype bool"),
        (np.array([0]), r"shape \(1,\); expected \(2,\)"),
        (np.array([[0], [1]]), r"shape \(2, 1\)"),
        (np.array([0, 0]), r"chose action 0, which is illegal there \(1 actions"),
        (np.array([0, 9]), "chose action 9"),
        (np.array([-1, 1]), "chose action -1"),
    ],
)
def test_wrong_answers_name_the_policy(answer, message):
    def clumsy(observation, mask, rng):
        return answer

    mask = np.array([[1, 1], [0, 1]], np.int8)
    with pytest.raises(PolicyError, match="'clumsy' .*" + message):
        ask(clumsy, np.zeros((2, 1), np.int8), mask, np.random.default_rng(0))


def test_a_partial_function_is_told_what_it_asks_for():
    def by_row(observation, mask, rng, *, rows):
        assert rows.tolist() == [0, 1]
        return mask.argmax(axis=1)

    sim = Simulator(SECRET, 2, seed=1)
    assert ask_rows(partial(by_row), sim, [0, 1], np.random.default_rng(0)).shape == (2,)


def test_what_nobody_knows_needs_a_default():
    def by_game(observation, mask, rng, games):
        raise AssertionError("it is not asked")

    with pytest.raises(PolicyError, match="'games', which is not told here; give it a default"):
        ask_rows(by_game, Simulator(SECRET, 2, seed=1), [0, 1], np.random.default_rng(0))


def test_rows_of_a_simulator_are_games_and_movers_are_seats():
    policy, rng = Elephant(HIGH), np.random.default_rng(0)
    sim = Simulator(HIGH, 4, {"players": 3}, seed=2, mode=Mode.PLAIN)
    for steps in (12, 5):  # begin forgets
        sim.restart()
        begin_games(policy, 4)
        expected = np.zeros((4, HIGH.max_players), int)
        for step in range(steps):
            rows = np.flatnonzero(sim.mover >= 0)[:: 1 + step % 2]
            expected[rows, sim.mover[rows]] += 1
            sim.step(ask_rows(policy, sim, rows, rng), rows)
        assert (policy.count == expected).all() and expected.any(axis=0)[:3].all()


def test_begin_is_for_policies_that_remember_only():
    begin_games(resolve("random", SECRET), 3)
    begin_games(first_legal, 3)


@pytest.mark.parametrize("make", [LineUp, lambda game, spec: Pool(game, [spec])])
def test_a_policy_that_remembers_is_no_opponent_in_an_environment(make):
    with pytest.raises(PolicyError, match="'Elephant' remembers its games, and cannot play in an environment"):
        make(SECRET, Elephant(SECRET))


def test_a_class_gets_a_file_that_exists(tmp_path):
    code = "class Own:\n    def __init__(self, game, file): ...\n    def __call__(self, *_): ..."
    (tmp_path / "own.py").write_text(code)
    (tmp_path / "weights").touch()
    own = f"{tmp_path / 'own.py'}:Own,file="
    assert type(resolve(f"{own}{tmp_path / 'weights'}", SECRET)).__name__ == "Own"
    for missing in ("", tmp_path, tmp_path / "nowhere"):
        with pytest.raises(PolicyError, match="there is no file"):
            resolve(f"{own}{missing}", SECRET)


def test_a_class_that_fails_is_named(tmp_path):
    (tmp_path / "own.py").write_text(
        "class Own:\n    def __init__(self, game):\n        raise KeyError('board')"
    )
    with pytest.raises(PolicyError, match=r"own.py:Own' cannot be made \(KeyError: 'board'\)"):
        resolve(f"{tmp_path / 'own.py'}:Own", SECRET)


def test_a_program_needs_no_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.rmdir()
    assert name_of(resolve("process:true", SECRET)) == "process:true"
