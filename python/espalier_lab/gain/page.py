# SPDX-License-Identifier: Apache-2.0
"""What would be gained, as a web page that needs nothing else, in the style of the story of a run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources

from markupsafe import Markup

from espalier import units
from espalier.story import marks, whole_page
from espalier.story.job_part import Tile
from espalier_lab.gain import chart, table
from espalier_lab.gain.sizes import Played, Size

FOOTER = (
    "Simulated: the schedules that run, all ranks of them, on a described machine. Other jobs, caches and protocols of "
    "an MPI are not in it: compare algorithms with each other, and take no time for a promise."
)


@dataclass(frozen=True)
class Line:
    size: str
    row: Played
    whose: str


def page(title: str, where: str, sizes: Sequence[Size]) -> str:
    text = resources.files("espalier_lab.gain").joinpath("page.html.j2").read_text(encoding="utf-8")
    return (
        whole_page.environment()
        .from_string(text)
        .render(
            title=title,
            where=where,
            tiles=tiles_of(sizes),
            sentences=list(table.sentences(sizes)),
            legend=[(marks.key(series), name) for series, name in enumerate(chart.NAMES)],
            chart=chart.draw(sizes),
            lines=[table.cells_of(size) for size in sizes],
            notes=table.NOTES,
            played=list(lines_of(sizes)),
            footer=FOOTER,
            style=Markup(whole_page.asset("page.css")),
        )
    )


def tiles_of(sizes: Sequence[Size]) -> list[Tile]:
    longest = max(sizes, key=lambda size: size.bytes)
    near = sum(size.is_near_the_best for size in sizes)
    return [
        Tile(table.ratio(max(size.gain for size in sizes)), "as fast as a plain MPI, at most"),
        Tile(table.ratio(longest.gain), f"at {units.bytes_text(longest.bytes)}"),
        Tile(table.ratio(max(size.best_gain for size in sizes)), "at most, if always the best ran"),
        Tile(f"{near} of {len(sizes)}", "sizes at which the choice is within 10% of the best"),
    ]


def lines_of(sizes: Sequence[Size]) -> Iterator[Line]:
    for size in sizes:
        for row in size.all:
            whose = "Espalier's choice" if row.chosen else "a plain MPI's" if row.plain else ""
            yield Line(units.bytes_text(size.bytes), row, whose)
