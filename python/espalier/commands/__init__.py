# SPDX-License-Identifier: Apache-2.0
"""One module for each command: register(app) declares it.

Commands that measure are in another package, espalier_lab, of which nothing is known here but its name: it uses this
one, and this one goes without it.
"""

from importlib import import_module
from importlib.util import find_spec

import typer

from espalier.failure import Failure

HERE, LAB = "espalier", "espalier_lab"

# As they are listed, and whose they are: PACKAGE.commands.NAME.
COMMANDS = {
    "run": HERE,
    "explain": HERE,
    "verify": HERE,
    "draw": HERE,
    "bench": LAB,
    "breadth": LAB,
    "arrival": LAB,
    "selection": LAB,
    "tune": HERE,
    "memory": HERE,
    "info": HERE,
    "topo": HERE,
    "halo": HERE,
    "lab": LAB,
    "apps": LAB,
    "demo": LAB,
}


def register_all(app: typer.Typer) -> None:
    for name, package in COMMANDS.items():
        if find_spec(package) is None:
            register_missing(app, name, package)
        else:
            import_module(f"{package}.commands.{name}").register(app)


def register_missing(app: typer.Typer, name: str, package: str) -> None:
    """Whatever its arguments are, it says what it needs."""

    def refuse() -> None:
        raise Failure(
            f"{name}: is a command of the Python package {package}, which is not installed.",
            "Put it next to the package espalier; of Espalier's sources it is a part.",
        )

    takes_all = {"allow_extra_args": True, "ignore_unknown_options": True}
    app.command(
        name,
        help=f"Needs the package {package}, which is not installed.",
        context_settings=takes_all,
        add_help_option=False,
    )(refuse)
