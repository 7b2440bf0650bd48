"""The decisions from which `fast_ppo.py` learns, and what is computed from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from polytrix.core.game import Game
from polytrix.core.state import FloatArray, IntArray
from polytrix.learning import sparse
from polytrix.learning.advantages import OPEN, estimate
from polytrix.learning.ppo_loss import NOBODY


class Samples:
    """The rollout buffer: decisions in chronological order, each linked to the next one of the same seat.

    What the network reads and answers lies on its device; what follows from the games in main memory.

    Args:
        arrays: arrays and tensors by the names below.
        rows: the rows of them that this buffer consists of; there may be other buffers in the others.
        entries: space for the entries of all observations, or None.

    Attributes:
        whole: the arrays with all their rows.
        entries: on a CPU, space for the entries of all their observations.
        first: number of the first row of this buffer in them.
        observation, legal, count: (N, O) int8, (N, L) int16 and (N,) int32, what the seat could see and do;
            tensors on the device.
        place, log_probability, value: (N,), index of the chosen action among the legal ones, and the network's
            outputs; likewise.
        taught: (N,) int64, index of the greedy policy's action among the legal ones, or NOBODY; from here on
            NumPy arrays.
        potential: (N,) float32, potential of the seat, for shaping.
        reward: (N,) float32, reward until the seat's next decision.
        next: (N,) int64, index of that decision, END or OPEN.
        size: number of decisions; the rest of each array is unused.
    """

    observation: Tensor
    legal: Tensor
    count: Tensor
    place: Tensor
    log_probability: Tensor
    value: Tensor
    taught: IntArray
    potential: FloatArray
    reward: FloatArray
    next: IntArray

    def __init__(self, arrays: Mapping[str, Any], rows: slice, entries: sparse.Entries | None) -> None:
        self.whole, self.first, self.entries = arrays, rows.start, entries
        vars(self).update({name: array[rows] for name, array in arrays.items()})
        self.size = 0

    def arrays(self) -> dict[str, Any]:
        """The rows of each array or tensor, by name."""
        return {name: getattr(self, name) for name in self.whole}

    def used(self, size: int | None = None) -> dict[str, npt.NDArray[Any]]:
        """The used part of each array, or its first rows, as a NumPy array, by name."""
        rows = slice(self.size if size is None else size)
        return {
            name: array[rows].cpu().numpy() if isinstance(array, Tensor) else array[rows]
            for name, array in self.arrays().items()
        }

    def fill(self, used: Mapping[str, npt.NDArray[Any]]) -> None:
        """Hold these decisions only, given as by `used`."""
        self.size = len(used["next"])
        for name, array in self.arrays().items():
            given = used[name]
            array[: self.size] = torch.from_numpy(given) if isinstance(array, Tensor) else given

    def add(self, count: int) -> slice:
        """Add the decisions of a step, which are open and have no reward yet; the slice of their indices."""
        new = slice(self.size, self.size + count)
        self.size += count
        self.reward[new] = 0.0
        self.next[new] = OPEN
        self.taught[new] = NOBODY
        return new

    def keep(self, numbers: IntArray) -> None:
        """Keep only these decisions, moved to the front."""
        for array in self.arrays().values():
            array[: len(numbers)] = array[torch.from_numpy(numbers) if isinstance(array, Tensor) else numbers]
        self.size = len(numbers)


def new_samples(game: Game, capacities: Sequence[int], device: torch.device) -> list[Samples]:
    """Empty buffers beside each other, for so many decisions each."""
    total = sum(capacities)

    def on_device(dtype: torch.dtype, *columns: int) -> Tensor:
        return torch.zeros((total, *columns), dtype=dtype, device=device)

    whole = {
        "observation": on_device(torch.int8, game.observations.size),
        "legal": on_device(torch.int16, game.max_legal),
        "count": on_device(torch.int32),
        "place": on_device(torch.int64),
        "log_probability": on_device(torch.float32),
        "value": on_device(torch.float32),
        "taught": np.zeros(total, np.int64),
        "potential": np.zeros(total, np.float32),
        "reward": np.zeros(total, np.float32),
        "next": np.zeros(total, np.int64),
    }
    dense = sparse.computes_densely(on_device(torch.int8, 0))
    entries = None if dense else sparse.no_entries(total, game.observations.size)
    stops = list(accumulate(capacities, initial=0))
    return [Samples(whole, slice(*rows), entries) for rows in pairwise(stops)]


def advantages(samples: Samples, gamma: float, gae_lambda: float) -> tuple[FloatArray, FloatArray]:
    """Generalised advantage estimation along each seat's own decisions.

    Returns:
        Advantages and targets of the value (N,) float32. The value of an open decision bootstraps the
        decisions before it; its own advantage is 0.
    """
    value = samples.value[: samples.size].cpu().numpy()
    advantage = estimate(samples.next, samples.reward, value, np.float32(gamma), np.float32(gae_lambda))
    return advantage, advantage + value


def closed(samples: Samples) -> IntArray:
    """Indices of the decisions that are not open, (D,)."""
    return np.flatnonzero(samples.next[: samples.size] != OPEN)
