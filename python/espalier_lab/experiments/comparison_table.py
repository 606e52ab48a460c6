# SPDX-License-Identifier: Apache-2.0
"""The rows of a comparison as a table: for each size what the MPI does, its best forced algorithm, and Espalier."""

from collections.abc import Sequence
from itertools import groupby
from typing import Protocol

from rich.console import Console

from espalier import output, units
from espalier_lab.experiments.comparison import Row

BUSY = 0.9

LEGEND = """Medians, and half the distance of the quartiles. forced: the best of all algorithms and segments that the
MPI has. / bound: of what the links allow for the payload alone. CPU: how busy this machine's processors were; * marks
rows that they limit."""


def show(title: str, rows: Sequence[Row], console: Console) -> None:
    console.print(f"\n{title}\n")
    for (lab, mpi, collective), group in groupby(rows, key=lambda row: (row.lab, row.mpi, row.collective)):
        console.print(f"{collective} on {lab}, {mpi}", style="bold")
        show_collective(list(group), console)
        console.print()
    console.print(LEGEND)


def show_collective(rows: Sequence[Row], console: Console) -> None:
    right = ("Median", "Spread", "/ forced", "/ native", "/ bound", "CPU")
    table = output.table("Message", "Variant", *right, right=right)
    for size, group in groupby(rows, key=lambda row: row.bytes):
        of_size = list(group)
        best = best_forced(of_size)
        native = next((row for row in of_size if row.variant == "native"), None)
        shown = [row for row in of_size if not row.is_forced or row is best]
        for index, row in enumerate(shown):
            table.add_row(
                units.bytes_text(size) if index == 0 else "",
                short(row.variant),
                units.seconds_text(row.median_s),
                f"{(row.q3_s - row.q1_s) / 2 / row.median_s:.0%}",
                speedup(best, row),
                speedup(native, row),
                f"{row.median_s / row.bound_s:.2f}" if row.bound_s > 1e-3 else "-",
                f"{row.cpu_busy:.0%}" + ("*" if row.cpu_busy > BUSY else ""),
            )
    console.print(table)


def short(variant: str) -> str:
    """'forced:chain,segment=8192' -> 'forced: chain 8K'."""
    variant, _, algorithm = variant.partition(":")
    name, _, segment = algorithm.partition(",segment=")
    size = f"{int(segment) // 1024}K" if segment.isdigit() else segment.removesuffix("iB")
    return f"{variant}{': ' if name else ''}{name} {size}".rstrip()


def best_forced(rows: Sequence[Row]) -> Row | None:
    """Of those that were measured again, if any was: once is too few to be best."""
    forced = [row for row in rows if row.is_forced]
    repeated = [row for row in forced if row.repeats > 1]
    return min(repeated or forced, key=lambda row: row.median_s, default=None)


class HasMedian(Protocol):
    @property
    def median_s(self) -> float: ...


def speedup(other: HasMedian | None, row: HasMedian) -> str:
    return f"{other.median_s / row.median_s:.2f}x" if other and other is not row else "-"
