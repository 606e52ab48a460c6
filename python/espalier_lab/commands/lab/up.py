# SPDX-License-Identifier: Apache-2.0
"""espalier lab up: a network that stays."""

import typer

from espalier import output
from espalier_lab.commands.lab.described import describe
from espalier_lab.commands.options import Buffer, Delay, Mtu, Nics, Rates, Spec, Uplinks, Without, options_of
from espalier_lab.network import session
from espalier_lab.network.plan import DEFAULT_MTU


def register(app: typer.Typer) -> None:
    app.command()(up)


def up(
    network: Spec,
    rate: Rates = "20mbit",
    without: Without = None,
    mtu: Mtu = DEFAULT_MTU,
    delay: Delay = "10ms",
    nics: Nics = 2,
    uplinks: Uplinks = 2,
    buffer: Buffer = "",
) -> None:
    """Bring up a network that stays until `espalier lab down`."""
    plan = session.bring_up(network, options_of(rate, without, mtu, delay, nics, uplinks, buffer), stays=True)
    output.console().print(f"{describe(plan)} up. Use it: ./espalier lab exec -- PROGRAM")
