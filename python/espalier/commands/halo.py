# SPDX-License-Identifier: Apache-2.0
"""espalier halo: how packers lay the puts of a halo exchange onto engines, and how long that takes in the model."""

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from espalier import output_files
from espalier.failure import Failure
from espalier.installation import Installation


def register(app: typer.Typer) -> None:
    app.command("halo")(halo)


def halo(
    context: typer.Context,
    height: Annotated[int, typer.Option(help="Points upwards of the grid of 16 x 16 columns.")] = 872,
    neighbours: Annotated[
        str, typer.Option(metavar="WHICH", help="east_west, north_south, sides, diagonals or all.")
    ] = "all",
    packer: Annotated[
        str, typer.Option(metavar="NAME", help="Draw what this one does: bottomleft(4), say.", show_default=False)
    ] = "",
    exchange: Annotated[
        Optional[Path],
        typer.Option(metavar="FILE", help="Instead: compare those of an exchange in JSON.", show_default=False),
    ] = None,
    svg: Annotated[
        Optional[Path], typer.Option(metavar="FILE", help="Draw it as a picture to this file.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")] = False,
) -> None:
    """Compare the packers of halo exchanges, in a model of the K computer: those of a weather code, SCALE-LES3.

    For example:

    - ./espalier halo
    - ./espalier halo --height 60 --neighbours diagonals
    - ./espalier halo --packer "bottomleft(2)"
    - ./espalier halo --packer fastest --svg packing.svg
    """
    installation: Installation = context.obj
    if svg and not packer:
        raise Failure("--svg draws what a packer does: --packer says which.")
    if exchange and packer:
        raise Failure("--packer draws what is done with the weather code: it does not go with --exchange.")
    if json and packer:
        raise Failure("--json is of all packers: it does not go with --packer.")
    output_files.check_can_be_written("--svg", svg, output_files.is_svg)
    output_files.check_is_no_standard("--svg", svg)
    words = ["halo", "--height", str(height), "--neighbours", neighbours]
    if exchange:
        words += ["--exchange", str(exchange)]
    if json:
        output_files.write_json(installation.ask_tool(words))
        return
    if packer:
        words += ["--packer", packer]
    if svg:
        words += ["--format", "svg", "--output", str(svg)]
    sys.stdout.write(installation.run_tool(words))
    if svg:
        sys.stderr.write(f"Wrote {svg}\n")
