"""Fuzz the program cache: a damaged program must be refused and never run."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np

from polytrix.core.compile.program_cache import ProgramFiles
from polytrix.core.game import Game

from .damage import damaged, put


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """Each try loads a damaged file of a compiled program.

    Args:
        game: unused; the cache does not depend on the game.
        folder: an empty folder.

    Returns:
        The function that makes a try. Outcomes: "refused", or "taken" for an undamaged file only.
    """
    files, other = ProgramFiles(folder, "program"), ProgramFiles(folder, "other")
    whole, foreign = (_compiled(each, factor) for each, factor in ((files, 3), (other, 5)))
    path, key, expected = files.path(_KEY), _KEY, _run(files.load(_KEY))

    def attempt(rng: np.random.Generator) -> str:
        if rng.random() < 0.05:
            data = foreign  # undamaged, but of another program
        elif rng.random() < 0.05:
            data = foreign[: len(foreign) // 2] + whole[len(whole) // 2 :]
        elif rng.random() < 0.05:
            data = whole
        else:
            data = damaged(whole, rng, foreign)
        put(path, data)
        try:
            loaded = files.load(key)
        except Exception as error:
            raise AssertionError(f"loading a damaged program raised {error!r}") from error
        if loaded is None:
            assert data != whole, "a whole program was refused"
            return "refused"
        assert data == whole, "a damaged program was taken"
        assert _run(loaded) == expected, "a program gives other results after loading"
        return "taken"

    return attempt


_KEY = ("int64(int64)", ("any", "machine"))


def _compiled(files: ProgramFiles, factor: int) -> bytes:
    """The bytes of a cache file with the machine code of a small function."""
    from numba import njit
    from numba.core.caching import CompileResultCacheImpl

    def times(x: int) -> int:
        return x * factor

    compiled = njit("int64(int64)")(times)
    (made,) = compiled.overloads.values()
    files.save(_KEY, CompileResultCacheImpl.reduce(None, made))
    return files.path(_KEY).read_bytes()


def _run(reduced: object) -> int:
    """The result of the machine code for 14."""
    from numba.core import compiler
    from numba.core.registry import cpu_target

    made = compiler.CompileResult._rebuild(cpu_target.target_context, *pickle.loads(pickle.dumps(reduced)))
    return int(made.entry_point(14))
