# SPDX-License-Identifier: Apache-2.0
"""espalier memory list: the placements of which something was learnt."""

import os

import typer
from rich.console import Console

from espalier import output, output_files
from espalier.commands.memory.as_json import as_json
from espalier.commands.memory.complaints import complain
from espalier.commands.memory.options import Directory, Json
from espalier.commands.memory.words import age_text, mpi_text
from espalier.installation import Installation
from espalier.memory import stored
from espalier.memory.location import directory_of
from espalier.memory.stored import File


def register(app: typer.Typer) -> None:
    app.command("list")(list_)


def list_(context: typer.Context, directory: Directory = None, json: Json = False) -> None:
    """List the placements of communicators of which something was learnt.

    - ./espalier memory list
    """
    installation: Installation = context.obj
    place = directory_of(directory, os.environ)
    files = stored.in_directory(place)
    version = installation.version
    if json:
        output_files.write_json({"directory": str(place), "files": [as_json(file, version) for file in files]})
    elif not files:
        output.console().print(f"Nothing was learnt yet: {place} holds no memory.", soft_wrap=True)
    else:
        show_list(files, output.console())
    complain(files, version)


def show_list(files: list[File], console: Console) -> None:
    names = stored.short(files)
    numbers = ("Ranks", "Nodes", "Contexts")
    table = output.table("Fingerprint", "MPI", *numbers, "Network", "Pinned", "Age", right=numbers)
    for file in files:
        if memory := file.memory:
            table.add_row(
                names[file.fingerprint],
                mpi_text(memory),
                str(memory.ranks),
                str(memory.nodes),
                str(len(memory.contexts)),
                "described" if memory.network else "-",
                "yes" if memory.pinned else "-",
                age_text(file.age),
            )
    if table.rows:
        console.print(table)
