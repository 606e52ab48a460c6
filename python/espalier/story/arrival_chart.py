# SPDX-License-Identifier: Apache-2.0
"""Who comes when: a line for each rank, in a call before the ranks were arranged by that, and in the latest one."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from markupsafe import Markup

from espalier import arrival_words
from espalier.context_words import name_of
from espalier.contexts import Arrivals, CallOfAll, Context
from espalier.story import axes, svg, words
from espalier.story.axes import Frame
from espalier.story.scales import Scale, linear

WIDTH = 960.0
LEFT, RIGHT = 74.0, 946.0
HEADING, BETWEEN, BELOW = 34.0, 16.0, 42.0  # above each call, between them, and for the axis
HIGHEST = 410.0  # a call
ROW, THIN_ROW = 15.0, 5.0  # of a rank; in rows that are thinner there is no room for details
MOST_ROWS = 512
GAP = 0.25  # of a row
LABEL = 13.0  # a number's height
LEAST_WIDTH = 1.0
NOTE_FONT = 12.0
MOST_NOTES = 4  # at late ranks
MOST_CLEARED, CLEARED, CLEAR_LINE = 16, 4.0, 2.4  # late ranks among thin rows; so high, and their lines in it

PHASES = {
    "waiting": "waiting for its first message",
    "under-way": "that message on its way",
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


def calls_of(arrivals: Arrivals) -> list[CallOfAll]:
    """One, if no later one is known; none, if they are known to another rank alone."""
    found = [arrivals.before, arrival_words.later_call(arrivals)]
    return [call for call in found if call is not None]


def draw(name: str, context: Context) -> Markup:
    """Nothing, where the ranks were not arranged, or it is not known when they came."""
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
        axes.bottom_axis(bottom, sketch.x, words.seconds, "since the first rank came"),
    )
    title = f"When the ranks come: {name_of(context)}"
    return svg.picture(name, WIDTH, bottom.bottom + BELOW, title, description(context, rows), parts)


def row_height(rows: int) -> float:
    """In tenths, which are written exactly."""
    return max(0.1, min(ROW, math.floor(10 * HIGHEST / rows) / 10))


def ranks_per_row(ranks: int) -> int:
    return math.ceil(ranks / MOST_ROWS)


def shown_ranks(calls: Sequence[CallOfAll]) -> list[int]:
    """All, or of each so many neighbours the one that comes last in any call."""
    ranks = len(calls[0].come)
    lateness = [max(found) for found in zip(*map(arrival_words.lateness_of, calls), strict=True)]
    every = ranks_per_row(ranks)
    return [max(range(first, min(first + every, ranks)), key=lateness.__getitem__) for first in range(0, ranks, every)]


def panels_of(arrivals: Arrivals, calls: Sequence[CallOfAll], height: float) -> Iterator[Panel]:
    top = HEADING
    for call in calls:
        which = "before the ranks were arranged" if call is arrivals.before else "the latest that all ranks told of"
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
    """Since the first rank came, as far as the axis goes."""
    return min(time - call.begin, axes.MOST_SECONDS)


def rank_text(call: CallOfAll, rank: int) -> str:
    came = words.seconds(seconds_at(call, call.come[rank]))
    waited = f", waited {words.seconds(call.waited[rank])} for its first message" if call.waited[rank] else ""
    return f"rank {rank}: came at {came}{waited}, was in the call for {words.seconds(call.seconds_of(rank))}"


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


def late_marks(panel: Panel, sketch: Sketch, late: set[int]) -> Iterator[Markup]:
    """Until a late rank came, a line of dots; through all ranks, one where the last one came."""
    frame, call = panel.frame, panel.call
    came = {rank: sketch.x(seconds_at(call, call.come[rank])) for rank in late}
    last = max(came.values())
    rows = [(index, rank) for index, rank in enumerate(sketch.rows) if rank in late]
    is_thin, is_few = sketch.row < THIN_ROW, len(rows) <= MOST_CLEARED
    if is_thin and is_few:
        yield from cleared(panel, sketch, rows)
    yield svg.line(last, frame.top, last, frame.bottom, "last-came")
    dots, heads = [], []
    for index, rank in rows:
        x, y = came[rank], sketch.middle(frame, index)
        note = note_of(call, rank) if len(rows) <= MOST_NOTES and sketch.row >= LABEL else ""
        room = svg.CHARACTER * NOTE_FONT * len(note)
        if note and x - LEFT > room + 60:
            yield svg.text(x - 14, y + 4, note, "label", "end")
            dots.append(((LEFT, x - 18 - room), y))
        else:
            dots.append(((LEFT, x), y))
        heads.append((x, y))
    yield svg.element("path", d=moves(dots), class_="late", stroke_width=1.6 if is_few else min(1.6, sketch.row))
    if is_few or not is_thin:
        arrows = "".join(f"M{svg.number(x)} {svg.number(y)}l-6-4v8z" for x, y in heads)
        yield svg.element("path", d=arrows, class_="late-head")


def cleared(panel: Panel, sketch: Sketch, rows: Sequence[tuple[int, int]]) -> Iterator[Markup]:
    """Thicker lines of a few ranks among thin ones, with room around them."""
    whole = moves(((LEFT, RIGHT), sketch.middle(panel.frame, index)) for index, _ in rows)
    yield svg.element("path", d=whole, class_="clearing", stroke_width=CLEARED)
    yield from lines_of(panel, sketch, rows, CLEAR_LINE)


def moves(lines: Iterable[tuple[tuple[float, float], float]]) -> str:
    """From left to right."""
    return "".join(f"M{svg.number(x1)} {svg.number(y)}H{svg.number(max(x1, x2))}" for (x1, x2), y in lines)


def note_of(call: CallOfAll, rank: int) -> str:
    return f"{words.seconds(arrival_words.lateness_of(call)[rank])} late"


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
    found = [f"Of {every} ranks side by side only the one that came last is shown."] if every > 1 else []
    if context.arrivals and context.arrivals.transfer_seconds:
        seconds = words.seconds(context.arrivals.transfer_seconds)
        found.append(f"A message counts as on its way for {seconds} at most: so long a transfer was found to take.")
    return " ".join(found)


def description(context: Context, rows: Sequence[int]) -> str:
    said = " ".join(words.micro(one) for one in arrival_words.sentences(context))
    return f"A line for each of {len(rows)} ranks, from when it came to the call until it left. {said}"
