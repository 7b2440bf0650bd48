"""A Ray cluster, for work that can be done side by side: calls of functions become its tasks, one to a core.

polytrix is installed on all nodes, in the same version. Nothing else is shared: what a call needs goes with it,
and its result comes back. If a node is lost, Ray makes its unfinished calls again on another one.
"""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

QUIET: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
"""Arguments of `ray.init`: the scripts say themselves what happens."""


class Cluster:
    """The cluster to which this process belongs: see `joined`."""

    def __init__(self) -> None:
        import ray

        self._put, self._pickle = ray.put, ray.cloudpickle
        self._call = ray.remote(max_retries=-1)(lambda function, *arguments: function(*arguments))

    def share(self, value: object) -> Any:
        """What to give to several calls for an object, which is sent once to each node. They get it pickled.

        Ray's own copies would have arrays that cannot be written.
        """
        module = sys.modules[type(value).__module__]
        if module.__name__.endswith(".py"):  # a file that was given; its name cannot be imported
            self._pickle.register_pickle_by_value(module)
        return self._put(self._pickle.dumps(value))

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Call a function of an installed module on some node."""
        future: Future[Any] = self._call.remote(function, *arguments).future()
        return future


def join(address: str) -> None:
    """Make this process one of a Ray cluster.

    Args:
        address: HOST:PORT, or auto for the cluster that this machine belongs to.

    Raises:
        SystemExit: there is no such cluster, or Ray is not installed.
    """
    try:
        import ray
    except ModuleNotFoundError:
        raise SystemExit("a cluster needs Ray: pip install 'polytrix[rllib]'") from None
    try:
        host, separator, port = address.rpartition(":")
        if separator:  # Ray itself would try for many minutes
            socket.create_connection((host, int(port)), timeout=30).close()
        ray.init(address=address, **QUIET)
    except (OSError, ValueError, OverflowError) as error:
        raise SystemExit(
            f"cannot join a Ray cluster at {address!r} ({error}). Start one by `ray start --head`; "
            "if it wants its token, set RAY_AUTH_MODE=token"
        ) from None


@contextmanager
def joined(address: str) -> Iterator[Cluster | None]:
    """A block with a cluster, or None for the address "". Calls that are unfinished at its end are given up."""
    if not address:
        yield None
        return
    join(address)
    import ray

    try:
        yield Cluster()
    finally:
        ray.shutdown()
