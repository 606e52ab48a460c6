# SPDX-License-Identifier: Apache-2.0
"""espalier lab compare: studies, or parts of them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from espalier import output, output_files
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.units import duration_text
from espalier.words import bytes_of, listed, numbers_of
from espalier_lab.commands.lab.figure import check_study
from espalier_lab.commands.options import RESULTS, Collectives, Mpis, Results, Resume, Sizes, families_of
from espalier_lab.commands.progress import fail_if_any, progress, set_aside
from espalier_lab.experiments import comparison, comparison_table, estimates, pieces, series_table, studies
from espalier_lab.experiments import part as part_
from espalier_lab.network import rootless


def register(app: typer.Typer) -> None:
    app.command()(compare)


def compare(
    context: typer.Context,
    study: Annotated[str, typer.Argument(metavar="STUDY", help=", ".join(studies.STUDIES), show_default=False)],
    mpi: Mpis = None,
    network: Annotated[list[str] | None, typer.Option(metavar="LIST", help="Only on these networks.")] = None,
    placement: Annotated[list[str] | None, typer.Option(metavar="LIST", help="Only with these numbers.")] = None,
    collective: Collectives = None,
    size: Sizes = None,
    variant: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="Only these; * stands for any letters.")
    ] = None,
    calls: Annotated[int, typer.Option(min=0, help="Of a series; 0: as the study has it.")] = 0,
    limit: Annotated[int, typer.Option(min=0, help="Seconds of a native series; 0: as the study has it.")] = 0,
    resume: Resume = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", metavar="", help="Only say what would be measured.")] = False,
    results: Results = RESULTS,
) -> None:
    """Compare the native MPI, each of its own algorithms, and Espalier on shaped links; all results are checked.

    Results are written as they come; a part of a study, or what is missing of it, can be measured alone:

    - ./espalier lab compare choice --placement 1,2 --bytes 64KiB --resume
    """
    check_study(study)
    part = part_.Part(
        listed(network),
        numbers_of("--placement", listed(placement)),
        listed(collective),
        [bytes_of("--bytes", text) for text in listed(size)],
        calls,
        limit,
    )
    families = families_of(mpi)
    planned = studies.STUDIES[study]()
    comparisons = part.of(planned.comparisons)
    parts = pieces.pieces_of(context.obj, comparisons, families, planned.bound_of, listed(variant))
    if not parts:
        raise Failure(f"--variant {','.join(listed(variant))}: this study measures nothing of that name")
    file, console = results / f"{study}.json", output.console()
    rows = comparison.read(file) if resume and file.exists() else []
    if dry_run:
        show_pieces(parts, rows, console)
        return
    output_files.make_directory(results)
    rootless.enter()
    if not resume:
        set_aside(file)
    with progress(planned.title) as announce:
        done = pieces.run(context.obj, parts, rows, announce, partial(output_files.write_rows, file=file))
    shown = [row for row in done.rows if any(piece.is_row(row) for piece in parts)]
    show_rows(context.obj, planned.title, comparisons, shown, file, console)
    fail_if_any(done.failures)


def show_pieces(parts: Sequence[pieces.Piece], rows: Sequence[comparison.Row], console: Console) -> None:
    left = [piece for piece in parts if not piece.is_done(rows)]
    for piece in left:
        console.print(f"{duration_text(piece.weight):>10}  {piece.title}", soft_wrap=True)
    whole = duration_text(sum(piece.weight for piece in left))
    console.print(f"To measure: {len(left)} of {len(parts)}; at a guess {whole} in all.")


def show_rows(
    installation: Installation,
    title: str,
    comparisons: Sequence[comparison.Comparison],
    rows: Sequence[comparison.Row],
    file: Path,
    console: Console,
) -> None:
    series, in_turns = [row for row in rows if row.calls], [row for row in rows if not row.calls]
    if series:
        series_table.show(title, series, console)
    if in_turns:
        found = estimates.estimates(installation, comparisons, in_turns)
        output_files.write_json(estimates.as_json(found), file.with_name(f"{file.stem}-estimates.json"))
        comparison_table.show(title, in_turns, console)
        estimates.show(found, console)
    console.print(f"All rows: {file}")
