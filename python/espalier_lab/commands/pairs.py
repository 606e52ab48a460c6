# SPDX-License-Identifier: Apache-2.0
"""espalier pairs: real programs on this machine, natively and under Espalier as it is: what they take.

The rows are described in espalier_lab/apps/pair_rows.py.
"""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from espalier import output, output_files
from espalier.commands import run
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.job import check_settings
from espalier.mpis import Mpi
from espalier.words import checked, listed
from espalier_lab.apps import description, pair_table, pairs
from espalier_lab.apps.description import App
from espalier_lab.commands.apps import why_not_installed
from espalier_lab.commands.options import RESULTS, Results
from espalier_lab.commands.progress import progress
from espalier_lab.nodes.jobs import MPIS

TITLE = "Real programs in pairs"


def register(app: typer.Typer) -> None:
    app.command("pairs")(pairs_)


def pairs_(
    context: typer.Context,
    programs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PROGRAM]...", help="Folders of apps/. Default: all with [pairs].", show_default=False),
    ] = None,
    number: Annotated[int, typer.Option("--pairs", min=1, help="Pairs of runs of each program.")] = 20,
    ranks: Annotated[int, typer.Option("--ranks", "-n", min=2, help="Ranks of each run.")] = 2,
    mpi: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="Such as openmpi5,mpich5. Default: all that are here.")
    ] = None,
    install: Annotated[bool, typer.Option("--install", metavar="", help="First install what is missing.")] = False,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting, to find out what it changes.")
    ] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the rows to this file; - is standard output.")
    ] = None,
    results: Results = RESULTS,
) -> None:
    """Run real programs on this machine natively and under Espalier without settings, in pairs, and compare times.

    For example:

    - ./espalier pairs lammps mpi4py-training --pairs 20
    """
    installation: Installation = context.obj
    output_files.check_can_be_written("--json", json, output_files.json_with("program", "native_s", "espalier_s"))
    settings = run.chosen_settings("", "", False, set_ or [])
    check_settings(installation, settings)
    names = programs or [name for name in description.names() if description.read(name).pairs]
    output_files.make_directory(results)
    console = output.console(stderr=output_files.is_standard(json))
    place = (results / "pairs").absolute()
    wanted = checked("--mpi", listed(mpi) or MPIS, MPIS)
    planned = [
        pairs.series_of(app, one, ranks, place, settings)
        for app in description.chosen(names)
        for one in mpis_of(app, install, console)
        if one.name in wanted
    ]
    if not planned:
        raise Failure("There is nothing to run.", "Install what is missing: --install")
    file = results / "pairs.json"
    with progress(TITLE) as announce:
        done = pairs.run(installation, planned, number, announce, partial(output_files.write_rows, file=file))
    if json:
        output_files.write_rows(done.rows, json)
    pair_table.show(done.rows, console)
    console.print(f"All rows: {file}")
    if done.failures:
        raise Failure("\n".join(done.failures), f"What they wrote is in {place}.", status=1)


def mpis_of(app: App, install: bool, console: Console) -> list[Mpi]:
    """Under which it can run here."""
    if why := why_not_installed(app, install, console):
        console.print(f"{app.name}: not run by its own MPI: {why}", soft_wrap=True)
        return pairs.other_mpis(app)
    own = pairs.own_mpi(app)
    return [*([own] if own else []), *pairs.other_mpis(app)]
