"""The self-play VecEnv, and MaskablePPO trained on it."""

from __future__ import annotations

import sys
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

from polytrix.agents import load, save_network
from polytrix.core.errors import MissingExtraError, OptionError, PolicyError
from polytrix.core.simulator import Simulator
from tests.api.learner_play import first, last, wild
from tests.toys import SECRET

torch = pytest.importorskip("torch")
sb3_contrib = pytest.importorskip("sb3_contrib")

from stable_baselines3.common.vec_env import VecMonitor  # noqa: E402

from polytrix.api.sb3 import ScaledInputs, SelfPlayVecEnv, layers_of  # noqa: E402


def play(env, steps, seed=0):
    """The outputs of random play; infos as text, without the seconds."""
    rng, out = np.random.default_rng(seed), []
    for _ in range(steps):
        observation, reward, done, infos = env.step(wild(None, np.stack(env.env_method("action_masks")), rng))
        told = [{k: v for k, v in info.items() if k != "episode"} | _account(info) for info in infos]
        out.append((observation, reward, done, repr(told)))
    return out


def _account(info):
    return {"r": info["episode"]["r"], "l": info["episode"]["l"]} if info else {}


def same(one, other):
    return all(np.array_equal(a, b) for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True))


# -- the interface ------------------------------------------------------------------------------


def test_what_maskable_ppo_asks_for():
    env = SelfPlayVecEnv(SECRET, 5, opponents=["random"], seed=0)
    env.reset()
    assert env.has_attr("action_masks") and env.has_attr("render_mode") and not env.has_attr("anything")
    masks = env.env_method("action_masks")
    assert len(masks) == 5
    assert np.stack(masks).dtype == np.int8
    assert (np.stack(masks) == env.action_masks()).all()
    assert np.array_equal(env.env_method("action_masks", indices=[3, 1]), [masks[3], masks[1]])
    assert (env.get_attr("action_masks", 2)[0]() == masks[2]).all()
    assert env.get_attr("render_mode") == [None] * 5
    assert env.env_is_wrapped(VecMonitor, [0, 1]) == [False, False]
    with pytest.raises(AttributeError, match="no attribute 'spec'"):
        env.get_attr("spec")
    with pytest.raises(AttributeError, match="no method 'fly'"):
        env.env_method("fly")
    env.set_attr("mark", 3, indices=[1])
    assert env.has_attr("mark") and env.get_attr("mark") == [None, 3, None, None, None]
    env.close()


def test_rgb_array_is_one_picture_of_all_games():
    env = SelfPlayVecEnv("quatrix", 3, seed=2, render_mode="rgb_array")
    assert env.get_attr("render_mode") == ["rgb_array"] * 3
    env.reset()
    images = env.get_images()
    states, seats = env.batch.simulator.states, env.batch.seat
    assert all((image == env.game.draw(states[i], int(seats[i])).rgb()).all() for i, image in enumerate(images))
    picture = env.render()
    height, width, _ = images[0].shape
    assert picture.dtype == np.uint8 and picture.shape == (2 * height, 2 * width, 3)
    assert (picture[:height, width:] == images[1]).all()


def test_ended_games_are_told_and_followed_by_the_next():
    env = SelfPlayVecEnv(SECRET, 4, opponents=[last], seat=0, seed=6)
    table = Simulator(SECRET, 4, seed=6)
    seen = env.reset()
    ended = 0
    for _ in range(30):
        assert (seen == table.observation).all()
        actions = first(None, table.mask, None)
        table.step(actions)
        live = np.flatnonzero(~table.over)
        table.step(last(None, table.mask[live], None), live)
        seen, reward, done, infos = env.step(actions)
        assert (reward == table.reward[:, 0]).all()
        assert (done == table.over).all()
        final = table.view(0)[0]
        for row in range(4):
            assert bool(infos[row]) == done[row]
            if done[row]:
                assert (infos[row]["terminal_observation"] == final[row]).all()
                assert infos[row]["truncated"] is False
                assert infos[row]["payoff"] == infos[row]["episode"]["r"] == reward[row]
                assert infos[row]["seat"] == 0
                ended += 1
        table.restart(np.flatnonzero(table.over))
    assert ended > 20


def test_each_game_has_an_info_of_its_own():
    """Wrappers write into infos, for example what their row has lost."""
    env = SelfPlayVecEnv(SECRET, 4, opponents=[last], seat=0, seed=6)
    env.reset()
    for _ in range(10):
        _, _, _, infos = env.step(env.action_masks().argmax(axis=1))
        assert len({id(info) for info in infos}) == 4


def test_the_seconds_of_an_episode_count_from_its_reset(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("polytrix.api.sb3.vec_env.time", SimpleNamespace(time=lambda: now[0]))
    env = SelfPlayVecEnv(SECRET, 1, opponents=[first], seat=0, seed=0, max_decisions=2)
    now[0] = 10.0
    env.reset()
    for end, seconds in ((15.0, 5.0), (17.0, 2.0)):
        now[0] = end
        _, _, done, infos = env.step(np.zeros(1, int))
        assert done.all() and infos[0]["episode"]["t"] == seconds


def test_truncation_is_told():
    env = SelfPlayVecEnv(SECRET, 3, opponents=[first], seat=0, seed=0, max_decisions=4)
    env.reset()
    assert not any(env.step(np.zeros(3, int))[2])
    _, _, done, infos = env.step(np.zeros(3, int))
    assert done.all()
    assert all(
        info["truncated"] and not info["TimeLimit.truncated"] and info["episode"]["l"] == 2 for info in infos
    )
    assert env.take_results()["first"].truncated == 3


def test_shaped_return_and_payoff_are_told_apart():
    env = SelfPlayVecEnv("quatrix", 8, opponents=["random"], seed=0, shaping=1.0, gamma=0.9, max_decisions=30)
    env.reset()
    total, checked, rng = np.zeros(8), 0, np.random.default_rng(0)
    for _ in range(40):
        _, reward, done, infos = env.step(wild(None, env.action_masks(), rng))
        total += reward
        for row in np.flatnonzero(done):
            assert infos[row]["episode"]["r"] == pytest.approx(total[row], abs=1e-5)
            assert infos[row]["payoff"] == 0
            checked += total[row] != 0
        total[done] = 0
    assert checked > 8


def test_seeding():
    one = SelfPlayVecEnv(SECRET, 6, opponents=["random", wild], seed=3)
    other = SelfPlayVecEnv(SECRET, 6, opponents=["random", wild], seed=8)
    start = one.reset()
    steps = play(one, 10)
    other.seed(3)
    assert (other.reset() == start).all()
    assert same(play(other, 10), steps)
    assert not same(play(other, 10), steps)
    one.reset()  # begins new games
    assert not same(play(one, 10), steps)


# -- opponents ------------------------------------------------------------------------------------


def test_results_by_opponent():
    env = SelfPlayVecEnv(SECRET, 20, opponents={"greedy": 1, last: 3}, seed=0)
    env.reset()
    payoffs = [
        info["payoff"] for _ in range(60) for info in env.step(env.action_masks().argmax(axis=1))[3] if info
    ]
    results = env.take_results()
    assert set(results) == {"greedy", "last"}
    assert sum(tally.games for tally in results.values()) == len(payoffs)
    assert sum(tally.wins for tally in results.values()) == payoffs.count(1)
    assert sum(tally.losses for tally in results.values()) == payoffs.count(-1)
    assert sum(tally.draws for tally in results.values()) == payoffs.count(0)
    assert 0.15 < results["greedy"].games / len(payoffs) < 0.35
    assert env.take_results() == {}


# -- MaskablePPO --------------------------------------------------------------------------------------


def ppo(env, **arguments):
    settings = {"n_steps": 16, "batch_size": 64, "n_epochs": 4, "seed": 0, "device": "cpu"} | arguments
    policy = {"features_extractor_class": ScaledInputs, "net_arch": [16]}
    return sb3_contrib.MaskablePPO("MlpPolicy", env, policy_kwargs=policy, **settings)


def test_the_copy_without_torch_plays_the_same(tmp_path):
    trained = ppo(SelfPlayVecEnv(SECRET, 8, opponents=["random"], seed=0), learning_rate=3e-3)
    trained.learn(16 * 8)
    env = SelfPlayVecEnv(SECRET, 50, opponents=["random"], seed=9)
    observation = env.reset()
    for _ in range(2):
        observation = env.step(env.action_masks().argmax(axis=1))[0]
    mask = env.action_masks()
    layers, activation = layers_of(trained)
    copy = load(save_network(tmp_path / "copy.npz", SECRET, layers, activation), SECRET, deterministic=True)
    expected, _ = trained.predict(observation, action_masks=mask, deterministic=True)
    assert (copy(observation, mask, np.random.default_rng(0)) == expected).all()
    with torch.no_grad():
        logits = trained.policy.get_distribution(torch.as_tensor(observation)).distribution.logits.numpy()
    own = copy.logits(observation)
    own -= np.log(np.exp(own).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(own, logits, atol=1e-5)


def test_a_misspelt_argument():
    with pytest.raises(OptionError, match="Did you mean 'opponents'"):
        SelfPlayVecEnv("quatrix", 2, opponent=["greedy"])


def test_networks_that_cannot_be_copied():
    env = SelfPlayVecEnv(SECRET, 2, opponents=["random"])
    plain = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=4, batch_size=8, device="cpu")
    with pytest.raises(PolicyError, match="features_extractor_class=ScaledInputs"):
        layers_of(plain)
    policy = {"features_extractor_class": ScaledInputs, "activation_fn": torch.nn.ELU}
    model = sb3_contrib.MaskablePPO(
        "MlpPolicy", env, n_steps=4, batch_size=8, device="cpu", policy_kwargs=policy
    )
    with pytest.raises(PolicyError, match="activations are ELU; allowed: tanh or relu"):
        layers_of(model)


def test_without_the_extra_the_error_names_it(monkeypatch):
    for name in [*sys.modules]:
        if name.startswith("stable_baselines3"):
            monkeypatch.setitem(sys.modules, name, None)
        elif name.startswith("polytrix.api.sb3"):
            monkeypatch.delitem(sys.modules, name)
    with pytest.raises(MissingExtraError, match=r"polytrix\[sb3\]"):
        import_module("polytrix.api.sb3")
