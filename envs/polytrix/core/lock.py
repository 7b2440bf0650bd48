"""A file lock, which says which process holds it."""

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

    _FAR = 1 << 30  # Windows forbids reading locked bytes, so the lock is not where the text is

    def _try_lock(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP)
"""What file systems without locks answer."""


class FileLock:
    """A lock that is held until `release`, or until the process ends.

    On a file system without locks it keeps nobody out.

    Args:
        path: the lock file, which is created and removed.

    Raises:
        BlockingIOError: another process holds the lock; `strerror` says which.
        OSError: the file cannot be created.
    """

    def __init__(self, path: Path) -> None:
        descriptor = _lock(path)
        with suppress(OSError):
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, f"process {os.getpid()} on {socket.gethostname()}".encode())
        self.release = weakref.finalize(self, _release, descriptor, path, os.getpid())


def _lock(path: Path) -> int:
    """The descriptor of the locked file."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _try_lock(descriptor)
            if path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except OSError as error:
            if error.errno in NO_LOCKS:
                return descriptor
            if not isinstance(error, (BlockingIOError, PermissionError)):
                os.close(descriptor)
                raise
            os.lseek(descriptor, 0, os.SEEK_SET)
            holder = os.read(descriptor, 1000).decode(errors="replace") or "another process"
            os.close(descriptor)
            raise BlockingIOError(errno.EAGAIN, holder) from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # the previous holder has removed the file: try again


def _release(descriptor: int, path: Path, owner: int) -> None:
    def remove() -> None:
        if os.getpid() == owner:  # a forked process has the descriptor too, but does not own the lock
            path.unlink()

    def close() -> None:
        os.close(descriptor)

    # Unix: whoever waits must find the file gone. Windows: an open file cannot be removed.
    for step in (close, remove) if sys.platform == "win32" else (remove, close):
        with suppress(OSError):
            step()
