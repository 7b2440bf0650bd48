"""What tests of several files need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def _ray() -> Iterator[None]:
    """Ray in this process, small."""
    import ray

    ray.init(num_cpus=2, object_store_memory=300 * 2**20, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()
