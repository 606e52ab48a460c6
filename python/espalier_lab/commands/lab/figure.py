# SPDX-License-Identifier: Apache-2.0
"""espalier lab figure: the results of a study as a picture."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from espalier import output, output_files
from espalier.failure import Failure
from espalier.words import advice, bytes_of, listed
from espalier_lab.commands.options import RESULTS, Collectives, Mpis, Results, Sizes, families_of
from espalier_lab.experiments import comparison, connections, halos_planned, halos_table, series_figure, studies
from espalier_lab.experiments import figure as figure_
from espalier_lab.nodes import figure as nodes_figure
from espalier_lab.nodes import rows as nodes_rows


class View(StrEnum):
    BARS = "bars"
    TABLE = "table"
    CURVES = "curves"
    CONNECTIONS = "connections"


DRAWN = {
    View.BARS: figure_.draw,
    View.TABLE: series_figure.draw_table,
    View.CURVES: series_figure.draw_curves,
    View.CONNECTIONS: connections.draw,
}


NODES = "nodes"  # what `espalier nodes` measured


def check_study(name: str) -> None:
    if name not in studies.STUDIES:
        raise Failure(f"{name}: no such study; {advice(name, list(studies.STUDIES))}")


def register(app: typer.Typer) -> None:
    app.command()(figure)


def figure(
    study: Annotated[
        str,
        typer.Argument(metavar="STUDY", help="A study compared before; halo; nodes.", show_default=False),
    ],
    svg: Annotated[Path, typer.Option(metavar="FILE", help="The file to write the figure to.")],
    view: Annotated[View | None, typer.Option(help="By default a table of series, and bars of all else.")] = None,
    mpi: Mpis = None,
    collective: Collectives = None,
    size: Sizes = None,
    results: Results = RESULTS,
) -> None:
    """Draw a comparison's results: native, the best forced algorithm and Espalier next to what the links allow.

    Of a series: a table of what all calls took, or curves of what they had taken after each call. Of the study lanes:
    how much of a WAN this many connections carry, too.
    """
    if study not in (halos_planned.STUDY, NODES):
        check_study(study)
    output_files.check_can_be_written("--svg", svg, output_files.is_svg)
    mpis = [family.versioned for family in families_of(mpi)]
    if study == halos_planned.STUDY:
        draw_halos(mpis, [bytes_of("--bytes", text) for text in listed(size)], results, svg)
        return
    if study == NODES:
        draw_nodes(mpis, listed(collective), [bytes_of("--bytes", text) for text in listed(size)], results, svg)
        return
    rows = comparison.read(results / f"{study}.json")
    collectives, sizes = listed(collective), [bytes_of("--bytes", text) for text in listed(size)]
    shown = [
        row
        for row in rows
        if row.mpi in mpis and (not collectives or row.collective in collectives) and (not sizes or row.bytes in sizes)
    ]
    if not shown:
        raise Failure(f"{results / study}.json: has no such rows")
    if view is None:
        view = View.TABLE if any(row.calls for row in shown) else View.BARS
    write_figure(DRAWN[view](studies.STUDIES[study]().title, shown), svg)


def draw_nodes(mpis: Sequence[str], collectives: Sequence[str], sizes: Sequence[int], results: Path, svg: Path) -> None:
    file = results / f"{NODES}.json"
    rows = [
        row
        for row in nodes_rows.read(file)
        if row.mpi in mpis and (not collectives or row.collective in collectives) and (not sizes or row.bytes in sizes)
    ]
    drawn = nodes_figure.figure(rows)
    if not drawn:
        raise Failure(f"{file}: has no rows of two sizes, as curves need")
    write_figure(drawn, svg)


def draw_halos(mpis: Sequence[str], sizes: Sequence[int], results: Path, svg: Path) -> None:
    file = results / f"{halos_planned.STUDY}.json"
    rows = [row for row in halos_planned.read(file) if row.mpi in mpis and (not sizes or row.bytes in sizes)]
    if not rows:
        raise Failure(f"{file}: has no such rows")
    write_figure(halos_table.figure(rows), svg)


def write_figure(figure: str, svg: Path) -> None:
    output_files.write_text(figure, svg)
    if not output_files.is_standard(svg):
        output.console().print(f"{svg} written.")
