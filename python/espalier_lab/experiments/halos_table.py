# SPDX-License-Identifier: Apache-2.0
"""Exchanges of halos as a table, and as a figure."""

from collections.abc import Callable, Sequence
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


def over_model(row: Row) -> str:
    return f"{row.median_s / row.model_s:.2f}" if row.model_s > 0 else "-"


def show(rows: Sequence[Row], console: Console) -> None:
    for (lab, mpi, pattern), group in groupby(rows, key=lambda row: (row.lab, row.mpi, row.pattern)):
        console.print(f"\n{pattern} on {lab}, {mpi}", style="bold")
        for size, of_size in groupby(group, key=lambda row: row.bytes):
            console.print(f"\nup to {units.bytes_text(size)}")
            show_size(list(of_size), console)
    console.print(
        "Medians, and half the distance of the quartiles; * marks rows that the processors limit. / model: next to "
        "what the model expects by which packers are chosen."
    )


def show_size(rows: Sequence[Row], console: Console) -> None:
    native = best_native(rows)
    columns: dict[str, Callable[[Row], str]] = {
        "Variant": lambda row: row.variant,
        "Median": lambda row: units.seconds_text(row.median_s) + ("*" if row.cpu_busy > BUSY else ""),
        "Spread": lambda row: f"{(row.q3_s - row.q1_s) / 2 / row.median_s:.0%}",
        "/ native": lambda row: speedup(native, row),
        "Of bound": lambda row: f"{row.bound_s / row.median_s:.2f}",
    }
    if any(row.model_s > 0 for row in rows):
        columns["/ model"] = over_model
    if any(row.per_host > 1 for row in rows):
        columns["Packets"] = lambda row: f"{row.packets:.0f}"
    table = output.table(*columns, right=tuple(columns)[1:])
    for row in rows:
        table.add_row(*(text(row) for text in columns.values()))
    console.print(table)
