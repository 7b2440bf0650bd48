"""PPO's loss, computed by PyTorch; `passes.loss_and_gradients` is the same, compiled for the CPU."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

NOBODY = -1
"""Instead of the index of a taught action: nobody taught one."""

NO_CLIP = 1e30

LOSSES = ("loss", "policy_gradient_loss", "entropy_loss", "value_loss", "approx_kl", "clip_fraction")
FIGURES = (*LOSSES, "unclipped_value_loss", "value_error")
"""What is known of a minibatch: means over its decisions. Training scripts log the first ones."""


class Weights(NamedTuple):
    """What the parts of the loss count.

    Args:
        clip_range: clipping range of the probability ratio.
        entropy: weight of the entropy bonus.
        value: weight of the value loss.
        imitation: weight of the cross-entropy with the taught actions.
        value_clip: a value whose squared error is larger is not learned from.
        standardize: whether the advantages of a minibatch are shifted and scaled to mean 0 and deviation 1.
        divergence: of the KL divergences from reference policies, all together.
    """

    clip_range: float
    entropy: float
    value: float
    imitation: float = 0.0
    value_clip: float = NO_CLIP
    standardize: bool = True
    divergence: float = 0.0


class Decisions(NamedTuple):
    """What is known of n decisions besides their observations: tensors, or arrays for compiled code.

    Attributes:
        legal, num_legal: (n, W) and (n,), the legal actions and their number.
        place, before: (n,), index of the chosen action among them, and its log-probability when it was chosen.
        advantage, target: (n,), of the action, and what the value should have been.
        taught: (n,), index of the action to be imitated, or NOBODY.
        reference: (n, W), sum of the references' log-probabilities times their weights, 0 where no action is;
            (n, 0) without references.
    """

    legal: Any
    num_legal: Any
    place: Any
    before: Any
    advantage: Any
    target: Any
    taught: Any
    reference: Any


def loss_of(
    logits: Tensor,
    value: Tensor,
    decisions: Decisions,
    share: Tensor | float,
    imitation_share: Tensor | float,
    weights: Weights,
) -> tuple[Tensor, Tensor]:
    """The share of some decisions in the loss of a minibatch.

    Args:
        logits, value: (n, W) and (n,), what the network says of n decisions.
        decisions: what else is known of them; the advantages are as they are used.
        share: weight of each decision, 0 if it does not count.
        imitation_share: weight of each taught one.
        weights: of the parts of the loss.

    Returns:
        The loss and, without gradient, the figures named in `FIGURES`.
    """
    _, _, place, before, advantage, target, taught, reference = decisions
    log_probabilities = torch.log_softmax(logits, 1)
    log_probability = log_probabilities.gather(1, place[:, None]).squeeze(1)
    probabilities = functional.softmax(log_probabilities, 1)
    entropy = -(probabilities * log_probabilities).sum(1)
    change = log_probability - before
    ratio = change.exp()
    clipped = ratio.clamp(1 - weights.clip_range, 1 + weights.clip_range)
    error = value - target
    terms = (
        -torch.minimum(advantage * ratio, advantage * clipped),
        -entropy,
        error.square().clamp(max=weights.value_clip),
        ratio - 1 - change,
        (ratio - 1).abs() > weights.clip_range,
        error.square(),
        error,
    )
    figures = [(term * share).sum() for term in terms]
    policy_loss, entropy_loss, value_loss = figures[:3]
    loss = policy_loss + weights.entropy * entropy_loss + weights.value * value_loss
    loss = loss + weights.divergence * entropy_loss
    if reference.shape[1]:
        loss = loss - ((probabilities * reference).sum(1) * share).sum()
    right = log_probabilities.gather(1, taught.clamp(min=0)[:, None]).squeeze(1)
    imitated = (right * ((taught != NOBODY) * imitation_share)).sum()
    loss = loss - weights.imitation * imitated
    return loss, torch.stack([loss, *figures]).detach()
