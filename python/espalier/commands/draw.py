# SPDX-License-Identifier: Apache-2.0
"""espalier draw: a schedule of all ranks, as text or as a picture."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from espalier import output
from espalier.commands.network_options import Mesh, Topology, Torus, network_words
from espalier.installation import Installation


def register(app: typer.Typer) -> None:
    app.command("draw", no_args_is_help=True)(draw)


def draw(
    context: typer.Context,
    algorithm: Annotated[
        str, typer.Argument(metavar="ALGORITHM", help="For example allreduce:ring.", show_default=False)
    ],
    ranks: Annotated[int, typer.Option("--ranks", "-n", help="How many processes.")] = 8,
    root: Annotated[int, typer.Option(help="Of a broadcast or a reduction.")] = 0,
    segments: Annotated[int, typer.Option(help="Into how many a block of the message is cut.")] = 4,
    window: Annotated[int, typer.Option(help="How many segments of a stream are under way at once.")] = 4,
    radix: Annotated[int, typer.Option(help="Of a k-nomial tree.")] = 2,
    in_place: Annotated[
        bool, typer.Option("--in-place", metavar="", help="The inputs lie in the output buffers.")
    ] = False,
    rank: Annotated[int | None, typer.Option(help="Text: this rank only.", show_default=False)] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw a picture, into this file.", show_default=False)
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
    """Draw a schedule: the very operations that the engine would run, as text or as SVG.

    For example:

    - ./espalier draw allreduce:ring --ranks 4
    - ./espalier draw bcast:binary --ranks 7 --svg tree.svg
    - ./espalier draw trinaryx3 --torus 3x3x3 --svg trees.svg
    """
    installation: Installation = context.obj
    output.check_can_be_written("--svg", svg)
    words = ["draw", algorithm]
    words += network_words(torus, mesh, topology)
    options = {"ranks": ranks, "root": root, "segments": segments, "window": window, "radix": radix}
    for name, value in options.items():
        words += [f"--{name}", str(value)]
    if in_place:
        words.append("--in-place")
    if rank is not None:
        words += ["--rank", str(rank)]
    if svg:
        words += ["--format", "svg", *(["--view", view] if view else []), "--output", str(svg)]
    sys.stdout.write(installation.run_tool(words))
    if svg:
        sys.stderr.write(f"Wrote {svg}\n")
