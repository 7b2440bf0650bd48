"""What tests of several files need."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .playing import Server, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server in this process."""
    with serving(tmp_path) as made:
        yield made
