"""A file that belongs to one process at a time, and says to which."""

from __future__ import annotations

import errno
import os
import socket
import sys
import weakref
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # what is locked cannot be read there, so it is not where the text is

    def _try_lock(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """A lock that is held until `release`, or until the process has ended in whatever way.

    Args:
        path: a file for nothing but the lock, made and removed by it.

    Raises:
        BlockingIOError: somebody else holds it; `strerror` says who.
        OSError: the file cannot be made.
    """

    def __init__(self, path: Path) -> None:
        descriptor = _locked(path)
        with suppress(OSError):
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, f"process {os.getpid()} on {socket.gethostname()}".encode())
        self.release = weakref.finalize(self, _release, descriptor, path, os.getpid())


def _locked(path: Path) -> int:
    """The descriptor of the file, once it is locked and still the one of that name."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _try_lock(descriptor)
            if path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except (BlockingIOError, PermissionError):
            os.lseek(descriptor, 0, os.SEEK_SET)
            holder = os.read(descriptor, 1000).decode(errors="replace") or "another process"
            os.close(descriptor)
            raise BlockingIOError(errno.EAGAIN, holder) from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # whoever held it has removed it


def _release(descriptor: int, path: Path, owner: int) -> None:
    if os.getpid() == owner:  # a forked process has the descriptor too, and the lock is not its own
        with suppress(OSError):
            path.unlink()
    with suppress(OSError):
        os.close(descriptor)
