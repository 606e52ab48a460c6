# SPDX-License-Identifier: Apache-2.0
"""espalier info: what is here, and how it is set."""

from typing import Annotated, Any

import typer
from rich.console import Console

from espalier import mpis, output, output_files
from espalier.installation import Installation


def register(app: typer.Typer) -> None:
    app.command("info")(info)


def info(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")] = False,
    host: Annotated[
        str, typer.Option(metavar="NAME", help="The settings as they would be on a host of this name.")
    ] = "",
) -> None:
    """Print the version, the MPIs found, every setting with its value and where that came from, and the algorithms."""
    installation: Installation = context.obj
    answer = {
        **installation.ask_tool(["info", *(["--host", host] if host else [])]),
        "preload": str(installation.preload),
        "mpis": [
            {"name": mpi.name, "launcher": mpi.launcher.value, "version": mpi.version, "path": str(mpi.path)}
            for mpi in mpis.found()
        ],
        "algorithms": installation.ask_tool(["algorithms"])["algorithms"],
    }
    if json:
        output_files.write_json(answer)
    else:
        show(answer, output.console())


def show(answer: dict[str, Any], console: Console) -> None:
    console.print(f"Espalier {answer['version']}, {answer['preload']}\n", soft_wrap=True)
    for file in answer["files"]:
        console.print(f"Settings from {file}", soft_wrap=True)
    if answer["off"]:
        console.print(f"Off: {answer['off']}", soft_wrap=True)
    if answer["files"] or answer["off"]:
        console.print()
    found = output.table("MPI", "Launcher")
    for mpi in answer["mpis"]:
        found.add_row(f"{mpi['launcher']} {mpi['version']}", mpi["path"])
    settings = output.table("Setting", "Value", "From", "Allowed")
    for setting in answer["settings"]:
        settings.add_row(setting["name"], setting["value"] or "-", origin(setting), setting["allowed"])
    algorithms = output.table("Algorithm", "Description")
    for algorithm in answer["algorithms"]:
        algorithms.add_row(f"{algorithm['collective']}:{algorithm['name']}", algorithm["description"])
    for table in (found, settings, algorithms):
        console.print(table)
        console.print()


def origin(setting: dict[str, Any]) -> str:
    """With the line of its file."""
    line = setting["place"].rpartition(":")[2]
    return f"{setting['origin']}:{line}" if line else str(setting["origin"])
