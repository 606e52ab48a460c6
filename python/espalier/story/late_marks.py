# SPDX-License-Identifier: Apache-2.0
"""Late ranks in the picture of a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from markupsafe import Markup

from espalier import arrival_words, svg
from espalier.contexts import CallOfAll
from espalier.story import words
from espalier.story.arrival_lines import LABEL, LEFT, RIGHT, THIN_ROW, Panel, Sketch, lines_of, seconds_at

NOTE_FONT = 12.0
MOST_NOTES = 4  # at late ranks
MOST_CLEARED, CLEARED, CLEAR_LINE = 16, 4.0, 2.4  # late ranks among thin rows; so high, and their lines in it


def late_marks(panel: Panel, sketch: Sketch, late: set[int]) -> Iterator[Markup]:
    """Until a late rank arrived, a line of dots; through all ranks, one where the last one came."""
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
