# SPDX-License-Identifier: Apache-2.0
"""Only one process at a time changes the files of a directory: it holds the lock of DIR/.lock, as the library does."""

from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOLCK, EOPNOTSUPP
from pathlib import Path

from filelock import FileLock, Timeout

from espalier.failure import Failure

NAME = ".lock"
PATIENCE_SECONDS = 10.0
WITHOUT_LOCKS = (ENOLCK, EOPNOTSUPP)  # what file systems say that know none


@contextmanager
def held(directory: Path, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    path = directory / NAME
    # flock or nothing: the library would not see any other lock. The file stays, and never is a link.
    lock = FileLock(path, timeout=patience, fallback_to_soft=False)
    acquire(lock, path, patience)
    try:
        yield
    finally:
        lock.release()


def acquire(lock: FileLock, path: Path, patience: float) -> None:
    try:
        lock.acquire()
    except Timeout:
        message = f"{path}: another process has held this lock for {patience:g} s"
        raise Failure(message, "Nothing was changed; try again.", status=1) from None
    except NotImplementedError:
        raise Failure(f"{path}: cannot be locked: its file system knows no locks", status=1) from None
    except OSError as error:
        what = "locked" if error.errno in WITHOUT_LOCKS else "opened for writing"
        raise Failure(f"{path}: cannot be {what}: {error.strerror}", status=1) from None
