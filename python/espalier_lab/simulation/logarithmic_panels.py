# SPDX-License-Identifier: Apache-2.0
"""Curves over the message's length, a panel for each machine; both axes are logarithmic."""

import math
from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from espalier import units
from espalier_lab import figure_parts as parts

Curve = Sequence[tuple[float, float]]  # bytes, value
WIDTH, HEIGHT, GAP_X, GAP_Y, LEFT, TOP = 330.0, 210.0, 70.0, 70.0, 70.0, 100.0
COLUMNS = 2


def drawing(title: str, panels: Mapping[str, Mapping[str, Curve]], colours: Mapping[str, str]) -> str:
    rows = math.ceil(len(panels) / COLUMNS)
    width = LEFT + COLUMNS * (WIDTH + GAP_X)
    drawn = [part for number, (name, own) in enumerate(panels.items()) for part in panel(number, name, own, colours)]
    used = {name for own in panels.values() for name in own}
    key = parts.legend({name: colour for name, colour in colours.items() if name in used})
    return parts.figure(title, parts.width_for(title, width), TOP + rows * (HEIGHT + GAP_Y), [*key, *drawn])


def panel(number: int, name: str, own: Mapping[str, Curve], colours: Mapping[str, str]) -> Iterator[Markup]:
    x, y = LEFT + number % COLUMNS * (WIDTH + GAP_X), TOP + number // COLUMNS * (HEIGHT + GAP_Y)
    points = [point for curve in own.values() for point in curve]
    across, up = logarithmic([size for size, _ in points]), logarithmic([value for _, value in points])
    yield parts.text(x, y - 10, name, weight="bold")
    for value in decades(up):
        at = y + HEIGHT * (1 - share(value, up))
        yield parts.rule(x, at, x + WIDTH, at)
        yield parts.text(x - 6, at + 4, f"{value:g}", size=11, anchor="end")
    yield parts.corner(x, y, WIDTH, HEIGHT, parts.INK)
    for size in (math.exp(across[0]), math.exp(across[1])):
        at = x + WIDTH * share(size, across)
        yield parts.text(at, y + HEIGHT + 16, units.bytes_text(round(size)), size=11, anchor="middle")
    for algorithm, curve in own.items():
        line = [(x + WIDTH * share(size, across), y + HEIGHT * (1 - share(value, up))) for size, value in sorted(curve)]
        yield parts.curve(line, colours[algorithm])


def logarithmic(values: Sequence[float]) -> tuple[float, float]:
    low, high = math.log(min(values)), math.log(max(values))
    return low, max(high, low + 1e-9)


def share(value: float, ends: tuple[float, float]) -> float:
    return (math.log(value) - ends[0]) / (ends[1] - ends[0])


def decades(ends: tuple[float, float]) -> Iterator[float]:
    """1, 2, 5, 10 ... between them."""
    for exponent in range(math.floor(ends[0] / math.log(10)), math.ceil(ends[1] / math.log(10)) + 1):
        for step in (1, 2, 5):
            value = step * 10.0**exponent
            if ends[0] - 1e-9 <= math.log(value) <= ends[1] + 1e-9:
                yield value
