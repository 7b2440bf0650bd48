"""Locks that say which process holds them; that they keep others out is tested where they are used."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from polytrix.core import lock


@pytest.mark.parametrize("answer", lock.NO_LOCKS)
def test_a_file_system_without_locks_is_used_without(
    answer: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(answer, "not here")

    monkeypatch.setattr(lock, "_try_lock", refuse)
    held = lock.FileLock(tmp_path / "run.lock")
    held.release()
    assert not list(tmp_path.iterdir())


def test_another_fault_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(lock, "_try_lock", refuse)
    with pytest.raises(OSError, match="broken"):
        lock.FileLock(tmp_path / "run.lock")
