# SPDX-License-Identifier: Apache-2.0
"""Contexts whose times were recorded call by call: from the rows of a study in the lab (lab/compare.py) that measured
the native MPI and algorithms that were fixed, in series."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from espalier import stored
from espalier.failure import Failure

NATIVE, FIXED = "native", "fixed:"
FEWEST_CALLS = 20
Context = Sequence[Sequence[float]]  # each candidate's seconds, the native MPI's first; equally many


@dataclass(frozen=True)
class Series:
    lab: str
    mpi: str
    collective: str
    bytes: int
    variant: str
    each_s: list[float]


def read(file: Path) -> list[Context]:
    try:
        rows = stored.load(file.read_text(encoding="utf-8-sig"))
        found = contexts(stored.dataclass_of(Series, row) for row in rows)
    except OSError as error:
        raise Failure(f"{file}: {error.strerror}") from error
    except (TypeError, ValueError) as error:
        raise Failure(f"{file}: {error}; allowed: the results of a study in the lab") from error
    if not found:
        raise Failure(f"{file}: it has no series of native calls and of fixed algorithms.")
    return found


def contexts(rows: Iterable[Series]) -> list[Context]:
    found: dict[tuple[str, str, str, int], dict[str, list[float]]] = {}
    for row in rows:
        if row.variant == NATIVE or row.variant.startswith(FIXED):
            found.setdefault((row.lab, row.mpi, row.collective, row.bytes), {})[row.variant] = row.each_s
    return [context(variants) for variants in found.values() if is_whole(variants)]


def is_whole(variants: Mapping[str, list[float]]) -> bool:
    return NATIVE in variants and len(variants) > 2 and min(map(len, variants.values())) >= FEWEST_CALLS


def context(variants: Mapping[str, list[float]]) -> Context:
    """The last calls of each: fixed algorithms were timed when their connections were there."""
    calls = min(map(len, variants.values()))
    return [variants[NATIVE][-calls:], *(each[-calls:] for name, each in variants.items() if name != NATIVE)]


def text(found: Iterable[Context]) -> str:
    """As bench/selection/recorded.hpp wants it."""
    lines = []
    for one in found:
        lines.append(f"{len(one)} {len(one[0])}")
        lines += [" ".join(f"{each:.6g}" for each in candidate) for candidate in one]
    return "\n".join([*lines, ""])
