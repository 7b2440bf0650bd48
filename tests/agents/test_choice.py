"""Batched choice among legal actions, against explicit sums."""

from __future__ import annotations

import numpy as np

from polytrix.agents.choice import best, sampled


def test_sampled_follows_the_softmax_of_the_legal_actions():
    rows = 20_000
    logits = np.tile(np.array([[1.0, 5.0, 0.0, -1.0]], np.float32), (rows, 1))
    mask = np.tile(np.array([[1, 0, 1, 1]], np.int8), (rows, 1))
    share = np.bincount(sampled(logits, mask, np.random.default_rng(0)), minlength=4) / rows
    weight = np.exp([1.0, 0.0, -1.0])
    expected = weight / weight.sum()
    assert share[1] == 0
    assert (abs(share[[0, 2, 3]] - expected) < 4 * np.sqrt(expected * (1 - expected) / rows)).all()


def test_sampled_is_legal_for_extreme_logits():
    rng = np.random.default_rng(1)
    logits = (rng.standard_normal((500, 30)) * 1e4).astype(np.float32)
    mask = (rng.random((500, 30)) < 0.2).astype(np.int8)
    mask[:, 7] = 1
    actions = sampled(logits, mask, rng)
    assert (mask[np.arange(500), actions] == 1).all()
    assert (actions == best(logits, mask)).all()  # the highest one has all the weight
