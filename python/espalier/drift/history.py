# SPDX-License-Identifier: Apache-2.0
"""How long the calls of a placement took, job by job, as the library adds it to a file; docs/reference/memory.md.

Somebody else may have written the file: all that is wrong with it is a ValueError.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from espalier.failure import Failure
from espalier.memory import stored, trusted
from espalier.memory.contents import COLLECTIVES, flag_in, number_in, real_in, text_in

SUFFIX = ".jobs"
MOST_PLACEMENTS = 256  # of one job
LARGEST_NUMBER = 2.0**63


@dataclass(frozen=True)
class Times:
    """Of the timed calls of one algorithm in one job; seconds, the mean over the ranks. Quartiles and the median."""

    choice: str
    timed: int
    low: float
    median: float
    high: float


@dataclass(frozen=True)
class Key:
    """Which calls: a context, as memories have it."""

    collective: str
    bytes_low: int
    bytes_high: int
    root: int = 0
    element_bytes: int = 0
    arithmetic: str = ""
    uneven: bool = False


@dataclass(frozen=True)
class JobTimes:
    """What a job said of one placement."""

    at: int  # seconds since 1970
    run: str
    program: str
    world_ranks: int
    library: str
    mpi: str
    network: str
    ranks: int
    nodes: int
    host: str
    host_list: str
    kernel: str
    nics: tuple[str, ...]
    load: float  # less than 0: unknown
    waited: float  # for a processor, of the wall time, by the rank that waited most; less than 0: unknown
    contexts: dict[Key, dict[str, Times]]


@dataclass(frozen=True)
class File:
    """The jobs of one file, the latest last. Where it cannot be read, `wrong` says why."""

    path: Path
    jobs: tuple[JobTimes, ...]
    wrong: str = ""


def in_directory(directory: Path) -> list[File]:
    """None if the directory is not there."""
    return [read(path) for path in paths_in(directory)]


def of_run(directory: Path, run: str) -> list[File]:
    """Those with jobs of this run, among the latest. Others are not read closely, as there may be many."""
    latest = sorted(paths_in(directory), key=time_of, reverse=True)[:MOST_PLACEMENTS]
    return [read(path) for path in latest if run.encode() in bytes_of(path)]


def paths_in(directory: Path) -> list[Path]:
    try:
        trusted.check_directory(directory)
        return sorted(path for path in directory.iterdir() if path.suffix == SUFFIX and path.is_file())
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise Failure(f"{directory}: cannot be read: {stored.reason_of(error)}", status=1) from None


def bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(stored.LARGEST_FILE)
    except OSError:
        return b""


def time_of(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:  # somebody has removed it meanwhile
        return 0.0


def read(path: Path) -> File:
    try:
        return File(path, jobs_in(stored.text_of(path)[0]))
    except (OSError, ValueError) as error:
        return File(path, (), stored.reason_of(error))


def jobs_in(text: str) -> tuple[JobTimes, ...]:
    return tuple(job_of(line, number) for number, line in enumerate(text.splitlines(), 1))


def job_of(line: str, number: int) -> JobTimes:
    try:
        raw = json.loads(line)
        if not isinstance(raw, dict):
            raise ValueError("no object")
        return checked_job(raw)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"line {number}: {error}") from None


def checked_job(raw: dict[str, Any]) -> JobTimes:
    nics, contexts = raw.get("nics"), raw.get("contexts")
    if not isinstance(nics, list) or not all(isinstance(one, str) for one in nics):
        raise ValueError("'nics' must be a list of texts")
    if not isinstance(contexts, list) or not all(isinstance(one, dict) for one in contexts):
        raise ValueError("'contexts' must be a list of objects")
    return JobTimes(
        at=number_in(raw, "at"),
        world_ranks=number_in(raw, "world_ranks", least=1),
        ranks=number_in(raw, "ranks", least=1),
        nodes=number_in(raw, "nodes", least=1),
        nics=tuple(nics),
        load=number_or_unknown_in(raw, "load"),
        waited=number_or_unknown_in(raw, "waited"),
        contexts={key_of(one): times_of(one) for one in contexts},
        **{name: text_in(raw, name) for name in TEXTS},
    )


def number_or_unknown_in(raw: dict[str, Any], name: str) -> float:
    """-1: unknown."""
    value = raw.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -1 <= value < LARGEST_NUMBER:
        raise ValueError(f"'{name}' must be a number of at least -1")
    return float(value)


TEXTS = ("run", "program", "library", "mpi", "network", "host", "host_list", "kernel")


def key_of(raw: dict[str, Any]) -> Key:
    collective = text_in(raw, "collective")
    if collective not in COLLECTIVES:
        raise ValueError(f"there is no collective '{collective}'")
    return Key(
        collective,
        number_in(raw, "bytes_low"),
        number_in(raw, "bytes_high"),
        number_in(raw, "root") if "root" in raw else 0,
        number_in(raw, "element_bytes") if "element_bytes" in raw else 0,
        text_in(raw, "arithmetic") if "arithmetic" in raw else "",
        flag_in(raw, "uneven"),
    )


def times_of(raw: dict[str, Any]) -> dict[str, Times]:
    found = raw.get("times")
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise ValueError("'times' must be a list of objects")
    return {one.choice: one for one in map(times, found)}


def times(raw: dict[str, Any]) -> Times:
    one = Times(
        text_in(raw, "choice"),
        number_in(raw, "timed", least=1),
        *(real_in(raw, name) for name in ("low", "median", "high")),
    )
    if not 0 < one.low <= one.median <= one.high:
        raise ValueError("'low', 'median' and 'high' must be more than 0, and in this order")
    return one
