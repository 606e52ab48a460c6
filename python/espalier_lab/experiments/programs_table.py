# SPDX-License-Identifier: Apache-2.0
"""Runs of real programs as a table."""

from collections.abc import Sequence
from statistics import median

from rich.console import Console

from espalier import output
from espalier_lab.experiments.programs_rows import Row
from espalier_lab.experiments.series_variants import NATIVE, POLICY

LEGEND = """Seconds of whole runs, with their start, or as the program says: the median, the least and the most.
Over native: each run next to the native one before or after it.
Warm: with the memory of an earlier run. At once: in how many contexts what ran
first was the best of all that was timed, or within 5% of it."""


def show(rows: Sequence[Row], console: Console) -> None:
    table = output.table(
        *("Program", "Network", "MPI", "Native", "Policy", "Time", "Over native", "At once"),
        right=("Native", "Time", "Over native", "At once"),
    )
    by_key = {row.key: row for row in rows}
    for row in rows:
        native = by_key.get((*row.key[:3], NATIVE))
        if row.variant == NATIVE or native is None:
            continue
        over = [one / other - 1 for one, other in zip(row.seconds, native.seconds, strict=False)]
        words = f"{median(over):+.1%} ({min(over):+.1%} to {max(over):+.1%})" if over else "-"
        kind, _, policy = row.variant.partition(":")
        variant = policy if kind == POLICY else f"{policy}, {kind}"
        at_once = f"{row.right_at_once}/{row.contexts}" if row.contexts else "-"
        table.add_row(
            row.program, row.network, row.mpi, spread(native.seconds), variant, spread(row.seconds), words, at_once
        )
    console.print(table)
    console.print(LEGEND)


def spread(seconds: Sequence[float]) -> str:
    return f"{median(seconds):.1f} s ({min(seconds):.1f} to {max(seconds):.1f})" if seconds else "-"
