# SPDX-License-Identifier: Apache-2.0
"""espalier lab exec: an MPI program in the network that is up."""

import typer

from espalier import output_files
from espalier_lab.commands.lab.job import IS_OBSERVATION, run_in
from espalier_lab.commands.options import Algorithm, Json, Mpi, Native, PerHost, Program
from espalier_lab.experiments.launch import Family
from espalier_lab.network import namespaces, session


def register(app: typer.Typer) -> None:
    app.command(name="exec", no_args_is_help=True)(exec_)


def exec_(
    context: typer.Context,
    program: Program,
    mpi: Mpi = Family.OPENMPI,
    per_host: PerHost = 1,
    algorithm: Algorithm = "",
    native: Native = False,
    json: Json = None,
) -> None:
    """Run an MPI program in the network that is up."""
    output_files.check_can_be_written("--json", json, IS_OBSERVATION)
    namespaces.require_root()
    status = run_in(context.obj, session.current().plan, mpi, program, per_host, algorithm, native, json)
    raise typer.Exit(status)
