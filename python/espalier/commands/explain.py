# SPDX-License-Identifier: Apache-2.0
"""espalier explain: what a call would run as, and why; or what was chosen by time in a run that is over."""

from pathlib import Path
from typing import Annotated, Any, Optional

import typer
from rich.console import Console

from espalier import explain_run, output, output_files, run_file, story, units
from espalier.commands.network_options import (
    Engines,
    HopSeconds,
    Hostfile,
    LinkRate,
    Mesh,
    Topology,
    Torus,
    network_arguments,
)
from espalier.failure import Failure
from espalier.functions import COLLECTIVES
from espalier.installation import Installation
from espalier.older_python import StrEnum


class Backend(StrEnum):
    OPENMPI = "openmpi"
    MPICH = "mpich"


def register(app: typer.Typer) -> None:
    app.command("explain", no_args_is_help=True)(explain)


def explain(
    context: typer.Context,
    collective: Annotated[
        str,
        typer.Argument(
            metavar="COLLECTIVE|RUNFILE",
            help="In lower case, such as allreduce; or the file of a run, by run --json or ESPALIER_REPORT.",
            show_default=False,
        ),
    ],
    size: Annotated[
        str, typer.Option("--bytes", metavar="SIZE", help="Size of the message, or of one block: 65536 or 64KiB.")
    ] = "0",
    ranks: Annotated[int, typer.Option("--ranks", "-n", help="Number of ranks.")] = 2,
    root: Annotated[int, typer.Option(help="Root of a broadcast or a reduction.")] = 0,
    arithmetic: Annotated[
        str, typer.Option(metavar="WORD", help="Of a reduction: exact, commutative (floating point) or rank_order.")
    ] = "commutative",
    element_bytes: Annotated[int, typer.Option(metavar="N", help="Bytes of one element of a reduction.")] = 8,
    torus: Torus = "",
    mesh: Mesh = "",
    topology: Topology = None,
    hostfile: Hostfile = None,
    rate: LinkRate = "",
    hop_seconds: HopSeconds = "",
    engines: Engines = "",
    mpi: Annotated[Backend, typer.Option(help="Whose use of several NICs of a node to assume.")] = Backend.OPENMPI,
    html: Annotated[
        Optional[Path],
        typer.Option(metavar="FILE", help="Of a run: also write its story as a web page.", show_default=False),
    ] = None,
    json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")] = False,
) -> None:
    """Show what a call would run as under the present settings, why, and the alternatives.

    Of a run that is over: what was chosen by time, what that cost, and what it saved.

    For example:

    - ./espalier explain allreduce --bytes 1MiB --ranks 64
    - ./espalier explain bcast --bytes 1MiB --torus 3x3x3
    - ./espalier explain run.json --html run.html
    """
    if is_file_name(collective):
        refuse_others(context)
        explain_file(Path(collective), html, json)
        return
    if html:
        raise Failure(f"--html {html}: goes with the file of a run only, not with {collective}")
    installation: Installation = context.obj
    words = [collective, "--bytes", size, "--ranks", ranks, "--root", root]
    words += ["--arithmetic", arithmetic, "--element-bytes", element_bytes]
    words += network_arguments(torus, mesh, topology, hostfile, rate, hop_seconds, engines)
    words += ["--mpi", mpi.value]
    answer = installation.ask_tool(["explain", *map(str, words)])
    if json:
        output_files.write_json(answer)
    else:
        show(answer, output.console())


def is_file_name(word: str) -> bool:
    """A collective's name is one even where a file is called so; ./bcast is the file."""
    return word not in COLLECTIVES and ("/" in word or "." in word or Path(word).is_file())


OF_A_RUN = ("collective", "html", "json")


def refuse_others(context: typer.Context) -> None:
    """Options that say what is to be explained: a run says that itself."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name not in OF_A_RUN and source is not None and source.name == "COMMANDLINE":
            raise Failure(f"{parameter.opts[0]}: does not go with the file of a run; allowed: --html and --json")


def explain_file(file: Path, html: Optional[Path], json: bool) -> None:
    output_files.check_can_be_written("--html", html, story.is_page)
    if json and output_files.is_standard(html):
        raise Failure("--html -: standard output has what --json prints; allowed: the name of a file")
    reports = run_file.read(file)
    if html:
        output_files.write_text(story.page(file.name, reports), html)
    if json:
        output_files.write_json(explain_run.as_json(reports))
    else:
        explain_run.show(reports, output.console(stderr=output_files.is_standard(html)))


def show(answer: dict[str, Any], console: Console) -> None:
    console.print(f"{sentence(answer)}: {answer['chosen']}", style="bold")
    console.print(f"{answer['reason']}\n")
    is_estimated = any(candidate["estimated_seconds"] is not None for candidate in answer["candidates"])
    counts = ("Most sent", "Estimate") if is_estimated else ("Steps", "Messages", "Most sent")
    table = output.table("Algorithm", "Parameters", *counts, "", right=counts)
    for candidate in answer["candidates"]:
        cells = {
            "Steps": "-",
            "Messages": "-",
            "Most sent": "-",
            **counted(candidate["cost"]),
            "Estimate": units.seconds_text(candidate["estimated_seconds"]),
        }
        table.add_row(
            candidate["algorithm"],
            parameters_text(candidate.get("parameters", {})),
            *(cells[name] for name in counts),
            "chosen" if candidate["chosen"] else "" if candidate["eligible"] else "unfit",
            style="bold" if candidate["chosen"] else "",
        )
    console.print(table)
    if equations := by_equations(answer["candidates"]):
        console.print(f"Equations 3 and 4 of paper 1: {', '.join(equations)}.")
    for reason, names in unfit(answer["candidates"]).items():
        console.print(f"Unfit: {', '.join(names)}: {reason}.")
    if is_estimated:
        text = (
            "Times are estimated on this network. What the native MPI does is not known: its time is that of the best "
        )
        text += "of the baseline algorithms, and calls are left to it unless there is a clear gain."
    else:
        text = "Steps, messages and the bytes that the busiest rank sends are counted in an idealised run, in which a "
        text += "rank sends and receives one message per step. The choice comes from the settings and a fixed table."
    console.print(f"\n{text}")


def counted(cost: Optional[dict[str, int]]) -> dict[str, str]:
    if cost is None:
        return {}
    return {
        "Steps": number(cost["steps"]),
        "Messages": number(cost["messages"]),
        "Most sent": units.bytes_text(cost["max_sent_bytes"]),
    }


def by_equations(candidates: list[dict[str, Any]]) -> list[str]:
    """How long those take that are trees of a torus, as the paper has it: without headers."""
    return [
        f"{one['algorithm']} {units.seconds_text(one['equations_seconds'])}"
        for one in candidates
        if one["equations_seconds"] is not None
    ]


def unfit(candidates: list[dict[str, Any]]) -> dict[str, list[str]]:
    """The algorithms that are out of the question, by reason."""
    names: dict[str, list[str]] = {}
    for candidate in candidates:
        if not candidate["eligible"]:
            names.setdefault(candidate["reason"], []).append(candidate["algorithm"])
    return names


def sentence(answer: dict[str, Any]) -> str:
    size = "" if answer["collective"] == "barrier" else f" of {units.bytes_text(answer['bytes'])}"
    arithmetic = f", {answer['arithmetic']}" if "arithmetic" in answer else ""
    return f"{answer['collective']}{size} among {units.plural(answer['ranks'], 'rank')}{arithmetic}"


def parameters_text(parameters: dict[str, Any]) -> str:
    formats = {"segment": lambda value: units.bytes_text(value).replace(" ", "")}
    return " ".join(f"{name}={formats.get(name, str)(value)}" for name, value in parameters.items())


def number(value: Optional[int]) -> str:
    return "-" if value is None else units.count_text(value)
