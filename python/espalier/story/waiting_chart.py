# SPDX-License-Identifier: Apache-2.0
"""Waiting apart from moving: of each candidate's timed calls the least over the ranks, and what the mean has more."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from espalier import svg
from espalier.context_words import name_of
from espalier.contexts import Context, short_name
from espalier.story import bars, words
from espalier.story.axes import sane
from espalier.story.bars import Bar, Layout, Part

WIDTH = 480.0
LAYOUT = Layout(WIDTH, 176, 130, 8)
MOST_BARS = 8


@dataclass(frozen=True)
class Split:
    """Means over the timed calls of a candidate, in seconds."""

    candidate: int
    least: float
    waiting: float


def splits_of(context: Context) -> list[Split]:
    """Of calls whose least time is known; the candidates that were timed most."""
    sums: dict[int, list[tuple[float, float]]] = {}
    for block in context.blocks:
        for candidate, seconds, least in zip(block.calls, block.seconds, block.least):
            if seconds > 0 and least > 0:
                sums.setdefault(candidate, []).append((sane(least), max(0.0, sane(seconds) - sane(least))))
    found = sorted(sums.items(), key=lambda item: -len(item[1]))[:MOST_BARS]
    return [
        Split(candidate, sum(least for least, _ in all_) / len(all_), sum(waits for _, waits in all_) / len(all_))
        for candidate, all_ in sorted(found)
    ]


def draw(name: str, context: Context) -> Markup:
    """Nothing, where the report has no least times."""
    splits = splits_of(context)
    if not splits:
        return Markup("")
    found = [bar_of(context, split) for split in splits]
    parts = bars.draw(found, LAYOUT, LAYOUT.scale(found))
    title = f"Moving and waiting: {name_of(context)}"
    return svg.picture(name, WIDTH, LAYOUT.height(found), title, description(context, splits), parts)


def bar_of(context: Context, split: Split) -> Bar:
    parts = (
        Part(split.least, "moving", f"least over the ranks: {words.seconds(split.least)}"),
        Part(split.waiting, "waiting", f"mean beyond it: {words.seconds(split.waiting)}"),
    )
    end = f"{words.seconds(split.least)} + {words.seconds(split.waiting)}"
    return Bar(short_name(context, split.candidate), parts, end)


def description(context: Context, splits: list[Split]) -> str:
    said = "; ".join(
        f"{context.candidates[one.candidate].name}: {words.seconds(one.least)} and {words.seconds(one.waiting)}"
        for one in splits
    )
    return f"The least time over the ranks, and how much longer the mean is. {said}."
