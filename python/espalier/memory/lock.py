# SPDX-License-Identifier: Apache-2.0
"""Only one process at a time changes the files of a directory: it holds the lock of DIR/.lock, as the library does."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EAGAIN, EINTR, ENOLCK, ENOSYS, EOPNOTSUPP
from pathlib import Path

from espalier.failure import Failure

NAME = ".lock"
PATIENCE_SECONDS = 10.0
LOOK_AGAIN_SECONDS = 0.05
HELD = (EAGAIN, EINTR)
WITHOUT_LOCKS = (ENOLCK, ENOSYS, EOPNOTSUPP)  # what file systems say that know none


@contextmanager
def held(directory: Path, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """By flock or nothing: the library would not see any other lock. The file stays, and never is a link."""
    path = directory / NAME
    descriptor = opened(path)
    try:
        acquire(descriptor, path, patience)
        yield
    finally:
        os.close(descriptor)


def opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise Failure(f"{path}: cannot be opened for writing: {error.strerror}", status=1) from None


def acquire(descriptor: int, path: Path, patience: float) -> None:
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError as error:
            if error.errno in WITHOUT_LOCKS:
                raise Failure(f"{path}: cannot be locked: its file system knows no locks", status=1) from None
            if error.errno not in HELD:
                raise Failure(f"{path}: cannot be locked: {error.strerror}", status=1) from None
        if time.monotonic() >= end:
            message = f"{path}: another process has held this lock for {patience:g} s"
            raise Failure(message, "Nothing was changed; try again.", status=1)
        time.sleep(LOOK_AGAIN_SECONDS)
