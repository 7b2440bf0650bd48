"""Learning from all minibatches of an update: in one compiled call per thread, or by PyTorch's operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from polytrix.learning.passes import gradient
from polytrix.learning.ppo_loss import FIGURES, NOBODY, Decisions, Weights, loss_of
from polytrix.learning.sparse import Entries, Floats, Integers, compiled, in_order
from polytrix.learning.workers import Workers, sum_of
from polytrix.training.learner.barrier import meet, new_barrier
from polytrix.training.learner.network import Network

COLUMNS = ("legal", "count", "place", "log_probability", "advantage", "target", "taught", "reference")
"""What is known of each decision beside its observation, by its name in `fast_ppo.prepared`."""


def update(
    network: Network,
    optimizer: torch.optim.Adam,
    given: Mapping[str, Any],
    minibatches: Sequence[Tensor],
    weights: Weights,
    max_grad_norm: float,
    workers: Workers,
    shards: int,
) -> Tensor:
    """Learn from some minibatches, one after another, as `update_by_pytorch` does.

    Args:
        network: the learner; it `compiles`.
        optimizer: of its vector.
        given: as for `gradient_by_pytorch`.
        minibatches: (B,) indices of decisions, each.
        weights: of the parts of the loss.
        max_grad_norm: a gradient of a larger norm is scaled down to it.
        workers: threads that share the work.
        shards: parts of a minibatch, and of the parameters, that they share.

    Returns:
        The figures named in `FIGURES` of each minibatch.
    """
    shards = min(shards, min(map(len, minibatches)))
    state = adam_state(optimizer, network.vector)
    group = optimizer.param_groups[0]
    threads = min(workers.threads, shards)
    barrier, squares = new_barrier(threads), np.zeros(shards, np.float32)
    slopes = np.empty((shards, len(network.vector)), np.float32)
    figures = np.zeros((len(minibatches), shards, len(FIGURES)), np.float32)
    ends = np.cumsum([len(each) for each in minibatches])
    order = torch.cat(list(minibatches)).numpy()
    decisions = Decisions(*(given[name].numpy() for name in COLUMNS))

    def work(thread: int) -> None:
        learn_together(
            barrier,
            thread,
            network.vector.numpy(),
            state["exp_avg"].numpy(),
            state["exp_avg_sq"].numpy(),
            network.sizes,
            given["observation"],
            decisions,
            order,
            ends,
            weights,
            float(state["step"]),
            group["lr"],
            group["betas"],
            group["eps"],
            max_grad_norm,
            slopes,
            squares,
            figures,
        )

    workers.map(work, range(threads))  # each of them waits for all others, so each has a thread of its own
    state["step"] += len(minibatches)
    return torch.from_numpy(figures.sum(1))


def update_by_pytorch(
    network: Network,
    optimizer: torch.optim.Adam,
    given: Mapping[str, Any],
    minibatches: Sequence[Tensor],
    weights: Weights,
    max_grad_norm: float,
    workers: Workers,
    shards: int,
) -> Tensor:
    """What `update` does, for networks that do not compile."""
    losses = []
    for numbers in minibatches:
        size = len(numbers)
        count = min(shards, size)
        parts = list(pairwise(size * k // count for k in range(count + 1)))

        def gradient_of(part: tuple[int, int], numbers: Tensor = numbers) -> tuple[Tensor, Tensor]:
            return gradient_by_pytorch(network, given, numbers, *part, weights)

        slopes, figures = zip(*workers.map(gradient_of, parts), strict=True)
        descend(network, optimizer, sum_of(slopes), max_grad_norm)
        losses.append(sum_of(figures))
    return torch.stack(losses)


def gradient_by_pytorch(
    network: Network, given: Mapping[str, Any], numbers: Tensor, first: int, last: int, weights: Weights
) -> tuple[Tensor, Tensor]:
    """The gradient of a part of a minibatch's loss, and the part's share of the figures named in `FIGURES`.

    The loss of a minibatch is the sum of those of its parts.

    Args:
        network: the learner.
        given: tensors with a row for each decision of the rollout: `observation` (or their entries), `legal`,
            and the `COLUMNS`.
        numbers: (B,) indices of the decisions of the minibatch.
        first, last: the part of them.
        weights: of the parts of the loss.

    Returns:
        The gradient, in the order of `network.vector`, and the figures.
    """
    advantages, decisions = given["advantage"][numbers], len(numbers)
    mean = advantages.mean()
    variance = (advantages - mean).square().sum() / max(1, decisions - 1)
    asked = int((given["taught"][numbers] != NOBODY).sum())

    part = numbers[first:last]
    observation, *columns = (given[name].index_select(0, part) for name in ("observation", *COLUMNS))
    its = Decisions(*columns)
    logits, value = network(observation, its.legal, its.num_legal)
    if weights.standardize:
        its = its._replace(advantage=(its.advantage - mean) / (variance.sqrt() + 1e-8))
    loss, figures = loss_of(logits, value.squeeze(1), its, 1 / decisions, 1 / max(1, asked), weights)
    return slope_of(network, loss), figures


def slope_of(network: Network, loss: Tensor) -> Tensor:
    """The gradient of a loss, in the order of `network.vector`; 0 for what it does not depend on."""
    slopes = torch.autograd.grad(loss, list(network.parameters()), materialize_grads=True)
    return torch.cat([slope.ravel() for slope in slopes])


def descend(network: Network, optimizer: torch.optim.Adam, slope: Tensor, max_grad_norm: float) -> None:
    """One step of the optimizer of the network's vector against a gradient."""
    network.vector.grad = slope
    nn.utils.clip_grad_norm_(network.vector, max_grad_norm)
    optimizer.step()


def adam_state(optimizer: torch.optim.Adam, vector: Tensor) -> dict[str, Tensor]:
    """What Adam remembers of a vector, before its first step as after it."""
    state: dict[str, Tensor] = optimizer.state[vector]
    if not state:
        zeros = torch.zeros_like(vector), torch.zeros_like(vector)
        state |= {"step": torch.tensor(0.0), "exp_avg": zeros[0], "exp_avg_sq": zeros[1]}
    return state


@compiled
def learn_together(
    barrier: Integers,
    thread: int,
    parameters: Floats,
    mean: Floats,
    square: Floats,
    sizes: Integers,
    entries: Entries,
    decisions: Decisions,
    order: Integers,
    ends: Integers,
    weights: Weights,
    step: float,
    rate: float,
    betas: tuple[float, float],
    epsilon: float,
    max_grad_norm: float,
    slopes: Floats,
    squares: Floats,
    figures: Floats,
) -> None:
    """The work of one thread in `update`."""
    threads, shards = len(barrier), len(slopes)
    first = 0
    for number in range(len(ends)):
        minibatch = order[first : ends[number]]
        first = ends[number]
        for shard in range(thread, shards, threads):
            gradient(
                parameters,
                sizes,
                entries,
                decisions,
                minibatch,
                len(minibatch) * shard // shards,
                len(minibatch) * (shard + 1) // shards,
                weights,
                slopes[shard],
                figures[number, shard],
            )
        meet(barrier, thread)
        for shard in range(thread, shards, threads):
            start, end = part(len(parameters), shard, shards)
            squares[shard] = add_up(slopes, start, end)
        meet(barrier, thread)
        norm = np.sqrt(squares.sum())
        scale = np.float32(min(1.0, max_grad_norm / (norm + 1e-6)))
        for shard in range(thread, shards, threads):
            start, end = part(len(parameters), shard, shards)
            adam(
                parameters[start:end],
                mean[start:end],
                square[start:end],
                slopes[0, start:end],
                scale,
                step + number + 1,
                rate,
                betas,
                epsilon,
            )
        meet(barrier, thread)


@compiled
def part(size: int, number: int, parts: int) -> tuple[int, int]:
    """First and end of a part of a vector."""
    return size * number // parts, size * (number + 1) // parts


@compiled
def add_up(slopes: Floats, start: int, end: int) -> np.float32:
    """Add the other rows to the first one, from `start` to `end`; the sum of its squares there."""
    total = slopes[0, start:end]
    for other in range(1, len(slopes)):
        added = slopes[other, start:end]
        for i in range(len(total)):
            total[i] += added[i]
    squares = np.float32(0)
    for i in range(len(total)):
        squares += total[i] * total[i]
    return squares


@in_order
def adam(
    parameters: Floats,
    mean: Floats,
    square: Floats,
    slope: Floats,
    scale: np.float32,
    step: float,
    rate: float,
    betas: tuple[float, float],
    epsilon: float,
) -> None:
    """A step of Adam, as `torch.optim.Adam` makes it, against `scale * slope`."""
    first, second = np.float32(betas[0]), np.float32(betas[1])
    pace = np.float32(rate / (1 - betas[0] ** step))
    correction = np.float32(1 / np.sqrt(1 - betas[1] ** step))
    least = np.float32(epsilon)
    for i in range(len(parameters)):
        g = scale * slope[i]
        mean[i] = first * mean[i] + (1 - first) * g
        square[i] = second * square[i] + (1 - second) * g * g
        parameters[i] -= pace * mean[i] / (np.sqrt(square[i]) * correction + least)
