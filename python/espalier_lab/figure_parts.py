# SPDX-License-Identifier: Apache-2.0
"""What figures of results are made of: a title, a legend, texts, curves in panels. Their colours are in the file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from markupsafe import Markup

from espalier import svg

INK, FAINT = "#26323d", "#d9dee3"
INDENT = 20
TITLE_SIZE, TITLE_LETTER = 17, 10  # a letter's width

Point = tuple[float, float]


def figure(title: str, width: float, height: float, parts: Iterable[Markup]) -> str:
    return svg.document(width, height, [text(INDENT, 28, title, size=TITLE_SIZE, weight="bold"), *parts])


def width_for(title: str, wanted: float) -> float:
    """Of a figure, so that its title has room."""
    return max(wanted, float(INDENT) + TITLE_LETTER * len(title))


def text(x: float, y: float, words: str, *, size: int = 12, anchor: str = "start", weight: str = "normal") -> Markup:
    style = {"font_size": size, "text_anchor": anchor, "font_weight": weight, "fill": INK}
    return svg.element("text", words, x=float(x), y=float(y), **style)


def box(x: float, y: float, width: float, height: float, colour: str) -> Markup:
    return svg.element("rect", x=float(x), y=float(y), width=float(width), height=float(height), fill=colour)


def rule(x1: float, y1: float, x2: float, y2: float, colour: str = FAINT, **style: object) -> Markup:
    return svg.element("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), stroke=colour, **style)


def curve(points: Sequence[Point], colour: str) -> Markup:
    return svg.element("polyline", points=svg.coordinates(points), stroke=colour, stroke_width=1.5, fill="none")


def corner(x: float, y: float, width: float, height: float, colour: str = FAINT) -> Markup:
    """The axes of a panel: to the left and below."""
    left, top, right, bottom = map(svg.number, (x, y, x + width, y + height))
    return svg.element("path", d=f"M{left} {top}V{bottom}H{right}", stroke=colour, fill="none")


def legend(colours: Mapping[str, str]) -> Iterator[Markup]:
    """By words. One line, below the title."""
    x = float(INDENT)
    for words, colour in colours.items():
        yield rule(x, 50, x + 18, 50, colour, stroke_width=3)
        yield text(x + 24, 54, words)
        x += 50 + 7 * len(words)
