# SPDX-License-Identifier: Apache-2.0
"""Contexts whose times were recorded call by call: from the rows of a study in the lab (lab/compare.py) that measured
the native MPI and algorithms that were fixed, in series, or of a real machine (bench/selection/machines)."""

import gzip
import random
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from espalier import stored
from espalier.failure import Failure
from espalier_lab.same_algorithms import ranks_of, same_algorithm

NATIVE, FIXED = "native", "fixed:"
FEWEST_CALLS = 20
CAP = 3  # times its median, that a capped series stays below

# Of these machines one half of the contexts is what the race was fitted to; and the seed that draws it.
FITTED = {"leonardo": 38}


@dataclass(frozen=True)
class Series:
    lab: str
    mpi: str
    collective: str
    bytes: int
    variant: str
    each_s: list[float]


@dataclass(frozen=True)
class Context:
    job: str
    collective: str
    bytes: int
    candidates: Mapping[str, list[float]]  # each one's seconds, the native MPI's first; equally many

    @property
    def key(self) -> tuple[str, str, int]:
        return self.job, self.collective, self.bytes


@dataclass(frozen=True)
class Machine:
    name: str
    contexts: list[Context]


def read(file: Path) -> list[Machine]:
    """One, or its two halves."""
    name = file.name.partition(".")[0]
    found = contexts_of(file)
    if name not in FITTED:
        return [Machine(name, found)]
    keys = sorted(one.key for one in found)
    random.Random(FITTED[name]).shuffle(keys)
    fitted = set(keys[: len(keys) // 2])
    return [
        Machine(f"{name}, fit", [one for one in found if one.key in fitted]),
        Machine(f"{name}, held", [one for one in found if one.key not in fitted]),
    ]


def contexts_of(file: Path) -> list[Context]:
    try:
        rows = stored.load(text_of_file(file))
        found = contexts(stored.dataclass_of(Series, row) for row in rows)
    except OSError as error:
        raise Failure(f"{file}: {error.strerror or error}") from error
    except (EOFError, TypeError, ValueError) as error:
        raise Failure(f"{file}: {error}; allowed: the results of a study in the lab") from error
    if not found:
        raise Failure(f"{file}: it has no series of native calls and of fixed algorithms.")
    return found


def text_of_file(file: Path) -> str:
    packed = file.suffix == ".gz"
    data = gzip.decompress(file.read_bytes()) if packed else file.read_bytes()
    return data.decode("utf-8-sig")


def contexts(rows: Iterable[Series]) -> list[Context]:
    found: dict[tuple[str, str, str, int], dict[str, list[float]]] = {}
    for row in rows:
        if row.variant == NATIVE or row.variant.startswith(FIXED):
            found.setdefault((row.lab, row.mpi, row.collective, row.bytes), {})[row.variant] = row.each_s
    return [
        Context(f"{lab} {mpi}", collective, size, candidates(variants))
        for (lab, mpi, collective, size), variants in found.items()
        if is_whole(variants)
    ]


def is_whole(variants: Mapping[str, list[float]]) -> bool:
    return NATIVE in variants and len(variants) > 2 and min(map(len, variants.values())) >= FEWEST_CALLS


def candidates(variants: Mapping[str, list[float]]) -> dict[str, list[float]]:
    """The last calls of each: in the lab, fixed algorithms were timed when their connections were there."""
    calls = min(map(len, variants.values()))
    others = (name for name in variants if name != NATIVE)
    return {name.removeprefix(FIXED): variants[name][-calls:] for name in (NATIVE, *others)}


def capped(context: Context) -> Context:
    return replace(context, candidates={name: cap(each) for name, each in context.candidates.items()})


def cap(seconds: list[float]) -> list[float]:
    most = CAP * statistics.median(seconds)
    return [min(each, most) for each in seconds]


def text(found: Iterable[Context]) -> str:
    """As bench/selection/recorded.hpp wants it."""
    lines = []
    for one in found:
        calls = len(one.candidates[NATIVE])
        ranks = ranks_of(one.job)
        lines.append(f"{word(one.job)} {word(one.collective)} {ranks} {one.bytes} {len(one.candidates)} {calls}")
        for name, seconds in one.candidates.items():
            choice = same_algorithm(one.collective, name)
            lines.append(" ".join([word(name), choice, *(f"{each:.6g}" for each in seconds)]))
    return "\n".join([*lines, ""])


def word(name: str) -> str:
    return "_".join(name.split()) or "_"
