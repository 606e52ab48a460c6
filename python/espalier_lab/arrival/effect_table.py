# SPDX-License-Identifier: Apache-2.0
"""Benchmark (a) as tables: for each delay what each variant takes, and how soon it took as little as the ideal."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from rich.console import Console

from espalier import output, units
from espalier_lab.arrival.places import MACHINE
from espalier_lab.arrival.rows import NEVER, EffectRow
from espalier_lab.arrival.variants import LEARNING, every, is_plain, kind_of, plain
from espalier_lab.breadth_table import short_seconds
from espalier_lab.experiments.comparison_table import BUSY

LEGEND = """overall: from the first rank's entry to the last one's exit. mean: in the call, of all ranks. Both are
medians of the last half of the calls. less: how much shorter than of {plain} that is. until: after this many calls the
overall and the mean time were within 10% of the ideal's, and stayed there; - never. forced: the best of the MPI's own
algorithms. Delays are multiples of what {plain} takes without one; * marks those at which this machine's processors
were the limit."""

CHANGE_LEGEND = """First one rank arrives late, and then another. until: after this many calls the overall and the mean
time were within 10% of the ideal's, and stayed there; again: this many after the change. Times are of the end."""


def show(rows: Sequence[EffectRow], console: Console) -> None:
    steady, changed = ([row for row in rows if row.is_changed is wanted] for wanted in (False, True))
    for title, group in grouped(steady):
        console.print(f"\n{title}", style="bold")
        console.print(table_of(group))
    if steady:
        console.print("\n" + one_paragraph(LEGEND.format(plain=plain_names(steady))))
    for title, group in grouped(changed):
        console.print(f"\n{title}: the late rank changes", style="bold")
        console.print(change_table_of(group))
    if changed:
        console.print("\n" + one_paragraph(CHANGE_LEGEND))


def plain_names(rows: Sequence[EffectRow]) -> str:
    return " or ".join(dict.fromkeys(plain(row.collective) for row in rows))


def one_paragraph(text: str) -> str:
    return " ".join(text.split())


def place_of(row: EffectRow) -> tuple[Any, ...]:
    return (row.collective, row.where, row.mpi, row.ranks, row.bytes)


def grouped(rows: Sequence[EffectRow]) -> Iterator[tuple[str, list[EffectRow]]]:
    for (collective, where, mpi, ranks, size), group in groupby(sorted(rows, key=place_of), key=place_of):
        words = [f"{collective} of {units.bytes_text(size)}", f"{ranks} ranks", where, mpi]
        yield ", ".join(words), list(group)


def by_delay(rows: Sequence[EffectRow]) -> Iterator[tuple[float, dict[str, EffectRow]]]:
    """Of the forced ones the best."""
    for delay, group in groupby(sorted(rows, key=lambda row: row.delay), key=lambda row: row.delay):
        best: dict[str, EffectRow] = {}
        for row in sorted(group, key=lambda row: row.overall_s):
            best.setdefault(kind_of(row.variant), row)
        yield delay, best


def table_of(rows: Sequence[EffectRow]) -> output.Table:
    there = {kind_of(row.variant) for row in rows}
    kinds = [kind for kind in every(rows[0].collective) if kind in there]
    table = output.table("Delay", "", *kinds, right=("Delay", *kinds))
    for delay, found in by_delay(rows):
        own = next((row for row in found.values() if is_plain(row.variant)), None)
        for index, (name, cell) in enumerate(LINES):
            cells = [cell(found[kind], own) if kind in found else "" for kind in kinds]
            table.add_row(delay_text(delay, found) if index == 0 else "", name, *cells)
    return table


def delay_text(delay: float, found: dict[str, EffectRow]) -> str:
    is_busy = any(row.cpu_busy > BUSY and row.where != MACHINE for row in found.values())
    return f"{delay:g}" + ("*" if is_busy else "")


def overall(row: EffectRow, _own: EffectRow | None) -> str:
    return short_seconds(row.overall_s)


def mean(row: EffectRow, _own: EffectRow | None) -> str:
    return short_seconds(row.mean_s)


def less_overall(row: EffectRow, own: EffectRow | None) -> str:
    return "" if own is None or row is own else f"{1 - row.overall_s / own.overall_s:.0%}"


def less_mean(row: EffectRow, own: EffectRow | None) -> str:
    return "" if own is None or row is own else f"{1 - row.mean_s / own.mean_s:.0%}"


def until(row: EffectRow, _own: EffectRow | None) -> str:
    if row.variant not in LEARNING or row.delay == 0:
        return ""
    return f"{count_text(row.until_ideal)}/{count_text(row.until_ideal_mean)}"


def count_text(count: int) -> str:
    return "-" if count == NEVER else str(count)


LINES: tuple[tuple[str, Callable[[EffectRow, EffectRow | None], str]], ...] = (
    ("overall", overall),
    ("less", less_overall),
    ("mean", mean),
    ("less", less_mean),
    ("until", until),
)


def change_table_of(rows: Sequence[EffectRow]) -> output.Table:
    right = ("Delay", "Overall", "Mean", "Until", "Again")
    table = output.table("Delay", "Variant", *right[1:], right=right)
    for delay, found in by_delay(rows):
        kinds = [kind for kind in every(rows[0].collective) if kind in found]
        for index, kind in enumerate(kinds):
            row = found[kind]
            counts = [
                f"{count_text(overall)} / {count_text(mean)}"
                for overall, mean in (
                    (row.until_ideal, row.until_ideal_mean),
                    (row.until_ideal_again, row.until_ideal_mean_again),
                )
            ]
            times = [units.seconds_text(row.overall_s), units.seconds_text(row.mean_s)]
            table.add_row(delay_text(delay, found) if index == 0 else "", kind, *times, *counts)
    return table
