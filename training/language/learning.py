"""How a language model learns from games: minibatches, what answers were worth, the loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch

from polytrix.llm import Rollout


def minibatches(prompts: Sequence[Sequence[int]], size: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """The numbers of all prompts, in parts in random order.

    Prompts of a part are about as long as each other, so that little is padded.
    """
    ordered = sorted(range(len(prompts)), key=lambda each: len(prompts[each]))
    starts = range(0, len(ordered), size)
    for number in rng.permutation(len(starts)):
        yield ordered[starts[number] : starts[number] + size]


def returns_of(rollout: Rollout, gamma: float) -> list[float]:
    """What followed each answer of a game: the discounted sum of its reward and all later ones."""
    found, later = list[float](), 0.0
    for turn in reversed(rollout.turns):
        later = turn.reward + gamma * later
        found.append(later)
    return found[::-1]


def clipped_loss(
    now: torch.Tensor, before: torch.Tensor, advantage: torch.Tensor, limit: float
) -> torch.Tensor:
    """PPO's clipped loss of answers.

    Args:
        now: logarithms of their probabilities, (n,).
        before: the same when they were given, (n,).
        advantage: what followed them, compared with what is usual, (n,).
        limit: of how far a ratio of probabilities counts.
    """
    ratio = (now - before).exp()
    return -torch.min(ratio * advantage, ratio.clamp(1 - limit, 1 + limit) * advantage).mean()
