# SPDX-License-Identifier: Apache-2.0
"""The race of a context: the time of each timed call, by candidate, and the incumbent as a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from markupsafe import Markup

from espalier import svg
from espalier.context_words import name_of
from espalier.contexts import Context
from espalier.older_python import zipped
from espalier.story import axes, marks, words
from espalier.story.axes import Frame, sane
from espalier.story.scales import Scale, linear, logarithmic, thinned

WIDTH, HEIGHT = 960.0, 330.0
FRAME = Frame(74, 34, 946, 280)
BIT, MOST_ON_BIT = 4.0, 2  # of the axis; marks of a candidate there
MOST_STEPS = 400  # of the incumbent's line
MANY_CALLS = 400  # then the first ones, in which most happens, get more room
Points = dict[int, list[tuple[float, float]]]  # of each candidate: ordinal and seconds


def points_of(context: Context) -> Points:
    found: Points = {}
    for block in context.blocks:
        for k, (candidate, seconds) in enumerate(zipped(block.calls, block.seconds)):
            if seconds > 0:
                found.setdefault(candidate, []).append((block.at + block.run * k + 1, sane(seconds)))
    return dict(sorted(found.items()))


def steps_of(context: Context) -> list[tuple[float, float]]:
    """From which call on which time was thought the best, as it is believed in the end."""
    found: list[tuple[float, float]] = []
    former = None
    for block in context.blocks:
        seconds = context.candidates[block.incumbent].seconds
        if not seconds:
            continue
        if former is not None and former != block.incumbent:
            found.append((block.at + 1, found[-1][1]))
        if former != block.incumbent:
            found.append((block.at + 1, sane(seconds)))
        former = block.incumbent
    if found:
        found.append((context.blocks[-1].end, found[-1][1]))
    return found


def draw(name: str, context: Context) -> Markup:
    """Nothing, where no call was timed."""
    points = points_of(context)
    if not points:
        return Markup("")
    x, y = scales(context, points)
    parts = chain(
        axes.left_axis(FRAME, y, words.seconds, "time of a call, mean over the ranks"),
        axes.bottom_axis(FRAME, x, axes.count, "call of this context" + (", logarithmic" if x.is_log else "")),
        bound(context, y),
        (series(context, candidate, places, x, y) for candidate, places in drawing_order(points)),
        [svg.path([(x(at), y(seconds)) for at, seconds in thinned(steps_of(context), MOST_STEPS)], "incumbent")],
    )
    return svg.picture(name, WIDTH, HEIGHT, f"The race: {name_of(context)}", description(context, points), parts)


def scales(context: Context, points: Points) -> tuple[Scale, Scale]:
    seconds = [value for places in points.values() for _, value in places]
    seconds += [sane(value) for _, value in steps_of(context)]
    if context.bound_seconds:
        seconds.append(sane(context.bound_seconds))
    first, last = context.blocks[0].at + 1, context.blocks[-1].end
    kind = logarithmic if last - first > MANY_CALLS else linear
    return (
        kind(first, last, FRAME.left + 6, FRAME.right - 6),
        logarithmic(min(seconds) * 0.9, max(seconds) * 1.1, FRAME.bottom - 4, FRAME.top + 2),
    )


def drawing_order(points: Points) -> list[tuple[int, list[tuple[float, float]]]]:
    """Those with few points last, so that they lie above the many."""
    return sorted(points.items(), key=lambda item: -len(item[1]))


def series(context: Context, candidate: int, places: list[tuple[float, float]], x: Scale, y: Scale) -> Markup:
    title = svg.element("title", context.candidates[candidate].name)
    shown = thinned_along((x(at), y(seconds)) for at, seconds in places)
    return svg.group(title, marks.points(candidate, shown), data_candidate=candidate)


def thinned_along(places: Iterable[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """The first ones on each bit of the axis: where they are few, all stay."""
    counts: Counter[int] = Counter()
    for x, y in places:
        bit = int(x / BIT)
        counts[bit] += 1
        if counts[bit] <= MOST_ON_BIT:
            yield x, y


def bound(context: Context, y: Scale) -> Iterator[Markup]:
    if not context.bound_seconds:
        return
    at = y(sane(context.bound_seconds))
    yield svg.line(FRAME.left, at, FRAME.right, at, "bound")
    yield svg.text(
        FRAME.right - 4, at - 5, f"bound of the network: {words.seconds(context.bound_seconds)}", "tick", "end"
    )


def description(context: Context, points: Points) -> str:
    timed = ", ".join(f"{context.candidates[k].name} {len(places)} times" for k, places in points.items())
    fastest = f" The fastest so far is {context.fastest.name}." if context.fastest else ""
    return f"The time of each call that was timed, on a logarithmic scale: {timed}.{fastest}"
