"""What a policy is: a batched callable that sees observations and masks, and nothing else."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from polytrix.core.errors import PolicyError
from polytrix.core.state import ByteArray, IntArray


class Policy(Protocol):
    """Chooses an action for each of some decisions, of whatever games and seats.

    A policy may carry an attribute `name` (text for tables and logs; the pool of a training
    run tells its members apart by it), and one of the package's own an attribute `built_in`:
    the number under which it also runs inside the compiled loop.
    """

    def __call__(
        self, observation: ByteArray, mask: ByteArray, rng: np.random.Generator
    ) -> npt.NDArray[np.integer]:
        """Choose.

        Args:
            observation: (n, O) int8, each row what the seat to move sees.
            mask: (n, A) int8, 1 where its action is legal.
            rng: the only source of randomness a policy should use.

        Returns:
            (n,) integers, a legal action for each row.
        """
        ...


def name_of(policy: Policy) -> str:
    """What to call a policy in tables: its `name`, or that of the function or class.

    >>> def cautious(observation, mask, rng): ...
    >>> name_of(cautious)
    'cautious'
    """
    for source in (policy, type(policy)):
        for attribute in ("name", "__name__"):
            name = getattr(source, attribute, None)
            if isinstance(name, str):
                return name
    return repr(policy)


def ask(policy: Policy, observation: ByteArray, mask: ByteArray, rng: np.random.Generator) -> IntArray:
    """The policy's actions, checked; arguments as for `Policy`.

    Returns:
        (n,) int64 legal actions.

    Raises:
        PolicyError: naming the policy, if it returns anything else.
    """
    actions = np.asarray(policy(observation, mask, rng))
    if actions.dtype.kind not in "iu":
        raise PolicyError(
            f"policy {name_of(policy)!r} returned actions of dtype {actions.dtype}; expected integers"
        )
    if actions.shape != mask.shape[:1]:
        raise PolicyError(
            f"policy {name_of(policy)!r} returned actions of shape {actions.shape}; "
            f"expected {mask.shape[:1]}, one per row"
        )
    known = (actions >= 0) & (actions < mask.shape[1])
    legal = known & (mask[np.arange(len(actions)), np.where(known, actions, 0)] != 0)
    if not legal.all():
        bad = int(np.flatnonzero(~legal)[0])
        raise PolicyError(
            f"policy {name_of(policy)!r} chose action {actions[bad]}, which is illegal there "
            f"({int(np.count_nonzero(mask[bad]))} actions are legal); choose where the mask is 1"
        )
    return actions.astype(np.int64, copy=False)
