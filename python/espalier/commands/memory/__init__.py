# SPDX-License-Identifier: Apache-2.0
"""espalier memory: what jobs have learnt about their collectives."""

import typer

from espalier.commands.memory import drift, export, forget, list_, pin, show, unpin

# As they are listed.
COMMANDS = (list_, show, drift, forget, pin, unpin, export)


def register(parent: typer.Typer) -> None:
    app = typer.Typer(
        help="What jobs have learnt about the times of their collectives: list, show, pin, forget and export it.",
        no_args_is_help=True,
        rich_markup_mode="markdown",
    )
    for command in COMMANDS:
        command.register(app)
    parent.add_typer(app, name="memory")
