# SPDX-License-Identifier: Apache-2.0
"""The logs of jobs, one by one. Any user may have put any file there, and an administrator may read them: no link is
followed, nothing is waited for, and what is no log is counted and left out."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

from espalier import stored

ENDING = ".json"
LARGEST_BYTES = 1 << 16
FORMAT = 1
UNKNOWN_USER = -1


@dataclass(frozen=True)
class CollectiveLog:
    """Calls and bytes are those of all ranks together, seconds the mean over them."""

    collective: str
    own_calls: int
    own_bytes: int
    own_seconds: float
    native_calls: int
    native_bytes: int
    native_seconds: float
    saved_seconds: float
    lost_seconds: float


@dataclass(frozen=True)
class Head:
    """Of a job. What its site does not want to know is empty."""

    espalier_log: int
    ranks: int
    nodes: int
    ended: int
    wall_seconds: float
    failures: int
    program: str = ""
    user_id: int = stored.signed(default=UNKNOWN_USER)


@dataclass(frozen=True)
class Log:
    head: Head
    collectives: tuple[CollectiveLog, ...]


@dataclass
class Troubles:
    """Files that were left out."""

    unreadable: int = 0
    of_others: int = 0  # which say that they are of a user whose they are not
    examples: list[str] = field(default_factory=list)

    MOST_EXAMPLES = 3

    def note(self, path: Path, what: str) -> None:
        if len(self.examples) < self.MOST_EXAMPLES:
            self.examples.append(f"{path}: {what}")


def found(directory: Path, troubles: Troubles) -> Iterator[Log]:
    """All logs beneath the directory."""
    for folder, folders, names in os.walk(directory):
        folders.sort()
        for name in sorted(names):
            if name.endswith(ENDING) and not name.startswith("."):
                one = read(Path(folder) / name, troubles)
                if one is not None:
                    yield one


def read(path: Path, troubles: Troubles) -> Optional[Log]:
    try:
        text, owner = text_and_owner(path)
        one = of(stored.load(text))
    except (OSError, ValueError) as error:
        troubles.unreadable += 1
        troubles.note(path, getattr(error, "strerror", None) or str(error))
        return None
    if one.head.user_id not in (UNKNOWN_USER, owner) and owner != 0:
        troubles.of_others += 1
        troubles.note(path, f"says that it is of user {one.head.user_id}, and belongs to {owner}")
        return None
    return one


def text_and_owner(path: Path) -> tuple[str, int]:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > LARGEST_BYTES:
            raise ValueError("not a regular file, or too large")
        return os.read(descriptor, LARGEST_BYTES).decode(), facts.st_uid
    finally:
        os.close(descriptor)


def of(raw: Any) -> Log:
    """ValueError: it is no log."""
    head = stored.dataclass_of(Head, raw)
    if head.espalier_log != FORMAT or head.ranks == 0:
        raise ValueError("a log of another format, or of no rank")
    return Log(head, tuple(stored.dataclass_of(CollectiveLog, one) for one in stored.list_in(raw, "collectives")))
