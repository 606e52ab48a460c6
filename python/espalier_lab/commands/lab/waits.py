# SPDX-License-Identifier: Apache-2.0
"""espalier lab waits: packets that wait for others'."""

import typer

from espalier import output, output_files
from espalier_lab.commands.options import RESULTS, Mpi, Results
from espalier_lab.commands.progress import progress
from espalier_lab.experiments import waits as waits_
from espalier_lab.experiments.launch import Family
from espalier_lab.network import rootless


def register(app: typer.Typer) -> None:
    app.command()(waits)


def waits(context: typer.Context, mpi: Mpi = Family.OPENMPI, results: Results = RESULTS) -> None:
    """Count the links of a torus on which packets wait for others', under three algorithms for an all-reduction."""
    output_files.make_directory(results)
    rootless.enter()
    with progress(waits_.TITLE) as announce:
        rows = waits_.run(context.obj, mpi, announce)
    output_files.write_rows(rows, results / "waits.json")
    waits_.show(rows, output.console())
