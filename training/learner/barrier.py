"""A point at which threads in compiled code wait for each other, without Python's help.

They wait actively: what is between two such points takes milliseconds, and to wake a sleeping thread can take
a tenth of that.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from polytrix.learning.sparse import compiled

_LINE = 8  # integers in a cache line, so that no thread writes where another one reads something else


def new_barrier(threads: int) -> npt.NDArray[np.int64]:
    """A barrier for so many threads: how often each has arrived, the first integer of each row."""
    return np.zeros((threads, _LINE), np.int64)


@intrinsic  # type: ignore[untyped-decorator]
def _load(context: Any, array: Any, index: Any) -> Any:
    """An integer of a 1-D array, as other threads have last written it."""

    def generated(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.load_atomic(builder.gep(data, [arguments[1]]), "acquire", 8)

    return types.int64(array, types.int64), generated


@intrinsic  # type: ignore[untyped-decorator]
def _store(context: Any, array: Any, index: Any, value: Any) -> Any:
    """Write an integer of a 1-D array, after all that was written before."""

    def generated(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = make_array(signature.args[0])(context, builder, arguments[0]).data
        builder.store_atomic(arguments[2], builder.gep(data, [arguments[1]]), "release", 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generated


@compiled
def meet(barrier: npt.NDArray[np.int64], thread: int) -> None:
    """Wait until all threads have called this as often as the caller, thread number `thread`.

    All must be running, each in a thread of its own. What they wrote before is seen by all afterwards.
    """
    arrived, line = barrier.reshape(-1), barrier.shape[1]
    times = arrived[thread * line] + 1
    _store(arrived, thread * line, times)
    for other in range(len(barrier)):
        while _load(arrived, other * line) < times:
            pass
