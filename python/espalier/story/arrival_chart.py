# SPDX-License-Identifier: Apache-2.0
"""Who comes when: a line for each rank, in a call before the ranks were arranged by that, and in the latest one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain

from markupsafe import Markup

from espalier import arrival_words, svg
from espalier.context_words import name_of
from espalier.contexts import Arrivals, CallOfAll, Context
from espalier.older_python import zipped
from espalier.story import axes, words
from espalier.story.arrival_lines import LABEL, LEFT, PHASES, RIGHT, ROW, Panel, Sketch, lines, stretches_of
from espalier.story.axes import Frame
from espalier.story.late_marks import late_marks
from espalier.story.scales import linear

WIDTH = 960.0
HEADING, BETWEEN, BELOW = 34.0, 16.0, 42.0  # above each call, between them, and for the axis
HIGHEST = 410.0  # a call
MOST_ROWS = 512


def calls_of(arrivals: Arrivals) -> list[CallOfAll]:
    """One, if no later one is known; none, if they are known to another rank alone."""
    found = [arrivals.before, arrival_words.later_call(arrivals)]
    return [call for call in found if call is not None]


def draw(name: str, context: Context) -> Markup:
    """Nothing, where the ranks were not arranged, or it is not known when they arrived."""
    arrivals = context.arrivals
    calls = calls_of(arrivals) if arrivals else []
    if not arrivals or not calls:
        return Markup("")
    rows = shown_ranks(calls)
    row = row_height(len(rows))
    high = max(axes.sane(max(call.left) - call.begin) for call in calls)
    sketch = Sketch(rows, row, linear(0, high, LEFT, RIGHT), arrivals.transfer_seconds)
    panels = list(panels_of(arrivals, calls, row * len(rows)))
    bottom = panels[-1].frame
    parts = chain(
        chain.from_iterable(panel_parts(panel, sketch) for panel in panels),
        axes.bottom_axis(bottom, sketch.x, words.seconds, "since the first rank arrived"),
    )
    title = f"When the ranks arrive: {name_of(context)}"
    return svg.picture(name, WIDTH, bottom.bottom + BELOW, title, description(context, rows), parts)


def row_height(rows: int) -> float:
    """In tenths, which are written exactly."""
    return max(0.1, min(ROW, math.floor(10 * HIGHEST / rows) / 10))


def ranks_per_row(ranks: int) -> int:
    return math.ceil(ranks / MOST_ROWS)


def shown_ranks(calls: Sequence[CallOfAll]) -> list[int]:
    """All, or of each this many neighbours the one that arrives last in any call."""
    ranks = len(calls[0].come)
    lateness = [max(found) for found in zipped(*map(arrival_words.lateness_of, calls))]
    every = ranks_per_row(ranks)
    return [max(range(first, min(first + every, ranks)), key=lateness.__getitem__) for first in range(0, ranks, every)]


def panels_of(arrivals: Arrivals, calls: Sequence[CallOfAll], height: float) -> Iterator[Panel]:
    top = HEADING
    for call in calls:
        which = "before the ranks were arranged" if call is arrivals.before else "the latest that all ranks reported of"
        name = arrival_words.call_name(call)
        mean = words.seconds(arrival_words.mean_seconds(call))
        yield Panel(call, f"{name}, {which}: a rank took {mean} on average", Frame(LEFT, top, RIGHT, top + height))
        top += height + BETWEEN + HEADING


def panel_parts(panel: Panel, sketch: Sketch) -> Iterator[Markup]:
    frame, late = panel.frame, arrival_words.late_ranks(panel.call)
    yield svg.text(LEFT, frame.top - 10, panel.heading, "label heading")
    yield svg.text(LEFT - 8, frame.top - 10, "rank", "axis-title", "end")
    for value in sketch.x.marks(8):
        yield svg.line(sketch.x(value), frame.top, sketch.x(value), frame.bottom, "grid")
    yield from labels(panel, sketch, set(late))
    yield from lines(panel, sketch)
    if late:
        yield from late_marks(panel, sketch, set(late))


def labels(panel: Panel, sketch: Sketch, late: set[int]) -> Iterator[Markup]:
    """The late ones first; others where there is room."""
    lateness = arrival_words.lateness_of(panel.call)
    rows = list(enumerate(sketch.rows))
    first = sorted(((k, rank) for k, rank in rows if rank in late), key=lambda row: -lateness[row[1]])
    every = 1 << max(0, math.ceil(math.log2(LABEL / sketch.row)))
    taken: list[float] = []
    for index, rank in (*first, *rows[::every]):
        y = sketch.middle(panel.frame, index)
        if all(abs(y - other) >= LABEL for other in taken):
            taken.append(y)
            yield svg.text(LEFT - 8, y + 4, str(rank), "tick late-rank" if rank in late else "tick", "end")


def keys(context: Context) -> list[tuple[str, str]]:
    """For a legend: the phases that are to be seen, as a class of the page's style, and in words."""
    arrivals = context.arrivals
    calls = calls_of(arrivals) if arrivals else []
    rows = shown_ranks(calls) if calls else []
    transfer = arrivals.transfer_seconds if arrivals else 0.0
    seen = {one.phase for call in calls for rank in rows for one in stretches_of(call, rank, transfer)}
    return [(phase, said) for phase, said in PHASES.items() if phase in seen]


def has_late_ranks(context: Context) -> bool:
    return any(arrival_words.late_ranks(call) for call in (calls_of(context.arrivals) if context.arrivals else []))


def notes_on(context: Context) -> str:
    """What is to be known of the picture."""
    every = ranks_per_row(context.ranks)
    found = [f"Of {every} ranks side by side only the one that arrived last is shown."] if every > 1 else []
    if context.arrivals and context.arrivals.transfer_seconds:
        seconds = words.seconds(context.arrivals.transfer_seconds)
        found.append(f"A message counts as in flight for {seconds} at most: so long a transfer was found to take.")
    return " ".join(found)


def description(context: Context, rows: Sequence[int]) -> str:
    said = " ".join(words.micro(one) for one in arrival_words.sentences(context))
    return f"A line for each of {len(rows)} ranks, from when it arrived at the call until it left. {said}"
