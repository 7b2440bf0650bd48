"""A Ray cluster of three nodes on this machine."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.integrations.processes import descendants


class Nodes:
    """Three nodes with a core and a cache each.

    Args:
        folder: for the caches.
    """

    def __init__(self, folder: Path) -> None:
        from ray.cluster_utils import Cluster

        self.cluster = Cluster(initialize_head=False)
        self.caches = [folder / f"cache-{number}" for number in range(3)]
        self.nodes = [self.add(cache) for cache in self.caches]

    def add(self, cache: Path) -> Any:
        """A node. Ray gives up one that has not begun after 30 s, as on a busy machine."""
        little: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}
        for _ in range(20):
            with suppress(Exception):
                return self.cluster.add_node(env_vars={"POLYTRIX_CACHE": str(cache)}, **little)
        raise AssertionError("no node has begun")

    def processes(self, number: int) -> set[int]:
        """The processes of a node."""
        (raylet,) = self.nodes[number].all_processes["raylet"]
        return descendants(raylet.process.pid)

    def kill(self, number: int) -> None:
        """End a node as a power cut would."""
        for process in self.processes(number):
            os.kill(process, signal.SIGKILL)

    def programs(self, number: int) -> dict[str, int]:
        """When each program of a node was compiled."""
        return {file.name: file.stat().st_mtime_ns for file in self.caches[number].glob("*.program")}
