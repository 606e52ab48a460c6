# SPDX-License-Identifier: Apache-2.0
"""espalier lab apps: real programs on networks."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from espalier import output, output_files
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.job import check_settings
from espalier.words import checked, listed
from espalier_lab.apps import packages
from espalier_lab.commands.options import RESULTS, Mpis, Rate, Resume, families_of
from espalier_lab.commands.progress import fail_if_any, progress, set_aside
from espalier_lab.experiments import programs, programs_rows, programs_table
from espalier_lab.network import rootless, spec


def register(app: typer.Typer) -> None:
    app.command()(apps)


def apps(
    context: typer.Context,
    program: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PROGRAM]...",
            help=f"Folders of apps/, transform and nas-ft. Default: {' '.join(programs_rows.PROGRAMS)}.",
            show_default=False,
        ),
    ] = None,
    network: Annotated[
        list[str] | None,
        typer.Option(metavar="LIST", help=f"On which networks. Default: {','.join(programs_rows.NETWORKS)}."),
    ] = None,
    rate: Rate = f"{programs_rows.RATE_BITS / 1e6:g}mbit",
    mpi: Mpis = None,
    policy: Annotated[str, typer.Option(metavar="NAME", help="How algorithms are chosen.")] = "race",
    described: Annotated[
        bool, typer.Option("--described", metavar="", help="With a description of the network, and without a memory.")
    ] = False,
    repeats: Annotated[int, typer.Option(min=1, help="Runs of each kind.")] = 5,
    resume: Resume = False,
    results: Annotated[Path, typer.Option(metavar="DIR", help="Directory of the results, lab-apps.json.")] = RESULTS,
) -> None:
    """Run real programs on networks, natively and as a policy chooses, in turns: what runs take.

    There is a rank on each host. Debian's programs run under Debian's Open MPI; --mpi is for transform and nas-ft.

    - ./espalier lab apps lammps transform --network leafspine:2x4 --repeats 3
    - ./espalier lab apps petsc-requests --network rails:8x4 --rate 20mbit --described
    """
    installation: Installation = context.obj
    chosen = checked("PROGRAM", program or programs_rows.PROGRAMS, programs_rows.names())
    families, options = families_of(mpi), spec.Options(spec.rate_of(rate))
    check_settings(installation, {"ESPALIER_POLICY": policy})
    for name in chosen:
        for family in programs_rows.families_of(name, families):
            if missing := packages.missing_of(programs.app_of(name, installation, family)):
                raise Failure(
                    f"{name}: not installed: {' '.join(missing)}", f"Install it: ./espalier apps --install {name}"
                )
    place = (results / "lab-apps").absolute()
    networks = listed(network) or programs_rows.NETWORKS
    planned = programs_rows.planned(chosen, networks, options, policy, families, repeats, place, described=described)
    file = results / "lab-apps.json"
    output_files.make_directory(results)
    rows = programs_rows.read(file) if resume and file.exists() else []
    rootless.enter()
    if not resume:
        set_aside(file)
    with progress("Real programs") as announce:
        done = programs.run(installation, planned, rows, announce, partial(output_files.write_rows, file=file))
    programs_table.show(done.rows, output.console())
    output.console().print(f"All rows: {file}")
    fail_if_any(done.failures)
