# SPDX-License-Identifier: Apache-2.0
"""espalier topo: what a description of a machine is taken for."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from espalier import output
from espalier.commands.network_options import Mesh, Torus, network_words
from espalier.installation import Installation


def register(app: typer.Typer) -> None:
    app.command("topo", no_args_is_help=True)(topo)


def topo(
    context: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A description, as ESPALIER_TOPOLOGY names it.")
    ] = None,
    torus: Torus = "",
    mesh: Mesh = "",
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw its broadcast trees.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with every node.")] = False,
) -> None:
    """Say what Espalier takes a description of a machine for: its shape, its links, and how many trees share none.

    ./espalier topo machine.toml
    ./espalier topo --torus 48x6x32
    """
    installation: Installation = context.obj
    words = network_words(torus, mesh, file)
    if json:
        output.write_json(installation.ask_tool(["topo", *words]))
    else:
        sys.stdout.write(installation.run_tool(["topo", *words]))
    if svg:
        installation.run_tool(["draw", "bcast:packed", *words, "--format", "svg", "--output", str(svg)])
        sys.stderr.write(f"Wrote {svg}\n")
