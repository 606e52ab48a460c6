# SPDX-License-Identifier: Apache-2.0
"""Where the time went: the wall time as a whole, then each kind of call with its ranks' least and longest time."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from espalier import svg
from espalier.report import Report, Row
from espalier.story import bars, words
from espalier.story.axes import sane
from espalier.story.bars import Bar, Layout, Part
from espalier.units import size_class_text

WIDTH = 960.0
MOST_BARS = 16
LAYOUT = Layout(WIDTH, 250, 150, 8)
WALL_TOP, WALL_THICK = 8.0, 26.0
MOST_SECONDS = 1e9
Kind = tuple[str, int, int]


def by_time(one: Report) -> list[Row]:
    return sorted((row for row in one.rows if row.calls), key=lambda row: row.share, reverse=True)


def kinds_of(one: Report) -> list[list[Row]]:
    """The rows of each kind of call, however it ran; those first that took the most time."""
    kinds: dict[Kind, list[Row]] = {}
    for row in by_time(one):
        kinds.setdefault((row.name, row.bytes_low, row.bytes_high), []).append(row)
    return sorted(kinds.values(), key=lambda rows: sum(row.share for row in rows), reverse=True)


def left_out(one: Report) -> int:
    return max(0, len(kinds_of(one)) - MOST_BARS)


def draw(name: str, one: Report) -> Markup:
    """Nothing, where there were no calls."""
    kinds = kinds_of(one)[:MOST_BARS]
    if not kinds:
        return Markup("")
    found = [bar_of(rows) for rows in kinds]
    parts = bars.draw(found, LAYOUT, LAYOUT.scale(found))
    title = "Time of one rank in its calls, by kind of call"
    return svg.picture(name, WIDTH, LAYOUT.height(found), title, description(found), parts)


def bar_of(rows: Sequence[Row]) -> Bar:
    own = part_of([row for row in rows if row.own], "own", "own schedules")
    passed_on = part_of([row for row in rows if not row.own], "passed-on", "passed on")
    mean = own.value + passed_on.value
    least, most = (total([getattr(row, name) for row in rows]) for name in ("seconds_min", "seconds_max"))
    first = rows[0]
    return Bar(
        f"{first.name}, {size_class_text(first.bytes_low, first.bytes_high)}",
        (own, passed_on),
        f"{words.seconds(mean)} · {words.percent(sum(row.share for row in rows))}",
        min(least, mean),
        max(mean, most),
    )


def part_of(rows: Sequence[Row], class_: str, title: str) -> Part:
    mean = total([row.seconds_mean for row in rows])
    least, most = (total([getattr(row, name) for row in rows]) for name in ("seconds_min", "seconds_max"))
    algorithms = ", ".join(dict.fromkeys(row.algorithm for row in rows))
    whole = f"{title} ({algorithms}): {words.seconds(mean)} of one rank on average"
    return Part(mean, class_, f"{whole}, {words.seconds(least)} to {words.seconds(most)}")


def total(seconds: Sequence[float]) -> float:
    return min(sum(seconds), MOST_SECONDS)


def description(found: Sequence[Bar]) -> str:
    said = "; ".join(f"{bar.label}: {bar.end_label}" for bar in found[:8])
    return f"The mean over the ranks as a bar, the least and the longest of them as a line. {said}."


def draw_wall(name: str, one: Report) -> Markup:
    """The wall time: own, passed on, all else."""
    own = min(1.0, max(0.0, one.own_share_of_wall_time))
    passed_on = min(1.0 - own, max(0.0, one.share_of_wall_time - own))
    shares = (
        ("own", own, "own schedules"),
        ("passed-on", passed_on, "passed on"),
        ("rest", 1 - own - passed_on, "all else"),
    )
    parts: list[Markup] = []
    x = 0.0
    for class_, share, title in shares:
        width = share * WIDTH
        whole = f"{title}: {words.percent(share)}, {words.seconds(share * sane(one.head.wall_seconds))}"
        if share > 0:
            parts.append(svg.rect(x, WALL_TOP, max(1.0, width), WALL_THICK, class_, whole))
        x += width
    said = ", ".join(f"{title} {words.percent(share)}" for _, share, title in shares)
    title = f"The wall time of {words.seconds(one.head.wall_seconds)}"
    return svg.picture(name, WIDTH, WALL_TOP * 2 + WALL_THICK, title, f"Of the wall time: {said}.", parts)
