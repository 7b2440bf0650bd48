"""Sparse first and last layers of a network.

Most entries of an observation are 0, and few actions are legal at a time. On a CPU these layers use only the
weights that matter, about a tenth of them for Quatrix. They are compiled by Numba and have gradients for
PyTorch. On a GPU they multiply dense matrices.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from polytrix.core import bits
from polytrix.core.compile.cached import cached_njit

ILLEGAL = -1e9
"""Logit of entries without an action. It is finite, so that p * log(p) is 0 there."""

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[Any]

compiled = cached_njit(fastmath=True, nogil=True, error_model="numpy", forceinline=True)
"""Compiles a function that runs without the interpreter's lock, and puts it into each compiled caller: a copy
that they share could round differently before and after it has come from the cache."""
in_order = cached_njit(fastmath={"contract"}, nogil=True, error_model="numpy", forceinline=True)
"""The same for loops that write to arrays while they read others, with every sum in the order in which it is
written. LLVM makes two versions of such a loop: with vectors, and one by one if the arrays may overlap, as far
as it can tell: arrays that lie close together may. If it could reorder sums, the two would round differently,
and what a network learns would depend on where its arrays happen to be in memory."""
size = compiled(bits.size)


def computes_densely(tensor: torch.Tensor) -> bool:
    """Whether to multiply whole matrices: faster on a GPU."""
    return tensor.is_cuda


class Inputs(nn.Module):
    """Weights and biases of the first layer. An input's weights are a row, so that few inputs need few rows."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(nn.init.orthogonal_(torch.empty(inputs, outputs), 2**0.5))
        self.bias = nn.Parameter(torch.zeros(outputs))


class Entries(NamedTuple):
    """The nonzero entries of n observations, scaled. The entries of an observation follow one another.

    Attributes:
        start, end: (n,) int64, index of the first one of each observation, and after its last one.
        column: int16 (or int32), the place of each in its observation.
        value: float32, each times its scale.
    """

    start: Integers
    end: Integers
    column: Integers
    value: Floats

    def index_select(self, dim: int, index: torch.Tensor) -> Entries:
        """Those of some observations; `dim` is 0, as of a tensor of observations. Nothing large is copied."""
        assert dim == 0
        rows = index.numpy()
        return self._replace(start=self.start[rows], end=self.end[rows])


def first_layer(
    observation: torch.Tensor | Entries, scale: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor
) -> torch.Tensor:
    """`(observation * scale) @ weight + bias`.

    Args:
        observation: (n, O) int8, or the `entries` of that for several passes over the same observations.
        scale: (O,), not learned.
        weight, bias: (O, H) and (H,).

    >>> first_layer(torch.tensor([[0, 2]], dtype=torch.int8), torch.ones(2), torch.eye(2), torch.ones(2))
    tensor([[1., 3.]])
    """
    if not isinstance(observation, Entries):
        if computes_densely(observation):
            return torch.addmm(bias, observation * scale, weight)
        observation = entries(observation, scale)
    return _FirstLayer.apply(observation, weight, bias)  # type: ignore[no-any-return, no-untyped-call]


def legal_logits(
    hidden: torch.Tensor, head: nn.Linear, legal: torch.Tensor, count: torch.Tensor
) -> torch.Tensor:
    """The entries of `head(hidden)` (n, A) at the legal actions.

    Args:
        hidden: (n, H).
        head: the last layer.
        legal: (n, W) int16, each row begins with its legal actions; what follows them is ignored.
        count: (n,) int32, number of legal actions.

    Returns:
        (n, W), ILLEGAL from index `count` on.

    >>> head = nn.Linear(2, 2).requires_grad_(False)
    >>> head.weight[:], head.bias[:] = torch.eye(2), torch.tensor([0.0, 5.0])
    >>> legal_logits(torch.ones(1, 2), head, torch.tensor([[1, 0]], dtype=torch.int16), torch.tensor([1]))
    tensor([[ 6.0000e+00, -1.0000e+09]])
    """
    if computes_densely(hidden):
        beyond = torch.arange(legal.shape[1], device=legal.device) >= count[:, None]
        logits = functional.linear(hidden, head.weight, head.bias).gather(1, legal.long().clamp(min=0))
        return logits.masked_fill(beyond, ILLEGAL)
    return _LegalLogits.apply(hidden, head.weight, head.bias, legal, count)  # type: ignore[no-any-return, no-untyped-call]


@torch.no_grad()
def draw(
    hidden: torch.Tensor, head: nn.Linear, legal: torch.Tensor, count: torch.Tensor, drawn: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw a legal action for each row, with the probabilities that belong to `legal_logits`. Without gradient.

    Args:
        hidden, head, legal, count: as for `legal_logits`.
        drawn: (n,) uniformly random numbers from 0 to 1.

    Returns:
        Indices into the legal actions (n,) int64, and their log-probabilities (n,).

    >>> head = nn.Linear(2, 2).requires_grad_(False)
    >>> head.bias[:] = 0.0
    >>> both, count = torch.tensor([[1, 0]], dtype=torch.int16), torch.tensor([2], dtype=torch.int32)
    >>> draw(torch.zeros(1, 2), head, both, count, torch.tensor([0.7]))
    (tensor([1]), tensor([-0.6931]))
    """
    logits = legal_logits(hidden, head, legal, count)
    if computes_densely(hidden):
        below = logits.softmax(1).cumsum(1)
        place = (below[:, :-1] <= drawn[:, None] * below[:, -1:]).sum(1)
        return place, logits.log_softmax(1).gather(1, place[:, None]).squeeze(1)
    place, log_probability = torch.empty_like(drawn, dtype=torch.int64), torch.empty_like(drawn)
    draw_places(logits.numpy(), count.numpy(), drawn.numpy(), place.numpy(), log_probability.numpy())
    return place, log_probability


class _FirstLayer(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, entries: Entries, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        ctx.entries, ctx.inputs = entries, len(weight)
        out = bias.detach().repeat(len(entries.start), 1)
        add_product(entries, weight.detach().numpy(), out.numpy())
        return out

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        (gradient,) = gradients
        weight = torch.zeros(ctx.inputs, gradient.shape[1])
        add_transposed_product(ctx.entries, gradient.contiguous().numpy(), weight.numpy())
        return None, weight, gradient.sum(0)


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
        logits = torch.full(legal.shape, ILLEGAL)
        products(*ctx.arrays, bias.detach().numpy(), logits.numpy())
        return logits

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        hidden, weight, _, _ = ctx.arrays
        outs = torch.zeros(hidden.shape), torch.zeros(weight.shape), torch.zeros(len(weight))
        products_back(*ctx.arrays, gradients[0].contiguous().numpy(), *(each.numpy() for each in outs))
        return *outs, None, None


# -- compiled loops ---------------------------------------------------------------------------


def entries(observation: torch.Tensor, scale: torch.Tensor) -> Entries:
    """The nonzero entries of observations (n, O) int8."""
    found = no_entries(*observation.shape)
    put_entries(observation, scale, found, 0)
    return found


def no_entries(rows: int, columns: int) -> Entries:
    """Entries of observations that are zero, with space for those of any others."""
    size = rows * (columns + 1)
    start, end = np.zeros((2, rows), np.int64)
    return Entries(start, end, np.empty(size, np.int16), np.empty(size, np.float32))


def put_entries(observation: torch.Tensor, scale: torch.Tensor, out: Entries, first: int) -> None:
    """Put the entries of observations (n, O) int8 into `no_entries`, for the rows from `first` on.

    Threads may do this at the same time for other rows: nothing is copied to join them.
    """
    rows, columns = observation.shape
    start = np.full(rows + 1, first * (columns + 1))
    find_entries(observation.numpy(), scale.numpy(), start, out.column, out.value)
    out.start[first : first + rows], out.end[first : first + rows] = start[:-1], start[1:]


@compiled
def find_entries(
    observation: npt.NDArray[np.int8], scale: Floats, start: Integers, column: Integers, value: Floats
) -> None:
    """Fill arrays of entries. The first item of `start` (n + 1,) says where to begin, the last one will say
    where they end.

    Vector instructions make a set, as bits, of the nonzero ones among 32 entries. What the rest of a row has is
    written without branches.
    """
    found = start[0]
    rows, columns = observation.shape
    for i in range(rows):
        start[i] = found
        row = observation[i]
        for first in range(0, columns - 31, 32):
            nonzero = np.uint32(0)
            for j in range(32):
                nonzero |= np.uint32(row[first + j] != 0) << np.uint32(j)
            left = np.int64(nonzero)
            while left:
                j = first + size((left & -left) - 1)
                column[found] = j
                value[found] = row[j] * scale[j]
                found += 1
                left &= left - 1
        for j in range(columns - columns % 32, columns):
            column[found] = j
            value[found] = row[j] * scale[j]
            found += row[j] != 0
    start[rows] = found


@in_order
def add_product(entries: Entries, matrix: Floats, out: Floats) -> None:
    """out += entries @ matrix, four entries at a time."""
    column, value = entries.column, entries.value
    for i in range(len(out)):
        row = out[i]
        k, last = entries.start[i], entries.end[i]
        while k + 4 <= last:
            a, b, c, d = (
                matrix[column[k]],
                matrix[column[k + 1]],
                matrix[column[k + 2]],
                matrix[column[k + 3]],
            )
            w, x, y, z = value[k], value[k + 1], value[k + 2], value[k + 3]
            for h in range(len(row)):
                row[h] += w * a[h] + x * b[h] + y * c[h] + z * d[h]
            k += 4
        while k < last:
            x = value[k]
            added = matrix[column[k]]
            for h in range(len(row)):
                row[h] += x * added[h]
            k += 1


@compiled
def add_transposed_product(entries: Entries, matrix: Floats, out: Floats) -> None:
    """out += entries.T @ matrix."""
    add_product(transposed(entries, len(out)), matrix, out)


@compiled
def transposed(entries: Entries, columns: int) -> Entries:
    """The entries by column: `column` has their rows, int32."""
    end = np.zeros(columns, np.int64)
    for i in range(len(entries.start)):
        for k in range(entries.start[i], entries.end[i]):
            end[entries.column[k]] += 1
    start = np.empty(columns, np.int64)
    total = 0
    for j in range(columns):
        start[j] = total
        total += end[j]
        end[j] = start[j]
    row, value = np.empty(total, np.int32), np.empty(total, np.float32)
    for i in range(len(entries.start)):
        for k in range(entries.start[i], entries.end[i]):
            j = entries.column[k]
            row[end[j]] = i
            value[end[j]] = entries.value[k]
            end[j] += 1
    return Entries(start, end, row, value)


@compiled
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


@compiled
def draw_places(
    logits: Floats, count: Integers, drawn: Floats, place: Integers, log_probability: Floats
) -> None:
    """Fill the results of `draw` from the logits of the legal actions."""
    below = np.empty(logits.shape[1], np.float32)
    for i in range(len(logits)):
        row = logits[i, : count[i]]
        highest = row.max()
        total = np.float32(0)
        for k in range(len(row)):
            total += np.exp(row[k] - highest)
            below[k] = total
        chosen = 0
        while chosen < len(row) - 1 and below[chosen] <= drawn[i] * total:
            chosen += 1
        place[i] = chosen
        log_probability[i] = row[chosen] - highest - np.log(total)


@compiled
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
    """Add the gradients of `products`; that of a logit without an action is ignored."""
    start = np.arange(len(count)) * legal.shape[1]
    entries = Entries(start, start + count, legal.reshape(-1), gradient.reshape(-1))
    add_product(entries, weight, hidden_gradient)
    add_transposed_product(entries, hidden, weight_gradient)
    for i in range(len(count)):
        for k in range(count[i]):
            bias_gradient[legal[i, k]] += gradient[i, k]
