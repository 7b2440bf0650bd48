"""The OpenSpiel API, checked with OpenSpiel's own tests, bots and solvers."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pytest

if sys.version_info < (3, 11):
    pytest.skip("OpenSpiel needs Python 3.11", allow_module_level=True)

import pyspiel
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import ismcts, mcts

import polytrix
from polytrix.api.openspiel.game import PolytrixState, parse, register_game
from polytrix.core.errors import SnapshotError
from polytrix.core.game import Game
from tests.pages import ROOT
from tests.toys import SECRET

sys.path.insert(0, str(ROOT / "benchmarks" / "tools"))
from game_trees import Tree, grow

from tests.every_game import every_game

GAMES = {
    "quatrix": "polytrix_quatrix(max_decisions=30)",
    "resistor": "polytrix_resistor(max_decisions=30)",
    "estimatrix": "polytrix_estimatrix(players=3,max_decisions=30)",
    "pixel_tactics": "polytrix_pixel_tactics(max_decisions=30)",
    "pressure_matrix": "polytrix_pressure_matrix(players=3,payoff=margin,max_decisions=30)",
}
MICRO = ("polytrix_resistor_micro", "polytrix_estimatrix_micro", "polytrix_pressure_matrix_micro")
HIDDEN = [name for name in GAMES if name != "quatrix"]


def begun(name: str, seed: int = 0, events: int = 0) -> PolytrixState:
    """A random state at the first decision after the given number of events."""
    rng = np.random.default_rng(seed)
    state = pyspiel.load_game(GAMES.get(name, name)).new_initial_state()
    done = 0
    while state.is_chance_node() or done < events:
        draw(state, rng)
        done += 1
    return state


def draw(state: PolytrixState, rng: np.random.Generator) -> None:
    """Apply a random action or outcome."""
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(outcomes, p=chances)))
    else:
        state.apply_action(int(rng.choice(state.legal_actions())))


# -- game types and registration ------------------------------------------------------------


def test_every_game_is_registered() -> None:
    names = {name for name in pyspiel.registered_names() if name.startswith("polytrix_")}
    assert {f"polytrix_{game.name}" for game in polytrix.all_games()} | set(MICRO) <= names


@every_game
def test_sizes_and_bounds(game: Game) -> None:
    told = pyspiel.load_game(f"polytrix_{game.name}")
    assert told.num_distinct_actions() == game.actions.size
    assert told.observation_tensor_shape() == [game.observations.size]
    assert told.information_state_tensor_shape() == [told.num_players() + game.observations.size]
    assert told.max_game_length() == game.options.defaults["max_decisions"]
    assert (told.min_utility(), told.max_utility(), told.utility_sum()) == (-1.0, 1.0, 0.0)
    kind = told.get_type()
    assert (kind.min_num_players, kind.max_num_players) == (min(game.player_counts), max(game.player_counts))
    assert kind.provides_information_state_string and kind.provides_observation_tensor


@pytest.mark.parametrize("max_decisions", [1, 5, 40])
@pytest.mark.parametrize("name", [game.name for game in polytrix.all_games()])
def test_no_history_is_longer_than_told(name: str, max_decisions: int) -> None:
    """Openings alone have many chance events."""
    rng = np.random.default_rng(max_decisions)
    players = {"estimatrix": "players=6,", "pressure_matrix": "players=5,"}.get(name, "")
    game = pyspiel.load_game(f"polytrix_{name}({players}max_decisions={max_decisions})")
    for _ in range(4):
        state, chances = game.new_initial_state(), 0
        while not state.is_terminal():
            chances += state.is_chance_node()
            draw(state, rng)
        decisions = state.move_number() - chances
        assert 0 < decisions <= game.max_game_length() == max_decisions
        assert chances <= game.max_chance_nodes_in_history()
        assert len(state.history()) <= game.max_history_length()
        assert state.move_number() <= game.max_move_number()


def test_options_and_data_files_are_parameters(tmp_path: Path) -> None:
    game = pyspiel.load_game("polytrix_estimatrix(players=5,hints=none,advanced=True)")
    assert game.num_players() == 5
    assert (game.options["hints"], game.options["advanced"]) == ("none", True)
    tiny = polytrix.find("resistor").with_data(deck="micro")
    for given in ("micro", tiny.data[0].shipped["micro"]):
        assert pyspiel.load_game(f"polytrix_resistor(deck={given})").game is tiny
    with pytest.raises(polytrix.core.errors.OptionError, match="one of 1, 2, 3"):
        pyspiel.load_game("polytrix_quatrix(finish_depth=4)")


@pytest.mark.usefixtures("known_toys")
def test_a_game_that_is_made_known_later() -> None:
    register_game(SECRET)
    game = pyspiel.load_game("polytrix_secret(top=4)")
    pyspiel.random_sim_test(game, num_sims=10, serialize=True, verbose=False)


def test_the_process_ends_in_peace() -> None:
    """OpenSpiel frees registered objects after the interpreter has shut down."""
    code = "import polytrix.api.openspiel, pyspiel; pyspiel.load_game('polytrix_quatrix').new_initial_state()"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", [*GAMES.values(), *MICRO])
def test_a_pickled_game_is_the_same_game(name: str) -> None:
    game = pyspiel.load_game(name)
    for again in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert type(again) is type(game) and str(again) == str(game)
        assert again.options == game.options and again.game is game.game


def test_a_text_of_a_state_gives_it_back() -> None:
    """From its history; the pickle in it is not loaded (`tests/shared/test_bad_calls.py`)."""
    state = begun("resistor", events=25)
    game = state.get_game()
    other = game.deserialize_state(state.serialize())
    for player in range(2):
        assert other.information_state_string(player) == state.information_state_string(player)
    assert str(other) == str(state) and other.history() == state.history()
    anew = state.resample_from_infostate(0, lambda: 0.3)
    with pytest.raises(SnapshotError, match="drawn anew"):
        game.deserialize_state(anew.serialize())
    assert str(pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, anew))[1]) == str(anew)


@pytest.mark.parametrize("pickled", ["=", "==", "cG9sa2E", "cG9sa2E=="])
def test_a_text_whose_pickle_ends_in_too_many_or_too_few_marks_is_damaged(pickled: str) -> None:
    text = "history=-1:4,0:12\nmove_number=2\n__dict__="
    assert parse(f"{text}cG9sa2E=") == ([(-1, 4), (0, 12)], b"polka")
    with pytest.raises(SnapshotError, match="the state's text is damaged"):
        parse(text + pickled)


# -- OpenSpiel's own tests ------------------------------------------------------------------


@pytest.mark.parametrize("name", [*GAMES.values(), "polytrix_resistor_micro"])
def test_random_simulation(name: str) -> None:
    """Legality, order, masks, strings, tensors, clones, pickles, sums and bounds, at every step."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


def passes(base: type, name: str, **fields: Any) -> None:
    """Run one of OpenSpiel's test classes on a game."""
    made = type("Made", (base,), {"game_name": name, "game": pyspiel.load_game(name), **fields})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(made).run(result)
    assert result.testsRun > 4
    assert [text for _, text in (*result.errors, *result.failures)] == []


@pytest.mark.parametrize("name", GAMES.values())
def test_the_api_on_a_part_of_the_tree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    some = api_test.sample_some_states.sample_some_states
    monkeypatch.setattr(
        api_test.sample_some_states, "sample_some_states", lambda game, max_states: some(game, max_states=40)
    )
    passes(api_test.EnforceAPIOnPartialTreeBase, name)


@pytest.mark.slow
def test_the_api_on_a_whole_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """This includes perfect recall."""
    name = "polytrix_estimatrix_micro"
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, (4, 1116, 4500))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, 108)
    passes(api_test.EnforceAPIOnFullTreeBase, name)


# -- chance ---------------------------------------------------------------------------------


def test_outcomes_that_come_to_the_same_are_one() -> None:
    """Banana has five yellow faces and a green one."""
    state = pyspiel.load_game("polytrix_estimatrix").new_initial_state()
    state.apply_action(0)
    told = {state.action_to_string(action): chance for action, chance in state.chance_outcomes()}
    assert told == pytest.approx({"banana.0=yellow": 5 / 6, "banana.0=green": 1 / 6})


# -- observations and information states ----------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_tensors_are_what_the_simulator_shows(name: str) -> None:
    state = begun(name, events=40)
    layout = state.get_game().game.observations
    for player in range(state.num_players()):
        tensor = np.asarray(state.observation_tensor(player))
        np.testing.assert_array_equal(tensor, state.seen(player))
        information = np.asarray(state.information_state_tensor(player))
        assert information[: state.num_players()].tolist() == np.eye(state.num_players())[player].tolist()
        np.testing.assert_array_equal(information[state.num_players() :], tensor)
        assert (tensor >= layout.low).all() and (tensor <= layout.high).all()


def test_the_past_of_a_seat_grows_and_holds_its_own_actions() -> None:
    state = begun("polytrix_resistor_micro")
    before = [state.information_state_string(player) for player in range(2)]
    state.apply_action(0)
    after = [state.information_state_string(player) for player in range(2)]
    assert all(new.startswith(old) and new != old for old, new in zip(before, after, strict=True))
    assert "\n> flip[0]" in after[0]
    assert "> flip" not in after[1]
    assert before[0].startswith("red:") and before[1].startswith("blue:")


@pytest.mark.parametrize("name", HIDDEN)
def test_a_state_drawn_anew_is_the_same_for_the_player_and_not_in_truth(name: str) -> None:
    state = begun(name, seed=3, events=20 if name != "pressure_matrix" else 10)
    rng = np.random.default_rng(0)
    player = state.current_player()
    drawn = [state.resample_from_infostate(player, rng.random) for _ in range(20)]
    for each in drawn:
        assert each.information_state_string(player) == state.information_state_string(player)
        assert each.legal_actions() == state.legal_actions()
        assert each.current_player() == player
        for other in set(range(state.num_players())) - {player}:
            assert each.information_state_string(other).count("\n") == 1  # the current observation only
    if name != "pressure_matrix":
        assert len({each.position for each in drawn}) > 1


def test_a_past_is_the_same_whether_asked_for_at_every_event_or_once() -> None:
    rng = np.random.default_rng(4)
    often = pyspiel.load_game(GAMES["quatrix"]).new_initial_state()
    once = often.clone()
    for _ in range(20):
        draw(often, rng)
        once.apply_action(often.history()[-1])
        told = [often.information_state_string(player) for player in range(2)]
    assert [once.information_state_string(player) for player in range(2)] == told


@pytest.mark.parametrize("name", GAMES)
def test_nothing_that_a_call_uses_belongs_to_another_call(name: str) -> None:
    """Otherwise threads and signal handlers would get into the positions of each other's games."""
    state, other = begun(name, seed=1), begun(name, seed=2, events=30)
    rules = state.rules
    for call in (rules.record, rules.views):
        kept = call(state.position)
        before = kept.tobytes()
        assert call(other.position).tobytes() != before
        rules.chance(rules.opening)
        rules.after(state.position, rules.legal(state.position)[0])
        assert kept.tobytes() == before


# -- bots and solvers -----------------------------------------------------------------------


def test_mcts_plays() -> None:
    state = begun("quatrix")
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(state.get_game(), 2.0, 10, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", ["resistor", "estimatrix"])
def test_information_set_mcts_plays(name: str) -> None:
    state = begun(name)
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(state.get_game(), mcts.RandomRolloutEvaluator(1, rng), 2.0, 15, random_state=rng)
    for _ in range(2):
        while state.is_chance_node():
            draw(state, np.random.default_rng(2))
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


@pytest.fixture(scope="module")
def resistor() -> Tree:
    return grow(pyspiel.load_game("polytrix_resistor_micro"))


def test_sizes_of_the_micro_variants(resistor: Tree) -> None:
    kinds = "histories", "chance_nodes", "decision_nodes", "ends", "positions", "information_sets"
    lengths = "most_decisions", "most_events"
    trees = resistor, grow(pyspiel.load_game("polytrix_estimatrix_micro"))
    assert [[tree.sizes[key] for key in (*kinds, *lengths)] for tree in trees] == [
        [33335, 2447, 2968, 27920, 24985, 2067, 3, 6],
        [5620, 4, 1116, 4500, 5620, 108, 4, 6],
    ]


def test_exact_value_of_resistor_micro(resistor: Tree) -> None:
    game = resistor.game()
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    policy = solver.tabular_average_policy()
    assert pyspiel.nash_conv(game, policy) < 0.001
    values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert values == pytest.approx([0.5, -0.5], abs=0.001)
