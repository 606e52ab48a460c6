# SPDX-License-Identifier: Apache-2.0
"""espalier lab: real MPI over shaped links between network namespaces, on this machine."""

import typer

from espalier_lab.commands.lab import (
    apps,
    compare,
    discover,
    down,
    exec_,
    figure,
    halos,
    outages,
    run,
    status,
    up,
    waits,
    warmup,
)

# As they are listed.
COMMANDS = (run, up, exec_, outages, status, down, compare, figure, apps, halos, discover, warmup, waits)


def register(parent: typer.Typer) -> None:
    app = typer.Typer(
        help="Real MPI over shaped links between network namespaces, on this machine.", no_args_is_help=True
    )
    for command in COMMANDS:
        command.register(app)
    parent.add_typer(app, name="lab")
