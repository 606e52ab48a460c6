# SPDX-License-Identifier: Apache-2.0
"""Rows of bars with a label to the left and one to the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from espalier import svg
from espalier.story.scales import Scale, linear

ROW, THICK, FONT = 26.0, 13.0, 12.0


@dataclass(frozen=True)
class Part:
    """Of a bar."""

    value: float
    class_: str
    title: str


@dataclass(frozen=True)
class Bar:
    label: str
    parts: tuple[Part, ...]
    end_label: str
    least: float | None = None  # a whisker, from here
    most: float | None = None  # to here

    @property
    def total(self) -> float:
        return sum(part.value for part in self.parts)

    @property
    def extent(self) -> float:
        return max(self.total, self.most or 0.0)


@dataclass(frozen=True)
class Layout:
    width: float
    left: float  # where bars begin
    right: float  # room for the labels behind them
    top: float

    def height(self, bars: Sequence[Bar]) -> float:
        return self.top + ROW * len(bars) + 8

    def scale(self, bars: Sequence[Bar], least_high: float = 0.0) -> Scale:
        high = max([least_high, *(bar.extent for bar in bars)])
        return linear(0, high or 1.0, self.left, self.width - self.right)


def draw(bars: Sequence[Bar], layout: Layout, scale: Scale) -> Iterator[Markup]:
    for index, bar in enumerate(bars):
        yield from drawn_bar(bar, layout, scale, layout.top + ROW * index)


def drawn_bar(bar: Bar, layout: Layout, scale: Scale, y: float) -> Iterator[Markup]:
    middle = y + ROW / 2
    words = svg.shortened(bar.label, layout.left - 16, FONT)
    yield svg.group(
        svg.element("title", bar.label) if words != bar.label else Markup(""),
        svg.text(layout.left - 10, middle + 4, words, "label", "end"),
    )
    at = 0.0
    for part in bar.parts:
        width = scale(at + part.value) - scale(at)
        if part.value > 0:
            yield svg.rect(scale(at), middle - THICK / 2, max(1.0, width), THICK, part.class_, part.title)
        at += part.value
    if bar.least is not None and bar.most is not None:
        yield from whisker(scale(bar.least), scale(bar.most), middle)
    yield svg.text(scale(bar.extent) + 8, middle + 4, bar.end_label, "value")


def whisker(low: float, high: float, y: float) -> Iterator[Markup]:
    yield svg.line(low, y, high, y, "whisker")
    for x in (low, high):
        yield svg.line(x, y - 4, x, y + 4, "whisker")
