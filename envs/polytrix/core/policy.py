"""What a policy is: a batched callable that sees observations and action masks, and nothing else."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from .state import ByteArray


class Policy(Protocol):
    """Chooses an action for each decision in a batch, which may come from different games and seats.

    A policy may have an attribute `name`, for tables and logs; the pool of a training run identifies its
    members by it. A built-in policy has an attribute `built_in`, its number inside the compiled loop. A policy
    with the attribute `needs_states` is also a `StatePolicy`, and one with `remembers` a `RememberingPolicy`.
    """

    def __call__(
        self, observation: ByteArray, mask: ByteArray, rng: np.random.Generator
    ) -> npt.NDArray[np.integer]:
        """Choose an action for each row.

        Args:
            observation: (n, O) int8, the observations of the seats to move.
            mask: (n, A) int8, 1 where an action is legal.
            rng: the only source of randomness that a policy should use.

        Returns:
            (n,) integers, a legal action for each row.
        """
        ...
