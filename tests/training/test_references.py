"""References in the loss: their log-probabilities, and what they do to a policy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import polytrix
from polytrix.learning import sparse
from polytrix.learning.samples import Samples, new_samples
from polytrix.learning.workers import ALONE
from polytrix.training.algorithms import mmd, nash_pg
from polytrix.training.fast_ppo import Settings, learn
from polytrix.training.learner.network import Network
from polytrix.training.learner.references import weighted_sum
from polytrix.training.learner.rollout import LEARNER, Rollout
from polytrix.training.shared.runs import Budget
from polytrix.training.shared.scripts import CLIP_RANGE
from polytrix.training.trials.trial import Trial
from tests.learning.test_passes import GAME, some_decisions, some_network

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


def divergence(
    settings: Settings, magnet: Network | None, clip_range: float = CLIP_RANGE, **weights: float
) -> tuple[float, float]:
    """How far the policy is, after ten updates, from the one before them and from the magnet (mean KL).

    The weights are `last`, of the policy before each update, and `near`, of the magnet.
    """
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
        references = [(weights.get("last", 0.0), network), (weights.get("near", 0.0), magnet)]
        learn(network, optimizer, buffers, settings, left=1.0, references=references, clip_range=clip_range)
    seen = [rollout.samples.whole[name][: rollout.samples.size] for name in ("observation", "legal", "count")]
    now = network.log_probabilities(*seen)
    several = seen[2] > 1
    far = []
    for other in (before, magnet or before):
        apart = (now.exp() * (now - other.log_probabilities(*seen))).sum(1)
        far.append(float(apart[several].mean()))
    return far[0], far[1]


def test_references_keep_the_policy_near_them() -> None:
    free = replace(SMALL, entropy=0.0)
    magnet = some_network(polytrix.find("estimatrix"), (5,))
    far, from_magnet = divergence(free, magnet, mmd.Learner.clip_range)
    slow, _ = divergence(free, None, mmd.Learner.clip_range, last=10.0)
    _, to_magnet = divergence(free, magnet, mmd.Learner.clip_range, near=1.0)
    assert slow < far / 2
    assert to_magnet < from_magnet / 2


def test_a_uniform_magnet_is_an_entropy_bonus() -> None:
    bonus, _ = divergence(replace(SMALL, entropy=0.3), None)
    magnet, _ = divergence(replace(SMALL, entropy=0.1), None, near=0.2)
    assert bonus == pytest.approx(magnet, rel=1e-3) and bonus > 1e-4


def trial_in(folder: Path) -> Trial:
    game = polytrix.find(SMALL.game)
    return Trial(game, game.options.validate(SMALL.options), 1, Budget(decisions=10_000), folder)


def test_the_reference_of_the_nash_policy_gradient_is_renewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nash_pg, "RENEWED", 2)
    small = {"num_envs": 16, "num_steps": 24, "batch_size": 64, "layers": (16,)}
    learner = nash_pg.Learner(trial_in(tmp_path), **small)
    references = []
    for _ in range(4):
        learner.iterate(0.0)
        references.append(learner.reference.vector.clone())
    assert not torch.equal(references[0], references[1]) and torch.equal(references[1], references[2])
    assert torch.equal(references[3], learner.networks[LEARNER].vector)


def test_the_magnet_of_mirror_descent_fades(tmp_path: Path) -> None:
    learner = mmd.Learner(trial_in(tmp_path))
    assert [learner.references(done)[1] for done in (0.0, 0.5, 1.0)] == [
        (0.02, None),
        (0.01, None),
        (0.0, None),
    ]
    assert learner.references(0.5)[0] == (pytest.approx(0.3), learner.networks[LEARNER])
