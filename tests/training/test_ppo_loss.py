"""The compiled loss equals that of PyTorch's operations, and so do its gradients."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")

sys.path.insert(0, str(Path(__file__).parents[2] / "training"))

import torch
from torch import nn

from polytrix.api.shared import sparse
from ppo_loss import Decisions, Weights, ppo_loss

ROWS, MOST, ACTIONS, UNITS = 200, 5, 9, 6


class Heads(nn.Module):
    """What the loss needs of a network."""

    def __init__(self) -> None:
        super().__init__()
        self.policy, self.value = nn.Linear(UNITS, ACTIONS), nn.Linear(UNITS, 1)


def some_decisions(rng: np.random.Generator) -> Decisions:
    """Decisions with ratios on both sides of the clipping range, of one legal action and of several."""
    count = rng.integers(1, MOST + 1, ROWS)
    places = (torch.from_numpy((rng.random(ROWS) * count).astype(np.int64)) for _ in range(2))
    legal = np.array([rng.permutation(ACTIONS)[:MOST] for _ in range(ROWS)], np.int16)
    return Decisions(
        legal=torch.from_numpy(legal),
        count=torch.from_numpy(count.astype(np.int32)),
        place=next(places),
        before=torch.randn(ROWS) / 2 - 1.2,
        advantage=torch.randn(ROWS),
        target=torch.randn(ROWS),
        share=torch.rand(ROWS) / ROWS,
        taught=next(places),
        imitation=torch.rand(ROWS) / ROWS * (torch.rand(ROWS) < 0.5),
    )


@pytest.mark.parametrize("seed", range(5))
def test_loss_and_gradients_are_those_of_the_dense_loss(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(seed)
    heads, features = Heads(), torch.randn(ROWS, UNITS, requires_grad=True)
    decisions = some_decisions(np.random.default_rng(seed))
    results = []
    for dense in (True, False):
        monkeypatch.setattr(sparse, "computes_densely", lambda tensor, dense=dense: dense)
        loss, figures = ppo_loss(heads, features, decisions, Weights(clip_range=0.2, entropy=0.3, value=0.5))  # type: ignore[arg-type]
        assert figures[0] == loss and 0 < figures[5] < decisions.share.sum()
        results.append((figures, *torch.autograd.grad(2 * loss, [features, *heads.parameters()])))
    for one, other in zip(*results, strict=True):
        assert torch.allclose(one, other, atol=1e-6) and one.abs().max() > 1e-3
