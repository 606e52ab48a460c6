# SPDX-License-Identifier: Apache-2.0
"""How much of a WAN a number of connections carries, as in figure 3 of paper 2: labels and a figure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from espalier import svg
from espalier.failure import Failure
from espalier_lab.experiments.comparison import Row
from espalier_lab.experiments.launch import name_of_mpi
from espalier_lab.figure_parts import INK, corner, curve, figure, legend, rule, text, width_for

LABEL = re.compile(r"^(?P<where>.*), (?P<number>\d+) connections$")

COLOUR, OWN, NATIVE = "#2a7f9e", "#b5484f", "#7b8794"
COLUMNS, PANEL, HEIGHT = 2, 320, 170
LEFT, RIGHT, ABOVE, BELOW, TOP = 62, 18, 44, 52, 74
AXIS = "connections over the WAN"
LEGEND = {"this many": COLOUR, "as many as Espalier takes": OWN, "the MPI without it": NATIVE}


def label(where: str, number: int) -> str:
    return f"{where}, {number} connections"


@dataclass(frozen=True)
class Panel:
    """One collective on one WAN and MPI: shares of the bound."""

    where: str
    mpi: str
    by_number: dict[int, float]
    own: float | None  # as many as are chosen
    native: float | None


def panels_of(rows: Sequence[Row]) -> list[Panel]:
    found = [(match, row) for row in rows if (match := LABEL.match(row.lab))]
    keys = dict.fromkeys((match["where"], row.mpi, row.collective, row.bytes) for match, row in found)
    return [panel_of(rows, *key) for key in keys]


def panel_of(rows: Sequence[Row], where: str, mpi: str, collective: str, size: int) -> Panel:
    its = [row for row in rows if (row.mpi, row.collective, row.bytes) == (mpi, collective, size)]
    matches = [(LABEL.match(row.lab), row) for row in its]
    numbers = {int(match["number"]): share_of(row) for match, row in matches if match and match["where"] == where}
    by_variant = {row.variant: share_of(row) for row in its if row.lab == where}
    return Panel(where, mpi, dict(sorted(numbers.items())), by_variant.get("espalier"), by_variant.get("native"))


def share_of(row: Row) -> float:
    return row.bound_s / row.median_s


def draw(title: str, rows: Sequence[Row]) -> str:
    """SVG."""
    panels = panels_of(rows)
    if not panels:
        raise Failure("None of these results are of this many connections.", "The study lanes has them.")
    lines, columns = -(-len(panels) // COLUMNS), min(COLUMNS, len(panels))
    width = width_for(title, columns * (LEFT + PANEL + RIGHT))
    parts = list(legend(LEGEND))
    for index, panel in enumerate(panels):
        x = index % COLUMNS * (LEFT + PANEL + RIGHT) + LEFT
        y = TOP + index // COLUMNS * (ABOVE + HEIGHT + BELOW) + ABOVE
        parts += drawn(panel, x, y)
    return figure(title, width, TOP + lines * (ABOVE + HEIGHT + BELOW), parts)


def drawn(panel: Panel, x: float, y: float) -> Iterator[Markup]:
    bottom, most = y + HEIGHT, max(panel.by_number)
    yield text(x, y - 22, name_of_mpi(panel.mpi), weight="bold")
    yield text(x, y - 8, panel.where, size=11)
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        at = bottom - HEIGHT * share
        yield rule(x, at, x + PANEL, at)
        yield text(x - 6, at + 4, f"{share:.0%}", size=10, anchor="end")
    for level, colour in ((panel.own, OWN), (panel.native, NATIVE)):
        if level is None:
            continue
        at = bottom - HEIGHT * level
        yield rule(x, at, x + PANEL, at, colour, stroke_width=1.5, stroke_dasharray="5 4")
    points = {number: (x + PANEL * number / most, bottom - HEIGHT * share) for number, share in panel.by_number.items()}
    yield curve(list(points.values()), COLOUR)
    for number, (px, py) in points.items():
        yield svg.element("circle", cx=px, cy=py, r=3, fill=COLOUR)
        yield text(px, bottom + 15, str(number), size=10, anchor="middle")
    yield corner(x, y, PANEL, HEIGHT, INK)
    yield text(x + PANEL / 2, bottom + 32, AXIS, size=11, anchor="middle")
