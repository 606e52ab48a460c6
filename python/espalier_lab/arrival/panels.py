# SPDX-License-Identifier: Apache-2.0
"""Figures of curves in panels side by side, times or ratios on a logarithmic axis."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from espalier_lab.figure_parts import INK, Point, corner, curve, figure, legend, rule, text, width_for

PANEL, HEIGHT = 230, 150
LEFT, RIGHT, ABOVE, BELOW, TOP = 62, 18, 44, 38, 74
LEAST_SPAN = 1.2  # of the axis: noise shall not fill a panel

COLOURS = {
    "limit": "#26323d",
    "native": "#7b8794",
    "forced": "#b9a06b",
    "binomial": "#d1803a",
    "chain": "#d1803a",
    "swap": "#8a5fa8",
    "order": "#2a7f9e",
    "ideal": "#4b9b5f",
    "espalier": "#b5484f",
}


@dataclass(frozen=True)
class Panel:
    """x from 0 to 1."""

    title: str
    subtitle: str
    marks: Sequence[tuple[float, str]]  # below the axis
    curves: dict[str, list[Point]]  # by what has a colour
    level: float | None = None  # a line across

    @property
    def limits(self) -> Point:
        values = [y for curve in self.curves.values() for _, y in curve]
        values += [self.level] if self.level is not None else []
        low, high = min(values), max(values)
        return (low, high) if high > LEAST_SPAN * low else (low / LEAST_SPAN, high * LEAST_SPAN)


def draw(title: str, lines: Sequence[Sequence[Panel]], value_text: Callable[[float], str]) -> str:
    """SVG; a line of panels below the other."""
    names = list(dict.fromkeys(name for line in lines for panel in line for name in panel.curves))
    width = width_for(title, max(map(len, lines)) * (LEFT + PANEL + RIGHT))
    parts = list(legend({name: colour_of(name) for name in names}))
    for number, line in enumerate(lines):
        y = TOP + number * (ABOVE + HEIGHT + BELOW) + ABOVE
        for index, panel in enumerate(line):
            parts += drawn(panel, index * (LEFT + PANEL + RIGHT) + LEFT, y, value_text)
    return figure(title, width, TOP + len(lines) * (ABOVE + HEIGHT + BELOW), parts)


def colour_of(name: str) -> str:
    return COLOURS.get(name, INK)


def drawn(panel: Panel, x: float, y: float, value_text: Callable[[float], str]) -> Iterator[Markup]:
    bottom = y + HEIGHT
    low, high = panel.limits
    yield text(x, y - 22, panel.title, weight="bold")
    yield text(x, y - 8, panel.subtitle, size=11)
    yield corner(x, y, PANEL, HEIGHT)
    yield text(x - 6, y + 8, value_text(high), size=10, anchor="end")
    yield text(x - 6, bottom, value_text(low), size=10, anchor="end")
    for at, words in panel.marks:
        yield text(x + PANEL * at, bottom + 15, words, size=10, anchor="end" if at == 1 else "middle")

    def height(value: float) -> float:
        return bottom - HEIGHT * math.log(value / low) / math.log(high / low)

    if panel.level is not None:
        yield rule(x, height(panel.level), x + PANEL, height(panel.level))
    for name, points in panel.curves.items():
        yield curve([(x + PANEL * at, height(value)) for at, value in points], colour_of(name))
