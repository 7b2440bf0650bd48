"""Two test processes do not compile the same program: one waits until the other has it in the cache."""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from polytrix.core.compile.program_cache import ProgramCache
from polytrix.core.lock import FileLock

PATIENCE = 120.0
"""Seconds after which a process compiles the program itself."""


def lock_of(cache: ProgramCache, run: str) -> Path:
    """The file that is locked, during a test run of this name, while the program is compiled."""
    name = hashlib.sha256(f"{cache.cache_path} {cache._name}".encode()).hexdigest()
    return Path(tempfile.gettempdir()) / f"polytrix-compiling-{run}" / name


def if_free(path: Path) -> FileLock | None:
    """The lock, or None while another process holds it."""
    with suppress(BlockingIOError):
        return FileLock(path)
    return None


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait for the lock, but not for ever."""
    path.parent.mkdir(exist_ok=True)
    deadline = time.monotonic() + PATIENCE
    while (lock := if_free(path)) is None and time.monotonic() < deadline:
        time.sleep(0.05)
    yield
    if lock is not None:
        lock.release()


@contextmanager
def one_compiler(run: str) -> Iterator[None]:
    """Let this process wait for programs that another one compiles in the test run of this name."""
    load, save = ProgramCache.load_overload, ProgramCache.save_overload
    compiling: dict[ProgramCache, ExitStack] = {}

    def load_or_wait(cache: ProgramCache, signature: Any, context: Any) -> Any:
        loaded = load(cache, signature, context)
        if loaded is None and cache not in compiling:
            lock = ExitStack()
            lock.enter_context(locked(lock_of(cache, run)))
            loaded = load(cache, signature, context)
            if loaded is None:
                compiling[cache] = lock
            else:
                lock.close()
        return loaded

    def save_and_release(cache: ProgramCache, signature: Any, data: Any) -> None:
        save(cache, signature, data)
        if cache in compiling:
            compiling.pop(cache).close()

    with pytest.MonkeyPatch.context() as patch, ExitStack() as failed:
        patch.setattr(ProgramCache, "load_overload", load_or_wait)
        patch.setattr(ProgramCache, "save_overload", save_and_release)
        failed.callback(lambda: [lock.close() for lock in compiling.values()])
        yield


@pytest.fixture(scope="session", autouse=True)
def compile_once() -> Iterator[None]:
    """For the processes of pytest-xdist."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        yield
    else:
        with one_compiler(run):
            yield
