# SPDX-License-Identifier: Apache-2.0
"""Pairs of runs as a table."""

from collections.abc import Sequence
from statistics import median

from rich.console import Console

from espalier import output, units
from espalier_lab.apps.pair_rows import OWN_PART, Row, quartiles

LEGEND = (
    "Native: the median; what the program says of its own time, or, with *, whole jobs. Ratio: Espalier's time as a "
    "multiple of the native one, the median of pairs and the quartiles. CPU: of the processors' time, what the jobs "
    "got; far less than 1 means that others had the machine, too, and then times say little. Calls: of collectives, "
    "among several ranks, of all ranks together. Ours: those that ran on Espalier's schedules. In calls: the time in "
    "them, all native and under Espalier, in two runs before the pairs."
)
RIGHT = ("Pairs", "Native", "Ratio", "CPU", "Calls", "Ours", "In calls")


def show(rows: Sequence[Row], console: Console) -> None:
    table = output.table("Program", "MPI", "Pairs", "Native", "Ratio", "", "CPU", *RIGHT[-3:], right=RIGHT)
    for row in rows:
        in_calls = f"{row.in_calls_native_s:.2f}, {row.in_calls_s:.2f} s"
        of_calls = units.count_text(row.calls), f"{row.own_share:.1%}", in_calls
        table.add_row(row.program, row.mpi, str(len(row.ratios)), *of_times(row), *of_calls)
    console.print(table)
    console.print(LEGEND)
    for row in rows:
        for text in row.passed_on:
            console.print(f"Passed on to the MPI by {row.program}, {row.mpi}: {text}", soft_wrap=True)


def of_times(row: Row) -> tuple[str, str, str, str]:
    if not row.ratios:
        return "-", "-", "-", "-"
    low, middle, high = quartiles(row.ratios)
    native = f"{median(row.native_s):.2f} s{'' if row.timed == OWN_PART else '*'}"
    return native, f"{middle:.3f}", f"{low:.3f} - {high:.3f}", f"{median(row.cpu_busy):.2f}"
