# SPDX-License-Identifier: Apache-2.0
"""What would be gained on a described machine: Espalier's choice next to a plain MPI's best; table, chart and page."""

from pathlib import Path

from espalier import output, output_files
from espalier.failure import Failure
from espalier_lab.gain import table
from espalier_lab.gain.sizes import Size, sizes_of


def show(answer: str, report: Path | None, svg: Path | None) -> None:
    """`answer`: what espalier-simulate said, as JSON. The files are of a page and of a picture."""
    sizes = sizes_of(answer)
    if not sizes:
        raise Failure("Nothing of what was to be played can run there.", "--all shows what can.", status=1)
    title, where = table.title_of(sizes), table.where_of(sizes)
    if not any(map(output_files.is_standard, (report, svg))):
        console = output.console()
        console.print(f"{title}, {where}\n")
        console.print(table.table_of(sizes))
        console.print()
        for line in (*table.sentences(sizes), "", *table.NOTES):
            console.print(line)
    if svg is not None or report is not None:
        draw(title, where, sizes, report, svg)


def draw(title: str, where: str, sizes: list[Size], report: Path | None, svg: Path | None) -> None:
    # What draws takes long to load.
    from espalier_lab.gain import chart, page

    if report is not None:
        output_files.write_text(page.page(title, where, sizes), report)
    if svg is not None:
        output_files.write_text(chart.picture(title, sizes), svg)
