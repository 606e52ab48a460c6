# SPDX-License-Identifier: Apache-2.0
"""espalier levels: what collectives would take inside a node, by a model of its levels."""

import sys
from typing import Annotated, Optional

import typer

from espalier import output_files
from espalier.installation import Installation


def register(app: typer.Typer) -> None:
    app.command("levels")(levels)


def levels(
    context: typer.Context,
    collectives: Annotated[
        Optional[list[str]],
        typer.Argument(metavar="[COLLECTIVE]...", help="Default: allreduce, bcast, barrier and allgather."),
    ] = None,
    node: Annotated[
        str, typer.Option(metavar="NODE", help="epyc-7742, grace-4, two-cores, or a file in TOML.")
    ] = "epyc-7742",
    ranks: Annotated[
        Optional[int], typer.Option("--ranks", "-n", min=1, help="Default: one on each core.", show_default=False)
    ] = None,
    sizes: Annotated[
        str, typer.Option("--bytes", metavar="LIST", help="Of the message, or of each rank's block.")
    ] = "8,64KiB,1MiB",
    by: Annotated[
        str, typer.Option(metavar="MODE", help="How messages are handed over: streams, staged, lent or mapped.")
    ] = "streams",
    place: Annotated[str, typer.Option(metavar="HOW", help="Ranks on cores: in-order or in-turn.")] = "in-order",
    segment: Annotated[
        str, typer.Option(metavar="SIZE", help="Cut messages like this. Default: the fastest.", show_default=False)
    ] = "",
    every: Annotated[bool, typer.Option("--all", metavar="", help="All algorithms, not the fastest alone.")] = False,
    json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")] = False,
) -> None:
    """Predict what collectives take among the ranks of one node, by a model of its caches and sockets.

    For example:

    - ./espalier levels
    - ./espalier levels allreduce --bytes 64KiB --all
    - ./espalier levels bcast --node grace-4 --by mapped
    """
    installation: Installation = context.obj
    words = ["levels", *(collectives or []), "--node", node, "--bytes", sizes, "--by", by, "--place", place]
    if ranks:
        words += ["--ranks", str(ranks)]
    if segment:
        words += ["--segment", segment]
    if every:
        words.append("--all")
    if json:
        output_files.write_json(installation.ask_tool(words))
    else:
        sys.stdout.write(installation.run_tool(words))
