"""What tests of several files need."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integrations.nodes import Nodes
from tests.integrations.processes import descendants


@pytest.fixture(scope="module")
def _ray() -> Iterator[None]:
    """Ray in this process, small."""
    import ray

    ray.init(num_cpus=2, object_store_memory=300 * 2**20, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Nodes]:
    """A Ray cluster of three nodes on this machine."""
    try:
        here = Nodes(tmp_path)
        yield here
        here.cluster.shutdown()
    finally:
        for process in descendants(os.getpid()) - {os.getpid()}:
            os.kill(process, signal.SIGKILL)
