# SPDX-License-Identifier: Apache-2.0
"""Writes pictures: in a page, or alone. All texts and values are escaped, whatever they hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from espalier.texts import clean

NAMESPACE = "http://www.w3.org/2000/svg"
LONGEST_TEXT = 2000
CHARACTER = 0.64  # a letter's width, in sizes of the font


def element(name: str, *children: Markup | str, **attributes: object) -> Markup:
    """`class_` is written class, and `stroke_width` stroke-width. Children that are no markup become clean text."""
    words = [
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), value_text(value))
        for key, value in attributes.items()
    ]
    inner = Markup("").join(one if isinstance(one, Markup) else clean(one, LONGEST_TEXT) for one in children)
    start = Markup("<{}{}").format(name, Markup("").join(words))
    return start + (Markup(">{}</{}>").format(inner, name) if inner else Markup("/>"))


def value_text(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def number(value: float) -> str:
    """A tenth of a pixel is fine enough."""
    return f"{value:.1f}".removesuffix(".0")


def group(*children: Markup, **attributes: object) -> Markup:
    return element("g", *children, **attributes)


def text(x: float, y: float, words: str, class_: str = "label", anchor: str = "start") -> Markup:
    return element("text", words, x=x, y=y, class_=class_, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def rect(x: float, y: float, width: float, height: float, class_: str, title: str = "") -> Markup:
    inner = [element("title", title)] if title else []
    return element("rect", *inner, x=x, y=y, width=max(0.0, width), height=height, class_=class_)


def path(points: Sequence[tuple[float, float]], class_: str) -> Markup:
    """From point to point."""
    words = " L".join(f"{number(x)} {number(y)}" for x, y in points)
    return element("path", d=f"M{words}", class_=class_) if points else Markup("")


def coordinates(points: Sequence[tuple[float, float]]) -> str:
    """As a polyline has them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def shortened(words: str, width: float, size: float) -> str:
    """As much of it as finds room."""
    return clean(words, max(2, int(width / (size * CHARACTER))))


def picture(name: str, width: float, height: float, title: str, description: str, parts: Iterable[Markup]) -> Markup:
    """With a text that says what is to be seen. `name` is unique in the page."""
    return element(
        "svg",
        element("title", title, id=f"{name}-title"),
        element("desc", description, id=f"{name}-text"),
        *parts,
        xmlns=NAMESPACE,
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="img",
        aria_labelledby=f"{name}-title {name}-text",
        class_="chart",
    )


def document(width: float, height: float, parts: Iterable[Markup]) -> str:
    """A file that stands alone, on white; an element on a line."""
    ground = element("rect", width=width, height=height, fill="white")
    lines = (part + Markup("\n") for part in (ground, *parts))
    view = f"0 0 {width:.0f} {height:.0f}"
    return element("svg", Markup("\n"), *lines, xmlns=NAMESPACE, viewBox=view, font_family="sans-serif") + Markup("\n")
