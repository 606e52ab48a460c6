# SPDX-License-Identifier: Apache-2.0
"""The rows of results/nodes.json.

Times are of a call that is alone: the mean of a sample's calls, then the median and the quartiles of `samples`.
"barrier_s" is the median of a hand-written barrier in the same jobs, just before each sample. By it samples are sorted:
"cores" is `near` or `far`, by whether the ranks' cores share a cache, and `shared` where there are more ranks than
cores. Of hand-written forms the best one is `limit`, and "form" says which that is.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from espalier import stored

LIMIT, LIMIT_FORM = "limit", "limit:"
NEAR, FAR, SHARED = "near", "far", "shared"

# A line takes 20 to 60 ns between cores that share a cache, and 100 ns or more between others; a barrier is as long.
FAR_SECONDS = 100e-9


@dataclass(frozen=True)
class Sample:
    """Of a variant in one job."""

    seconds: float
    barrier_seconds: float

    @property
    def cores(self) -> str:
        return NEAR if self.barrier_seconds < FAR_SECONDS else FAR


@dataclass(frozen=True)
class Found:
    """What one job found of one variant."""

    mpi: str
    ranks: int
    collective: str
    bytes: int
    variant: str
    samples: tuple[Sample, ...]
    is_crowded: bool  # more ranks than cores

    def in_state(self) -> Iterable[tuple[str, Sample]]:
        for sample in self.samples:
            yield SHARED if self.is_crowded else sample.cores, sample


@dataclass(frozen=True)
class Row:
    collective: str
    mpi: str
    ranks: int
    bytes: int
    variant: str
    median_s: float
    q1_s: float
    q3_s: float
    samples: int
    barrier_s: float
    cores: str
    form: str = ""


Key = tuple[str, str, int, int, str, str]  # collective, MPI, ranks, bytes, variant, cores


def rows_of(found: Iterable[Found]) -> list[Row]:
    """The samples of all jobs together; then the limit of each."""
    samples: dict[Key, list[Sample]] = {}
    for one in found:
        for cores, sample in one.in_state():
            samples.setdefault((one.collective, one.mpi, one.ranks, one.bytes, one.variant, cores), []).append(sample)
    rows = [row_of(key, of_key) for key, of_key in samples.items()]
    return [*limits_in(rows), *rows]


def row_of(key: Key, samples: Sequence[Sample]) -> Row:
    collective, mpi, ranks, size, variant, cores = key
    seconds = [sample.seconds for sample in samples]
    low, middle, high = quantiles(seconds, n=4, method="inclusive") if len(seconds) > 1 else seconds * 3
    barrier = median(sample.barrier_seconds for sample in samples)
    return Row(collective, mpi, ranks, size, variant, middle, low, high, len(seconds), barrier, cores)


def limits_in(rows: Iterable[Row]) -> list[Row]:
    best: dict[tuple[Any, ...], Row] = {}
    for row in sorted(rows, key=lambda row: row.median_s):
        if row.variant.startswith(LIMIT_FORM):
            best.setdefault((row.collective, row.mpi, row.ranks, row.bytes, row.cores), row)
    return [replace(row, variant=LIMIT, form=row.variant.removeprefix(LIMIT_FORM)) for row in best.values()]


def read(file: Path) -> list[Row]:
    """What `espalier nodes` has written."""
    return stored.rows_of(Row, file, "./espalier nodes")
