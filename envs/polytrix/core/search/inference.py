"""A network in the compiled subset: its units from an observation, and outputs of its heads.

The guided search asks it in every new node. Inputs and units that are 0 cost nothing, and of the policy only
the logits of legal actions are computed. `NetworkPolicy` does the same with NumPy, many observations at once.

The caller allocates the arrays, once; nothing here allocates.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..state import ByteArray, FloatArray, IntArray
from .hashing import WORD

LANES = 16
"""Numbers of units are multiples of it, as `dot` needs."""

RELU, TANH = range(2)
"""Activations of a network."""


class Net(NamedTuple):
    """A network with two heads.

    That of the policy has a logit for each action, that of the values one value for each relative seat: the
    mover's, the next seat's, and so on. A network of beliefs has instead a logit for each action of the next
    seat, then of the one after it, and so on, and no values; without any `sizes` there are no beliefs.

    Args:
        parameters: weights and biases of each hidden layer and the two heads, one after another. The weights
            of hidden layers are (inputs, outputs), those of the heads (outputs, units). The numbers of units
            are multiples of LANES.
        sizes: number of inputs, units of each hidden layer, outputs of the first and of the second head.
        activation: RELU or TANH.
    """

    parameters: FloatArray
    sizes: IntArray
    activation: int


class InferenceScratch(NamedTuple):
    """Scratch space of networks, and what they say of a position."""

    words: npt.NDArray[np.int32]  # words of the observation that are not 0
    active: npt.NDArray[np.int32]  # inputs of a layer that are not 0
    amount: FloatArray  # their values
    units: FloatArray  # (widest layer,)
    sums: FloatArray  # (a quarter of the widest layer,)
    prior: FloatArray  # (max_legal,) probabilities of the legal actions
    belief: FloatArray  # (P - 1, A) probabilities of each other seat's hidden action; no rows without beliefs


def infer_units(net: Net, observation: ByteArray, scratch: InferenceScratch) -> int:
    """Write the units of the last hidden layer; return where the first head's parameters begin.

    Args:
        net: the network.
        observation: its inputs, in an array from `room_for_observation`.
        scratch: gets the units.
    """
    sizes, parameters = net.sizes, net.parameters
    layers = sizes.shape[0] - 3
    at = 0
    used = gather_entries(observation, scratch)
    for k in range(layers):
        inputs, outputs = int(sizes[k]), int(sizes[k + 1])
        bias = at + inputs * outputs
        y = scratch.units[:outputs]
        for j in range(outputs):
            y[j] = parameters[bias + j]
        add_rows(parameters[at:bias], used, y, scratch)
        for j in range(outputs):
            y[j] = max(y[j], np.float32(0)) if net.activation == RELU else np.float32(math.tanh(y[j]))
        if k < layers - 1:
            used = gather_units(outputs, scratch)
        at = bias + outputs
    return at


def output_at(head: int, number: int, outputs: int, net: Net, scratch: InferenceScratch) -> float:
    """An output of a head, from the units of the last hidden layer.

    Args:
        head: where its parameters begin.
        number: of the output.
        outputs: how many the head has.
        net: the network.
        scratch: has the units.
    """
    width, parameters = int(net.sizes[-3]), net.parameters
    row = head + number * width
    product = dot(scratch.units[:width], parameters[row : row + width], scratch.sums)
    return product + float(parameters[head + outputs * width + number])


def softmax(logits: FloatArray, count: int) -> None:
    """Replace the first `count` logits by their probabilities."""
    highest = -np.inf
    for i in range(count):
        highest = max(highest, float(logits[i]))
    total = 0.0
    for i in range(count):
        logits[i] = math.exp(logits[i] - highest)
        total += logits[i]
    for i in range(count):
        logits[i] /= total


def index_at(probabilities: FloatArray, count: int, number: float) -> int:
    """The index at a number from 0 to 1 in the distribution of the first `count` indices."""
    index = 0
    while index < count - 1 and number >= probabilities[index]:
        number -= probabilities[index]
        index += 1
    return index


def gather_entries(observation: ByteArray, scratch: InferenceScratch) -> int:
    """Write the entries of the observation that are not 0, and which these are; return their number.

    Most words of entries are 0. No loop has a branch, as it would often be predicted wrongly.
    """
    active, amount = scratch.active, scratch.amount
    words = observation.view(np.uint64)
    used = 0
    for k in range(words.shape[0]):
        scratch.words[used] = k
        used += int(words[k] != 0)
    found, used = used, 0
    for k in range(found):
        for i in range(WORD * scratch.words[k], WORD * (scratch.words[k] + 1)):
            active[used] = i
            amount[used] = observation[i]
            used += int(observation[i] != 0)
    return used


def gather_units(outputs: int, scratch: InferenceScratch) -> int:
    """The same for the units of a hidden layer."""
    units, active, amount = scratch.units, scratch.active, scratch.amount
    used = 0
    for i in range(outputs):
        active[used] = i
        amount[used] = units[i]
        used += int(units[i] != 0)
    return used


def add_rows(weights: FloatArray, used: int, y: FloatArray, scratch: InferenceScratch) -> None:
    """Add the rows of the active inputs times these; four at a time, so that `y` is read less often."""
    outputs = y.shape[0]
    active, amount = scratch.active, scratch.amount
    whole = used // 4 * 4
    for k in range(0, whole, 4):
        a, b, c, d = amount[k], amount[k + 1], amount[k + 2], amount[k + 3]
        p = weights[active[k] * outputs : (active[k] + 1) * outputs]
        q = weights[active[k + 1] * outputs : (active[k + 1] + 1) * outputs]
        r = weights[active[k + 2] * outputs : (active[k + 2] + 1) * outputs]
        t = weights[active[k + 3] * outputs : (active[k + 3] + 1) * outputs]
        for j in range(outputs):
            y[j] += a * p[j] + b * q[j] + c * r[j] + d * t[j]
    for k in range(whole, used):
        a = amount[k]
        p = weights[active[k] * outputs : (active[k] + 1) * outputs]
        for j in range(outputs):
            y[j] += a * p[j]


def dot(a: FloatArray, b: FloatArray, sums: FloatArray) -> float:
    """The dot product of two arrays, whose size is a multiple of LANES.

    The four quarters of the products are added to each other, then those of the sums, and so on. This
    fills vector registers, and the order of additions does not depend on their width.
    """
    count = b.shape[0] // 4
    for j in range(count):
        sums[j] = (a[j] * b[j] + a[count + j] * b[count + j]) + (
            a[2 * count + j] * b[2 * count + j] + a[3 * count + j] * b[3 * count + j]
        )
    while count % 4 == 0:
        count //= 4
        for j in range(count):
            sums[j] = (sums[j] + sums[count + j]) + (sums[2 * count + j] + sums[3 * count + j])
    total = 0.0
    for j in range(count):
        total += sums[j]
    return total
