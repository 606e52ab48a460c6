# SPDX-License-Identifier: Apache-2.0
"""Time over the message's size, and the gain: one below the other in a page, side by side in a picture of its own."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from markupsafe import Markup

from espalier import svg, units
from espalier.story import axes, marks, words
from espalier.story.axes import Frame
from espalier.story.scales import Scale, logarithmic, thinned
from espalier_lab.gain.sizes import Size
from espalier_lab.simulation import curves
from espalier_lab.simulation.curves import Panel

WIDTH, HEIGHT = 960.0, 560.0
TIMES = Frame(74, 34, 946, 300)
GAINS = Frame(74, 372, 946, 510)
MOST_SIZES = 9  # whose labels find room
PLAIN, CHOSEN, BEST = 0, 1, 2  # whose marks they have
CLASSES = ("would-have", "took", "best")  # of the lines, in the style of the page
NAMES = ("a plain MPI at its best", "Espalier's choice", "the best that was played")
Value = Callable[[Size], float]
TIME_OF: dict[int, Value] = {
    PLAIN: lambda size: size.plain.seconds,
    BEST: lambda size: size.best.seconds,
    CHOSEN: lambda size: size.seconds,
}
GAIN_OF: dict[int, Value] = {BEST: lambda size: size.best_gain, CHOSEN: lambda size: size.gain}


def picture(title: str, sizes: Sequence[Size]) -> str:
    """SVG that stands alone."""
    panels = [
        Panel("Time of a call", "", named(TIME_OF, sizes)),
        Panel("Times as fast as a plain MPI", "at its best", named(GAIN_OF, sizes), value_text=times_text),
    ]
    return curves.draw(title, [panels])


def named(values: dict[int, Value], sizes: Sequence[Size]) -> curves.Curves:
    return {NAMES[series]: [(place(size), value(size)) for size in sizes] for series, value in values.items()}


def draw(sizes: Sequence[Size]) -> Markup:
    """For the page."""
    said = "; ".join(f"{units.bytes_text(one.bytes)}: {one.gain:.2f} times as fast" for one in sizes)
    parts = chain(times_of(sizes), gains_of(sizes))
    return svg.picture("gain", WIDTH, HEIGHT, "Time and gain", f"Espalier's choice over a plain MPI. {said}.", parts)


def times_of(sizes: Sequence[Size]) -> Iterator[Markup]:
    values = [value(size) for value in TIME_OF.values() for size in sizes]
    y = logarithmic(min(values), max(values), TIMES.bottom, TIMES.top)
    yield from axes.left_axis(TIMES, y, words.seconds, "Time of a call")
    yield from size_axis(TIMES, sizes)
    for series, value in TIME_OF.items():
        yield from curve(sizes, value, series, y)


def gains_of(sizes: Sequence[Size]) -> Iterator[Markup]:
    values = [1.0, *(value(size) for value in GAIN_OF.values() for size in sizes)]
    y = logarithmic(min(values) / 1.1, max(values) * 1.1, GAINS.bottom, GAINS.top)
    yield from axes.left_axis(GAINS, y, times_text, "Times as fast as a plain MPI at its best")
    yield from size_axis(GAINS, sizes)
    yield svg.line(GAINS.left, y(1), GAINS.right, y(1), "axis")
    for series, value in GAIN_OF.items():
        yield from curve(sizes, value, series, y)


def times_text(value: float, digits: int = axes.DEFAULT_DIGITS) -> str:
    return f"{value:.{digits}g}x"


def size_axis(frame: Frame, sizes: Sequence[Size]) -> Iterator[Markup]:
    x = across(sizes)
    yield svg.line(frame.left, frame.bottom, frame.right, frame.bottom, "axis")
    for size in thinned(list(sizes), MOST_SIZES):
        at = x(place(size))
        yield svg.line(at, frame.bottom, at, frame.bottom + 4, "axis")
        yield svg.text(at, frame.bottom + 18, units.bytes_text(size.bytes), "tick", axes.anchor_at(at, frame))


def across(sizes: Sequence[Size]) -> Scale:
    places = [place(size) for size in sizes]
    return logarithmic(min(places), max(places), TIMES.left, TIMES.right)


def place(size: Size) -> float:
    """A barrier has no bytes."""
    return max(1.0, float(size.bytes))


def curve(sizes: Sequence[Size], value: Value, series: int, y: Scale) -> Iterator[Markup]:
    x = across(sizes)
    places = [(x(place(size)), y(value(size))) for size in sorted(sizes, key=place)]
    yield svg.path(places, f"curve {CLASSES[series]}")
    yield marks.points(series, places)
