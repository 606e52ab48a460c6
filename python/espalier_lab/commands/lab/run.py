# SPDX-License-Identifier: Apache-2.0
"""espalier lab run: an MPI program on a network that is there for as long as it runs."""

import typer

from espalier import output_files
from espalier_lab.commands.lab.job import IS_OBSERVATION, run_in
from espalier_lab.commands.options import (
    Algorithm,
    Buffer,
    Delay,
    Json,
    Mpi,
    Mtu,
    Native,
    Nics,
    PerHost,
    Program,
    Rates,
    Spec,
    Uplinks,
    Without,
    options_of,
)
from espalier_lab.experiments.launch import Family
from espalier_lab.network import rootless, session
from espalier_lab.network.plan import DEFAULT_MTU


def register(app: typer.Typer) -> None:
    app.command(no_args_is_help=True)(run)


def run(
    context: typer.Context,
    network: Spec,
    program: Program,
    rate: Rates = "20mbit",
    without: Without = None,
    mtu: Mtu = DEFAULT_MTU,
    delay: Delay = "10ms",
    nics: Nics = 2,
    uplinks: Uplinks = 2,
    buffer: Buffer = "",
    mpi: Mpi = Family.OPENMPI,
    per_host: PerHost = 1,
    algorithm: Algorithm = "",
    native: Native = False,
    json: Json = None,
) -> None:
    """Bring up a network, run an MPI program on all its hosts, show what the links carried, remove the network.

    The program comes last:

    - ./espalier lab run torus:3x3x3 --rate 20mbit -- ./app
    """
    output_files.check_can_be_written("--json", json, IS_OBSERVATION)
    rootless.enter()
    with session.lab(network, options_of(rate, without, mtu, delay, nics, uplinks, buffer)) as plan:
        status = run_in(context.obj, plan, mpi, program, per_host, algorithm, native, json)
    raise typer.Exit(status)
