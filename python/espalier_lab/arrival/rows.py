# SPDX-License-Identifier: Apache-2.0
"""The rows of results/arrival.json.

All have "benchmark", "where", "mpi", "collective", "bytes", "delay_s", "variant", "overall_s" (from the first rank's
entry to the last one's exit), "mean_s" (in the call, mean over ranks), "ranks", "calls" and "cpu_busy"; times are
medians of calls after which nothing was learnt any more. -1 as a number of calls: never.

a: "late" is the rank that arrives late, by "delay" times what the tree takes without; "overall_q1_s", "overall_q3_s";
   "until_ideal" and "until_ideal_mean": after this many calls the overall and the mean time stayed within 10% of
   those of the ideal; "bound_s": what no call can beat; "each_overall_s", "each_mean_s": of each call, one of
   "rounds" behind the other, in each of which all is learnt again. Where another rank,
   "late_then", is late from call "change_after" on, times are of the end, and "until_ideal_again" and
   "until_ideal_mean_again" count from the change.
b: "pattern" is the number of a random pattern, in which ranks arrive late by up to "delay_s"
c: "n", "percent", "slope" and "sleep" of the matrix; "overall_s" is of the whole program, "through_s" until a rank was
   through, "in_broadcasts_s" of all broadcasts, both as means over ranks, and "mean_s" of one of them;
   "each_overall_s", "each_through_s", "each_in_broadcasts_s" of each run
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from espalier import stored
from espalier.failure import Failure

NEVER = -1
EFFECT, LOAD, PRODUCT = "a", "b", "c"


@dataclass(frozen=True)
class Row:
    benchmark: str
    where: str
    mpi: str
    collective: str
    bytes: int
    delay_s: float
    variant: str
    overall_s: float
    mean_s: float
    ranks: int
    calls: int
    cpu_busy: float

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes two rows results of the same."""
        return (self.benchmark, self.where, self.mpi, self.collective, self.variant, self.ranks, *self.own_key)

    @property
    def own_key(self) -> tuple[Any, ...]:
        return (self.bytes, self.delay_s)


@dataclass(frozen=True)
class EffectRow(Row):
    late: int
    delay: float
    overall_q1_s: float
    overall_q3_s: float
    bound_s: float
    until_ideal: int = stored.signed(default=NEVER)
    until_ideal_mean: int = stored.signed(default=NEVER)
    change_after: int = 0
    late_then: int = stored.signed(default=NEVER)
    until_ideal_again: int = stored.signed(default=NEVER)
    until_ideal_mean_again: int = stored.signed(default=NEVER)
    rounds: int = 1
    each_overall_s: list[float] = field(default_factory=list)
    each_mean_s: list[float] = field(default_factory=list)

    @property
    def is_changed(self) -> bool:
        return self.change_after > 0

    @property
    def own_key(self) -> tuple[Any, ...]:
        return (self.bytes, self.delay, self.is_changed)


@dataclass(frozen=True)
class LoadRow(Row):
    pattern: int
    most: float  # delays, in a call's own time
    each_overall_s: list[float] = field(default_factory=list)
    each_mean_s: list[float] = field(default_factory=list)

    @property
    def own_key(self) -> tuple[Any, ...]:
        return (self.bytes, self.pattern, self.most)


@dataclass(frozen=True)
class ProductRow(Row):
    n: int
    percent: float
    slope: float
    sleep: float
    rows: int
    through_s: float
    in_broadcasts_s: float
    each_overall_s: list[float]
    each_through_s: list[float]
    each_in_broadcasts_s: list[float]

    @property
    def own_key(self) -> tuple[Any, ...]:
        return (self.n, self.percent, self.slope, self.sleep, self.rows)


KINDS: dict[str, type[Row]] = {EFFECT: EffectRow, LOAD: LoadRow, PRODUCT: ProductRow}
Kind = TypeVar("Kind", bound=Row)


def of_kind(kind: type[Kind], rows: Iterable[Row]) -> list[Kind]:
    return [row for row in rows if isinstance(row, kind)]


def merged(rows: Sequence[Row], new: Sequence[Row]) -> list[Row]:
    """New ones take the places of those with the same key."""
    by_key = {row.key: row for row in rows}
    by_key.update({row.key: row for row in new})
    return list(by_key.values())


def read(file: Path) -> list[Row]:
    """What `espalier arrival` has written."""
    try:
        return [row_of(raw) for raw in stored.load(file.read_text(encoding="utf-8-sig"))]
    except (OSError, TypeError, ValueError) as error:
        raise Failure(f"{file} cannot be read: {error}", "Measure again, without --resume.") from error


def row_of(raw: Any) -> Row:
    benchmark = raw.get("benchmark") if isinstance(raw, dict) else None
    if benchmark not in KINDS:
        raise ValueError(f"'benchmark' must be one of {', '.join(KINDS)}")
    return stored.dataclass_of(KINDS[benchmark], raw)


def short(seconds: float) -> float:
    """Four digits: files stay small."""
    return float(f"{seconds:.4g}")


def shortened(times: Sequence[float]) -> list[float]:
    return [short(seconds) for seconds in times]
