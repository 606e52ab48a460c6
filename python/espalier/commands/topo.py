# SPDX-License-Identifier: Apache-2.0
"""espalier topo: what is read in a description of a machine, where ranks sit on it, what a node is made of; and new
descriptions, from what a site has or from measurements."""

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from espalier import output, output_files, units
from espalier.commands.network_options import Mesh, Torus, network_arguments
from espalier.described import readers
from espalier.described.text import is_description, text_of
from espalier.discover import run
from espalier.failure import Failure
from espalier.installation import Installation


def register(app: typer.Typer) -> None:
    app.command("topo", no_args_is_help=True)(topo)


def topo(
    context: typer.Context,
    words: Annotated[
        Optional[list[str]],
        typer.Argument(
            metavar="FILE",
            help="A machine description, as for ESPALIER_TOPOLOGY. After --from: what is to become one. After "
            "--discover: -- LAUNCHER, what starts a job, without the program.",
            show_default=False,
        ),
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
    kind: Annotated[
        str, typer.Option("--from", metavar="KIND", help=f"Make a description of FILE: {', '.join(readers.READERS)}.")
    ] = "",
    rate: Annotated[
        str, typer.Option(metavar="N", help="Of what --from makes, where FILE does not say: bytes per second.")
    ] = "",
    discover: Annotated[
        bool, typer.Option("--discover", metavar="", help="Make a description by measuring, with a job of LAUNCHER's.")
    ] = False,
    seconds: Annotated[float, typer.Option(metavar="N", help="--discover ends after this many seconds.")] = 900,
    program: Annotated[
        Optional[Path],
        typer.Option(metavar="FILE", help="What measures; by default it is compiled by mpicc.", show_default=False),
    ] = None,
    write: Annotated[
        Optional[Path],
        typer.Option(metavar="FILE", help="Where the description goes; by default it is printed.", show_default=False),
    ] = None,
    json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON, with every node.")] = False,
) -> None:
    """Show what Espalier reads in a description of a machine: its shape, its links, and how many trees share none.

    Or make such a description: from what a site has already, or by measuring. For example:

    - ./espalier topo machine.toml
    - ./espalier topo topology.conf --ranks hosts
    - ./espalier topo --torus 48x6x32
    - ./espalier topo --node
    - ./espalier topo --from ibnetdiscover fabric.txt --write machine.toml
    - ./espalier topo --discover --write machine.toml -- mpirun -n 16 --hostfile hosts
    """
    output_files.check_can_be_written("--svg", svg, output_files.is_svg)
    output_files.check_is_no_standard("--svg", svg)
    output_files.check_can_be_written("--write", write, is_description)
    is_shown = bool(torus or mesh or ranks or node or hwloc or svg)
    if (kind or discover) and (is_shown or (kind and discover)):
        raise Failure("--from and --discover make a description; they go with --write and --json alone.")
    if write and not (kind or discover):
        raise Failure("--write: goes with --from or --discover, which make a description.")
    if discover:
        discover_network(list(words or []), program, seconds, write, json)
    elif kind:
        make_description(kind, only_file(words), rate, write, json)
    else:
        about = node_arguments(ranks, hwloc, node)
        show(context.obj, network_arguments(torus, mesh, only_file(words)), about, svg, json)


def only_file(words: Optional[list[str]]) -> Optional[Path]:
    if words and len(words) > 1:
        raise Failure(f"{words[1]}: one FILE is allowed; a launcher goes with --discover.")
    return Path(words[0]) if words else None


def show(installation: Installation, words: list[str], about: list[str], svg: Optional[Path], json: bool) -> None:
    if svg and any(word in about for word in ("--node", "--hwloc")):
        raise Failure("--svg draws trees of a machine: it does not go with --node and --hwloc.")
    question = ["topo", *words, *about]
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


def make_description(kind: str, file: Optional[Path], rate: str, write: Optional[Path], json: bool) -> None:
    description = readers.description_of(kind, file, rate)
    text = text_of(description)
    put(text, {"nodes": description.nodes, "remarks": list(description.remarks), "description": text}, write, json)


def discover_network(
    launcher: list[str], program: Optional[Path], seconds: float, write: Optional[Path], json: bool
) -> None:
    console = output.console(stderr=True)
    outcome = run.discovered(launcher, program, seconds, console)
    console.print(
        f"{outcome.found.kind.capitalize()}: {units.plural(len(outcome.hosts), 'node')}, measured in "
        f"{outcome.seconds:.0f} s.",
        highlight=False,
    )
    put(outcome.text, outcome.as_json(), write, json)


def put(text: str, as_json: object, write: Optional[Path], json: bool) -> None:
    if write:
        output_files.write_text(text, write)
        sys.stderr.write(f"Wrote {write}; what Espalier reads there: espalier topo {write}\n")
    if json:
        output_files.write_json(as_json)
    elif not write:
        sys.stdout.write(text)
