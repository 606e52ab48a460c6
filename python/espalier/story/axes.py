# SPDX-License-Identifier: Apache-2.0
"""A frame with a scale to the left and one below, with units."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from espalier import output
from espalier.story import svg
from espalier.story.scales import Scale

Format = Callable[[float], str]
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
    for value in scale.marks(max(2, int((frame.bottom - frame.top) / 36))):
        y = scale(value)
        yield svg.line(frame.left, y, frame.right, y, "grid")
        yield svg.text(frame.left - 8, y + 4, format_(value), "tick", "end")


def bottom_axis(frame: Frame, scale: Scale, format_: Format, title: str) -> Iterator[Markup]:
    yield svg.line(frame.left, frame.bottom, frame.right, frame.bottom, "axis")
    for value in scale.marks(max(2, int((frame.right - frame.left) / (1.6 * NARROW)))):
        x = scale(value)
        yield svg.line(x, frame.bottom, x, frame.bottom + 4, "axis")
        yield svg.text(x, frame.bottom + 18, format_(value), "tick", anchor_at(x, frame))
    yield svg.text(frame.right, frame.bottom + 34, title, "axis-title", "end")


def anchor_at(x: float, frame: Frame) -> str:
    """Labels at the ends stay inside."""
    return "end" if x > frame.right - 12 else "start" if x < frame.left + 12 else "middle"


def count(value: float) -> str:
    return output.count_text(round(value)) if value < 1e8 else f"{value:.3g}".replace("e+0", "e").replace("e+", "e")


def sane(seconds: float) -> float:
    return min(max(seconds, LEAST_SECONDS), MOST_SECONDS)
