"""Games that were loaded are played by checked programs, with equal results, and never break anything."""

from __future__ import annotations

from typing import Any

from polytrix.core.simulator import Simulator
from tests.toys import SECRET


def simulator(count: int = 3, seed: int = 1, **settings: Any) -> Simulator:
    return Simulator(SECRET, count, seed=seed, **settings)
