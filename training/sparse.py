"""Sparse first and last layers of a network.

Most entries of an observation are 0, and few actions are legal at a time. On a CPU these layers use only the
weights that matter, about a tenth of them for Quatrix. They are compiled by Numba and have gradients for
PyTorch. On a GPU they multiply dense matrices.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from numba import njit
from torch.nn import functional

ILLEGAL = -1e9
"""Logit of entries without an action. It is finite, so that p * log(p) is 0 there."""

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[Any]

compiled = njit(fastmath=True, nogil=True, cache=True, error_model="numpy")


def first_layer(observation: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """`observation @ weight + bias` for int8 observations (n, O), weight (O, H) and bias (H,).

    >>> first_layer(torch.tensor([[0, 2]], dtype=torch.int8), torch.eye(2), torch.ones(2))
    tensor([[1., 3.]])
    """
    if observation.is_cuda:
        return dense_first_layer(observation, weight, bias)
    return _FirstLayer.apply(observation, weight, bias)  # type: ignore[no-any-return, no-untyped-call]


def legal_logits(
    hidden: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, legal: torch.Tensor, count: torch.Tensor
) -> torch.Tensor:
    """The entries of `hidden @ weight.T + bias` (n, A) at the legal actions.

    Args:
        hidden: (n, H).
        weight, bias: (A, H) and (A,).
        legal: (n, W) int16, each row begins with its legal actions.
        count: (n,) int32, number of legal actions.

    Returns:
        (n, W), ILLEGAL from index `count` on.

    >>> both = torch.tensor([[1, 0]], dtype=torch.int16)
    >>> legal_logits(torch.ones(1, 2), torch.eye(2), torch.tensor([0.0, 5.0]), both, torch.tensor([1]))
    tensor([[ 6.0000e+00, -1.0000e+09]])
    """
    if hidden.is_cuda:
        return dense_legal_logits(hidden, weight, bias, legal, count)
    return _LegalLogits.apply(hidden, weight, bias, legal, count)  # type: ignore[no-any-return, no-untyped-call]


def dense_first_layer(observation: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """`first_layer` with dense matrices."""
    return observation.float() @ weight + bias


def dense_legal_logits(
    hidden: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, legal: torch.Tensor, count: torch.Tensor
) -> torch.Tensor:
    """`legal_logits` with dense matrices."""
    beyond = torch.arange(legal.shape[1], device=legal.device) >= count[:, None]
    logits = functional.linear(hidden, weight, bias).gather(1, legal.long())
    return logits.masked_fill(beyond, ILLEGAL)


class _FirstLayer(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, observation: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        seen = observation.numpy()
        weight = weight.contiguous()
        ctx.entries = entries(seen)
        ctx.inputs = seen.shape[1]
        out = np.empty((len(seen), weight.shape[1]), np.float32)
        add_rows(*ctx.entries, weight.detach().numpy(), bias.detach().numpy(), out)
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        (gradient,) = gradients
        weight = np.zeros((ctx.inputs, gradient.shape[1]), np.float32)
        add_to_rows(*ctx.entries, gradient.contiguous().numpy(), weight)
        return None, torch.from_numpy(weight), gradient.sum(0)


class _LegalLogits(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        hidden: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor,
        legal: torch.Tensor,
        count: torch.Tensor,
    ) -> torch.Tensor:
        ctx.arrays = tuple(each.detach().contiguous().numpy() for each in (hidden, weight, legal, count))
        logits = np.full(legal.shape, ILLEGAL, np.float32)
        products(*ctx.arrays, bias.detach().numpy(), logits)
        return torch.from_numpy(logits)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        hidden, weight, _, _ = ctx.arrays
        outs = np.zeros_like(hidden), np.zeros_like(weight), np.zeros(len(weight), np.float32)
        products_back(*ctx.arrays, gradients[0].contiguous().numpy(), *outs)
        return *map(torch.from_numpy, outs), None, None


# -- compiled loops ---------------------------------------------------------------------------


def entries(observation: npt.NDArray[np.int8]) -> tuple[Integers, Integers, Integers]:
    """The nonzero entries in CSR form: start of each row (n + 1,), columns, values."""
    start = np.empty(len(observation) + 1, np.int64)
    column = np.empty(observation.size + 1, np.int16)
    value = np.empty(observation.size + 1, np.int8)
    find_entries(observation, start, column, value)
    return start, column, value


@compiled  # type: ignore[untyped-decorator]
def find_entries(observation: npt.NDArray[np.int8], start: Integers, column: Integers, value: Integers) -> None:
    """Fill the arrays of `entries`, without branches (they would be mispredicted)."""
    found = 0
    for i in range(len(observation)):
        start[i] = found
        for j in range(observation.shape[1]):
            x = observation[i, j]
            column[found] = j
            value[found] = x
            found += x != 0
    start[len(observation)] = found


@compiled  # type: ignore[untyped-decorator]
def add_rows(
    start: Integers, column: Integers, value: Integers, weight: Floats, bias: Floats, out: Floats
) -> None:
    """out[i] = bias + sum of value * weight[column] over the nonzero entries of row i."""
    for i in range(len(out)):
        row = out[i]
        row[:] = bias
        for k in range(start[i], start[i + 1]):
            x = np.float32(value[k])
            added = weight[column[k]]
            for h in range(len(row)):
                row[h] += x * added[h]


@compiled  # type: ignore[untyped-decorator]
def add_to_rows(start: Integers, column: Integers, value: Integers, gradient: Floats, weight: Floats) -> None:
    """weight[column] += value * gradient[i] for the nonzero entries of row i."""
    for i in range(len(gradient)):
        added = gradient[i]
        for k in range(start[i], start[i + 1]):
            x = np.float32(value[k])
            row = weight[column[k]]
            for h in range(len(row)):
                row[h] += x * added[h]


@compiled  # type: ignore[untyped-decorator]
def products(
    hidden: Floats, weight: Floats, legal: Integers, count: Integers, bias: Floats, logits: Floats
) -> None:
    """logits[i, k] = hidden[i] . weight[legal[i, k]] + bias[legal[i, k]]."""
    for i in range(len(hidden)):
        row = hidden[i]
        for k in range(count[i]):
            action = legal[i, k]
            other = weight[action]
            product = np.float32(0)
            for h in range(len(row)):
                product += row[h] * other[h]
            logits[i, k] = product + bias[action]


@compiled  # type: ignore[untyped-decorator]
def products_back(
    hidden: Floats,
    weight: Floats,
    legal: Integers,
    count: Integers,
    gradient: Floats,
    hidden_gradient: Floats,
    weight_gradient: Floats,
    bias_gradient: Floats,
) -> None:
    """The gradients of `products`."""
    for i in range(len(hidden)):
        row = hidden[i]
        row_gradient = hidden_gradient[i]
        for k in range(count[i]):
            action = legal[i, k]
            x = gradient[i, k]
            other = weight[action]
            other_gradient = weight_gradient[action]
            bias_gradient[action] += x
            for h in range(len(row)):
                row_gradient[h] += x * other[h]
                other_gradient[h] += x * row[h]
