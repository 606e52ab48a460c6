# SPDX-License-Identifier: Apache-2.0
"""What marks each candidate: a colour and a shape, the same in all pictures of a context."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from markupsafe import Markup

from espalier import svg

COLOURS = 8
SHAPES: tuple[Callable[[str, str], str], ...] = (
    lambda x, y: f"M{x} {y}m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",  # disc
    lambda x, y: f"M{x} {y}m-2.7-2.7h5.4v5.4h-5.4z",  # square
    lambda x, y: f"M{x} {y}m0-3.8l3.6 6.2h-7.2z",  # triangle
    lambda x, y: f"M{x} {y}m0-4l4 4l-4 4l-4-4z",  # diamond
    lambda x, y: f"M{x} {y}m0 3.8l3.6-6.2h-7.2z",  # triangle on its point
    lambda x, y: f"M{x} {y}m-1.3-3.9h2.6v2.6h2.6v2.6h-2.6v2.6h-2.6v-2.6h-2.6v-2.6h2.6z",  # cross
)


def colour(candidate: int) -> str:
    """A class of the page's style; what all is measured by is grey."""
    return "k-baseline" if candidate == 0 else f"k{(candidate - 1) % COLOURS}"


def shape(candidate: int) -> Callable[[str, str], str]:
    """Six shapes and eight colours: 24 candidates have marks of their own, and there are 16 at most."""
    return SHAPES[candidate % len(SHAPES)]


def points(candidate: int, places: Iterable[tuple[float, float]]) -> Markup:
    draw = shape(candidate)
    words = "".join(draw(svg.number(x), svg.number(y)) for x, y in places)
    return svg.element("path", d=words, class_=f"mark {colour(candidate)}") if words else Markup("")


def key(candidate: int) -> Markup:
    """For a legend."""
    mark = svg.element("path", d=shape(candidate)("7", "7"), class_=f"mark {colour(candidate)}")
    return svg.element("svg", mark, viewBox="0 0 14 14", width=14, height=14, class_="key", aria_hidden="true")
