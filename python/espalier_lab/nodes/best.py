# SPDX-License-Identifier: Apache-2.0
"""What tables and figures compare: the limit, the MPI at its best, and Espalier, of one call in one state of cores."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from espalier_lab.nodes.rows import FAR, LIMIT, NEAR, SHARED, Row
from espalier_lab.nodes.starts import FORCED, NATIVE

ESPALIER = "espalier"
OWN = ESPALIER + ":"

STATES = (NEAR, FAR, SHARED)


@dataclass(frozen=True)
class Compared:
    """Rows of one collective, MPI, size and state; None: not measured."""

    collective: str
    mpi: str
    ranks: int
    bytes: int
    cores: str
    limit: Row | None
    native: Row | None
    best_native: Row | None  # the default, or one of its own algorithms
    espalier: Row | None
    best_own: Row | None  # of Espalier's algorithms, forced


def compared(rows: Iterable[Row]) -> Iterator[Compared]:
    for key, group in groupby(sorted(rows, key=place_of), key=place_of):
        yield one_of(list(group), key)


def place_of(row: Row) -> tuple[Any, ...]:
    return row.mpi, row.ranks, row.collective, row.bytes, STATES.index(row.cores)


def one_of(rows: Sequence[Row], key: tuple[Any, ...]) -> Compared:
    mpi, ranks, collective, size, state = key
    by_variant = {row.variant: row for row in rows}
    return Compared(
        collective=collective,
        mpi=mpi,
        ranks=ranks,
        bytes=size,
        cores=STATES[state],
        limit=by_variant.get(LIMIT),
        native=by_variant.get(NATIVE),
        best_native=best(row for row in rows if row.variant == NATIVE or row.variant.startswith(FORCED)),
        espalier=by_variant.get(ESPALIER),
        best_own=best(row for row in rows if row.variant.startswith(OWN)),
    )


def best(rows: Iterable[Row]) -> Row | None:
    return min(rows, key=lambda row: row.median_s, default=None)


def ratio(row: Row | None, other: Row | None) -> float | None:
    return row.median_s / other.median_s if row and other else None
