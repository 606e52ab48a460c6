# SPDX-License-Identifier: Apache-2.0
"""espalier topo: what is read in a description of a machine, where ranks sit on it, what a node is made of."""

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from espalier import output_files
from espalier.commands.network_options import Mesh, Torus, network_arguments
from espalier.failure import Failure
from espalier.installation import Installation


def register(app: typer.Typer) -> None:
    app.command("topo", no_args_is_help=True)(topo)


def topo(
    context: typer.Context,
    file: Annotated[
        Optional[Path], typer.Argument(metavar="FILE", help="A machine description, as for ESPALIER_TOPOLOGY.")
    ] = None,
    torus: Torus = "",
    mesh: Mesh = "",
    ranks: Annotated[
        Optional[Path],
        typer.Option(
            metavar="HOSTFILE",
            help="Also show where ranks are, by a hostfile of Open MPI or MPICH.",
            show_default=False,
        ),
    ] = None,
    node: Annotated[
        bool, typer.Option("--node", metavar="", help="Instead: packages, cores and NICs of this node.")
    ] = False,
    hwloc: Annotated[
        Optional[Path],
        typer.Option(metavar="FILE", help="Instead: those of the node in this hwloc export.", show_default=False),
    ] = None,
    svg: Annotated[
        Optional[Path],
        typer.Option(metavar="FILE", help="Also draw its broadcast trees to this file.", show_default=False),
    ] = None,
    json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON, with every node.")] = False,
) -> None:
    """Show what Espalier reads in a description of a machine: its shape, its links, and how many trees share none.

    For example:

    - ./espalier topo machine.toml
    - ./espalier topo topology.conf --ranks hosts
    - ./espalier topo --torus 48x6x32
    - ./espalier topo --node
    """
    installation: Installation = context.obj
    output_files.check_can_be_written("--svg", svg, output_files.is_svg)
    output_files.check_is_no_standard("--svg", svg)
    words = network_arguments(torus, mesh, file)
    if svg and (node or hwloc):
        raise Failure("--svg draws trees of a machine: it does not go with --node and --hwloc.")
    question = ["topo", *words, *node_arguments(ranks, hwloc, node)]
    if json:
        output_files.write_json(installation.ask_tool(question))
    else:
        sys.stdout.write(installation.run_tool(question))
    if svg:
        installation.run_tool(["draw", "bcast:packed", *words, "--format", "svg", "--output", str(svg)])
        sys.stderr.write(f"Wrote {svg}\n")


def node_arguments(ranks: Optional[Path], hwloc: Optional[Path], node: bool) -> list[str]:
    """For the C++ tool, which refuses what does not go together."""
    options = {"--ranks": ranks, "--hwloc": hwloc}
    words = [word for name, file in options.items() if file for word in (name, str(file))]
    return [*words, "--node"] if node else words
