# SPDX-License-Identifier: Apache-2.0
"""A frame with a scale to the left and one below, with units."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from espalier import svg, units
from espalier.older_python import zipped
from espalier.story.scales import Scale

Format = Callable[[float, int], str]  # with this many digits
DEFAULT_DIGITS, MOST_DIGITS = 3, 9
LEAST_SECONDS, MOST_SECONDS = 1e-9, 1e9  # others are shown as these
NARROW = 60  # a mark's label, about


@dataclass(frozen=True)
class Frame:
    """In which the curves are."""

    left: float
    top: float
    right: float
    bottom: float


def left_axis(frame: Frame, scale: Scale, format_: Format, title: str) -> Iterator[Markup]:
    """The title stands above."""
    yield svg.text(4, frame.top - 12, title, "axis-title")
    for value, label in labelled(scale.marks(max(2, int((frame.bottom - frame.top) / 36))), format_):
        y = scale(value)
        yield svg.line(frame.left, y, frame.right, y, "grid")
        yield svg.text(frame.left - 8, y + 4, label, "tick", "end")


def bottom_axis(frame: Frame, scale: Scale, format_: Format, title: str) -> Iterator[Markup]:
    yield svg.line(frame.left, frame.bottom, frame.right, frame.bottom, "axis")
    for value, label in labelled(scale.marks(max(2, int((frame.right - frame.left) / (1.6 * NARROW)))), format_):
        x = scale(value)
        yield svg.line(x, frame.bottom, x, frame.bottom + 4, "axis")
        yield svg.text(x, frame.bottom + 18, label, "tick", anchor_at(x, frame))
    yield svg.text(frame.right, frame.bottom + 34, title, "axis-title", "end")


def labelled(values: Sequence[float], format_: Format) -> list[tuple[float, str]]:
    """As few digits as tell them apart; where even many do not, the first of those with one label."""
    for digits in range(DEFAULT_DIGITS, MOST_DIGITS + 1):
        labels = [format_(value, digits) for value in values]
        if len(set(labels)) == len(labels):
            break
    first = {label: value for value, label in zipped(reversed(values), reversed(labels))}
    return [(value, label) for value, label in zipped(values, labels) if first[label] == value]


def anchor_at(x: float, frame: Frame) -> str:
    """Labels at the ends stay inside."""
    return "end" if x > frame.right - 12 else "start" if x < frame.left + 12 else "middle"


def count(value: float, _: int = DEFAULT_DIGITS) -> str:
    return units.count_text(round(value)) if value < 1e8 else f"{value:.3g}".replace("e+0", "e").replace("e+", "e")


def sane(seconds: float) -> float:
    return min(max(seconds, LEAST_SECONDS), MOST_SECONDS)
