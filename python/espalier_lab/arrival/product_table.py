# SPDX-License-Identifier: Apache-2.0
"""Benchmark (c) as a table: what whole products take, and their broadcasts."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rich.console import Console

from espalier import output, units
from espalier_lab.arrival.rows import ProductRow
from espalier_lab.arrival.variants import is_plain

LEGEND = (
    "Medians of all runs. Whole: until the last rank was through; mean: over all ranks. Broadcasts: all of them "
    "together, mean over ranks, and half of their range. ratio: how many times as long as with {plain}."
)


def place_of(row: ProductRow) -> tuple[Any, ...]:
    return (row.where, row.mpi, row.ranks, row.n, row.percent, row.slope, row.sleep, row.rows)


def show(rows: Sequence[ProductRow], console: Console) -> None:
    for key, group in groupby(sorted(rows, key=place_of), key=place_of):
        where, mpi, ranks, n, percent, slope, sleep, count = key
        words = [f"product {n} x {n}, {percent:g}% nonzeros, slope {slope:g}", f"{count} rows", f"{ranks} ranks"]
        words += [where, mpi, *([f"sleeping {sleep:g} s per million"] if sleep else [])]
        found = list(group)
        words.append(units.plural(max(len(row.each_overall_s) for row in found), "run"))
        console.print("\n" + ", ".join(words), style="bold")
        console.print(table_of(found))
    for name in dict.fromkeys(row.variant for row in rows if is_plain(row.variant)):
        console.print("\n" + LEGEND.format(plain=name))


def table_of(rows: Sequence[ProductRow]) -> output.Table:
    own = next((row for row in rows if is_plain(row.variant)), None)
    columns = ("Whole", "ratio", "Mean", "ratio", "Broadcasts", "ratio", "Spread")
    table = output.table("Variant", *columns, right=columns)
    for row in rows:
        whole = cells_of(row.overall_s, own.overall_s if own else None)
        through = cells_of(row.through_s, own.through_s if own else None)
        inside = cells_of(row.in_broadcasts_s, own.in_broadcasts_s if own else None)
        spread = half_range(row.each_in_broadcasts_s) / row.in_broadcasts_s
        table.add_row(row.variant, *whole, *through, *inside, f"{spread:.0%}")
    return table


def cells_of(seconds: float, own: float | None) -> list[str]:
    return [units.seconds_text(seconds), f"{seconds / own:.2f}" if own else "-"]


def half_range(each: Sequence[float]) -> float:
    return (max(each) - min(each)) / 2
