"""An update in compiled calls, against PyTorch's operations; threads that wait for each other."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import torch

from polytrix.learning import sparse
from polytrix.learning.ppo_loss import Weights
from polytrix.learning.sparse import compiled
from polytrix.learning.workers import Workers
from polytrix.training.learner.barrier import meet, new_barrier
from polytrix.training.learner.network import Network
from polytrix.training.learner.updates import update, update_by_pytorch
from tests.learning.test_passes import GAME, ROWS, some_decisions, some_network

WEIGHTS = Weights(clip_range=0.2, entropy=0.3, value=0.5, imitation=0.7)


def learned(
    do: object, threads: int, shards: int, norm: float
) -> tuple[Network, torch.Tensor, dict[str, torch.Tensor]]:
    """The network after two updates of several minibatches, their figures, and what Adam remembers."""
    torch.manual_seed(1)
    network = some_network(GAME, (20, 9))
    given = some_decisions(GAME, np.random.default_rng(1))
    given["observation"] = sparse.entries(given["observation"], network.scale)
    optimizer = torch.optim.Adam([network.vector], lr=0.01, eps=1e-5)
    figures = []
    for _ in range(2):
        minibatches = torch.randperm(ROWS).tensor_split([100, 101, 160])
        assert callable(do)
        figures.append(do(network, optimizer, given, minibatches, WEIGHTS, norm, Workers(threads), shards))
    return network, torch.cat(figures), optimizer.state[network.vector]


@pytest.mark.parametrize("norm", [0.1, 1e9])
@pytest.mark.parametrize("shards", [1, 3])
def test_updates_are_those_of_pytorch(shards: int, norm: float) -> None:
    one, figures, state = learned(update, 2, shards, norm)
    other, expected, remembered = learned(update_by_pytorch, 1, 1, norm)
    assert torch.allclose(figures, expected, atol=1e-4) and len(figures) == 8
    assert torch.allclose(one.vector, other.vector, atol=2e-4)
    assert set(state) == set(remembered) and state["step"] == remembered["step"] == 8
    for name in ("exp_avg", "exp_avg_sq"):
        largest = remembered[name].abs().max()
        assert largest > 0 and (state[name] - remembered[name]).abs().max() < 1e-3 * largest


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    alone, *_ = learned(update, 1, 3, 0.1)
    together, *_ = learned(update, threads, 3, 0.1)
    assert torch.equal(alone.vector, together.vector)


@compiled  # type: ignore[untyped-decorator]
def take_turns(barrier: np.ndarray, thread: int, rounds: int, written: np.ndarray, seen: np.ndarray) -> None:
    for number in range(rounds):
        written[thread] = number
        meet(barrier, thread)
        for other in range(len(barrier)):
            seen[thread, number] += written[other]
        meet(barrier, thread)


def test_threads_see_what_the_others_wrote_before_they_met() -> None:
    rounds, barrier = 20_000, new_barrier(2)
    written, seen = np.full(2, -1), np.zeros((2, rounds), np.int64)
    take_turns(new_barrier(1), 0, 1, np.zeros(1, np.int64), np.zeros((1, 1), np.int64))  # compiled
    arguments = [(barrier, thread, rounds, written, seen) for thread in range(2)]
    running = [threading.Thread(target=take_turns, args=each) for each in arguments]
    for each in running:
        each.start()
    for each in running:
        each.join()
    assert (seen == 2 * np.arange(rounds)).all()
