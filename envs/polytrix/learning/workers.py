"""Threads that share the work of training, on all cores that the process may use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, TypeVar

from loky import cpu_count
from threadpoolctl import ThreadpoolController

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def usable_cores() -> int:
    """Number of cores that this process may use: its CPU affinity and the limits of its container count."""
    return int(cpu_count())


def one_blas_thread() -> AbstractContextManager[Any]:
    """A context in which each matrix product of compiled code is computed by the thread that asks for it.

    Otherwise the library has threads of its own, for which the callers wait in turn.
    """
    limited: AbstractContextManager[Any] = _libraries().limit(limits=1, user_api="blas")
    return limited


@cache
def _libraries() -> Any:
    import scipy.linalg.cython_blas  # noqa: F401  # the library that Numba uses: it must be loaded to be found

    return ThreadpoolController()


class Workers:
    """A pool of threads. Compiled games, compiled layers and PyTorch's operations run in them at the same time.

    Args:
        threads: number of threads; 0: as many as there are usable cores.

    Attributes:
        threads: number of threads.

    >>> Workers(2).map(abs, [-1, 2, -3])
    [1, 2, 3]
    """

    def __init__(self, threads: int = 0) -> None:
        self.threads = threads or usable_cores()
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def map(self, function: Callable[[_Item], _Result], items: Iterable[_Item]) -> list[_Result]:
        """The results of a function for each item, in their order. With one thread, it is the caller's."""
        if self._pool is None:
            return [function(item) for item in items]
        running = [self._pool.submit(function, item) for item in items]
        try:
            return [each.result() for each in running]
        finally:
            wait(running)


def sum_of(shares: Sequence[Any]) -> Any:
    """The sum of tensors, in their order, in the first of them; None if that is None.

    >>> import torch
    >>> sum_of([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([4, 6])
    """
    total, *others = shares
    if total is not None:
        for other in others:
            total += other
    return total


ALONE = Workers(1)
"""No thread but the caller's."""
