# SPDX-License-Identifier: Apache-2.0
"""espalier lab down: the network goes."""

import typer

from espalier import output, units
from espalier_lab.network import namespaces, session


def register(app: typer.Typer) -> None:
    app.command()(down)


def down() -> None:
    """Remove the network, ending what runs in it."""
    namespaces.require_root()
    with session.locked():
        count = session.take_away()
    output.console().print(f"Removed {units.plural(count, 'namespace')}.")
