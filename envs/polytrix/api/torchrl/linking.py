"""Link each seat's decision to its next one, in what a collector yields."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from tensordict import TensorDictBase

from polytrix.core.compile.cached import cached_njit
from polytrix.core.state import FloatArray, IntArray
from polytrix.learning.advantages import END, OPEN

from ..shared.learner import BoolArray


class LinkDecisions:
    """A post-processor for the batches of an `AllSeatsEnv`: `Collector(..., postproc=LinkDecisions())`.

    From decisions (B, T) it makes (N,), ordered by row, seat and time. In `next` each has what its seat saw
    at its next decision, zeros if the game ended before, and in `("next", "reward")` what the seat was paid
    until then. `terminated` are those after which the game ended. The last one of each seat in the batch is
    `done` and `truncated`, since another seat's come after it: `GAE` bootstraps from what it has in `next`.
    Decisions whose next one has not come yet wait for the next batch.

    So an object serves one collector, whose batches follow each other. It uses the memory of what it returns
    again: copy what you keep. `Collector` does, unless `return_same_td=True`.

    Raises:
        ValueError: a batch of another shape than (B, T), with B as in the first.
    """

    def __init__(self) -> None:
        self._rows = 0
        self._opened: IntArray = np.zeros((0, 0), np.int64)  # number of each seat's open decision, or -1
        self._kept: Any = None  # the open decisions
        self._paid: FloatArray = np.zeros(0, np.float32)  # what they were paid so far
        # for what is returned: new memory would take most of the time
        self._space: dict[str, TensorDictBase] = {}

    def __call__(self, batch: TensorDictBase) -> TensorDictBase:
        """The decisions whose outcome is known, also of earlier batches."""
        if batch.ndim != 2 or self._rows not in (0, len(batch)):
            wanted = f"({self._rows or 'rows'}, steps)"
            raise ValueError(f"the batch has shape {tuple(batch.shape)}; allowed: {wanted}, as collected")
        rewards = batch["next", "rewards"].numpy(force=True)
        seat = batch["seat"].numpy(force=True)
        begins, ends = batch["decisions"] == 0, batch["next", "terminated"][..., 0]
        if not self._rows:
            self._rows = len(batch)
            self._opened = np.full((self._rows, rewards.shape[-1]), -1)
        waiting = np.argwhere(self._opened >= 0)[np.argsort(self._opened[self._opened >= 0])]
        following = np.full(len(waiting) + batch.numel(), OPEN)
        paid = np.concatenate([self._paid, np.zeros(batch.numel(), np.float32)])
        link(
            len(waiting), seat, begins.numpy(force=True), ends.numpy(force=True), rewards,
            self._opened, following, paid,
        )  # fmt: skip
        seen = batch.exclude("next", "rewards", "collector").reshape(-1)
        stream = self._opened.shape[1] * np.arange(self._rows)[:, None] + seat
        streams = np.concatenate([waiting @ [self._opened.shape[1], 1], stream.reshape(-1)])
        taken = np.flatnonzero(following != OPEN)
        taken = taken[np.argsort(streams[taken], kind="stable")]
        kept = np.sort(self._opened[self._opened >= 0])
        open_ones = self._decisions(seen, kept).clone()
        result = self._decisions(seen, taken)
        result["next"] = self._outcomes(
            batch, seen, following[taken] - len(waiting), streams[taken], paid[taken]
        )
        self._kept, self._paid = open_ones, paid[kept]
        self._opened[self._opened >= 0] = np.searchsorted(kept, self._opened[self._opened >= 0])
        return result

    def _decisions(self, seen: TensorDictBase, numbers: IntArray) -> TensorDictBase:
        """Decisions that have waited, and those of the batch after them, by their numbers."""
        first = len(self._paid)
        found = self._select("decisions", seen, numbers - first)
        if (numbers < first).any():
            old = torch.from_numpy(np.flatnonzero(numbers < first))
            found[old] = self._kept[torch.from_numpy(numbers[numbers < first])]
        return found

    def _outcomes(
        self,
        batch: TensorDictBase,
        seen: TensorDictBase,
        following: IntArray,
        streams: IntArray,
        paid: FloatArray,
    ) -> TensorDictBase:
        """What comes after decisions: those `following` them, by numbers in the batch, and what was paid."""
        names = [name for name in batch["next"].keys() if name in seen.keys()]  # noqa: SIM118
        after = self._select("outcomes", seen.select(*names), following)
        ended = torch.from_numpy(following < 0)
        after[ended] = torch.zeros_like(after[ended])
        last = torch.from_numpy(np.append(streams[1:] != streams[:-1], True)[: len(streams)])
        flags = {"done": ended | last, "terminated": ended, "truncated": last & ~ended}
        for name, flag in flags.items():
            after[name] = flag[:, None]
        after["reward"] = torch.from_numpy(paid)[:, None]
        return after

    def _select(self, name: str, seen: TensorDictBase, numbers: IntArray) -> TensorDictBase:
        """Rows by their numbers, in memory that is used again; any row for a negative number."""
        space = self._space.get(name)
        if space is None or len(space) < len(numbers):
            space = self._space[name] = seen.new_empty(len(seen) + self._opened.size)
        chosen = torch.from_numpy(np.maximum(numbers, 0)).to(seen.device)
        found: TensorDictBase = seen.apply(
            lambda given, out: torch.index_select(given, 0, chosen, out=out),
            space[: len(numbers)],
            batch_size=[len(numbers)],
        )
        return found


@cached_njit(error_model="numpy")
def link(
    first: int,
    seat: IntArray,
    begins: BoolArray,
    ends: BoolArray,
    rewards: FloatArray,
    opened: IntArray,
    following: IntArray,
    paid: FloatArray,
) -> None:
    """Link each decision to its seat's next one, and add up what the seat is paid in between.

    Args:
        first: the number of decisions that have waited; those of the batch come after them, row by row.
        seat: (B, T) whose decisions they are.
        begins, ends: (B, T) whether a game begins with a decision, or ends with it.
        rewards: (B, T, P) what each seat is paid after a decision.
        opened: (B, P) number of each seat's open decision, or -1; in and out.
        following: (N,) number of the next decision, END or OPEN; out.
        paid: (N,) what the seat has been paid; in and out.
    """
    rows, steps = seat.shape
    for row in range(rows):
        for step in range(steps):
            if begins[row, step]:
                opened[row] = -1
            number = first + row * steps + step
            before = opened[row, seat[row, step]]
            if before >= 0:
                following[before] = number
            opened[row, seat[row, step]] = number
            for each in range(opened.shape[1]):
                if opened[row, each] >= 0:
                    paid[opened[row, each]] += rewards[row, step, each]
                    if ends[row, step]:
                        following[opened[row, each]] = END
                        opened[row, each] = -1
