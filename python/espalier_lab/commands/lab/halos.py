# SPDX-License-Identifier: Apache-2.0
"""espalier lab halos: exchanges with neighbours."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from espalier import output, output_files
from espalier.words import bytes_of, listed
from espalier_lab.commands.options import RESULTS, Mpis, families_of
from espalier_lab.commands.progress import fail_if_any, progress, set_aside
from espalier_lab.experiments import halos as halos_
from espalier_lab.experiments import halos_planned, halos_table
from espalier_lab.network import rootless


def register(app: typer.Typer) -> None:
    app.command()(halos)


def halos(
    context: typer.Context,
    pattern: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="scale,stencil,irregular,alike. Default: all.")
    ] = None,
    network: Annotated[list[str] | None, typer.Option(metavar="LIST", help="Only on these networks.")] = None,
    size: Annotated[
        list[str] | None, typer.Option("--bytes", metavar="LIST", help="Only such longest messages; any.")
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="Only these: native:persistent,espalier.")
    ] = None,
    mpi: Mpis = None,
    repeats: Annotated[int, typer.Option(min=1, help="Turns of each variant; 20 times as many up to 8 KiB.")] = 9,
    results: Annotated[Path, typer.Option(metavar="DIR", help="Directory of the results, halo.json.")] = RESULTS,
) -> None:
    """Compare exchanges of halos: the MPI's persistent requests, and Espalier's, distributed among NICs by each packer.

    - ./espalier lab halos --pattern scale --network rails:8x4 --bytes 1KiB,219KiB
    """
    wanted = halos_planned.Part(
        listed(pattern), listed(network), [bytes_of("--bytes", text) for text in listed(size)], listed(variant)
    )
    planned = wanted.of(halos_planned.exchanges())
    output_files.make_directory(results)
    file = results / f"{halos_planned.STUDY}.json"
    rootless.enter()
    set_aside(file)
    with progress(halos_planned.TITLE) as announce:
        done = halos_.run(
            context.obj, planned, families_of(mpi), repeats, announce, partial(output_files.write_rows, file=file)
        )
    halos_table.show(done.rows, output.console())
    output.console().print(f"All rows: {file}")
    fail_if_any(done.failures)
