"""References in the loss of `fast_ppo.py`: their log-probabilities, and what they do to a policy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")


import torch

import polytrix
from polytrix.learning import sparse
from polytrix.learning.workers import ALONE
from polytrix.training.fast_ppo import Learner, Settings, learn
from polytrix.training.learner.network import Network
from polytrix.training.learner.references import weighted_sum
from polytrix.training.learner.rollout import LEARNER, Rollout
from polytrix.training.learner.samples import Samples, new_samples
from tests.learning.test_passes import GAME, some_decisions, some_network
from tests.training.learners import learner_of, restored

SMALL = Settings(
    "estimatrix", num_envs=16, num_steps=24, batch_size=64, layers=(16,), threads=1, learning_rate=3e-3
)


def decided(first: int, size: int) -> Samples:
    """A buffer that says which rows have decisions."""
    samples = Samples({}, slice(first, first + size), None)
    samples.size = size
    return samples


def test_sums_are_those_of_pytorch_for_the_decisions_of_each_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(3)
    references = [
        (0.7, some_network(GAME, (6, 5))),
        (0.2, some_network(GAME, (4,))),
        (0.0, Network(GAME, (3,))),
    ]
    given = some_decisions(GAME, np.random.default_rng(3))
    buffers = [decided(0, 120), decided(150, 100)]
    found = {**given, "observation": sparse.entries(given["observation"], references[0][1].scale)}
    compiled = weighted_sum(references, found, buffers, ALONE)
    monkeypatch.setattr(sparse, "computes_densely", lambda tensor: True)
    assert torch.allclose(compiled, weighted_sum(references, given, buffers, ALONE), atol=1e-5)
    assert compiled[:120].any(1).sum() > 100 and not compiled[120:150].any() and not compiled[250:].any()
    assert not compiled[torch.arange(compiled.shape[1]) >= given["count"][:, None]].any()
    assert weighted_sum([(0.0, references[0][1])], given, buffers, ALONE).shape == (len(given["count"]), 0)


def divergence(settings: Settings, magnet: Network | None, left: float = 1.0) -> tuple[float, float]:
    """How far the policy is, after ten updates, from the one before them and from the magnet (mean KL)."""
    torch.manual_seed(1)
    game = polytrix.find(settings.game)
    options = game.options.validate(settings.options)
    capacity = settings.num_envs * (settings.num_steps + game.num_players(options))
    buffers = new_samples(game, [capacity], torch.device("cpu"))
    rollout = Rollout(game, options, settings, buffers[0], settings.num_envs)
    network, before = Network(game, settings.layers), Network(game, settings.layers)
    before.load_state_dict(network.state_dict())
    rollout.play({LEARNER: network}, settings.num_steps)
    optimizer = torch.optim.Adam([network.vector])
    for _ in range(10):
        learn(network, optimizer, buffers, settings, left=left, magnet=magnet)
    seen = [rollout.samples.whole[name][: rollout.samples.size] for name in ("observation", "legal", "count")]
    now = network.log_probabilities(*seen)
    several = seen[2] > 1
    far = []
    for other in (before, magnet or before):
        apart = (now.exp() * (now - other.log_probabilities(*seen))).sum(1)
        far.append(float(apart[several].mean()))
    return far[0], far[1]


def test_references_keep_the_policy_near_them() -> None:
    free = replace(SMALL, clip_range=1e6, entropy=0.0)
    magnet = some_network(polytrix.find("estimatrix"), (5,))
    far, from_magnet = divergence(free, magnet)
    slow, _ = divergence(replace(free, kl_last=10.0), None)
    _, to_magnet = divergence(replace(free, kl_magnet=1.0, magnet_iterations=1), magnet)
    assert slow < far / 2
    assert to_magnet < from_magnet / 2


def test_a_uniform_magnet_is_an_entropy_bonus() -> None:
    (bonus, _), (magnet, _) = (
        divergence(replace(SMALL, **weights), None)
        for weights in ({"entropy": 0.3}, {"entropy": 0.1, "kl_magnet": 0.2})
    )
    assert bonus == pytest.approx(magnet, rel=1e-3) and bonus > 1e-4


def test_the_magnet_is_renewed_and_resumed(tmp_path: Path) -> None:
    settings = replace(SMALL, kl_last=0.1, kl_magnet=0.2, magnet_iterations=2)
    learner = learner_of(Learner, settings)
    assert learner.magnet is not None
    magnets = []
    for _ in range(4):
        learner.iterate(0.0)
        magnets.append(learner.magnet.vector.clone())
    assert not torch.equal(magnets[0], magnets[1]) and torch.equal(magnets[1], magnets[2])
    assert torch.equal(magnets[3], learner.networks[LEARNER].vector)
    learner.iterate(0.0)
    again = restored(learner_of(Learner, settings), learner.state(), tmp_path)
    assert again.magnet is not None and torch.equal(again.magnet.vector, magnets[3])
    assert not torch.equal(again.magnet.vector, again.networks[LEARNER].vector)


def test_weights_fade() -> None:
    plain = replace(SMALL, entropy=0.0)
    held = replace(plain, entropy=0.1, kl_magnet=5.0, entropy_until=0.5)
    assert divergence(held, None, left=0.5) == divergence(plain, None, left=0.5)
    assert divergence(held, None)[0] < divergence(plain, None)[0]
