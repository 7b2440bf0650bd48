"""Teaches a network decisions that are remembered: the policy their probabilities, the values their targets."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from polytrix.learning.workers import Workers, sum_of
from polytrix.training.learner.network import Network
from polytrix.training.shared.self_play import Window

MAX_GRAD_NORM = 1.0
"""Maximum norm of the gradient."""
LOSSES = ("policy_loss", "value_loss", "explained_variance")


def gradient(
    network: Network, window: Window, numbers: Tensor, players: int, total: int
) -> tuple[Tensor, Tensor]:
    """The gradient of the part of a minibatch's loss that some decisions have, and the figures in `LOSSES`.

    Args:
        network: the learner.
        window: the decisions.
        numbers: (n,) indices of decisions in it.
        players: number of seats that play.
        total: number of decisions of the minibatch.
    """
    observation, legal, count, taught, target = (torch.from_numpy(each)[numbers] for each in window.decisions)
    widest = int(count.max())
    logits, value = network(observation, legal[:, :widest].contiguous(), count)
    policy_loss = -(taught[:, :widest] * torch.log_softmax(logits, 1)).sum() / total
    target = target[:, :players]
    missed = (value[:, :players].tanh() - target).square().mean(1)
    value_loss = missed.sum() / total
    slopes = torch.autograd.grad(policy_loss + value_loss, list(network.parameters()))
    variance = target.square().mean(1).sum() / total
    return (
        torch.cat([slope.ravel() for slope in slopes]),
        torch.stack([policy_loss, value_loss, variance]).detach(),
    )


def learn(
    network: Network,
    optimizer: torch.optim.Optimizer,
    window: Window,
    players: int,
    rate: float,
    minibatches: int,
    batch_size: int,
    workers: Workers,
) -> dict[str, float]:
    """Learn from random minibatches of the window.

    Args:
        network, optimizer: the learner.
        window: the decisions.
        players: number of seats that play.
        rate: learning rate.
        minibatches, batch_size: their number, and that of the decisions in each.
        workers: threads that share the work.

    Returns:
        Figures to log.
    """
    for group in optimizer.param_groups:
        group["lr"] = rate
    sums = []
    for _ in range(minibatches):
        chosen = torch.randint(window.used, (batch_size,))

        def slope(part: Tensor) -> tuple[Tensor, Tensor]:
            return gradient(network, window, part, players, batch_size)

        slopes, figures = zip(*workers.map(slope, chosen.chunk(workers.threads)), strict=True)
        network.vector.grad = sum_of(slopes)
        nn.utils.clip_grad_norm_(network.vector, MAX_GRAD_NORM)
        optimizer.step()
        sums.append(sum_of(figures))
    policy_loss, value_loss, variance = torch.stack(sums).mean(0).tolist()
    return {
        "train/learning_rate": rate,
        "train/policy_loss": policy_loss,
        "train/value_loss": value_loss,
        "train/explained_variance": 1 - value_loss / max(variance, 1e-12),
    }
