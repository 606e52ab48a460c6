# SPDX-License-Identifier: Apache-2.0
"""What many jobs did, as a web page that needs nothing else, in the style of the page of a run."""

import time

from markupsafe import Markup

from espalier import svg, units
from espalier.site_logs import table
from espalier.site_logs.logs import Troubles
from espalier.site_logs.table import Line
from espalier.site_logs.totals import Program, Totals
from espalier.story import bars, whole_page
from espalier.story.bars import Bar, Layout, Part
from espalier.story.job_part import Tile
from espalier.story.words import percent

MOST_BARS = 16
MOST_LINES = 500
WIDTH = 960.0
LAYOUT = Layout(WIDTH, 250, 150, 8)


def page(title: str, totals: Totals, troubles: Troubles) -> str:
    found = table.lines_of(totals)
    return (
        whole_page.environment()
        .get_template("site.html.j2")
        .render(
            title=title,
            headline=table.headline(totals),
            when=when(totals),
            tiles=tiles_of(totals),
            chart=chart_of(totals),
            lines=[cells_of(line) for line in found[:MOST_LINES]],
            lines_left_out=max(0, len(found) - MOST_LINES),
            failures=table.failures_of(totals),
            troubles=table.troubles_of(troubles),
            style=Markup(whole_page.asset("page.css")),
        )
    )


def when(totals: Totals) -> str:
    if not totals.jobs:
        return ""
    first, last = (time.strftime("%Y-%m-%d %H:%M", time.localtime(one)) for one in (totals.first, totals.last))
    return f"jobs that ended between {first} and {last}"


def tiles_of(totals: Totals) -> list[Tile]:
    net = totals.net_seconds
    return [
        Tile(f"{totals.jobs:,}", "jobs"),
        Tile(table.time_text(totals.wall_seconds), "of all ranks together"),
        Tile(percent(totals.share), "of it in collectives"),
        Tile(table.time_text(abs(net)) if net else "0", f"{'saved' if net >= 0 else 'lost'} by choosing by time"),
        Tile(f"{totals.failures:,}", "calls that ended with an error"),
    ]


def cells_of(line: Line) -> tuple[str, ...]:
    calls = line.calls
    return (
        line.program.name,
        line.collective,
        f"{calls.jobs:,}",
        f"{calls.calls:,}",
        units.bytes_text(calls.bytes),
        table.time_text(calls.seconds),
        percent(line.share),
        f"{calls.own_share:.0%}",
        table.net_text(calls.net_seconds),
    )


def chart_of(totals: Totals) -> Markup:
    """Where the time of collectives went, by program."""
    programs = [one for one in totals.by_time if one.seconds][:MOST_BARS]
    if not programs:
        return Markup("")
    found = [bar_of(one) for one in programs]
    parts = bars.draw(found, LAYOUT, LAYOUT.scale(found))
    said = "; ".join(f"{bar.label}: {bar.end_label}" for bar in found[:8])
    title = "Time in collectives, by program"
    return svg.picture("programs", WIDTH, LAYOUT.height(found), title, f"Of all ranks together. {said}.", parts)


def bar_of(program: Program) -> Bar:
    own = sum(one.own_seconds for one in program.collectives.values())
    native = sum(one.native_seconds for one in program.collectives.values())
    return Bar(
        program.name,
        (
            Part(own, "own", f"own schedules: {table.time_text(own)}"),
            Part(native, "passed-on", f"passed on: {table.time_text(native)}"),
        ),
        f"{table.time_text(program.seconds)} · {percent(program.share(program.seconds))}",
    )
