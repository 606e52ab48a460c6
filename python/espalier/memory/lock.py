# SPDX-License-Identifier: Apache-2.0
"""Only one process at a time changes the files of a directory: it holds the lock of DIR/.lock, as the library does."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from espalier.failure import Failure

NAME = ".lock"
PATIENCE_SECONDS = 10.0
PAUSE_SECONDS = 0.05


@contextmanager
def held(directory: Path, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    try:
        descriptor = os.open(directory / NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    except OSError as error:
        raise Failure(f"{directory / NAME}: cannot be opened for writing: {error.strerror}", status=1) from None
    try:
        wait_for(descriptor, directory / NAME, patience)
        yield
    finally:
        os.close(descriptor)


def wait_for(descriptor: int, path: Path, patience: float) -> None:
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= end:
                message = f"{path}: another process has held this lock for {patience:g} s"
                raise Failure(message, "Nothing was changed; try again.", status=1) from None
            time.sleep(PAUSE_SECONDS)
        except OSError as error:
            raise Failure(f"{path}: cannot be locked: {error.strerror}", status=1) from None
