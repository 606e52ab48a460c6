# SPDX-License-Identifier: Apache-2.0
"""espalier lab outages: NICs that fail and come back."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from espalier import output, output_files, units
from espalier.words import bytes_of
from espalier_lab.commands.options import Mpi, Rate, Spec
from espalier_lab.commands.progress import progress
from espalier_lab.experiments import outages as outages_
from espalier_lab.experiments.launch import Family
from espalier_lab.network import rootless, session, spec


def register(app: typer.Typer) -> None:
    app.command()(outages)


def outages(
    context: typer.Context,
    network: Spec = "rails:4x2",
    rate: Rate = "50mbit",
    mpi: Mpi = Family.OPENMPI,
    times: Annotated[int, typer.Option(min=1, help="How often a NIC fails.")] = 20,
    seconds: Annotated[float, typer.Option(min=1, help="Within this many seconds.")] = 60,
    size: Annotated[str, typer.Option("--bytes", metavar="SIZE", help="Of each message.")] = "256KiB",
    seed: Annotated[int, typer.Option(help="The same outages at the same times.")] = 1,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the result as JSON.")] = None,
) -> None:
    """Let NICs fail and come back while collectives run over libfabric, whose every byte is checked."""
    output_files.check_can_be_written("--json", json, output_files.json_with("outages", "wrong_bytes"))
    rootless.enter()
    console = output.console()
    options = spec.Options(rate_bits=spec.rate_of(rate))
    with session.lab(network, options) as plan, progress("outages") as announce:
        found = outages_.run(context.obj, plan, mpi, times, seconds, bytes_of("--bytes", size), seed, announce)
    worst = max(found.long_calls, default=0.0)
    console.print(
        f"{units.plural(found.outages, 'outage')}, {units.plural(found.calls, 'call')}: {found.wrong_bytes} wrong "
        f"bytes, error {found.error}. {units.plural(len(found.long_calls), 'call')} took longer than "
        f"{outages_.LONG_SECONDS:g} s: median {found.median_s:.2f} s, the longest {worst:.2f} s."
    )
    if json:
        output_files.write_json(asdict(found), json)
    raise typer.Exit(0 if found.wrong_bytes == 0 and found.error == 0 else 1)
