# SPDX-License-Identifier: Apache-2.0
"""The rows of results/pairs.json: a program under an MPI, all its pairs of runs.

A row: {"program", "mpi", "ranks", "settings", "timed", "result", "calls", "own_calls", "passed_on",
"in_calls_native_s", "in_calls_s", "native_s", "espalier_s", "cpu_busy"}. `native_s` and `espalier_s` have a time for
each pair, in order: of the part that the program says itself, or of whole jobs, as `timed` says. `cpu_busy` has how
much of its processors' time the job got, in the run of the pair that got less. Ranks poll, so far less than 1 says that
others had the machine, too.

What is said of calls is of two runs before the pairs, with a report. `calls` are those among several ranks, of all
ranks together, `own_calls` those of them that were Espalier's, and `passed_on` has the reasons of the others.
`in_calls_native_s` and `in_calls_s` are what a rank spent in collectives, all native and with Espalier.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median, quantiles

from espalier import stored
from espalier_lab.apps import results

OWN_PART, WHOLE_JOBS = "own part", "whole jobs"
VERDICTS = (results.SAME, results.WITHIN)


@dataclass(frozen=True)
class Row:
    program: str
    mpi: str
    ranks: int
    settings: str
    timed: str
    result: str
    calls: int
    own_calls: int
    in_calls_native_s: float
    in_calls_s: float
    passed_on: list[str] = field(default_factory=list)
    native_s: list[float] = field(default_factory=list)
    espalier_s: list[float] = field(default_factory=list)
    cpu_busy: list[float] = field(default_factory=list)

    @property
    def ratios(self) -> list[float]:
        """Of each pair, Espalier's time as a multiple of the native one."""
        return [own / native for own, native in zip(self.espalier_s, self.native_s, strict=True)]

    @property
    def own_share(self) -> float:
        return self.own_calls / self.calls if self.calls else 0.0


def with_pair(row: Row, native_seconds: float, seconds: float, cpu_busy: float, verdict: str) -> Row:
    return replace(
        row,
        result=max(row.result, verdict, key=VERDICTS.index),
        native_s=[*row.native_s, native_seconds],
        espalier_s=[*row.espalier_s, seconds],
        cpu_busy=[*row.cpu_busy, cpu_busy],
    )


def quartiles(numbers: Sequence[float]) -> tuple[float, float, float]:
    """With the median in the middle."""
    if len(numbers) < 2:
        return numbers[0], numbers[0], numbers[0]
    low, _, high = quantiles(numbers, n=4, method="inclusive")
    return low, median(numbers), high


def read(file: Path) -> list[Row]:
    return stored.rows_of(Row, file, "./espalier pairs")
