# SPDX-License-Identifier: Apache-2.0
"""espalier verify: the proof of schedules, with a progress bar."""

import json as json_format
import subprocess
from collections.abc import Sequence
from typing import Annotated, Any, Optional

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from espalier import output, output_files, units
from espalier.commands.network_options import Mesh, Topology, Torus, network_arguments
from espalier.failure import Failure
from espalier.installation import Installation, complaint
from espalier.words import listed

FOUND_WRONG = 1
MOST_SHOWN = 20


def register(app: typer.Typer) -> None:
    app.command("verify", no_args_is_help=True)(verify)


def verify(
    context: typer.Context,
    algorithms: Annotated[
        Optional[list[str]],
        typer.Argument(metavar="COLLECTIVE:ALGORITHM", help="For example allreduce:ring.", show_default=False),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", metavar="", help="Every algorithm.")] = False,
    ranks: Annotated[
        Optional[list[str]],
        typer.Option(
            "--ranks", metavar="LIST", help="Rank counts, such as 5,8. Default: 1 to 33, and 64. Above 1024: one case."
        ),
    ] = None,
    torus: Torus = "",
    mesh: Mesh = "",
    topology: Topology = None,
    json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")] = False,
) -> None:
    """Prove schedules right: those of all ranks together, for many rank counts, roots and cuts of the message.

    For example:

    - ./espalier verify --all
    - ./espalier verify bcast:chain allreduce:ring --ranks 5,8
    - ./espalier verify allreduce:trinaryx3_fused --torus 48x6x32

    The exit status is 1 if anything is wrong.
    """
    installation: Installation = context.obj
    sizes = ",".join(listed(ranks))
    words = [*listed(algorithms), *(["--all"] if all_ else []), *(["--ranks", sizes] if sizes else [])]
    words += network_arguments(torus, mesh, topology)
    result = prove(installation, words, output.console(stderr=True))
    if json:
        output_files.write_json(result)
    else:
        show(result, output.console())
    raise typer.Exit(FOUND_WRONG if result["failures"] else 0)


def prove(installation: Installation, words: Sequence[str], console: Console) -> dict[str, Any]:
    """The tool's answer. While it works it says how far it is, line by line on standard error."""
    complaints = []
    columns = (TextColumn("proving"), BarColumn(), MofNCompleteColumn(), TextColumn("parts"), TimeElapsedColumn())
    with (
        subprocess.Popen(
            [installation.tool, "verify", *words, "--json", "--progress"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process,
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar,
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        task = bar.add_task("", total=None)
        for line in process.stderr:
            if line.startswith("{"):
                progress = json_format.loads(line)
                bar.update(task, completed=progress["done"], total=progress["total"])
            else:
                complaints.append(line)
        text = process.stdout.read()
    if process.returncode not in (0, FOUND_WRONG) or not text:
        message = complaint("".join(complaints)) or f"The verifier ended with status {process.returncode}."
        raise Failure(message, status=max(process.returncode, 1))
    answer: dict[str, Any] = json_format.loads(text)
    return answer


def show(result: dict[str, Any], console: Console) -> None:
    for failure in result["failed"][:MOST_SHOWN]:
        console.print(f"{failure['where']}:\n  {failure['error']}", soft_wrap=True)
    if result["failures"] > MOST_SHOWN:
        console.print(f"... and {result['failures'] - MOST_SHOWN} more; --json has all.")
    schedules = units.plural(result["schedules"], "schedule")
    seconds = f"{result['seconds']:.1f} s"
    if result["failures"]:
        console.print(f"{units.count_text(result['failures'])} of {schedules} are wrong ({seconds}).", style="bold")
    else:
        console.print(f"{schedules} proved right in {seconds}, each for all its ranks together.")
        console.print(f"{units.count_text(result['events'])} operations were run symbolically.")
    if "left_out" in result:
        console.print(f"Left out: {result['left_out']}.", soft_wrap=True)
