# SPDX-License-Identifier: Apache-2.0
"""Exchanges of halos as a table, and as a figure."""

from collections.abc import Sequence
from itertools import groupby

from rich.console import Console

from espalier import output, units
from espalier_lab.experiments import figure as figures
from espalier_lab.experiments.comparison_table import BUSY, speedup
from espalier_lab.experiments.halos_planned import NATIVE, TITLE, Row
from espalier_lab.experiments.launch import name_of_mpi


def best_native(rows: Sequence[Row]) -> Row | None:
    return min((row for row in rows if row.variant in NATIVE), key=lambda row: row.median_s, default=None)


def figure(rows: Sequence[Row]) -> str:
    """SVG: the MPI's quickest route and Espalier's, as it chooses, of each exchange at its longest messages."""
    blocks = []
    for (lab, mpi, pattern), group in groupby(rows, key=lambda row: (row.lab, row.mpi, row.pattern)):
        of_pattern = list(group)
        longest = max(row.bytes for row in of_pattern)
        of_size = [row for row in of_pattern if row.bytes == longest]
        own = next((row for row in of_size if row.variant == "espalier"), None)
        chosen = {figures.NATIVE: best_native(of_size), figures.OWN: own}
        seconds = {name: row.median_s for name, row in chosen.items() if row}
        times = {name: value / of_size[0].bound_s for name, value in seconds.items()}
        where = f"{lab.split()[0]}, {name_of_mpi(mpi)}"
        blocks.append(figures.Bars(f"{pattern}, {units.bytes_text(longest)}", where, times, seconds))
    return figures.drawn(TITLE, blocks)


def show(rows: Sequence[Row], console: Console) -> None:
    for (lab, mpi, pattern), group in groupby(rows, key=lambda row: (row.lab, row.mpi, row.pattern)):
        console.print(f"\n{pattern} on {lab}, {mpi}", style="bold")
        show_pattern(list(group), console)
    console.print("Medians, and half the distance of the quartiles; * marks rows that the processors limit.")


def show_pattern(rows: Sequence[Row], console: Console) -> None:
    counts_packets = any(row.per_host > 1 for row in rows)
    right = ("Median", "Spread", "/ native", "Of bound", "CPU", *(["Packets"] if counts_packets else []))
    table = output.table("Longest", "Variant", *right, right=right)
    for size, group in groupby(rows, key=lambda row: row.bytes):
        of_size = list(group)
        native = best_native(of_size)
        for index, row in enumerate(of_size):
            table.add_row(
                units.bytes_text(size) if index == 0 else "",
                row.variant,
                units.seconds_text(row.median_s),
                f"{(row.q3_s - row.q1_s) / 2 / row.median_s:.0%}",
                speedup(native, row),
                f"{row.bound_s / row.median_s:.2f}",
                f"{row.cpu_busy:.0%}" + ("*" if row.cpu_busy > BUSY else ""),
                *([f"{row.packets:.0f}"] if counts_packets else []),
            )
    console.print(table)
