"""Games in JAX: the same as in the simulator, whatever transforms the functions; the page and the examples."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra jax: make test-integrations")

import jax
import jax.numpy as jnp

from polytrix.api.jax import Env, LearnerEnv, State
from polytrix.api.shared.learner import LearnerBatch
from polytrix.api.shared.opponents import opponents_of
from polytrix.core.errors import OptionError, PolicyError, SnapshotError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.transition import row_dtype
from tests.every_game import every_game

from .examples import run_example, run_python_of, wins_in


def begun(env: Env, rows: int, seed: int = 7) -> tuple[State, Any]:
    """The games of `rows` consecutive seeds, and the compiled step."""
    seeds = jnp.arange(seed, seed + rows)
    return jax.jit(jax.vmap(env.init_seed))(seeds), jax.jit(jax.vmap(env.step))


def assert_shows(state: State, simulator: Simulator) -> None:
    """The state shows what the simulator shows, of games that go on."""
    np.testing.assert_array_equal(state.observation, simulator.observation)
    np.testing.assert_array_equal(state.legal_action_mask, simulator.mask)
    np.testing.assert_array_equal(state.current_player, simulator.mover)
    np.testing.assert_array_equal(state.num_legal, simulator.num_legal)
    listed = np.arange(simulator.game.max_legal) < simulator.num_legal[:, None]
    np.testing.assert_array_equal(
        np.where(listed, state.legal_ids, 0), np.where(listed, simulator.legal_ids, 0)
    )


def records(env: Env, state: State) -> bytes:
    return np.array(state.row).view(row_dtype(env.game))[:, 0]["game"].tobytes()


# -- the same games ------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize(
    "how", [{}, {"num_threads": 2}, {"callback": True, "num_threads": 3}], ids=["one", "threads", "callback"]
)
def test_every_byte_is_the_simulators(game: Game, how: dict[str, Any]) -> None:
    rows, ended = 1024 if how else 64, 0
    env = Env(game, auto_reset=True, max_decisions=50, **how)
    state, step = begun(env, rows)
    simulator = Simulator(game, rows, {"max_decisions": 50}, seed=7)
    for _ in range(120):
        assert_shows(state, simulator)
        actions = simulator.random_actions()
        state = step(state, actions)
        simulator.step(actions)
        np.testing.assert_array_equal(state.terminated, simulator.terminated)
        np.testing.assert_array_equal(state.truncated, simulator.truncated)
        np.testing.assert_array_equal(state.rewards, simulator.reward)
        ended += int(simulator.over.sum())
        simulator.restart(np.flatnonzero(simulator.over))
        assert records(env, state) == simulator.states.tobytes()
    assert ended >= rows


@pytest.mark.parametrize("opponent", ["greedy", "random"])
@pytest.mark.parametrize("name", ["resistor", "estimatrix"])
def test_opponents_play_as_in_the_other_interfaces(name: str, opponent: str) -> None:
    """Seats rotate, games that end before the learner's first decision are passed over, rewards are shaped."""
    rows = 32
    env = Env(name, opponent=opponent, auto_reset=True, shaping=0.5, max_decisions=60)
    simulator = Simulator(env.game, rows, {"max_decisions": 60})
    others = opponents_of(env.game, opponent, env.num_players)
    batch = LearnerBatch(simulator, others, seat="rotate", seed=100, shaping=0.5)
    state, step = begun(env, rows, 100)
    rng, ended = np.random.default_rng(1), 0
    for _ in range(150):
        np.testing.assert_array_equal(state.observation, batch.observation())
        np.testing.assert_array_equal(state.current_player, batch.seat)
        seats = np.asarray(state.current_player)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in batch.mask()])
        state = step(state, actions)
        reward, terminated, truncated = batch.step(actions)
        np.testing.assert_allclose(np.asarray(state.rewards)[np.arange(rows), seats], reward, atol=1e-6)
        np.testing.assert_array_equal(state.terminated, terminated)
        np.testing.assert_array_equal(state.truncated, truncated)
        batch.restart(np.flatnonzero(terminated | truncated))
        ended += int((terminated | truncated).sum())
    assert ended >= rows


def test_a_fixed_seat_stays() -> None:
    env = Env("resistor", opponent="greedy", seat=1, auto_reset=True)
    state, step = begun(env, 16)
    for _ in range(60):
        np.testing.assert_array_equal(state.current_player, 1)
        state = step(state, state.legal_ids[:, 0])


def test_keys_begin_games_and_large_seeds_are_the_simulators() -> None:
    env = Env("quatrix")
    one, same, other = (env.init(jax.random.key(seed)) for seed in (1, 1, 2))
    assert (one.row == same.row).all() and (one.row != other.row).any()
    with jax.enable_x64(True):
        seed = (1 << 62) + 5
        state = env.init_seed(jnp.asarray(seed))
    assert (
        records(env, jax.tree.map(lambda x: x[None], state))
        == Simulator(env.game, 1, seed=seed).states.tobytes()
    )


# -- ends ----------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [-1, -2, -3, 10**6, 2**31 - 1, "illegal"])
def test_an_illegal_action_ends_the_game_for_its_seat(action: int | str) -> None:
    env = Env("pressure_matrix", players=3)
    state = env.init_seed(3)
    if action == "illegal":
        action = int(np.flatnonzero(~np.asarray(state.legal_action_mask))[0])
    seat, after = int(state.current_player), jax.jit(env.step)(state, action)
    assert after.terminated and not after.truncated
    np.testing.assert_array_equal(after.rewards, np.where(np.arange(env.game.max_players) == seat, -1.0, 0.0))
    assert after.legal_action_mask.all() and after.num_legal == 1


# -- chance and secrets --------------------------------------------------------------------


@every_game
def test_what_a_seat_believes_looks_the_same_to_it(game: Game) -> None:
    """So a search on believed games gets nothing that its seat cannot know: these depend on the key alone."""
    env = Env(game)
    state, step = begun(env, 64)
    believe, changed = jax.jit(jax.vmap(env.believe)), 0
    for number in range(30):
        keys = jax.random.split(jax.random.key(number), 64)
        believed = believe(state, keys)
        shown = env.show(env.simulator(believed).states)
        np.testing.assert_array_equal(shown.observation, state.observation)
        np.testing.assert_array_equal(shown.legal_action_mask, state.legal_action_mask)
        changed += int((shown.row[:, 16:] != env.show(env.simulator(state).states).row[:, 16:]).any())
        state = step(state, state.legal_ids[:, 0])
    assert (changed > 0) == game.hides


def test_other_dice_change_what_comes_and_nothing_else() -> None:
    env = Env("quatrix")
    state = env.init_seed(1)
    other = env.reseed(state, jax.random.key(5))
    np.testing.assert_array_equal(
        state.row[16 : env.game.state.itemsize], other.row[16 : env.game.state.itemsize]
    )
    futures = set()
    for seed in range(20):
        after = env.reseed(state, jax.random.key(seed))
        for _ in range(4):
            after = env.step(after, after.legal_ids[0])
        futures.add(bytes(np.asarray(after.observation)))
    assert len(futures) > 5


# -- what JAX does with functions ----------------------------------------------------------


def test_scan_nested_vmap_and_gradients() -> None:
    env = Env("resistor", auto_reset=True)
    states = jax.vmap(jax.vmap(env.init))(jax.random.split(jax.random.key(0), (3, 4)))
    assert states.observation.shape == (3, 4, *env.observation_shape)

    def total(weight: Any, states: State) -> Any:
        def play(state: State, _: None) -> Any:
            chosen = (state.observation * weight).sum()
            state = env.step(state, state.legal_ids[0])
            return state, chosen * (1.0 + state.rewards[0])

        return jax.lax.scan(play, states, None, 50)[1].sum()

    slopes = jax.jit(jax.vmap(jax.vmap(jax.grad(total), (None, 0)), (None, 0)))(jnp.ones(()), states)
    assert slopes.shape == (3, 4) and (slopes != 0).all()


def test_the_signatures_of_gymnax() -> None:
    env = LearnerEnv(Env("resistor", opponent="random", auto_reset=True))
    observation, state = jax.vmap(env.reset)(jax.random.split(jax.random.key(1), 8))
    step, total, ends = jax.jit(jax.vmap(env.step, (None, 0, 0))), 0.0, 0
    for _ in range(80):
        observation, state, reward, done, _ = step(None, state, state.legal_ids[:, 0])
        assert not (reward[~done] != 0).any()
        total, ends = total + float(jnp.abs(reward).sum()), ends + int(done.sum())
    assert 0 < total <= ends and observation.shape == (8, *env.env.observation_shape)


def test_errors_say_what_is_allowed() -> None:
    env, other = Env("quatrix"), Env("resistor")
    state = env.init_seed(1)
    with pytest.raises(ValueError, match=r"is of polytrix/quatrix.*allowed: states of polytrix/resistor"):
        jax.jit(other.step)(state, 0)
    with pytest.raises(ValueError, match="Begin a game with init"):
        env.step((state.row,), 0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="actions are float32; allowed: integers"):
        env.step(state, 1.5)
    with pytest.raises(PolicyError, match="Did you mean 'greedy'"):
        Env("quatrix", opponent="gredy")
    with pytest.raises(OptionError, match=re.escape("allowed: 0..1 or 'rotate'")):
        Env("quatrix", opponent="greedy", seat="random")
    with pytest.raises(OptionError, match="num_threads is 0; allowed: 1 or more"):
        Env("quatrix", num_threads=0)
    with pytest.raises(OptionError, match="finish_depth"):
        Env("quatrix", finish_depth=99)
    with pytest.raises(OptionError, match="auto_reset"):
        LearnerEnv(env)
    simulator = env.simulator(state)
    simulator.load(simulator.save())
    with pytest.raises(SnapshotError, match="games that were begun here"):
        env.show(simulator.states)


# -- the page and the examples -------------------------------------------------------------


def test_the_page_runs() -> None:
    assert run_python_of("jax.md")["over"].shape == (100, 1024)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_the_example_learns() -> None:
    before, after = wins_in(run_example("jax_quatrix.py", "--minutes", "2", "--games", "200"))
    assert after >= before + 50


@pytest.mark.slow
def test_the_search_is_stronger_than_its_network() -> None:
    output = run_example("mctx_quatrix.py", "--games", "200")
    assert float(re.findall(r"(\d+\.\d)% of 200 games won", output)[0]) > 50
