"""Compiles functions of arrays, which call each other, with the cache of programs."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from .compiler import GENERATION, Mode, cache_name, fingerprint, runs_plain


def cached_njit(**flags: Any) -> Callable[[Any], Any]:
    """A decorator like `numba.njit(cache=True, **flags)`, but with polytrix's cache.

    Numba's own would unpickle programs from `__pycache__`, from the user's cache or, without a home, from a
    folder `~` of the working directory; with none of them it fails. It also misses changes of called functions.
    """

    def compile_with_cache(function: FunctionType) -> Any:
        if runs_plain(Mode.COMPILED):
            return function
        from numba import njit

        from .program_cache import ProgramCache

        dispatcher = njit(**flags)(function)
        compile_anew = dispatcher.compile

        def compile_or_load(signature: Any) -> Any:
            if not isinstance(dispatcher._cache, ProgramCache):  # not earlier: what it calls may follow it
                mark = fingerprint(function, {}, extra=f"{GENERATION} {sorted(flags.items())}")
                name = cache_name(function, Mode.COMPILED, mark)
                dispatcher._cache = ProgramCache(function, name, missing=lambda: None)
            return compile_anew(signature)

        dispatcher.compile = compile_or_load
        return dispatcher

    return compile_with_cache
