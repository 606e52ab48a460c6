# SPDX-License-Identifier: Apache-2.0
"""Figures of simulated studies: what is simulated as curves over the message's size, what was measured as dots."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from espalier import svg, units
from espalier_lab.figure_parts import Point, corner, curve, figure, legend, text, width_for

COLOURS = ("#b5484f", "#2a7f9e", "#d1803a", "#4b9b5f", "#8a5fa8", "#7b8794", "#b9a06b", "#26323d")
PANEL, HEIGHT = 260, 170
LEFT, RIGHT, ABOVE, BELOW, TOP = 62, 18, 44, 38, 74
MOST_MARKS = 5
LEAST_SPAN = 1.2  # of an axis

Curves = dict[str, list[Point]]  # by name: (bytes, value), neither of which is 0


@dataclass(frozen=True)
class Panel:
    title: str
    subtitle: str
    curves: Curves
    dots: Curves = field(default_factory=dict)  # of the same names
    value_text: Callable[[float], str] | None = None  # where it is another one than that of the figure
    place_text: Callable[[float], str] = units.bytes_text  # of what is below

    def values(self, axis: int) -> list[float]:
        return [point[axis] for some in (self.curves, self.dots) for points in some.values() for point in points]


def draw(title: str, lines: Sequence[Sequence[Panel]], value_text: Callable[[float], str] = units.seconds_text) -> str:
    """SVG; a line of panels below the other. Both axes are logarithmic."""
    panels = [panel for line in lines for panel in line]
    names = list(dict.fromkeys(name for panel in panels for name in (*panel.curves, *panel.dots)))
    colours = {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}
    width = width_for(title, max(map(len, lines)) * (LEFT + PANEL + RIGHT))
    parts = list(legend(colours))
    for number, line in enumerate(lines):
        y = TOP + number * (ABOVE + HEIGHT + BELOW) + ABOVE
        for index, panel in enumerate(line):
            x = index * (LEFT + PANEL + RIGHT) + LEFT
            parts += drawn(panel, x, y, colours, panel.value_text or value_text)
    return figure(title, width, TOP + len(lines) * (ABOVE + HEIGHT + BELOW), parts)


def drawn(
    panel: Panel, x: float, y: float, colours: dict[str, str], value_text: Callable[[float], str]
) -> Iterator[Markup]:
    sizes, (low, high) = sorted(set(panel.values(0))), limits(panel.values(1))
    first, last = limits(sizes)

    def place(point: Point) -> Point:
        return x + PANEL * share(point[0], first, last), y + HEIGHT * (1 - share(point[1], low, high))

    yield text(x, y - 22, panel.title, weight="bold")
    yield text(x, y - 8, panel.subtitle, size=11)
    yield corner(x, y, PANEL, HEIGHT)
    yield text(x - 6, y + 8, value_text(high), size=10, anchor="end")
    yield text(x - 6, y + HEIGHT, value_text(low), size=10, anchor="end")
    for size in marks(sizes):
        yield text(place((size, low))[0], y + HEIGHT + 15, panel.place_text(size), size=10, anchor="middle")
    for name, points in panel.curves.items():
        yield curve([place(point) for point in points], colours[name])
    for name, points in panel.dots.items():
        for cx, cy in map(place, points):
            yield svg.element("circle", cx=float(cx), cy=float(cy), r=3, fill=colours[name])


def limits(values: Sequence[float]) -> Point:
    low, high = min(values), max(values)
    return (low, high) if high > LEAST_SPAN * low else (low / LEAST_SPAN, high * LEAST_SPAN)


def share(value: float, low: float, high: float) -> float:
    return math.log(value / low) / math.log(high / low)


def marks(sizes: Sequence[float]) -> Sequence[float]:
    return sizes[:: math.ceil(len(sizes) / MOST_MARKS)]
