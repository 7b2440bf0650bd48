"""Choosing actions and PPO's gradient for networks on a CPU, each in one compiled call.

PyTorch computes them in dozens of small operations. Between these, threads wait for each other, because only
one at a time may run Python. In a compiled call they do not. The results are those of PyTorch's operations
and of `ppo_loss.py`, which compute the same on a GPU.

All parameters are in one vector, in this order: weights and biases of the hidden layers, of the policy and of
the value. Weights are (outputs, inputs), but (inputs, outputs) in the first layer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from .ppo_loss import NOBODY, Decisions, Weights
from .sparse import (
    Entries,
    Floats,
    Integers,
    add_product,
    add_transposed_product,
    compiled,
    draw_places,
    find_entries,
    in_order,
    products,
    products_back,
)

AT_ONCE = 512
"""Decisions that pass through the network at once: more do not fit into the cache of a core."""


class Records(NamedTuple):
    """What is recorded of n decisions.

    Attributes:
        observation, legal, num_legal: (n, O) int8, (n, L) int16 and (n,) int32, what the movers see, their
            legal actions and the number of these.
        place, log_probability, value: (n,) int64 and float32, index of the chosen action among them, its
            log-probability, and the value.
    """

    observation: Integers
    legal: Integers
    num_legal: Integers
    place: Integers
    log_probability: Floats
    value: Floats


def one_vector(parameters: Iterable[nn.Parameter]) -> torch.Tensor:
    """Copy parameters into one vector, one after another, and make them views of it."""
    given = list(parameters)
    vector = parameters_to_vector(given).detach()
    vector_to_parameters(vector, given)
    return vector


@compiled
def matrix(vector: Floats, first: int, rows: int, columns: int) -> Floats:
    """A view of a part of a vector."""
    return vector[first : first + rows * columns].reshape(rows, columns)


@compiled
def heads_at(sizes: Integers) -> int:
    """Index of the policy's weights in the vector of parameters."""
    first = 0
    for k in range(len(sizes) - 2):
        first += (sizes[k] + 1) * sizes[k + 1]
    return first


@compiled
def hidden(parameters: Floats, sizes: Integers, entries: Entries, work: Floats) -> None:
    """Fill `work` with the outputs of the hidden layers, (n, sizes[1]), (n, sizes[2]), ..., one after another.

    Args:
        parameters: of the network.
        sizes: number of inputs, units of each hidden layer, number of actions.
        entries: the nonzero entries of n observations.
        work: to be filled.
    """
    n = len(entries.start)
    outputs, at = sizes[1], sizes[0] * sizes[1]
    x = matrix(work, 0, n, outputs)
    x[:] = 0
    add_product(entries, matrix(parameters, 0, sizes[0], outputs), x)
    rectify(x, parameters[at : at + outputs])
    at += outputs
    used = n * outputs
    for k in range(2, len(sizes) - 1):
        inputs, outputs = sizes[k - 1], sizes[k]
        y = matrix(work, used, n, outputs)
        np.dot(x, matrix(parameters, at, outputs, inputs).T, y)
        at += inputs * outputs
        rectify(y, parameters[at : at + outputs])
        at += outputs
        used += n * outputs
        x = y


@compiled
def decide(
    parameters: Floats,
    sizes: Integers,
    scale: Floats,
    rows: Integers,
    observation: npt.NDArray[np.int8],
    legal: Integers,
    count: Integers,
    drawn: Floats,
    out: Records,
) -> Integers:
    """Draw an action in each of n games, and record the decisions; the actions (n,).

    Args:
        parameters, sizes: of the network.
        scale: (O,), of the observations.
        rows: (n,), numbers of the games.
        observation, legal, count: (B, O), (B, W) and (B,), what the mover of every game sees, its legal actions
            and their number.
        drawn: (n,) uniformly random numbers from 0 to 1.
        out: to be filled.
    """
    n = len(rows)
    for i in range(n):
        row = rows[i]
        for k in range(len(scale)):
            out.observation[i, k] = observation[row, k]
        out.num_legal[i] = count[row]
        for k in range(count[row]):
            out.legal[i, k] = legal[row, k]
    start = np.zeros(n + 1, np.int64)
    column = np.empty(n * len(scale) + 1, np.int16)
    entry = np.empty(n * len(scale) + 1, np.float32)
    find_entries(out.observation, scale, start, column, entry)
    entries = Entries(start[:-1], start[1:], column, entry)
    _, _, logits, value = forward(parameters, sizes, entries, out.legal, out.num_legal)
    draw_places(logits, out.num_legal, drawn, out.place, out.log_probability)
    actions = np.empty(n, np.int64)
    for i in range(n):
        out.value[i] = value[i]
        actions[i] = out.legal[i, out.place[i]]
    return actions


@compiled
def heads(vector: Floats, sizes: Integers) -> tuple[Floats, Floats, Floats, Floats]:
    """Weights and biases of the policy, weights and bias of the value, or their gradients."""
    width, actions = sizes[len(sizes) - 2], sizes[len(sizes) - 1]
    at = heads_at(sizes)
    end = at + width * actions
    critic = end + actions
    return (
        matrix(vector, at, actions, width),
        vector[end:critic],
        vector[critic : critic + width],
        vector[critic + width :],
    )


@compiled
def gradient(
    parameters: Floats,
    sizes: Integers,
    entries: Entries,
    decisions: Decisions,
    minibatch: Integers,
    first: int,
    last: int,
    weights: Weights,
    slope: Floats,
    figures: Floats,
) -> None:
    """The part of a minibatch's loss that some of its decisions have, and its gradient.

    Args:
        parameters, sizes: of the network.
        entries: the nonzero entries of the observations of N decisions.
        decisions: what else is known of them.
        minibatch: (B,) indices of the decisions of the minibatch.
        first, last: the part: minibatch[first:last].
        weights: of the parts of the loss.
        slope: to be filled: the gradient, in the order of the parameters.
        figures: to be filled: the part's share of the figures named in `ppo_loss.FIGURES`.
    """
    mean, deviation, asked = statistics(decisions.advantage, decisions.taught, minibatch)
    share, imitation = np.float32(1 / len(minibatch)), np.float32(weights.imitation / max(asked, 1))
    scale = np.float32(1 / (deviation + 1e-8))
    if not weights.standardize:
        mean, scale = np.float32(0), np.float32(1)
    slope[:] = 0
    figures[:] = 0
    while first < last:
        chosen = minibatch[first : min(first + AT_ONCE, last)]
        first += AT_ONCE
        seen = Entries(entries.start[chosen], entries.end[chosen], entries.column, entries.value)
        counts = decisions.num_legal[chosen]
        actions = np.empty((len(chosen), counts.max()), decisions.legal.dtype)
        for i in range(len(chosen)):
            for k in range(counts[i]):
                actions[i, k] = decisions.legal[chosen[i], k]
        work, x, logits, value = forward(parameters, sizes, seen, actions, counts)
        part = Decisions(
            actions,
            counts,
            decisions.place[chosen],
            decisions.before[chosen],
            (decisions.advantage[chosen] - mean) * scale,
            decisions.target[chosen],
            decisions.taught[chosen],
            decisions.reference[chosen],
        )
        loss_and_gradients(logits, value, part, share, imitation, weights, figures)
        add_gradients(parameters, sizes, seen, actions, counts, work, x, logits, value, slope)


@compiled
def forward(
    parameters: Floats, sizes: Integers, entries: Entries, legal: Integers, count: Integers
) -> tuple[Floats, Floats, Floats, Floats]:
    """The outputs of the hidden layers, as from `hidden`; of the last one; logits and values."""
    n, width = len(count), sizes[len(sizes) - 2]
    work = np.empty(n * sizes[1:-1].sum(), np.float32)
    hidden(parameters, sizes, entries, work)
    x = matrix(work, len(work) - n * width, n, width)
    policy, bias, critic, critic_bias = heads(parameters, sizes)
    logits = np.empty((n, count.max()), np.float32)
    products(x, policy, legal, count, bias, logits)
    return work, x, logits, np.dot(x, critic) + critic_bias[0]


@in_order
def add_log_probabilities(
    parameters: Floats,
    sizes: Integers,
    entries: Entries,
    legal: Integers,
    count: Integers,
    rows: Integers,
    weight: float,
    out: Floats,
) -> None:
    """Add a network's log-probabilities of the legal actions, times `weight`, to some rows of `out` (N, L).

    `entries`, `legal` (N, L) and `count` (N,) are those of N decisions.
    """
    first = 0
    while first < len(rows):
        chosen = rows[first : first + AT_ONCE]
        first += AT_ONCE
        seen = Entries(entries.start[chosen], entries.end[chosen], entries.column, entries.value)
        _, _, logits, _ = forward(parameters, sizes, seen, legal[chosen], count[chosen])
        for i in range(len(chosen)):
            row = logits[i, : count[chosen[i]]]
            highest = row.max()
            total = np.float32(0)
            for k in range(len(row)):
                total += np.exp(row[k] - highest)
            level = highest + np.log(total)
            for k in range(len(row)):
                out[chosen[i], k] += np.float32(weight) * (row[k] - level)


@compiled
def add_gradients(
    parameters: Floats,
    sizes: Integers,
    entries: Entries,
    legal: Integers,
    count: Integers,
    work: Floats,
    x: Floats,
    by_logits: Floats,
    by_value: Floats,
    slope: Floats,
) -> None:
    """Add the gradients of `forward` to `slope`, from those of the logits and values."""
    n = len(count)
    policy, _, critic, _ = heads(parameters, sizes)
    by_policy, by_bias, by_critic, by_critic_bias = heads(slope, sizes)
    by_x = by_value.reshape(-1, 1) * critic
    by_critic += np.dot(by_value, x)
    by_critic_bias += by_value.sum()
    products_back(x, policy, legal, count, by_logits, by_x, by_policy, by_bias)
    at, used = heads_at(sizes), len(work) - n * x.shape[1]
    for k in range(len(sizes) - 2, 1, -1):
        inputs, outputs = sizes[k - 1], sizes[k]
        at -= outputs
        unrectify(by_x, x, slope[at : at + outputs])
        at -= inputs * outputs
        used -= n * inputs
        x = matrix(work, used, n, inputs)
        by_weight = np.dot(by_x.T, x).ravel()
        for i in range(len(by_weight)):
            slope[at + i] += by_weight[i]
        by_x = np.dot(by_x, matrix(parameters, at, outputs, inputs))
    at -= sizes[1]
    unrectify(by_x, x, slope[at : at + sizes[1]])
    add_transposed_product(entries, by_x, matrix(slope, 0, sizes[0], sizes[1]))


@compiled
def statistics(advantage: Floats, taught: Integers, minibatch: Integers) -> tuple[np.float32, np.float32, int]:
    """Mean and standard deviation of a minibatch's advantages; number of decisions that were taught."""
    chosen = advantage[minibatch].astype(np.float64)
    deviation = np.sqrt(((chosen - chosen.mean()) ** 2).sum() / max(len(chosen) - 1, 1))
    return np.float32(chosen.mean()), np.float32(deviation), (taught[minibatch] != NOBODY).sum()


@in_order
def loss_and_gradients(
    logits: Floats,
    value: Floats,
    decisions: Decisions,
    share: np.float32,
    imitation: np.float32,
    weights: Weights,
    figures: Floats,
) -> None:
    """Add to `figures`; put the gradients of the loss in place of the logits and values.

    Args:
        logits, value: outputs of the network for n decisions.
        decisions: what else is known of them; the advantages are as they are used.
        share, imitation: weight of each decision, and of each one's imitation if it was taught.
        weights: of the parts of the loss.
        figures: to be added to.
    """
    _, count, place, before, advantage, target, taught, reference = decisions
    clip_range, value_clip = np.float32(weights.clip_range), np.float32(weights.value_clip)
    entropy_weight, value_weight = np.float32(weights.entropy), np.float32(weights.value)
    divergence_weight = np.float32(weights.divergence)
    policy_loss = entropy_loss = value_loss = kl = outside = imitated = squares = error = agreed = 0.0
    refers = reference.shape[1] > 0
    exponentials = np.empty(logits.shape[1], np.float32)
    for i in range(len(logits)):
        row = logits[i, : count[i]]
        highest = row.max()
        total = np.float32(0)
        for k in range(len(row)):
            exponentials[k] = np.exp(row[k] - highest)
            total += exponentials[k]
        level = highest + np.log(total)
        weighted = np.float32(0)
        for k in range(len(row)):
            row[k] -= level
            weighted += exponentials[k] * row[k]
        negative_entropy = weighted / total
        agreement = np.float32(0)  # mean of the reference
        if refers:
            for k in range(len(row)):
                agreement += exponentials[k] * reference[i, k]
            agreement /= total
            agreed += float(agreement)
        change = row[place[i]] - before[i]
        ratio = np.exp(change)
        clipped = min(max(ratio, 1 - clip_range), 1 + clip_range)
        gain = min(advantage[i] * ratio, advantage[i] * clipped)
        miss = value[i] - target[i]
        policy_loss -= gain
        entropy_loss += float(negative_entropy)
        square = miss * miss
        value_loss += min(square, value_clip)
        squares += square
        error += miss
        kl += ratio - 1 - change
        outside += abs(ratio - 1) > clip_range
        cut = ratio > 1 + clip_range if advantage[i] > 0 else ratio < 1 - clip_range
        by_chosen = np.float32(0) if cut else -share * advantage[i] * ratio
        by_taught = np.float32(0)
        if taught[i] != NOBODY:
            imitated += row[taught[i]]
            by_taught = -imitation
        by_entropy = (entropy_weight + divergence_weight) * share
        for k in range(len(row)):
            by_k = by_entropy * (row[k] - negative_entropy) - by_chosen - by_taught
            if refers:
                by_k -= share * (reference[i, k] - agreement)
            row[k] = exponentials[k] / total * by_k
        row[place[i]] += by_chosen
        if taught[i] != NOBODY:
            row[taught[i]] += by_taught
        value[i] = 2 * value_weight * share * miss if square <= value_clip else np.float32(0)
    divergence = divergence_weight * entropy_loss - agreed
    loss = policy_loss + entropy_weight * entropy_loss + value_weight * value_loss + divergence
    figures[0] += share * loss - imitation * imitated
    figures[1] += share * policy_loss
    figures[2] += share * entropy_loss
    figures[3] += share * value_loss
    figures[4] += share * kl
    figures[5] += share * outside
    figures[6] += share * squares
    figures[7] += share * error


@in_order
def rectify(x: Floats, bias: Floats) -> None:
    """ReLU of `x` plus the bias, in place of `x`."""
    for i in range(len(x)):
        row = x[i]
        for h in range(len(row)):
            row[h] = max(row[h] + bias[h], np.float32(0))


@in_order
def unrectify(by_x: Floats, x: Floats, by_bias: Floats) -> None:
    """The gradients of ReLU and bias, whose output was `x`; that of their input in place of `by_x`."""
    for i in range(len(x)):
        row, by_row = x[i], by_x[i]
        for h in range(len(row)):
            by_row[h] = by_row[h] if row[h] > 0 else np.float32(0)
            by_bias[h] += by_row[h]
