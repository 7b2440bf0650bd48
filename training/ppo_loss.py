"""PPO's loss: one compiled pass over the legal actions on the CPU, PyTorch's operations on a GPU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from network import Network
from polytrix.api.shared import sparse

LOSSES = ("loss", "policy_gradient_loss", "entropy_loss", "value_loss", "approx_kl", "clip_fraction")

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[Any]


@dataclass(frozen=True)
class Weights:
    """What the parts of the loss count."""

    clip_range: float
    """Clipping range of the probability ratio."""
    entropy: float
    """Weight of the entropy bonus."""
    value: float
    """Weight of the value loss."""


@dataclass(frozen=True)
class Decisions:
    """What is known of n decisions beside the network's outputs, all tensors.

    The loss is a sum over the decisions, each with its own weights.
    """

    legal: Tensor
    """(n, W) int16, the legal actions."""
    count: Tensor
    """(n,) int32, their number."""
    place: Tensor
    """(n,) int64, index of the chosen one among them."""
    before: Tensor
    """(n,) its log-probability when it was chosen."""
    advantage: Tensor
    """(n,) normalised."""
    target: Tensor
    """(n,) of the value."""
    share: Tensor
    """(n,) weight of the decision."""
    taught: Tensor
    """(n,) int64, index of the action to imitate among the legal ones."""
    imitation: Tensor
    """(n,) weight of its cross-entropy; 0 if there is none."""


def ppo_loss(
    network: Network, features: Tensor, decisions: Decisions, weights: Weights
) -> tuple[Tensor, Tensor]:
    """The loss and, without gradient, the figures named in `LOSSES`.

    Args:
        network: the learner.
        features: (n, H), its `features` of the decisions.
        decisions: of which the loss is the sum.
        weights: of the parts of the loss.
    """
    value = network.value(features).squeeze(1)
    policy = network.policy
    if sparse.computes_densely(features):
        logits = sparse.dense_legal_logits(
            features, policy.weight, policy.bias, decisions.legal, decisions.count
        )
        return dense_loss(logits, value, decisions, weights)
    return _Loss.apply(  # type: ignore[no-any-return, no-untyped-call]
        features, policy.weight, policy.bias, value, decisions, weights
    )


def dense_loss(logits: Tensor, value: Tensor, decisions: Decisions, weights: Weights) -> tuple[Tensor, Tensor]:
    """The results of `ppo_loss` from the logits of the legal actions (n, W) and values (n,)."""
    log_probabilities = torch.log_softmax(logits, 1)
    log_probability = log_probabilities.gather(1, decisions.place[:, None]).squeeze(1)
    entropy = -(functional.softmax(log_probabilities, 1) * log_probabilities).sum(1)
    change = log_probability - decisions.before
    ratio = change.exp()
    clipped = ratio.clamp(1 - weights.clip_range, 1 + weights.clip_range)
    terms = (
        -torch.minimum(decisions.advantage * ratio, decisions.advantage * clipped),
        -entropy,
        (value - decisions.target).square(),
        ratio - 1 - change,
        (ratio - 1).abs() > weights.clip_range,
    )
    policy_loss, entropy_loss, value_loss, kl, outside = ((term * decisions.share).sum() for term in terms)
    right = log_probabilities.gather(1, decisions.taught[:, None]).squeeze(1)
    loss = policy_loss + weights.entropy * entropy_loss + weights.value * value_loss
    loss = loss - (right * decisions.imitation).sum()
    return loss, torch.stack([loss, policy_loss, entropy_loss, value_loss, kl, outside]).detach()


class _Loss(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        features: Tensor,
        weight: Tensor,
        bias: Tensor,
        value: Tensor,
        decisions: Decisions,
        weights: Weights,
    ) -> tuple[Tensor, Tensor]:
        legal, count = decisions.legal.numpy(), decisions.count.numpy()
        layer = features.detach().contiguous().numpy(), weight.detach().numpy(), legal, count
        logits = np.empty(legal.shape, np.float32)
        sparse.products(*layer, bias.detach().numpy(), logits)
        by_value, figures = torch.empty_like(value), torch.zeros(len(LOSSES))
        known = (decisions.place, decisions.before, decisions.advantage, decisions.target, decisions.share)
        loss_and_gradients(
            logits,
            count,
            value.detach().numpy(),
            *(each.numpy() for each in (*known, decisions.taught, decisions.imitation)),
            np.float32(weights.clip_range),
            np.float32(weights.entropy),
            np.float32(weights.value),
            by_value.numpy(),
            figures.numpy(),
        )
        ctx.layer, ctx.by_logits, ctx.by_value = layer, logits, by_value
        ctx.mark_non_differentiable(figures)
        return figures[0].clone(), figures

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        hidden, weight, _, _ = ctx.layer
        outs = torch.zeros(hidden.shape), torch.zeros(weight.shape), torch.zeros(len(weight))
        sparse.products_back(*ctx.layer, ctx.by_logits, *(each.numpy() for each in outs))
        scale = gradients[0]  # 1, unless somebody scales the loss
        return *(each.mul_(scale) if scale != 1 else each for each in (*outs, ctx.by_value)), None, None


@sparse.compiled  # type: ignore[untyped-decorator]
def loss_and_gradients(
    logits: Floats,
    count: Integers,
    value: Floats,
    place: Integers,
    before: Floats,
    advantage: Floats,
    target: Floats,
    share: Floats,
    taught: Integers,
    imitation: Floats,
    clip_range: np.float32,
    entropy_weight: np.float32,
    value_weight: np.float32,
    by_value: Floats,
    figures: Floats,
) -> None:
    """Add up `dense_loss` in `figures`; put its gradients in place of the logits, and into `by_value`."""
    policy_loss = entropy_loss = value_loss = kl = outside = imitated = 0.0
    for i in range(len(logits)):
        row = logits[i, : count[i]]
        highest = row.max()
        total = np.float32(0)
        for k in range(len(row)):
            total += np.exp(row[k] - highest)
        level = highest + np.log(total)
        negative_entropy = np.float32(0)
        for k in range(len(row)):
            row[k] -= level
            negative_entropy += np.exp(row[k]) * row[k]
        change = row[place[i]] - before[i]
        ratio = np.exp(change)
        clipped = min(max(ratio, 1 - clip_range), 1 + clip_range)
        gain = min(advantage[i] * ratio, advantage[i] * clipped)
        miss = value[i] - target[i]
        policy_loss -= share[i] * gain
        entropy_loss += share[i] * negative_entropy
        value_loss += share[i] * miss * miss
        kl += share[i] * (ratio - 1 - change)
        outside += share[i] * (abs(ratio - 1) > clip_range)
        cut = ratio > 1 + clip_range if advantage[i] > 0 else ratio < 1 - clip_range
        by_chosen = np.float32(0) if cut else -share[i] * advantage[i] * ratio
        by_taught = -imitation[i]
        if imitation[i] != 0:
            imitated += imitation[i] * row[taught[i]]
        by_entropy = entropy_weight * share[i]
        for k in range(len(row)):
            probability = np.exp(row[k])
            row[k] = probability * (by_entropy * (row[k] - negative_entropy) - by_chosen - by_taught)
        row[place[i]] += by_chosen
        if imitation[i] != 0:
            row[taught[i]] += by_taught
        by_value[i] = 2 * value_weight * share[i] * miss
    figures[0] = policy_loss + entropy_weight * entropy_loss + value_weight * value_loss - imitated
    figures[1] = policy_loss
    figures[2] = entropy_loss
    figures[3] = value_loss
    figures[4] = kl
    figures[5] = outside
