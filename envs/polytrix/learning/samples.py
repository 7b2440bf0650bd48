"""The decisions from which a learner learns, each linked to the next one of its seat."""

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

from . import sparse
from .advantages import END, OPEN, estimate
from .passes import Records
from .ppo_loss import NOBODY


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

    def records(self, rows: slice) -> Records:
        """Where compiled passes record some decisions, on a CPU."""
        tensors = self.observation, self.legal, self.count, self.place, self.log_probability, self.value
        return Records(*(each[rows].numpy() for each in tensors))

    # -- seats ------------------------------------------------------------------------------

    def link(
        self,
        opened: IntArray,
        rows: IntArray,
        mover: IntArray,
        shaping: float,
        potential: Any,
        gamma: float = 1,
    ) -> None:
        """Link each mover's open decision to its new one, with the shaping reward.

        Args:
            opened: (B, P) index of each seat's open decision in each game, or -1; in and out.
            rows, mover: (n,) games and seats of the last n decisions that were added.
            shaping: weight of the potential.
            potential: (n,) of the movers; not used where `shaping` is 0.
            gamma: discount of the potential.
        """
        new, before = np.arange(self.size - len(rows), self.size), opened[rows, mover]
        linked, before = before >= 0, before[before >= 0]
        self.next[before], opened[rows, mover] = new[linked], new
        if shaping:
            self.potential[new] = potential
            self.reward[before] += shaping * (gamma * potential[linked] - self.potential[before])

    def end(self, opened: IntArray, rows: IntArray, payoff: FloatArray, shaping: float) -> None:
        """Close the decisions of games that are over, in these rows, with their payoffs (n, P)."""
        seats = opened[rows] >= 0
        last = opened[rows][seats]
        self.reward[last] += payoff[seats]
        if shaping:
            self.reward[last] -= shaping * self.potential[last]
        self.next[last] = END
        opened[rows] = -1

    def keep_open(self, opened: IntArray) -> None:
        """Drop all decisions except open ones, which are learned from once their outcome is known."""
        kept = np.flatnonzero(self.next[: self.size] == OPEN)
        number = np.full(self.size, -1)
        number[kept] = np.arange(len(kept))
        opened[opened >= 0] = number[opened[opened >= 0]]
        for array in self.arrays().values():
            array[: len(kept)] = array[torch.from_numpy(kept) if isinstance(array, Tensor) else kept]
        self.size = len(kept)


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
