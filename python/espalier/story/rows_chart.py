# SPDX-License-Identifier: Apache-2.0
"""Where the time went: the wall time as a whole, then each kind of call with its ranks' least and longest time."""

from collections.abc import Sequence

from markupsafe import Markup

from espalier.output import size_class_text
from espalier.report import Report, Row
from espalier.story import bars, svg, words
from espalier.story.axes import sane
from espalier.story.bars import Bar, Layout, Part

WIDTH = 760.0
MOST_ROWS = 24
LAYOUT = Layout(WIDTH, 196, 150, 8)
WALL_TOP, WALL_THICK = 8.0, 26.0


def by_time(one: Report) -> list[Row]:
    return sorted((row for row in one.rows if row.calls), key=lambda row: row.share, reverse=True)


def label_of(row: Row) -> str:
    return f"{row.name}, {size_class_text(row.bytes_low, row.bytes_high)}"


def imbalance(row: Row) -> float:
    """The longest rank over the mean."""
    return row.seconds_max / row.seconds_mean if row.seconds_mean else 1.0


def draw(name: str, one: Report) -> Markup:
    """Nothing, where there were no calls."""
    rows = by_time(one)[:MOST_ROWS]
    if not rows:
        return Markup("")
    found = [bar_of(row) for row in rows]
    scale = LAYOUT.scale(found)
    return svg.picture(
        name,
        WIDTH,
        LAYOUT.height(found),
        "Time of one rank in its calls, by kind of call",
        description(rows),
        bars.draw(found, LAYOUT, scale),
    )


def bar_of(row: Row) -> Bar:
    least, mean, most = (min(one, 1e9) for one in (row.seconds_min, row.seconds_mean, row.seconds_max))
    title = f"{row.algorithm}: {words.seconds(mean)} of one rank on average, {words.seconds(least)} to {words.seconds(most)}"
    part = Part(mean, "own" if row.own else "passed-on", title)
    end = f"{words.seconds(mean)} · {words.percent(row.share)}"
    return Bar(label_of(row), (part,), end, least, max(mean, most))


def description(rows: Sequence[Row]) -> str:
    said = "; ".join(f"{label_of(row)} as {row.algorithm}: {words.seconds(row.seconds_mean)}" for row in rows[:8])
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
