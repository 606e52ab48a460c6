# SPDX-License-Identifier: Apache-2.0
"""Rows of results/warmup.json: the first calls on fresh communicators, natively and under Espalier as it is, in pairs.

A row: {"lab", "mpi", "collective", "bytes", "ranks", "calls", "native_s", "espalier_s", "native_first_s",
"espalier_first_s", "native_last_s", "espalier_last_s", "lost_s", "agreeing_s", "cpu_busy", "chosen"}. Each list has an
entry for each pair, in order. Times are of all calls, and of the first ten and the last third of these. `lost_s` is
what Espalier believes to have lost by candidates that were slower than the native MPI, `agreeing_s` what the agreements
of the ranks took, `chosen` by what its calls were done.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import starmap
from operator import truediv
from pathlib import Path

from espalier import stored
from espalier_lab.apps.pair_rows import quartiles

FIRST = 10  # calls
ALLOWED = 1.01


@dataclass(frozen=True)
class Times:
    """Of a run's calls at one size: seconds."""

    all: float
    first: float
    last: float


@dataclass(frozen=True)
class Own:
    """What Espalier's report says of them."""

    lost: float
    agreeing: float
    chosen: str


@dataclass
class Row:
    lab: str
    mpi: str
    collective: str
    bytes: int
    ranks: int
    calls: int
    native_s: list[float] = field(default_factory=list)
    espalier_s: list[float] = field(default_factory=list)
    native_first_s: list[float] = field(default_factory=list)
    espalier_first_s: list[float] = field(default_factory=list)
    native_last_s: list[float] = field(default_factory=list)
    espalier_last_s: list[float] = field(default_factory=list)
    lost_s: list[float] = field(default_factory=list)
    agreeing_s: list[float] = field(default_factory=list)
    cpu_busy: list[float] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, str, str, int]:
        return self.lab, self.mpi, self.collective, self.bytes

    @property
    def pairs(self) -> int:
        return len(self.native_s)

    @property
    def ratios(self) -> list[float]:
        return over(self.espalier_s, self.native_s)

    @property
    def first_ratios(self) -> list[float]:
        return over(self.espalier_first_s, self.native_first_s)

    @property
    def last_ratios(self) -> list[float]:
        return over(self.espalier_last_s, self.native_last_s)

    @property
    def is_slower(self) -> bool:
        """By more than 1% in three quarters of the pairs."""
        return quartiles(self.ratios)[0] > ALLOWED

    def add(self, native: Times, espalier: Times, own: Own, cpu_busy: float) -> None:
        self.native_s.append(native.all)
        self.espalier_s.append(espalier.all)
        self.native_first_s.append(native.first)
        self.espalier_first_s.append(espalier.first)
        self.native_last_s.append(native.last)
        self.espalier_last_s.append(espalier.last)
        self.lost_s.append(own.lost)
        self.agreeing_s.append(own.agreeing)
        self.cpu_busy.append(cpu_busy)
        self.chosen.append(own.chosen)


def over(own: Sequence[float], native: Sequence[float]) -> list[float]:
    return list(starmap(truediv, zip(own, native, strict=True)))


def times_of(each: Sequence[float]) -> Times:
    return Times(sum(each), sum(each[:FIRST]), sum(each[-(len(each) // 3) :]))


def read(file: Path) -> list[Row]:
    return stored.rows_of(Row, file, "./espalier lab warmup")
