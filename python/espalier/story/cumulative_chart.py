# SPDX-License-Identifier: Apache-2.0
"""What all calls of a context took up to each one, and what they would have taken without a choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from markupsafe import Markup

from espalier import account, contexts, svg
from espalier.context_words import name_of, reference_name
from espalier.contexts import Block, Context
from espalier.older_python import zipped
from espalier.story import axes, words
from espalier.story.axes import Frame, sane
from espalier.story.scales import linear, thinned

WIDTH, HEIGHT = 480.0, 270.0
FRAME = Frame(74, 34, 464, 216)
MOST_POINTS = 250
ROOM_BETWEEN = 70
Place = tuple[float, float]


@dataclass(frozen=True)
class Course:
    """Seconds after this many calls."""

    timed: list[Place]  # as far as the report has timings
    believed: list[Place]  # from there to the last call
    reference: float  # what a call would have taken
    calls: int


def course_of(context: Context) -> Course | None:
    """None: the reference was never timed. Calls that are not in the report one by one share what is left of the time
    that was measured of all, as their candidates are believed."""
    if not account.reference_seconds(context, 0) or not context.blocks or not context.calls:
        return None
    scale = scale_of(context)
    places = list(places_of(context, scale))
    at, total = places[-1]
    rest = max(0, context.calls - at)
    end = (at + rest, total + scale * rest * believed(context, max(0, context.incumbent)))
    reference = account.account_of(context, 0).reference_seconds / context.calls
    return Course(thinned(places, MOST_POINTS), [places[-1], end], sane(reference), round(at) + round(rest))


def places_of(context: Context, scale: float) -> Iterator[Place]:
    at: float = context.blocks[0].at
    total = scale * at * believed(context, context.first)
    yield 0, 0
    yield at, total
    for block in context.blocks:
        total += scale * max(0, block.at - at) * believed(context, block.incumbent)
        total += seconds_of(context, block, scale)
        at = block.end
        yield at, total


def scale_of(context: Context) -> float:
    """By so much calls that are not in the report one by one took longer than is believed of them."""
    if not context.measured_calls:
        return 1.0
    timed = sum(block.run * sane(seconds) for block in context.blocks for seconds in block.seconds if seconds > 0)
    places = list(places_of(context, 1.0))
    at, total = places[-1]
    overhead = sum(block.overhead for block in context.blocks)
    rest = total - overhead - timed + max(0, context.calls - at) * believed(context, max(0, context.incumbent))
    return max(0.0, contexts.seconds_of(context) - timed) / rest if rest > 0 else 1.0


def seconds_of(context: Context, block: Block, scale: float) -> float:
    timed = sum(
        sane(seconds) if seconds > 0 else scale * believed(context, candidate)
        for candidate, seconds in zipped(block.calls, block.seconds)
    )
    return block.run * timed + scale * block.rest * believed(context, block.incumbent) + block.overhead


def believed(context: Context, candidate: int) -> float:
    return sane(context.candidates[candidate].seconds or context.candidates[0].seconds)


def draw(name: str, context: Context) -> Markup:
    course = course_of(context)
    if course is None:
        return Markup("")
    native = course.reference * course.calls
    took = course.believed[-1][1]
    x = linear(0, course.calls, FRAME.left, FRAME.right)
    y = linear(0, max(native, took) * 1.12, FRAME.bottom, FRAME.top)

    def shown(places: list[Place]) -> list[Place]:
        return [(x(at), y(seconds)) for at, seconds in places]

    parts = chain(
        axes.left_axis(FRAME, y, words.seconds, "time of all calls so far, of one rank"),
        axes.bottom_axis(FRAME, x, axes.count, "calls of this context"),
        [
            area(shown([*course.timed, course.believed[-1]]), (x(course.calls), y(native)), took <= native),
            svg.path([(x(0), y(0)), (x(course.calls), y(native))], "curve would-have"),
            svg.path(shown(course.timed), "curve took"),
            svg.path(shown(course.believed), "curve took believed"),
        ],
        labels(context, x(course.calls), y(native), y(took), native, took),
    )
    title = f"Time of all calls: {name_of(context)}"
    return svg.picture(name, WIDTH, HEIGHT, title, description(context, native, took), parts)


def area(took: list[Place], end: Place, is_saved: bool) -> Markup:
    """Between the curves."""
    return svg.path([*took, end, took[0]], "area saved" if is_saved else "area lost")


def labels(context: Context, x: float, native_y: float, took_y: float, native: float, took: float) -> Iterator[Markup]:
    """At the curves' ends, above them, for they rise; the lower one at the bottom if the curves leave it no room."""
    upper, lower = min(native_y, took_y) - 8, max(native_y, took_y) - 8
    if lower - upper < ROOM_BETWEEN:
        lower = FRAME.bottom - 10
    reference = svg.shortened(reference_name(context), 130, 12)
    own_is_below = took_y >= native_y
    texts = (f"{reference} alone: {words.seconds(native)}", f"took: {words.seconds(took)}")
    yield svg.text(x, upper if own_is_below else lower, texts[0], "label", "end")
    yield svg.text(x, lower if own_is_below else upper, texts[1], "label strong", "end")


def description(context: Context, native: float, took: float) -> str:
    return (
        f"All calls took {words.seconds(took)} of one rank, agreements included. With {reference_name(context)} alone "
        f"they would have taken {words.seconds(native)}, as its time is believed. Dashed: not in the report one by one."
    )
