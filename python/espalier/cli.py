# SPDX-License-Identifier: Apache-2.0
"""The command `espalier`: options and arguments only; the work is done in a module for each command."""

import io
import os
import sys
from pathlib import Path
from typing import Annotated, Optional

import typer
from typer._completion_classes import completion_init

from espalier import commands, ending, output
from espalier.failure import Failure
from espalier.installation import Installation, here

COMPLETION = "_ESPALIER_COMPLETE"  # set by what shells read to complete words

app = typer.Typer(
    name="espalier",
    help="Run MPI programs on Espalier's collectives; explain, prove, draw and measure these.",
    cls=commands.OnDemand,
    no_args_is_help=True,
    **commands.LOOK,
)


@app.callback(invoke_without_command=True)
def common(
    context: typer.Context,
    build: Annotated[
        Optional[Path],
        typer.Option(metavar="DIR", help="The build tree to use; by default this command's own.", show_default=False),
    ] = None,
    version: Annotated[bool, typer.Option("--version", metavar="", help="Print the version and exit.")] = False,
) -> None:
    context.obj = Installation(build.resolve()) if build else here()
    if version:
        output.console().print(f"Espalier {context.obj.version}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        context.fail("Missing command.")


def show_what_the_encoding_lacks() -> None:
    """As '?', instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def main() -> None:
    show_what_the_encoding_lacks()
    ending.keep_children()
    if COMPLETION in os.environ:
        completion_init()
    try:
        app(prog_name="espalier")
    except Failure as failure:
        console = output.console(stderr=True)
        console.print(f"espalier: {failure.message}", soft_wrap=True)
        if failure.remedy:
            console.print(failure.remedy, soft_wrap=True)
        raise SystemExit(failure.status) from None
