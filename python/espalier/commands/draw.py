# SPDX-License-Identifier: Apache-2.0
"""espalier draw: a schedule of all ranks, as text or as a picture."""

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from espalier import output_files
from espalier.commands.network_options import Mesh, Topology, Torus, network_arguments
from espalier.installation import Installation


def register(app: typer.Typer) -> None:
    app.command("draw", no_args_is_help=True)(draw)


def draw(
    context: typer.Context,
    algorithm: Annotated[
        str, typer.Argument(metavar="ALGORITHM", help="For example allreduce:ring.", show_default=False)
    ],
    ranks: Annotated[int, typer.Option("--ranks", "-n", help="Number of ranks.")] = 8,
    root: Annotated[int, typer.Option(help="Root of a broadcast or a reduction.")] = 0,
    segments: Annotated[int, typer.Option(help="Number of segments of each block of the message.")] = 4,
    window: Annotated[int, typer.Option(help="Segments of a stream that are under way at once.")] = 4,
    radix: Annotated[int, typer.Option(help="Radix of a k-nomial tree.")] = 2,
    in_place: Annotated[
        bool, typer.Option("--in-place", metavar="", help="With MPI_IN_PLACE: inputs are in the output buffers.")
    ] = False,
    rank: Annotated[Optional[int], typer.Option(help="Text: of this rank only.", show_default=False)] = None,
    svg: Annotated[
        Optional[Path], typer.Option(metavar="FILE", help="Write a picture to this file.", show_default=False)
    ] = None,
    view: Annotated[
        str,
        typer.Option(
            metavar="VIEW",
            help="Picture: time (messages over time), graph (who sends to whom) or lattice (trees along links).",
        ),
    ] = "",
    torus: Torus = "",
    mesh: Mesh = "",
    topology: Topology = None,
) -> None:
    """Draw a schedule, that is the operations that the engine runs, as text or as SVG.

    For example:

    - ./espalier draw allreduce:ring --ranks 4
    - ./espalier draw bcast:binary --ranks 7 --svg tree.svg
    - ./espalier draw trinaryx3 --torus 3x3x3 --svg trees.svg
    """
    installation: Installation = context.obj
    output_files.check_can_be_written("--svg", svg, output_files.is_svg)
    words = ["draw", algorithm]
    words += network_arguments(torus, mesh, topology)
    options = {"ranks": ranks, "root": root, "segments": segments, "window": window, "radix": radix}
    for name, value in options.items():
        words += [f"--{name}", str(value)]
    if in_place:
        words.append("--in-place")
    if rank is not None:
        words += ["--rank", str(rank)]
    if svg:
        words += ["--format", "svg", *(["--view", view] if view else [])]
        words += [] if output_files.is_standard(svg) else ["--output", str(svg)]
    sys.stdout.write(installation.run_tool(words))
    if svg and not output_files.is_standard(svg):
        sys.stderr.write(f"Wrote {svg}\n")
