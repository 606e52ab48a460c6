# SPDX-License-Identifier: Apache-2.0
"""espalier lab discover: networks found by measuring, next to what they are."""

from pathlib import Path
from typing import Annotated

import typer

from espalier import output, output_files
from espalier.failure import Failure
from espalier.words import listed
from espalier_lab.commands.options import RESULTS, Mpis, Rate, families_of
from espalier_lab.commands.progress import progress
from espalier_lab.experiments import discovery, discovery_table
from espalier_lab.experiments.discovery import NETWORKS, STUDY, TITLE, Row
from espalier_lab.network import rootless
from espalier_lab.network.spec import Options, rate_of


def register(app: typer.Typer) -> None:
    app.command()(discover)


def discover(
    context: typer.Context,
    network: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help=f"Such as torus:3x3. Default: {', '.join(NETWORKS)}.")
    ] = None,
    mpi: Mpis = None,
    rate: Rate = "20mbit",
    seconds: Annotated[float, typer.Option(min=1, help="A network may take this many seconds.")] = 900,
    results: Annotated[
        Path, typer.Option(metavar="DIR", help="Directory of the results: discover.json, and discover/.")
    ] = RESULTS,
) -> None:
    """Find networks of the lab by measuring (espalier topo --discover), and compare what is found with what is there.

    What the results have of other networks stays there.

    - ./espalier lab discover --network torus:3x3,rails:8x2 --mpi openmpi
    """
    families = families_of(mpi)
    options = Options(rate_bits=rate_of(rate))
    rootless.enter()
    descriptions = results / STUDY
    output_files.make_directory(descriptions)
    file = results / f"{STUDY}.json"
    rows = {(row.lab, row.mpi): row for row in discovery.read(file)}

    def keep(row: Row, text: str) -> None:
        rows[row.lab, row.mpi] = row
        output_files.write_rows(rows.values(), file)
        if text:
            output_files.write_text(text, discovery.file_of(descriptions, row))

    with progress(TITLE) as announce:
        discovery.run(context.obj, listed(network) or NETWORKS, families, options, seconds, announce, keep)
    discovery_table.show(list(rows.values()), output.console())
    output.console().print(f"All rows: {file}; what was found: {descriptions}")
    if any(row.failure for row in rows.values()):
        raise Failure("Not all networks were found.", status=1)
