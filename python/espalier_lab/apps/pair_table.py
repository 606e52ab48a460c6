# SPDX-License-Identifier: Apache-2.0
"""Pairs of runs as a table."""

from collections.abc import Sequence
from statistics import median

from rich.console import Console

from espalier import output, units
from espalier_lab.apps.pair_rows import OWN_PART, Row, quartiles

LEGEND = (
    "Native: the median; what the program says of its own time, or, with *, whole jobs. Ratio: Espalier's time as a "
    "multiple of the native one, the median of pairs and the quartiles. Calls: of collectives, among several ranks, of "
    "all ranks together. Ours: those that ran on Espalier's schedules. In calls: the time in them, natively and under "
    "Espalier, in two runs before the pairs."
)


def show(rows: Sequence[Row], console: Console) -> None:
    right = ("Pairs", "Native", "Ratio", "Calls", "Ours", "In calls")
    table = output.table("Program", "MPI", "Pairs", "Native", "Ratio", "", "Calls", "Ours", "In calls", right=right)
    for row in rows:
        calls = units.count_text(row.calls)
        in_calls = f"{row.in_calls_native_s:.2f}, {row.in_calls_s:.2f} s"
        table.add_row(row.program, row.mpi, str(len(row.ratios)), *times(row), calls, f"{row.own_share:.1%}", in_calls)
    console.print(table)
    console.print(LEGEND)
    for row in rows:
        for text in row.passed_on:
            console.print(f"Passed on to the MPI by {row.program}, {row.mpi}: {text}", soft_wrap=True)


def times(row: Row) -> tuple[str, str, str]:
    """The native time, the ratio and its quartiles."""
    if not row.ratios:
        return "-", "-", "-"
    low, middle, high = quartiles(row.ratios)
    mark = "" if row.timed == OWN_PART else "*"
    return f"{mark}{median(row.native_s):.2f} s", f"{middle:.3f}", f"{low:.3f} - {high:.3f}"
