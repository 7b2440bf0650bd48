"""Numba's on-disk cache, with one file pair per program, named by its fingerprint.

Numba's own cache names files by function and trusts the time stamp of the one file the
function stands in, so a change in another file would go unnoticed, and two processes
could give two programs one name. Here the name says what the program is.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pickle import UnpicklingError
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

from .compiler import cache_directory

_announced: set[str] = set()


class ProgramCache(FunctionCache):  # type: ignore[misc]
    """Cache of one dispatcher's compiled signatures under `<cache directory>/<name>.*`."""

    def __init__(self, function: Any, name: str) -> None:
        self._name = name
        self._py_func = function
        self._impl = CompileResultCacheImpl.__new__(CompileResultCacheImpl)
        self._cache_path = str(cache_directory())
        self._cache_file = IndexDataCacheFile(self._cache_path, filename_base=name, source_stamp=None)
        self.enable()

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (sig, codegen.magic_tuple())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The cached program, or None. A damaged or unreadable file counts as missing."""
        try:
            loaded = super().load_overload(sig, target_context)
        except Exception:
            loaded = None
        if loaded is None:
            self._announce()
        return loaded

    def _announce(self) -> None:
        """Say, once per game, why the first call takes so long."""
        game = self._name.split("-")[0]
        if game not in _announced:
            _announced.add(game)
            message = f"polytrix: compiling {game}, once on this machine (see `polytrix warmup`) ..."
            print(message, file=sys.stderr)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a program; without a writable directory it lives in memory only."""
        if not self._impl.check_cachable(data):
            return
        key, reduced = self._index_key(sig, data.codegen), self._impl.reduce(data)
        with suppress(OSError):
            cache_directory().mkdir(parents=True, exist_ok=True)
            try:
                self._cache_file.save(key, reduced)
            except (UnpicklingError, EOFError, ValueError, AttributeError, ImportError):  # a damaged index
                self._cache_file.flush()
                self._cache_file.save(key, reduced)
