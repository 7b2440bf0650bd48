"""Chooses among legal actions for many rows at once, vectorised over rows and actions."""

from __future__ import annotations

import numpy as np

from polytrix.core.state import ByteArray, FloatArray, IntArray


def listed(mask: ByteArray) -> tuple[IntArray, IntArray, IntArray]:
    """The legal actions of all rows as one list.

    Args:
        mask: (n, A), with at least one legal action in each row.

    Returns:
        Indices into `mask.ravel()` in ascending order; the start of each row in them (n,); its count (n,).
    """
    flat = np.flatnonzero(mask != 0)  # several times faster for booleans
    count = np.bincount(flat // mask.shape[1], minlength=len(mask))
    return flat, np.cumsum(count) - count, count


def uniform(mask: ByteArray, rng: np.random.Generator) -> IntArray:
    """A uniformly random legal action for each row, (n,).

    >>> uniform(np.array([[0, 0, 1], [0, 1, 0]], np.int8), np.random.default_rng(0))
    array([2, 1])
    """
    flat, start, count = listed(mask)
    picked = flat[start + rng.integers(0, count)]
    return np.asarray(picked - mask.shape[1] * np.arange(len(mask)), np.int64)


def best(logits: FloatArray, mask: ByteArray) -> IntArray:
    """The legal action with the highest logit in each row, (n,); the first one if there are several.

    >>> best(np.array([[3.0, 1.0, 2.0]], np.float32), np.array([[0, 1, 1]], np.int8))
    array([2])
    """
    return np.asarray(np.where(mask != 0, logits, -np.inf).argmax(axis=1), np.int64)


def sampled(logits: FloatArray, mask: ByteArray, rng: np.random.Generator) -> IntArray:
    """A legal action for each row, (n,), sampled from the softmax of the legal actions' logits (n, A)."""
    flat, start, count = listed(mask)
    legal = logits.ravel()[flat].astype(np.float64)
    weight = np.exp(legal - np.repeat(np.maximum.reduceat(legal, start), count))
    summed = np.cumsum(weight)
    below = summed[start] - weight[start]
    target = below + rng.random(len(mask)) * (summed[start + count - 1] - below)
    where = np.clip(np.searchsorted(summed, target, side="right"), start, start + count - 1)
    return np.asarray(flat[where] - mask.shape[1] * np.arange(len(mask)), np.int64)


def probabilities(logits: FloatArray, mask: ByteArray) -> FloatArray:
    """The softmax of the legal actions' logits, (n, A), 0 where an action is illegal.

    >>> probabilities(np.array([[1.0, 1.0, 2.0]], np.float32), np.array([[1, 1, 0]], np.int8))
    array([[0.5, 0.5, 0. ]], dtype=float32)
    """
    legal = np.where(mask != 0, logits.astype(np.float64), -np.inf)
    weight = np.exp(legal - legal.max(axis=1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True), np.float32)
