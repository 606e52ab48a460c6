# SPDX-License-Identifier: Apache-2.0
"""The files of a directory: each one is a memory, or something is wrong with it."""

from __future__ import annotations

import errno
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

from espalier.failure import Failure
from espalier.installation import COMMAND
from espalier.memory import contents, trusted
from espalier.memory.contents import Memory

NAME = re.compile(r"[0-9a-f]{16}\.toml")
LARGEST_FILE = 8 << 20
SHORTEST_PREFIX = 8


@dataclass(frozen=True)
class File:
    """One file, as it was found. Without a memory, `wrong` says why."""

    path: Path
    memory: Memory | None
    wrong: str = ""
    age: float = 0.0  # seconds

    @property
    def fingerprint(self) -> str:
        return self.path.stem

    def is_foreign_to(self, version: str) -> bool:
        """Whether another version of Espalier has written it: this one's jobs ignore it."""
        return self.memory is not None and self.memory.library != version


def in_directory(directory: Path) -> list[File]:
    """All of them, in the order of their names. None if the directory is not there: nothing was learnt yet."""
    return [read(path) for path in paths_in(directory)]


def paths_in(directory: Path) -> list[Path]:
    try:
        trusted.check_directory(directory)
        return sorted(path for path in directory.iterdir() if NAME.fullmatch(path.name))
    except FileNotFoundError:
        return []
    except NotADirectoryError:
        raise Failure(f"{directory}: is no directory; allowed: the directory of the memory") from None
    except (OSError, ValueError) as error:
        raise Failure(f"{directory}: cannot be read: {reason_of(error)}", status=1) from None


def read(path: Path) -> File:
    try:
        text, age = text_of(path)
        return File(path, contents.read(text), age=age)
    except (OSError, ValueError) as error:
        return File(path, None, reason_of(error))


def text_of(path: Path) -> tuple[str, float]:
    """And how old it is. Waits for nobody who should write into it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(file.fileno())
        trusted.check_file(facts)
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise ValueError(f"is larger than {LARGEST_FILE >> 20} MiB")
    return data.decode("utf-8-sig"), max(0.0, time.time() - facts.st_mtime)


def reason_of(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"is no UTF-8, from byte {error.start + 1} on"
    if isinstance(error, OSError) and error.errno == errno.ELOOP:
        return "is a link; allowed: a regular file"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)


def named(directory: Path, prefix: str) -> Path:
    """The one file whose fingerprint begins so."""
    if not re.fullmatch(r"[0-9a-f]{1,16}", prefix):
        raise Failure(f"{prefix}: no fingerprint; allowed: its first hexadecimal digits, in lower case")
    found = [path for path in paths_in(directory) if path.name.startswith(prefix)]
    if not found:
        raise Failure(f"{prefix}: no memory in {directory} has a fingerprint that begins so", LISTED)
    if len(found) > 1:
        raise Failure(f"{prefix}: {len(found)} memories have a fingerprint that begins so", LISTED)
    return found[0]


LISTED = f"What there is: {COMMAND} memory list"


def usable(path: Path) -> tuple[File, Memory]:
    """A file that must be right, and what is in it."""
    file = read(path)
    if file.memory is None:
        raise Failure(f"{path}: {file.wrong}", f"To remove it: {COMMAND} memory forget {file.fingerprint}", status=1)
    return file, file.memory


def short(files: list[File]) -> dict[str, str]:
    """Each fingerprint's first digits, as many as tell them apart."""
    names = [file.fingerprint for file in files]
    for length in range(SHORTEST_PREFIX, 16):
        if len({name[:length] for name in names}) == len(names):
            return {name: name[:length] for name in names}
    return {name: name for name in names}
