"""Numba's on-disk cache, with one file per program and signature, named by fingerprint.

Numba's own cache names files by function and trusts the time stamp of the one file that
defines it, so a change in another file would go unnoticed, and two processes could give two
programs the same name. Here the name identifies the program.

A file begins with a hash of its name and of all that follows, which is checked first: a damaged
file is never unpickled and never run. This detects accidents; `cache_directory` guards against
planted code.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.serialize import dumps

from ..files import make_private, whole_file
from .cache_directory import cache_directory

DIGEST_SIZE = hashlib.sha256().digest_size


class ProgramFiles:
    """The files of one program: what `FunctionCache` calls its cache file.

    Args:
        directory: where they are.
        name: of the program; its files are called `<name>.<signature>.program`.
    """

    def __init__(self, directory: Path, name: str) -> None:
        self.directory = directory
        self.name = name

    def path(self, key: Any) -> Path:
        """The file for a signature and kind of machine."""
        mark = hashlib.sha256(f"{numba.__version__} {key!r}".encode()).hexdigest()[:16]
        return self.directory / f"{self.name}.{mark}.program"

    def load(self, key: Any) -> Any:
        """What was saved under this key; None if it is missing or damaged."""
        path = self.path(key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        content = memoryview(data)[DIGEST_SIZE:]
        if data[:DIGEST_SIZE] != _digest(path, content):
            return None
        return pickle.loads(content)

    def save(self, key: Any, data: Any) -> None:
        """Save data under this key; OSError if that is not possible."""
        path, content = self.path(key), dumps(data)
        make_private(self.directory)
        with whole_file(path) as file:
            file.write(_digest(path, content))
            file.write(content)


def _digest(path: Path, content: bytes | memoryview) -> bytes:
    digest = hashlib.sha256(path.name.encode() + b"\n")
    digest.update(content)
    return digest.digest()


class ProgramCache(FunctionCache):  # type: ignore[misc]
    """Cache of one dispatcher's compiled signatures under `<cache directory>/<name>.*`.

    Args:
        function: the Python function of the driver.
        name: of the program.
        missing: called when the program is not there, just before it is compiled.
    """

    def __init__(self, function: Any, name: str, missing: Callable[[], None]) -> None:
        self._name = name
        self._missing = missing
        self._py_func = function
        self._impl = CompileResultCacheImpl.__new__(CompileResultCacheImpl)
        directory = cache_directory()
        self._cache_path = str(directory)
        self._cache_file = ProgramFiles(directory, name)
        self.enable()

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (sig, codegen.magic_tuple())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The cached program, or None. A damaged or unreadable file counts as missing."""
        try:
            loaded = super().load_overload(sig, target_context)
        except Exception:  # intact, but made with other versions of its dependencies
            loaded = None
        if loaded is None:
            self._missing()
        return loaded

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save a program; without a writable directory it lives in memory only."""
        if self._impl.check_cachable(data):
            key, reduced = self._index_key(sig, data.codegen), self._impl.reduce(data)
            with suppress(OSError):
                self._cache_file.save(key, reduced)
