# SPDX-License-Identifier: Apache-2.0
"""espalier run: a program under Espalier, and a table of what was done."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Optional

import typer
from rich.console import Console

from espalier import (
    address_sanitizer,
    call_sites,
    chosen_by_time,
    job,
    launchers,
    output,
    output_files,
    program_file,
    report,
    story,
)
from espalier.drift import of_run as drift_of_run
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.launchers import Launcher, refusals


def register(app: typer.Typer) -> None:
    app.command(
        "run",
        options_metavar="[OPTIONS] --",
        context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True},
        no_args_is_help=True,
    )(run)


def run(
    context: typer.Context,
    command: Annotated[
        list[str], typer.Argument(metavar="LAUNCHER", help="The command that starts the program.", show_default=False)
    ],
    algorithm: Annotated[
        str,
        typer.Option(metavar="SETTING", help="Force algorithms: 'allreduce:ring;bcast:native'."),
    ] = "",
    policy: Annotated[
        str, typer.Option(metavar="NAME", help="How algorithms are chosen: race, say; see `espalier info`.")
    ] = "",
    off: Annotated[bool, typer.Option("--off", metavar="", help="Send every call straight to the native MPI.")] = False,
    json: Annotated[
        Optional[Path],
        typer.Option(metavar="FILE", help="Also write the report to this file, as JSON; - is standard output."),
    ] = None,
    report_: Annotated[
        Optional[Path],
        typer.Option(
            "--report",
            metavar="FILE",
            help="Also write the run's story to this file, as a web page; - is standard output.",
        ),
    ] = None,
    sites: Annotated[
        bool, typer.Option("--sites", metavar="", help="Also say from where in the program collectives were called.")
    ] = False,
    set_: Annotated[
        Optional[list[str]], typer.Option("--set", metavar="NAME=VALUE", help="Any other setting; see `espalier info`.")
    ] = None,
) -> None:
    """Run an unmodified MPI program under Espalier, then say what was done with its collectives.

    Put ./espalier run -- in front of the command that starts the program:

    - ./espalier run -- mpirun -n 4 ./app

    The exit status is that of the program; 2 if a setting is refused, and then nothing was started.
    """
    installation: Installation = context.obj
    output_files.check_can_be_written("--json", json, output_files.json_with("status", "jobs"))
    output_files.check_can_be_written("--report", report_, story.is_page)
    if json and json == report_:
        raise Failure(f"--report {report_}: is what --json writes, too; allowed: another name")
    outcome = job.run(installation, command, chosen_settings(algorithm, policy, off, set_ or [], sites))
    console = output.console(stderr=True)
    with output.complaints_only(console):
        show(installation, outcome, off, console)
    with output.complaints_only(console):
        call_sites.show(outcome.reports, console)
    with output.complaints_only(console):
        chosen_by_time.show(outcome.reports, console, json)
    with output.complaints_only(console):
        drift_of_run.add(outcome.reports, outcome.files.run)
        drift_of_run.show(outcome.reports, console)
    with output.complaints_only(console):
        outcome.files.pass_on(outcome.reports)
    with output.complaints_only(console):
        if json:
            output_files.write_json({"status": outcome.status, "jobs": [item.raw for item in outcome.reports]}, json)
    with output.complaints_only(console):
        if report_:
            write_story(command, outcome, report_, console)
    raise typer.Exit(outcome.status)


def show(installation: Installation, outcome: job.Outcome, off: bool, console: Console) -> None:
    if outcome.launch.launcher is Launcher.UNKNOWN:
        program = outcome.launch.arguments[0]
        console.print(f"Note: Espalier does not know the launcher {program}; it set the environment only.")
    report.show(outcome.reports, console)
    if note := strangers(outcome):
        console.print(note)
    if outcome.reports and outcome.status != 0:
        console.print(f"The program ended with status {outcome.status}; the report is of the part before that.")
    if not outcome.reports:
        remedies = refusals(outcome.launch, cores(installation)) if outcome.status != 0 else switched_off(installation)
        for remedy in remedies or [why_no_report(outcome.status, off, outcome.launch.arguments)]:
            console.print(remedy)


def switched_off(installation: Installation) -> list[str]:
    """By a file of settings."""
    off = installation.ask_tool(["info"])["off"]
    return [f"Espalier is switched off here ({off}): every call went straight to the native MPI."] if off else []


def strangers(outcome: job.Outcome) -> Optional[str]:
    """What to say of processes that were launched together and did not find each other."""
    launch, count = outcome.launch, len(outcome.reports)
    if launch.launcher is Launcher.UNKNOWN or count < 2 or any(one.head.ranks > 1 for one in outcome.reports):
        return None
    if launchers.ranks_wanted(launch.arguments) == 1:  # which has made others
        return None
    program = launchers.name_of(launch.arguments[launchers.find_launcher(launch.arguments)])
    return f"{count} processes, each alone: is this launcher ({program}) the program's MPI's?"


def write_story(command: Sequence[str], outcome: job.Outcome, file: Path, console: Console) -> None:
    if outcome.reports:
        output_files.write_text(story.page(" ".join(command), outcome.reports), file)
        if not output_files.is_standard(file):
            console.print(f"The story of this run: {file}")
    else:
        console.print(f"{file} was not written: there is no report.")


def cores(installation: Installation) -> int:
    """Of this machine, as its MPIs count them."""
    return int(installation.ask_tool(["topo", "--node"])["cores"]) if installation.has_tool else os.cpu_count() or 1


def chosen_settings(algorithm: str, policy: str, off: bool, others: list[str], sites: bool = False) -> dict[str, str]:
    settings: dict[str, str] = {}
    for other in others:
        name, equals, value = other.partition("=")
        if not equals:
            raise Failure(f"--set {other}: not of the form NAME=VALUE", "For example: --set ESPALIER_VERBOSE=1")
        settings[full_name(name)] = value
    if algorithm:
        settings["ESPALIER_ALGORITHM"] = algorithm
    if policy:
        settings["ESPALIER_POLICY"] = policy
    if off:
        settings["ESPALIER"] = "off"
    if sites:
        settings["ESPALIER_REPORT_SITES"] = "1"
    return settings


def full_name(name: str) -> str:
    """'verbose' and 'ESPALIER_VERBOSE' mean the same setting."""
    upper = name.upper()
    return upper if upper == "ESPALIER" or upper.startswith("ESPALIER_") else f"ESPALIER_{upper}"


def why_no_report(status: int, off: bool, command: Sequence[str]) -> str:
    if status != 0 and (advice := address_sanitizer.advice_for(command)):
        return advice
    if off:
        return "Espalier was off: every call went straight to the native MPI."
    if status != 0:
        return f"The program ended with status {status} before MPI_Finalize, so Espalier has no report of it."
    if cause := program_file.cause_in(command[launchers.find_launcher(command) :]):
        return f"Espalier has no report: {cause}"
    return (
        "Espalier has no report: no process called MPI_Init through a shared MPI library that Espalier serves, or none "
        "did so where Espalier can see it (docs/explanation/correctness.md, What to know)."
    )
