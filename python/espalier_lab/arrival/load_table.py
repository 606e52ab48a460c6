# SPDX-License-Identifier: Apache-2.0
"""Benchmark (b) as a table: in how many patterns it helps to arrange the ranks, and in how many it hurts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import Any

from rich.console import Console

from espalier import output, units
from espalier_lab.arrival.rows import LoadRow
from espalier_lab.arrival.variants import is_plain
from espalier_lab.experiments.comparison import MIB

MARGIN = 0.05  # of the time: less is neither a gain nor a loss

LEGEND = (
    "Next to {plain}, pattern by pattern: in how many of them the time was more than 5% shorter (gain) or longer "
    "(loss), and the median of the ratios. Paper: 128 processes, for the exchanges of `swap`."
)


@dataclass(frozen=True)
class Shares:
    """Of the patterns; and the median of the ratios, unless it is not known."""

    gain: float
    loss: float
    median: float | None

    @property
    def cells(self) -> list[str]:
        ratio = f"{self.median:.2f}" if self.median is not None else "-"
        return [f"{self.gain:.3g}%", f"{self.loss:.3g}%", ratio]


PAPER = {MIB: (200, Shares(58, 6.5, None), Shares(90, 1, None))}  # overall, mean


def shares_of(ratios: Sequence[float]) -> Shares:
    gain, loss = (sum(found) for found in ([r < 1 - MARGIN for r in ratios], [r > 1 + MARGIN for r in ratios]))
    return Shares(100 * gain / len(ratios), 100 * loss / len(ratios), median(ratios))


@dataclass(frozen=True)
class Ratios:
    """Of the patterns that both have."""

    overall: list[float]
    mean: list[float]


def ratios_of(rows: Sequence[LoadRow]) -> dict[str, Ratios]:
    """By variant: its times over those of the tree in which nobody is arranged."""
    own = {row.pattern: row for row in rows if is_plain(row.variant)}
    found: dict[str, Ratios] = {}
    for row in rows:
        if not is_plain(row.variant) and row.pattern in own:
            ratios = found.setdefault(row.variant, Ratios([], []))
            ratios.overall.append(row.overall_s / own[row.pattern].overall_s)
            ratios.mean.append(row.mean_s / own[row.pattern].mean_s)
    return found


def place_of(row: LoadRow) -> tuple[Any, ...]:
    return (row.collective, row.where, row.mpi, row.ranks, row.bytes, row.most)


def grouped(rows: Sequence[LoadRow]) -> Iterator[tuple[str, list[LoadRow]]]:
    for (collective, where, mpi, ranks, size, most), group in groupby(sorted(rows, key=place_of), key=place_of):
        words = [f"{collective} of {units.bytes_text(size)}", f"{ranks} ranks", where, mpi]
        yield ", ".join([*words, f"random delays up to {most:g}x"]), list(group)


def show(rows: Sequence[LoadRow], console: Console) -> None:
    for title, group in grouped(rows):
        console.print(f"\n{title}", style="bold")
        console.print(table_of(group))
    for name in dict.fromkeys(row.variant for row in rows if is_plain(row.variant)):
        console.print("\n" + LEGEND.format(plain=name))


def table_of(rows: Sequence[LoadRow]) -> output.Table:
    columns = ("Patterns", "Overall: gain", "loss", "ratio", "Mean: gain", "loss", "ratio")
    table = output.table("Variant", *columns, right=columns)
    for name, ratios in ratios_of(rows).items():
        cells = [*shares_of(ratios.overall).cells, *shares_of(ratios.mean).cells]
        table.add_row(name, str(len(ratios.overall)), *cells)
    if rows[0].bytes in PAPER:
        count, overall, mean = PAPER[rows[0].bytes]
        table.add_row("Paper", str(count), *overall.cells, *mean.cells)
    return table
