# SPDX-License-Identifier: Apache-2.0
"""Options that name a network, with one rank on each of its nodes."""

from pathlib import Path
from typing import Annotated, Optional

import typer

Torus = Annotated[str, typer.Option(metavar="KxK..", help="One rank on each node of a torus: 3x3x3.")]
Mesh = Annotated[str, typer.Option(metavar="KxK..", help="One rank on each node of a mesh: 4x4.")]
Topology = Annotated[
    Optional[Path],
    typer.Option(metavar="FILE", help="One rank on each node of this machine description.", show_default=False),
]
Hostfile = Annotated[
    Optional[Path],
    typer.Option(metavar="FILE", help="Places the ranks: a hostfile of Open MPI or MPICH.", show_default=False),
]


LinkRate = Annotated[
    str, typer.Option("--rate", metavar="N", help="Of a torus or mesh: bytes per second of each link. Default: 1e9.")
]
HopSeconds = Annotated[
    str,
    typer.Option(metavar="N", help="Of a torus or mesh: what a message costs at each node. Default: 5e-6."),
]


Engines = Annotated[
    str,
    typer.Option(
        metavar="N",
        help="Of a torus or mesh: messages a node sends, and receives, at a time. Default: as many as it has links.",
    ),
]


def network_arguments(
    torus: str,
    mesh: str,
    topology: Optional[Path],
    hostfile: Optional[Path] = None,
    rate: str = "",
    hop_seconds: str = "",
    engines: str = "",
) -> list[str]:
    """For the C++ tool, which refuses what does not go together."""
    options = {
        "--rate": rate,
        "--hop-seconds": hop_seconds,
        "--engines": engines,
        "--torus": torus,
        "--mesh": mesh,
        "--topology": str(topology or ""),
        "--hostfile": str(hostfile or ""),
    }
    return [word for item in options.items() if item[1] for word in item]
