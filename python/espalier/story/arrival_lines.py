# SPDX-License-Identifier: Apache-2.0
"""A line for each rank of a call, from when it arrived until it left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from espalier import svg
from espalier.contexts import CallOfAll
from espalier.story import axes, words
from espalier.story.axes import Frame
from espalier.story.scales import Scale

LEFT, RIGHT = 74.0, 946.0
ROW, THIN_ROW = 15.0, 5.0  # of a rank; in rows that are thinner there is no room for details
GAP = 0.25  # of a row
LABEL = 13.0  # a number's height
LEAST_WIDTH = 1.0
PHASES = {
    "waiting": "waiting for its first message",
    "under-way": "that message in flight",
    "onward": "all else until it left",
    "in-call": "in the call",
}


@dataclass(frozen=True)
class Stretch:
    """Of a rank's time in a call; seconds since the first one came."""

    phase: str
    begin: float
    end: float


@dataclass(frozen=True)
class Panel:
    """A call with its place in the picture."""

    call: CallOfAll
    heading: str
    frame: Frame


@dataclass(frozen=True)
class Sketch:
    """What all that is drawn depends on."""

    rows: list[int]  # ranks, from above
    row: float  # its height
    x: Scale
    transfer_seconds: float

    @property
    def thick(self) -> float:
        """A rank's line."""
        return self.row * (1 - GAP) if self.row >= THIN_ROW else self.row

    def middle(self, frame: Frame, index: int) -> float:
        return frame.top + self.row * (index + 0.5)


def lines(panel: Panel, sketch: Sketch) -> Iterator[Markup]:
    """With a text for each rank, where these are not too thin to be pointed at."""
    rows = list(enumerate(sketch.rows))
    if sketch.row < THIN_ROW:
        yield from lines_of(panel, sketch, rows)
        return
    for index, rank in rows:
        text = svg.element("title", rank_text(panel.call, rank))
        yield svg.group(text, *lines_of(panel, sketch, [(index, rank)]))


def lines_of(
    panel: Panel, sketch: Sketch, rows: Iterable[tuple[int, int]], thick: float | None = None
) -> Iterator[Markup]:
    """One path for each phase."""
    drawn: dict[str, list[str]] = {phase: [] for phase in PHASES}
    for index, rank in rows:
        y = svg.number(sketch.middle(panel.frame, index))
        found = list(stretches_of(panel.call, rank, sketch.transfer_seconds))
        for k, stretch in enumerate(found):
            start, end = sketch.x(stretch.begin), sketch.x(stretch.end)
            if k == len(found) - 1:  # a rank that was there is to be seen
                end = max(end, sketch.x(found[0].begin) + LEAST_WIDTH)
            if svg.number(end - start) != "0":
                drawn[stretch.phase].append(f"M{svg.number(start)} {y}h{svg.number(end - start)}")
    for phase, moved in drawn.items():
        if moved:
            yield svg.element("path", d="".join(moved), class_=f"time {phase}", stroke_width=thick or sketch.thick)


def stretches_of(call: CallOfAll, rank: int, transfer_seconds: float) -> Iterator[Stretch]:
    """How long it waited is not known of a call that went to the native MPI."""
    begin = seconds_at(call, call.come[rank])
    end = seconds_at(call, call.left[rank])
    waited = min(call.waited[rank], end - begin)
    if not waited:
        yield Stretch("in-call", begin, end)
        return
    there = begin + waited
    sent = there - min(transfer_seconds, waited)
    for phase, first, last in (("waiting", begin, sent), ("under-way", sent, there), ("onward", there, end)):
        if first < last:
            yield Stretch(phase, first, last)


def seconds_at(call: CallOfAll, time: float) -> float:
    """Since the first rank arrived, as far as the axis goes."""
    return min(time - call.begin, axes.MOST_SECONDS)


def rank_text(call: CallOfAll, rank: int) -> str:
    came = words.seconds(seconds_at(call, call.come[rank]))
    waited = f", waited {words.seconds(call.waited[rank])} for its first message" if call.waited[rank] else ""
    return f"rank {rank}: came at {came}{waited}, was in the call for {words.seconds(call.seconds_of(rank))}"
