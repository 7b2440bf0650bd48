"""Sparse layers equal dense ones, forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")

import torch

from polytrix.learning import sparse
from polytrix.learning.sparse import (
    ILLEGAL,
    draw,
    entries,
    first_layer,
    legal_logits,
    no_entries,
    put_entries,
)

Choose = Callable[[bool], None]


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Choose:
    """Sets whether layers are dense."""
    return lambda dense: monkeypatch.setattr(sparse, "computes_densely", lambda tensor: dense)


def test_first_layer(choose: Choose) -> None:
    rng = np.random.default_rng(1)
    seen = torch.from_numpy((rng.integers(-128, 128, (40, 19)) * (rng.random((40, 19)) < 0.2)).astype(np.int8))
    seen[3] = 0
    scale, wanted = torch.rand(19), torch.randn(40, 7)
    gradients = []
    for dense in (False, True):
        choose(dense)
        torch.manual_seed(2)
        weight, bias = torch.randn(19, 7, requires_grad=True), torch.randn(7, requires_grad=True)
        out = first_layer(seen, scale, weight, bias)
        (out * wanted).sum().backward()
        gradients.append((out.detach(), weight.grad, bias.grad))
    for ours, theirs in zip(*gradients, strict=True):
        assert torch.allclose(ours, theirs, rtol=1e-4, atol=1e-3)


def test_legal_logits(choose: Choose) -> None:
    rng = np.random.default_rng(1)
    count = torch.from_numpy(rng.integers(1, 6, 40).astype(np.int32))
    legal = torch.from_numpy(np.array([rng.permutation(9)[:5] for _ in range(40)], np.int16))
    beyond = torch.arange(5) >= count[:, None]
    legal[beyond] = 8  # whatever stands there
    wanted = torch.randn(40, 5).masked_fill(beyond, 0.0)

    gradients = []
    for dense in (False, True):
        choose(dense)
        torch.manual_seed(2)
        hidden, head = torch.randn(40, 6, requires_grad=True), torch.nn.Linear(6, 9)
        out = legal_logits(hidden, head, legal, count)
        (out * wanted).sum().backward()
        gradients.append((out.detach(), *(each.grad for each in (hidden, head.weight, head.bias))))
    assert (gradients[0][0][beyond] == ILLEGAL).all()
    for ours, theirs in zip(*gradients, strict=True):
        assert torch.allclose(ours, theirs, rtol=1e-4, atol=1e-4)


def test_draws_follow_the_probabilities_of_the_dense_layer(choose: Choose) -> None:
    rng = np.random.default_rng(1)
    count = torch.from_numpy(rng.integers(1, 6, 400).astype(np.int32))
    legal = torch.from_numpy(np.array([rng.permutation(9)[:5] for _ in range(400)], np.int16))
    hidden, head = torch.randn(400, 6), torch.nn.Linear(6, 9)
    torch.nn.init.normal_(head.weight, std=2.0)
    drawn = torch.from_numpy(rng.random(400, np.float32))
    place, log_probability = draw(hidden, head, legal, count, drawn)
    choose(True)
    wanted, likely = draw(hidden, head, legal, count, drawn)
    assert torch.equal(place, wanted) and (place < count).all() and len(place.unique()) == 5
    assert torch.allclose(log_probability, likely, atol=1e-5)


def test_entries_of_several_parts_are_those_of_each(choose: Choose) -> None:
    """Parts with room between them, as of groups of games; one has nothing but zeros, one no zeros."""
    rng = np.random.default_rng(2)
    whole = (rng.integers(-128, 128, (60, 19)) * (rng.random((60, 19)) < 0.2)).astype(np.int8)
    whole[20:30] = 0
    whole[33:] = 1
    seen, scale = torch.from_numpy(whole), torch.rand(19)
    rows = [slice(0, 7), slice(20, 30), slice(33, 60)]
    together = no_entries(60, 19)
    for each in reversed(rows):
        put_entries(seen[each], scale, together, each.start)
    chosen = torch.from_numpy(rng.permutation(np.concatenate([np.arange(60)[each] for each in rows])))
    weight, bias = torch.randn(19, 7), torch.randn(7)
    ours = first_layer(together.index_select(0, chosen), scale, weight, bias)
    choose(True)
    assert torch.allclose(ours, first_layer(seen[chosen], scale, weight, bias), rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("columns", [1, 31, 32, 33, 64, 100])
@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_entries_are_the_nonzero_ones_in_their_order(columns: int, share: float) -> None:
    rng = np.random.default_rng(2)
    seen = (rng.integers(-128, 128, (40, columns)) * (rng.random((40, columns)) < share)).astype(np.int8)
    scale = rng.random(columns, np.float32) + 0.5
    found = entries(torch.from_numpy(seen), torch.from_numpy(scale))
    for row, first, last in zip(seen, found.start, found.end, strict=True):
        assert found.column[first:last].tolist() == np.flatnonzero(row).tolist()
        assert found.value[first:last] == pytest.approx((row * scale)[row != 0])
