"""PPO's loss and its gradient."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from network import Network
from polytrix.api.shared import sparse
from samples import NOBODY

LOSSES = ("loss", "policy_gradient_loss", "entropy_loss", "value_loss", "approx_kl", "clip_fraction")


COLUMNS = ("legal", "count", "place", "log_probability", "advantage", "target", "taught")
"""What is known of each decision beside its observation, by its name in `prepared`."""


class Weights(NamedTuple):
    """What the parts of the loss count.

    Args:
        clip_range: clipping range of the probability ratio.
        entropy: weight of the entropy bonus.
        value: weight of the value loss.
        imitation: weight of the cross-entropy with the taught actions.
    """

    clip_range: float
    entropy: float
    value: float
    imitation: float


def gradient(
    network: Network, given: Mapping[str, Any], numbers: Tensor, first: int, last: int, weights: Weights
) -> tuple[Tensor, Tensor]:
    """The gradient of a part of a minibatch's loss, and the part's share of the figures named in `LOSSES`.

    The loss of a minibatch is the sum of those of its parts.

    Args:
        network: the learner.
        given: tensors with a row for each decision of the rollout: `observation` (or their entries), `legal`,
            `count`, `place`, `log_probability`, `advantage`, `target`, `taught` and `memory`.
        numbers: (T, S) indices of the decisions of the minibatch, columns as from `samples.pieces`.
        first, last: the part: these columns.
        weights: of the parts of the loss.

    Returns:
        The gradient, in the order of `network.vector`, and the figures.
    """
    loss, figures = loss_of(network, given, numbers, first, last, weights)
    slopes = torch.autograd.grad(loss, list(network.parameters()))
    return torch.cat([slope.ravel() for slope in slopes]), figures


def loss_of(
    network: Network, given: Mapping[str, Any], numbers: Tensor, first: int, last: int, weights: Weights
) -> tuple[Tensor, Tensor]:
    """A part of a minibatch's loss and, without gradient, of the figures; arguments as for `gradient`."""
    whole = numbers.ravel()
    there, whole = whole >= 0, whole.clamp(min=0)
    decisions, advantages = there.sum(), given["advantage"][whole]
    mean = (advantages * there).sum() / decisions
    variance = ((advantages - mean).square() * there).sum() / (decisions - 1).clamp(min=1)
    asked = (there & (given["taught"][whole] != NOBODY)).sum()

    begin, part = numbers[0, first:last], numbers[:, first:last].ravel()
    here, part = part >= 0, part.clamp(min=0)
    observation, legal, count, place, before, advantage, target, taught = (
        given[name].index_select(0, part) for name in ("observation", *COLUMNS)
    )
    features, _ = network.features(observation, given["memory"].index_select(0, begin))
    policy = network.policy
    logits = sparse.legal_logits(features, policy.weight, policy.bias, legal, count)
    value = network.value(features).squeeze(1)

    log_probabilities = torch.log_softmax(logits, 1)
    log_probability = log_probabilities.gather(1, place[:, None]).squeeze(1)
    entropy = -(functional.softmax(log_probabilities, 1) * log_probabilities).sum(1)
    advantage = (advantage - mean) / (variance.sqrt() + 1e-8)
    change = log_probability - before
    ratio = change.exp()
    clipped = ratio.clamp(1 - weights.clip_range, 1 + weights.clip_range)
    terms = (
        -torch.minimum(advantage * ratio, advantage * clipped),
        -entropy,
        (value - target).square(),
        ratio - 1 - change,
        (ratio - 1).abs() > weights.clip_range,
    )
    share = here / decisions
    policy_loss, entropy_loss, value_loss, kl, outside = ((term * share).sum() for term in terms)
    right = log_probabilities.gather(1, taught.clamp(min=0)[:, None]).squeeze(1)
    imitated = (right * (here & (taught != NOBODY))).sum() / asked.clamp(min=1)
    loss = policy_loss + weights.entropy * entropy_loss + weights.value * value_loss
    loss = loss - weights.imitation * imitated
    return loss, torch.stack([loss, policy_loss, entropy_loss, value_loss, kl, outside]).detach()
