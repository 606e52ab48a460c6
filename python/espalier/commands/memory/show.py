# SPDX-License-Identifier: Apache-2.0
"""espalier memory show: what was the fastest."""

import os
from typing import Annotated

import typer
from rich.console import Console

from espalier import output, output_files, texts, units
from espalier.commands.memory.as_json import as_json, contexts_as_json
from espalier.commands.memory.complaints import complain
from espalier.commands.memory.options import Directory, Json
from espalier.commands.memory.words import best_text, certainty, collective_text, message_text, mpi_text
from espalier.installation import Installation
from espalier.memory import stored
from espalier.memory.contents import Memory
from espalier.memory.location import directory_of
from espalier.memory.stored import File


def register(app: typer.Typer) -> None:
    app.command()(show)


def show(
    context: typer.Context,
    fingerprint: Annotated[
        str, typer.Argument(metavar="[FINGERPRINT]", help="Its first digits, as list shows them; all without it.")
    ] = "",
    directory: Directory = None,
    json: Json = False,
) -> None:
    """Show what was the fastest, how much faster than the native MPI, and how sure that is.

    - ./espalier memory show 3f2a
    """
    installation: Installation = context.obj
    place = directory_of(directory, os.environ)
    files = [stored.usable(stored.named(place, fingerprint))[0]] if fingerprint else stored.in_directory(place)
    version = installation.version
    if json:
        contents = [{**as_json(file, version), "contexts": contexts_as_json(file.memory)} for file in files]
        output_files.write_json({"directory": str(place), "files": contents})
    else:
        console = output.console()
        for file in files:
            if file.memory:
                show_memory(file, file.memory, console)
        if not files:
            console.print(f"Nothing was learnt yet: {place} holds no memory.", soft_wrap=True)
    complain(files, version)


def show_memory(file: File, memory: Memory, console: Console) -> None:
    nodes = units.plural(memory.nodes, "node")
    pinned = ", pinned" if memory.pinned else ""
    console.print(f"{file.fingerprint}: {units.plural(memory.ranks, 'rank')} on {nodes}, {mpi_text(memory)}{pinned}")
    console.print(f"Ranks of each node: {texts.one_line(memory.placement)}", soft_wrap=True)
    if memory.network:
        console.print(f"Network: {texts.one_line(memory.network)}", soft_wrap=True)
    if not memory.contexts:
        console.print("It has no contexts.\n")
        return
    numbers = ("Calls", "Time", "Faster", "Sure")
    table = output.table("Collective", "Message", "Calls", "Best", "Time", "Faster", "Sure", right=numbers)
    for context in sorted(memory.contexts, key=lambda one: (one.collective, one.bytes_low, one.root)):
        table.add_row(
            collective_text(context),
            message_text(context),
            units.count_text(context.calls),
            best_text(context),
            units.seconds_text(context.best.seconds or None),
            *certainty(context),
        )
    console.print(table)
    console.print(
        "Faster: how many times as fast as the native MPI; where that is the best, as the next one, in brackets. "
        "Sure: how probable it is that it is faster at all.\n"
    )
