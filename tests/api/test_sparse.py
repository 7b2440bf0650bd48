"""Sparse layers equal dense ones, forwards and backwards."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")

import torch

from polytrix.api.shared.sparse import ILLEGAL, dense_first_layer, dense_legal_logits, first_layer, legal_logits


def test_first_layer() -> None:
    rng = np.random.default_rng(1)
    seen = torch.from_numpy((rng.integers(-128, 128, (40, 19)) * (rng.random((40, 19)) < 0.2)).astype(np.int8))
    seen[3] = 0
    scale, wanted = torch.rand(19), torch.randn(40, 7)
    gradients = []
    for layer in (first_layer, dense_first_layer):
        torch.manual_seed(2)
        weight, bias = torch.randn(19, 7, requires_grad=True), torch.randn(7, requires_grad=True)
        out = layer(seen, scale, weight, bias)
        (out * wanted).sum().backward()
        gradients.append((out.detach(), weight.grad, bias.grad))
    for ours, dense in zip(*gradients, strict=True):
        assert torch.allclose(ours, dense, rtol=1e-4, atol=1e-3)


def test_legal_logits() -> None:
    rng = np.random.default_rng(1)
    count = torch.from_numpy(rng.integers(1, 6, 40).astype(np.int32))
    legal = torch.from_numpy(np.array([rng.permutation(9)[:5] for _ in range(40)], np.int16))
    beyond = torch.arange(5) >= count[:, None]
    legal[beyond] = 8  # whatever stands there
    wanted = torch.randn(40, 5).masked_fill(beyond, 0.0)

    gradients = []
    for layer in (legal_logits, dense_legal_logits):
        torch.manual_seed(2)
        given = [torch.randn(*size, requires_grad=True) for size in ((40, 6), (9, 6), (9,))]
        out = layer(*given, legal, count)
        (out * wanted).sum().backward()
        gradients.append((out.detach(), *(each.grad for each in given)))
    assert (gradients[0][0][beyond] == ILLEGAL).all()
    for ours, theirs in zip(*gradients, strict=True):
        assert torch.allclose(ours, theirs, rtol=1e-4, atol=1e-4)
