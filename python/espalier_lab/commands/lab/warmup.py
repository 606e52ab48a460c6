# SPDX-License-Identifier: Apache-2.0
"""espalier lab warmup: the first calls on fresh communicators, in pairs."""

from functools import partial
from typing import Annotated

import typer

from espalier import output, output_files
from espalier.words import bytes_of, listed
from espalier_lab.commands.options import RESULTS, Collectives, Mpis, Results, Resume, Sizes, families_of
from espalier_lab.commands.progress import fail_if_any, progress, set_aside
from espalier_lab.experiments import part as part_
from espalier_lab.experiments import warmup as warmup_
from espalier_lab.experiments import warmup_rows, warmup_table
from espalier_lab.network import rootless


def register(app: typer.Typer) -> None:
    app.command()(warmup)


def warmup(
    context: typer.Context,
    network: Annotated[list[str] | None, typer.Option(metavar="LIST", help="Only on these networks.")] = None,
    mpi: Mpis = None,
    collective: Collectives = None,
    size: Sizes = None,
    calls: Annotated[int, typer.Option(min=0, help="At each size; 0: as the study has it.")] = 0,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of runs of each kind.")] = 5,
    resume: Resume = False,
    results: Results = RESULTS,
) -> None:
    """Make first calls on fresh communicators natively and under Espalier as it is by default, in pairs.

    Rows are written as they come; what Espalier reported of each run goes to warmup/ next to them. For example:

    - ./espalier lab warmup --network rails:4x2 --mpi mpich --bytes 64KiB --pairs 5
    """
    wanted = part_.Part(
        networks=listed(network),
        collectives=listed(collective),
        sizes=[bytes_of("--bytes", text) for text in listed(size)],
        calls=calls,
    )
    planned = [warmup_.Series(one, family) for one in wanted.of(warmup_.comparisons()) for family in families_of(mpi)]
    file, reports = results / f"{warmup_.NAME}.json", results / warmup_.NAME
    rows = warmup_rows.read(file) if resume and file.exists() else []
    output_files.make_directory(reports)
    rootless.enter()
    if not resume:
        set_aside(file)
    with progress(warmup_.TITLE) as announce:
        done = warmup_.run(
            context.obj, planned, pairs, rows, reports, announce, partial(output_files.write_rows, file=file)
        )
    warmup_table.show(done.rows, output.console())
    output.console().print(f"All rows: {file}")
    fail_if_any(done.failures)
