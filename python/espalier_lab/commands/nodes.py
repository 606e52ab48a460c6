# SPDX-License-Identifier: Apache-2.0
"""espalier nodes: collectives among ranks that share a node: hand-written, native and Espalier's.

The measuring is done by bench/nodes (bin/espalier-bench-nodes-MPI). The rows are described in
espalier_lab/nodes/rows.py.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from espalier import output, output_files, units
from espalier.failure import Failure
from espalier.functions import COLLECTIVES
from espalier.installation import ROOT, Installation
from espalier.words import bytes_of, checked, listed
from espalier_lab.commands import bench
from espalier_lab.commands.options import Results
from espalier_lab.commands.progress import progress
from espalier_lab.experiments.collected import Collected
from espalier_lab.nodes import figure, jobs, table
from espalier_lab.nodes.jobs import Job, Plan
from espalier_lab.nodes.rows import Found, Row, rows_of

SIZES = ("8", "4KiB", "64KiB", "1MiB", "8MiB")
KINDS = ("limit", "native", "forced", "espalier")
TITLE = "Inside a node"
QUICK_TURNS, QUICK_REPEATS = 1, 3


def register(app: typer.Typer) -> None:
    app.command("nodes")(nodes)


def nodes(
    context: typer.Context,
    mpi: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="Such as openmpi5,mpich5. Default: all that are here.")
    ] = None,
    ranks: Annotated[int, typer.Option("--ranks", "-n", min=2, max=128, help="The limit is for 2 alone.")] = 2,
    collective: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="Such as bcast,allgatherv. Default: all.")
    ] = None,
    sizes: Annotated[
        list[str] | None,
        typer.Option("--bytes", metavar="LIST", help=f"{bench.SIZES_HELP} Default: {','.join(SIZES)}."),
    ] = None,
    variants: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help=f"Only these kinds, of {','.join(KINDS)}.")
    ] = None,
    turns: Annotated[int, typer.Option(min=1, help="Jobs of each kind, one after all others.")] = 3,
    repeats: Annotated[int, typer.Option(min=1, help="Samples of each variant in a job.")] = 5,
    quick: Annotated[
        bool,
        typer.Option("--quick", metavar="", help=f"{QUICK_TURNS} turn of {QUICK_REPEATS} samples, for a first look."),
    ] = False,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the rows to this file; - is standard output.")
    ] = None,
    results: Results = ROOT / "results",
) -> None:
    """Compare, among ranks of one node, a hand-written limit, the native MPI, each of its own algorithms, Espalier, and
    each of Espalier's.

    For example:

    - ./espalier nodes --mpi openmpi5 --collective bcast,allreduce --bytes 8,64KiB
    """
    installation: Installation = context.obj
    output_files.check_can_be_written("--json", json, output_files.json_with("collective", "variant", "barrier_s"))
    plan = Plan(
        collectives=checked("--collective", listed(collective) or tuple(COLLECTIVES), tuple(COLLECTIVES)),
        sizes=[bytes_of("--bytes", size) for size in listed(sizes) or SIZES],
        ranks=ranks,
        repeats=QUICK_REPEATS if quick else repeats,
        variants=checked("--variants", listed(variants), KINDS),
    )
    wanted = jobs.jobs_of(wanted_mpis(installation, listed(mpi)), plan, QUICK_TURNS if quick else turns)
    output_files.make_directory(results)
    console = output.console(stderr=output_files.is_standard(json))
    rows = measure(installation, wanted, results / "nodes.json")
    if json:
        output_files.write_rows(rows, json)
    show(rows, results, console)


def wanted_mpis(installation: Installation, names: Sequence[str]) -> list[str]:
    there = jobs.built(installation)
    if not there:
        raise Failure(f"There is no {jobs.PROGRAM}MPI in {installation.build / 'bin'}.", "Build it first: make build")
    return checked("--mpi", names or there, there)


def measure(installation: Installation, wanted: Sequence[Job], file: Path) -> list[Row]:
    """What fails is left out, and said at the end."""

    def keep(found: Sequence[Found]) -> None:
        output_files.write_rows(rows_of(found), file)

    with progress(TITLE) as announce:
        collected: Collected[Found] = Collected([], [job.weight for job in wanted], announce, keep)
        for job in wanted:
            found = collected.attempt(job.title, partial(jobs.measure, installation, job, announce))
            collected.add(found or [])
    if collected.failures and not collected.rows:
        raise Failure(collected.failures[0], status=1)
    for failure in collected.failures:
        output.console(stderr=True).print(f"Left out: {failure}", soft_wrap=True)
    return rows_of(collected.rows)


def show(rows: Sequence[Row], results: Path, console: Console) -> None:
    table.show(rows, console)
    console.print(f"\nAll {units.plural(len(rows), 'row')}: {results / 'nodes.json'}")
    drawn = figure.figure(rows)
    if drawn:
        output_files.write_text(drawn, results / "nodes.svg")
        console.print(f"Figure: {results / 'nodes.svg'}")
