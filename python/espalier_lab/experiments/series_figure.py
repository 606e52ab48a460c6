# SPDX-License-Identifier: Apache-2.0
"""Figures of series: the tables as a picture, and curves of what all calls so far have taken."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from markupsafe import Markup

from espalier import units
from espalier.failure import Failure
from espalier_lab.experiments import series_variants
from espalier_lab.experiments.comparison import Row
from espalier_lab.experiments.launch import name_of_mpi
from espalier_lab.experiments.series_table import Table, grouped, heading_of, tables
from espalier_lab.figure_parts import INDENT, corner, curve, figure, legend, rule, text, width_for

COLOURS = ("#7b8794", "#2a7f9e", "#d1803a", "#4b9b5f", "#8a5fa8", "#b5484f")

# Of tables.
LETTER, LINE, CELL_GAP = 6.6, 19, 22

# Of curves.
COLUMNS, PANEL, HEIGHT = 3, 250, 150
LEFT, RIGHT, ABOVE, BELOW, TOP = 58, 22, 38, 40, 74


def draw_table(title: str, rows: Sequence[Row]) -> str:
    shown = list(tables(series_in(rows)))
    y, parts, width = 62, list[Markup](), 20.0 + LETTER * 1.5 * len(title)
    for table in shown:
        widths = [max(map(len, column)) * LETTER for column in zip(table.heading, *table.lines, strict=True)]
        parts += drawn_table(table, widths, y)
        width = max(width, 2 * INDENT + sum(widths) + CELL_GAP * (len(widths) - 1), 2 * INDENT + 7.5 * len(table.title))
        y += LINE * (len(table.lines) + 3)
    return figure(title, width, y, parts)


def drawn_table(table: Table, widths: Sequence[float], y: float) -> Iterator[Markup]:
    yield text(INDENT, y, table.title, weight="bold")
    whole = sum(widths) + CELL_GAP * (len(widths) - 1)
    for number, cells in enumerate([table.heading, *table.lines], start=1):
        at = float(INDENT)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            is_first = column == 0
            yield text(at if is_first else at + width, y + LINE * number, cell, anchor="start" if is_first else "end")
            at += width + CELL_GAP
    for below in (1, len(table.lines) + 1):
        at = y + LINE * below + 6
        yield rule(INDENT, at, INDENT + whole, at)


@dataclass(frozen=True)
class Panel:
    title: str
    subtitle: str
    curves: dict[str, list[float]]  # of in each direction, what all calls so far have taken

    @property
    def calls(self) -> int:
        return max(len(curve) for curve in self.curves.values())

    @property
    def seconds(self) -> float:
        return max(curve[-1] for curve in self.curves.values())


def panels_of(rows: Sequence[Row]) -> list[Panel]:
    shown = [row for row in series_in(rows) if row.each_s and not series_variants.is_fixed(row.variant)]
    keys = grouped(shown, lambda row: (row.mpi, row.collective, row.bytes, row.lab))
    return [
        Panel(
            f"{collective}, {units.bytes_text(size)}, {name_of_mpi(mpi)}",
            lab,
            {row.variant: list(accumulate(row.each_s)) for row in group},
        )
        for (mpi, collective, size, lab), group in keys
    ]


def draw_curves(title: str, rows: Sequence[Row]) -> str:
    panels = panels_of(rows)
    if not panels:
        raise Failure("There are no times of single calls among these results, so no curves.")
    known = list(dict.fromkeys(variant for panel in panels for variant in panel.curves))
    colours = {variant: COLOURS[index % len(COLOURS)] for index, variant in enumerate(known)}
    lines = -(-len(panels) // COLUMNS)
    columns = min(COLUMNS, len(panels))
    width = width_for(title, columns * (LEFT + PANEL + RIGHT))
    parts = list(legend({heading_of(variant): colour for variant, colour in colours.items()}))
    for index, panel in enumerate(panels):
        x, y = (
            index % COLUMNS * (LEFT + PANEL + RIGHT) + LEFT,
            TOP + index // COLUMNS * (ABOVE + HEIGHT + BELOW) + ABOVE,
        )
        parts += drawn_panel(panel, colours, x, y)
    return figure(title, width, TOP + lines * (ABOVE + HEIGHT + BELOW), parts)


def drawn_panel(panel: Panel, colours: dict[str, str], x: float, y: float) -> Iterator[Markup]:
    bottom = y + HEIGHT
    yield text(x, y - 20, panel.title, weight="bold")
    yield text(x, y - 6, panel.subtitle, size=11)
    yield corner(x, y, PANEL, HEIGHT)
    yield text(x, bottom + 15, "0", size=10, anchor="middle")
    yield text(x + PANEL, bottom + 15, f"{panel.calls} calls", size=10, anchor="end")
    yield text(x - 6, y + 8, units.seconds_text(panel.seconds), size=10, anchor="end")
    yield text(x - 6, bottom, "0", size=10, anchor="end")
    for variant, seconds_so_far in panel.curves.items():
        points = [(x, bottom)]
        points += [
            (x + PANEL * number / panel.calls, bottom - HEIGHT * seconds / max(panel.seconds, 1e-12))
            for number, seconds in enumerate(seconds_so_far, start=1)
        ]
        yield curve(points, colours[variant])


def series_in(rows: Sequence[Row]) -> list[Row]:
    found = [row for row in rows if row.calls]
    if not found:
        raise Failure("There is no series of calls among these results.", "Draw bars of them: --view bars")
    return found
