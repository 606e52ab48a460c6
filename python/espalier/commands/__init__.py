# SPDX-License-Identifier: Apache-2.0
"""One module for each command: register(app) declares it.

A command's module is read when the command is named, as reading all of them takes longer than most commands run.
Commands that measure are in another package, espalier_lab, of which nothing is known here but its name: it uses this
one, and this one goes without it.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from espalier import output
from espalier.failure import Failure
from espalier.installation import COMMAND, IS_INSTALLED

HERE, LAB = "espalier", "espalier_lab"

# As they are listed, and whose they are: PACKAGE.commands.NAME.
COMMANDS = {
    "run": HERE,
    "explain": HERE,
    "verify": HERE,
    "draw": HERE,
    "bench": LAB,
    "breadth": LAB,
    "nodes": LAB,
    "arrival": LAB,
    "selection": LAB,
    "tune": HERE,
    "memory": HERE,
    "site": HERE,
    "info": HERE,
    "topo": HERE,
    "halo": HERE,
    "levels": HERE,
    "simulate": LAB,
    "lab": LAB,
    "apps": LAB,
    "pairs": LAB,
    "short": LAB,
    "simulations": LAB,
    "demo": LAB,
}


# Of the command line, and of each command, too.
LOOK: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": "markdown",
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"], "max_content_width": output.WIDEST},
}


class OnDemand(TyperGroup):
    """The commands, each made when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the library says which arguments
        return [name for name, package in COMMANDS.items() if not IS_INSTALLED or find_spec(package)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        # All of them for a name that is none of them: those that are like it are suggested.
        for name in [cmd_name] if cmd_name in COMMANDS else COMMANDS:
            if name not in self.commands:
                self.commands[name] = made(name)
        return self.commands.get(cmd_name)


def made(name: str) -> Any:
    alone = typer.Typer(**LOOK)
    package = COMMANDS[name]
    if find_spec(package) is None:
        register_missing(alone, name, package)
    else:
        import_module(f"{package}.commands.{name}").register(alone)
    command = get_group(alone).commands[name]
    if IS_INSTALLED:
        say_as_called(command)
    return command


def say_as_called(command: Any) -> None:
    """In the examples of its help, which are those of the source tree."""
    command.help = (command.help or "").replace("./espalier", COMMAND)
    for inner in getattr(command, "commands", {}).values():
        say_as_called(inner)


def register_missing(app: typer.Typer, name: str, package: str) -> None:
    """Whatever its arguments are, it says what it needs."""

    def refuse() -> None:
        raise Failure(
            f"{name}: is a command of the Python package {package}, which is not installed.",
            f"It is run in a checkout of Espalier's sources: ./espalier {name}",
        )

    takes_all = {"allow_extra_args": True, "ignore_unknown_options": True}
    app.command(
        name,
        help=f"Needs the package {package}, which is not installed.",
        context_settings=takes_all,
        add_help_option=False,
    )(refuse)
