"""A fuzzing kind in which some tries crash, hang or fail, to test the fuzz command."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from polytrix.core.game import Game

CRASH, HANG, FAIL, RAISE = 3, 5, 8, 13


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """Each try recognises its number by the state of its generator."""
    assert not list(folder.iterdir())
    numbers = {np.random.default_rng([0, number]).integers(1 << 60): number for number in range(20)}

    def attempt(rng: np.random.Generator) -> str:
        number = numbers[rng.integers(1 << 60)]
        if number == CRASH:
            os.kill(os.getpid(), signal.SIGSEGV)
        if number == HANG:
            time.sleep(1000)
        assert number != FAIL, "this must not happen"
        if number == RAISE:
            raise KeyError("nobody expects it")
        return "even" if number % 2 == 0 else "odd"

    return attempt
