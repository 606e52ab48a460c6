# SPDX-License-Identifier: Apache-2.0
"""How far simulated times lie off what was measured."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from espalier import output, units
from espalier_lab.simulation.rows import Row


@dataclass(frozen=True)
class Pair:
    row: Row
    measured: float

    @property
    def off(self) -> float:
        """0.1: simulated, it takes 10% longer."""
        return self.row.seconds / self.measured - 1


def pairs(rows: Iterable[Row]) -> list[Pair]:
    """Of those that have a reference."""
    return [Pair(row, row.reference_s) for row in rows if row.reference_s is not None]


def median_off(some: Sequence[Pair]) -> float:
    return median(abs(pair.off) for pair in some)


def worst(some: Sequence[Pair]) -> Pair:
    return max(some, key=lambda pair: abs(pair.off))


def words_of(pair: Pair) -> str:
    row = pair.row
    name = row.algorithm.partition(",")[0]
    return f"{row.machine} {row.collective} {name} {units.bytes_text(row.bytes)} {pair.off:+.0%}"


def summary(some: Sequence[Pair], heading: str, group_of: Callable[[Row], str]) -> output.Table:
    """A line for each group, in the order of the rows."""
    table = output.table(heading, "Calls", "Median off", "Worst", right=("Calls", "Median off"))
    for name in dict.fromkeys(group_of(pair.row) for pair in some):
        group = [pair for pair in some if group_of(pair.row) == name]
        table.add_row(name, str(len(group)), f"{median_off(group):.1%}", words_of(worst(group)))
    return table
