# SPDX-License-Identifier: Apache-2.0
"""espalier lab status: which network is up."""

from typing import Annotated

import typer

from espalier import output, output_files, units
from espalier_lab.commands.lab.described import describe
from espalier_lab.network import counters, session


def register(app: typer.Typer) -> None:
    app.command()(status)


def status(json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")] = False) -> None:
    """Show which network is up, and what its links have carried."""
    state = session.current()
    carried = sum(item.bytes for item in counters.counters(state.plan).values())
    if json:
        facts = {"network": state.plan.spec, "owner": state.owner, "is_alive": state.is_alive, "bytes": carried}
        output_files.write_json({**facts, "hosts": list(state.plan.hosts)})
        return
    console = output.console()
    owner = f"of process {state.owner}" if state.owner else "until `espalier lab down`"
    if not state.is_alive:
        owner = "left behind by a process that is gone; `espalier lab down` removes it"
    console.print(f"{describe(state.plan)}, {owner}")
    console.print(f"Its links have carried {units.bytes_text(carried)}.")
