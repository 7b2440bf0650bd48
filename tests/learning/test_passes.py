"""The compiled passes choose, and have the loss and gradient, as PyTorch's operations do."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")


import torch

import polytrix
from polytrix.core.game import Game
from polytrix.learning import passes, sparse
from polytrix.learning.ppo_loss import FIGURES, NOBODY, Decisions, Weights
from polytrix.learning.samples import new_samples
from polytrix.training.learner.network import Network, act
from polytrix.training.learner.updates import COLUMNS, gradient_by_pytorch

GAME = polytrix.find("resistor")
ROWS, MOST = 300, 7
LAYERS = [(6,), (8, 5), (5, 9, 4)]


def some_network(game: Game, layers: tuple[int, ...]) -> Network:
    """A network whose policy is far from uniform."""
    network = Network(game, layers)
    with torch.no_grad():
        network.vector += torch.randn_like(network.vector) / 4
    return network


def some_decisions(game: Game, rng: np.random.Generator) -> dict[str, Any]:
    """Decisions with ratios on both sides of the clipping range, of one legal action and of several."""
    count = rng.integers(1, MOST + 1, ROWS)
    legal = np.array([rng.permutation(game.actions.size)[:MOST] for _ in range(ROWS)], np.int16)
    places = (torch.from_numpy((rng.random(ROWS) * count).astype(np.int64)) for _ in range(2))
    shape = ROWS, game.observations.size
    seen = rng.integers(-3, 4, shape) * (rng.random(shape) < 0.1)
    return {
        "observation": torch.from_numpy(seen.astype(np.int8)),
        "legal": torch.from_numpy(legal),
        "count": torch.from_numpy(count.astype(np.int32)),
        "place": next(places),
        "log_probability": torch.randn(ROWS) / 2 - 1.2,
        "advantage": torch.randn(ROWS),
        "target": torch.randn(ROWS),
        "taught": torch.where(torch.rand(ROWS) < 0.5, next(places), NOBODY),
        "reference": torch.randn(ROWS, MOST) - 1,
    }


def compiled_gradient(
    network: Network, given: dict[str, Any], numbers: torch.Tensor, part: tuple[int, int], weights: Weights
) -> tuple[torch.Tensor, torch.Tensor]:
    """What `gradient_by_pytorch` returns, by the compiled pass."""
    slope, figures = torch.empty_like(network.vector), torch.empty(len(FIGURES))
    passes.gradient(
        network.vector.numpy(),
        network.sizes,
        given["observation"],
        Decisions(*(given[name].numpy() for name in COLUMNS)),
        numbers.numpy(),
        *part,
        weights,
        slope.numpy(),
        figures.numpy(),
    )
    return slope, figures


WEIGHTS = [
    Weights(clip_range=0.2, entropy=0.3, value=0.5, imitation=0.7),
    Weights(clip_range=0.1, entropy=0.1, value=0.9, value_clip=1.5, standardize=False, divergence=0.6),
]


@pytest.mark.parametrize("referring", [True, False])
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("layers", LAYERS)
def test_gradients_of_all_parts_are_those_of_pytorch(
    layers: tuple[int, ...], weights: Weights, referring: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(1)
    network = some_network(GAME, layers)
    given = some_decisions(GAME, np.random.default_rng(1))
    if not referring:
        given["reference"] = torch.zeros(ROWS, 0)
    numbers = torch.randperm(ROWS)[:250]
    found = sparse.entries(given["observation"], network.scale)
    for part in [(0, 250), *pairwise((0, 1, 100, 250))]:
        results = []
        for dense in (True, False):
            monkeypatch.setattr(sparse, "computes_densely", lambda tensor, dense=dense: dense)
            assert network.compiles != dense
            results.append(
                gradient_by_pytorch(network, given, numbers, *part, weights)
                if dense
                else compiled_gradient(network, {**given, "observation": found}, numbers, part, weights)
            )
        for one, other in zip(*results, strict=True):
            assert torch.allclose(one, other, atol=1e-6, rtol=1e-4)
            assert one.abs().max() > 1e-3 or part == (0, 1)  # both losses of a single decision can be cut off


@pytest.mark.parametrize("layers", LAYERS)
def test_decisions_are_those_of_pytorch(layers: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of some games in any order, recorded in the middle of a buffer."""
    torch.manual_seed(1)
    rng = np.random.default_rng(2)
    network = some_network(GAME, layers)
    given = some_decisions(GAME, rng)
    rows, drawn = rng.permutation(ROWS)[: ROWS // 2], torch.rand(ROWS // 2)
    monkeypatch.setattr(sparse, "computes_densely", lambda tensor: True)
    shown = [given[name][rows] for name in ("observation", "legal", "count")]
    place, log_probability, value = act(network, *shown, drawn)
    (samples,) = new_samples(GAME, [ROWS], torch.device("cpu"))
    new = slice(40, 40 + len(rows))
    games = [given[name].numpy() for name in ("observation", "legal", "count")]
    for array in games:
        array.flags.writeable = False  # as a simulator's are: for others Numba would compile anew
    records = samples.records(new)
    vector, scale = network.vector.numpy(), network.scale.numpy()
    chosen = passes.decide(vector, network.sizes, scale, rows, *games, drawn.numpy(), records)
    assert torch.equal(samples.place[new], place) and len(place.unique()) == MOST
    assert torch.equal(samples.observation[new], shown[0]) and torch.equal(samples.count[new], shown[2])
    for row, legal, count in zip(samples.legal[new], shown[1], shown[2], strict=True):
        assert torch.equal(row[:count], legal[:count])
    assert np.array_equal(chosen, shown[1].gather(1, place[:, None])[:, 0])
    assert torch.allclose(samples.log_probability[new], log_probability, atol=1e-5)
    assert torch.allclose(samples.value[new], value, atol=1e-5)
    for outside in (slice(0, new.start), slice(new.stop, ROWS)):
        assert not any(each.any() for each in samples.records(outside))


def test_the_parameters_are_views_of_the_vector() -> None:
    network = some_network(GAME, (4, 3))
    network.vector[:] = torch.arange(len(network.vector))
    weights = torch.cat([parameter.detach().ravel() for parameter in network.parameters()])
    assert torch.equal(weights, network.vector)
    other = Network(GAME, (4, 3))
    other.load_state_dict(network.state_dict())
    assert torch.equal(other.vector, network.vector)
