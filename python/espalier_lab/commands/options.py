# SPDX-License-Identifier: Apache-2.0
"""Options that several commands of the lab have."""

from pathlib import Path
from typing import Annotated

import typer

from espalier.installation import ROOT
from espalier.words import bytes_of, checked, listed
from espalier_lab.experiments import launch
from espalier_lab.experiments.launch import Family
from espalier_lab.network import spec

Spec = Annotated[str, typer.Argument(metavar="NETWORK", help=f"{spec.KINDS}", show_default=False)]
Rate = Annotated[str, typer.Option(metavar="RATE", help="Rate of each link, in each direction.")]
Rates = Annotated[
    str, typer.Option(metavar="RATE", help="Rate of each link, in each direction; or of each NIC: 100mbit,50mbit.")
]
Without = Annotated[list[str] | None, typer.Option(metavar="X,Y,..", help="A place without a node; may be repeated.")]
Mtu = Annotated[int, typer.Option(min=1280, max=9000, help="Largest packet, in bytes.")]
Delay = Annotated[str, typer.Option(metavar="TIME", help="One-way delay of a WAN between sites.")]
Nics = Annotated[int, typer.Option(min=1, max=8, help="NICs of each host in a site.")]
Buffer = Annotated[
    str, typer.Option(metavar="SIZE", help="The most that a socket holds, in each direction. Default: the kernel's.")
]
Uplinks = Annotated[int, typer.Option(min=1, max=64, help="Uplinks of each leaf, and number of spines.")]
Program = Annotated[
    list[str], typer.Argument(metavar="-- PROGRAM", help="An MPI program, and its arguments.", show_default=False)
]
Mpi = Annotated[Family, typer.Option(help="Which MPI runs the program.")]
PerHost = Annotated[int, typer.Option(min=1, help="Ranks on each host.")]
Algorithm = Annotated[str, typer.Option(metavar="SETTING", help="Force algorithms, as in `espalier run`.")]
Native = Annotated[bool, typer.Option("--native", metavar="", help="Without Espalier.")]
Mpis = Annotated[list[str] | None, typer.Option(metavar="LIST", help="Which MPIs: openmpi,mpich. Default: both.")]
Resume = Annotated[bool, typer.Option("--resume", metavar="", help="Only what the results do not have.")]
Results = Annotated[Path, typer.Option(metavar="DIR", help="Directory of the results, STUDY.json.")]
RESULTS = ROOT / "results"
Collectives = Annotated[
    list[str] | None, typer.Option(metavar="LIST", help="Only these; the transform is one of them.")
]
Sizes = Annotated[list[str] | None, typer.Option("--bytes", metavar="LIST", help="Only such messages.")]
Json = Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the traffic of each link, as JSON.")]


def options_of(
    rate: str, without: list[str] | None, mtu: int, delay: str, nics: int, uplinks: int, buffer: str
) -> spec.Options:
    rates = spec.rates_of(rate)
    return spec.Options(
        rate_bits=sum(rates) / len(rates),
        nic_rates=rates if len(rates) > 1 else (),
        without=tuple(without or ()),
        mtu=mtu,
        delay_seconds=spec.seconds_of(delay),
        nics=nics,
        uplinks=uplinks,
        buffer_bytes=bytes_of("--buffer", buffer) if buffer else 0,
    )


def families_of(mpi: list[str] | None) -> list[Family]:
    allowed = list(map(str, launch.MEASURED))
    return [Family(name) for name in checked("--mpi", listed(mpi) or allowed, allowed)]
