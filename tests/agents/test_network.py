"""Saved networks: the forward pass, the file format, and invalid files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from polytrix.agents import NetworkPolicy, load, resolve, save_network
from polytrix.core.errors import PolicyError
from polytrix.core.layout import Block, Layout
from tests.networks import some_network
from tests.toys import OBSERVATIONS, SECRET

SIZE = SECRET.observations.size
LAYERS = some_network(SECRET, (8, 6)).layers


def some_observations(rows=5):
    rng = np.random.default_rng(1)
    return rng.integers(0, SECRET.observations.high + 1, (rows, SIZE)).astype(np.int8)


@pytest.mark.parametrize(("activation", "function"), [("tanh", np.tanh), ("relu", lambda x: np.maximum(x, 0))])
def test_forward_pass(activation, function):
    policy = NetworkPolicy(SECRET, LAYERS, activation)
    for observation, logits in zip(some_observations(), policy.logits(some_observations()), strict=True):
        x = observation / np.sqrt(np.maximum(SECRET.observations.high.astype(float), 1))
        for depth, (weight, bias) in enumerate(LAYERS):
            x = (function(x) if depth else x) @ weight.astype(float) + bias
        np.testing.assert_allclose(logits, x, rtol=1e-4, atol=1e-5)


def test_deterministic_plays_the_highest_legal_logit():
    policy = NetworkPolicy(SECRET, LAYERS, deterministic=True)
    observation, mask = some_observations(), np.array([[1, 0, 1, 1]] * 5, np.int8)
    actions = policy(observation, mask, np.random.default_rng(0))
    logits = policy.logits(observation)
    logits[:, 1] = -np.inf
    assert (actions == logits.argmax(axis=1)).all()


@pytest.fixture
def file(tmp_path):
    return save_network(tmp_path / "deep" / "wise.npz", SECRET, LAYERS, "relu", {"steps": 7})


def test_round_trip(file):
    policy = load(file, SECRET)
    expected = NetworkPolicy(SECRET, LAYERS, "relu")
    assert (policy.logits(some_observations()) == expected.logits(some_observations())).all()
    assert (policy.name, policy.notes, policy.activation) == ("wise", {"steps": 7}, "relu")
    assert resolve(str(file), SECRET).name == "wise"


def test_other_files_are_refused(tmp_path):
    with pytest.raises(PolicyError, match="there is no network file"):
        load(tmp_path / "nothing.npz")
    text = tmp_path / "text.npz"
    text.write_text("hello")
    with pytest.raises(PolicyError, match="damaged or not a saved network"):
        load(text, SECRET)
    np.savez(tmp_path / "arrays.npz", a=np.zeros(3))
    with pytest.raises(PolicyError, match="damaged or not a saved network"):
        load(tmp_path / "arrays.npz", SECRET)
    with pytest.raises(PolicyError, match="no network file"):
        resolve(tmp_path, SECRET)


def test_a_network_for_another_game_is_refused(file):
    with pytest.raises(PolicyError, match="plays polytrix/secret-v0; this is polytrix/other-v0"):
        load(file, replace(SECRET, name="other"))
    with pytest.raises(PolicyError, match="not registered"):
        load(file)


def test_a_network_for_another_layout_is_refused(file):
    moved = Layout(*OBSERVATIONS.blocks[1:], OBSERVATIONS.blocks[0])
    with pytest.raises(PolicyError, match="another version"):
        load(file, replace(SECRET, observations=moved))


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ([], "no layers"),
        ([(np.zeros((3, 4)), np.zeros(4))], r"layer 0 has weight \(3, 4\)"),
        ([(np.zeros((8, SIZE)), np.zeros(8))], "give torch's weight.T"),
        ([(np.zeros((SIZE, 5)), np.zeros(5))], "5 outputs; polytrix/secret-v0 has 4 actions"),
        ([(np.full((SIZE, 4), np.nan), np.zeros(4))], "not finite"),
    ],
)
def test_layers_that_do_not_fit(layers, message, tmp_path):
    with pytest.raises(PolicyError, match=message):
        save_network(tmp_path / "a.npz", SECRET, layers)
    assert not list(tmp_path.iterdir())


def test_other_arguments_that_do_not_fit(tmp_path):
    with pytest.raises(PolicyError, match="activation is 'gelu'; allowed: relu, tanh"):
        NetworkPolicy(SECRET, LAYERS, "gelu")
    with pytest.raises(PolicyError, match=r"\.npz file"):
        save_network(tmp_path / "a.zip", SECRET, LAYERS)


def test_meaning_of_a_block_may_be_reworded(file):
    reworded = Layout(*(Block(b.name, b.shape, "in other words", b.low, b.high) for b in OBSERVATIONS))
    assert load(file, replace(SECRET, observations=reworded)).name == "wise"
