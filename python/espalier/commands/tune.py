# SPDX-License-Identifier: Apache-2.0
"""espalier tune: measure a machine for a given time, so that jobs on it know from the start what is the fastest."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Optional

import typer
from rich.console import Console

from espalier import output, output_files
from espalier.failure import Failure
from espalier.installation import COMMAND, Installation
from espalier.launchers import Launch, Launcher
from espalier.memory import location
from espalier.tune import bounded_job, interruption, pieces, placement, program, progress
from espalier.tune.clock import Clock
from espalier.tune.interruption import Interruption
from espalier.tune.outcome import SHORT, Tuned, as_json, show
from espalier.tune.pieces import Piece
from espalier.tune.placement import Placement
from espalier.tune.settings import settings_for
from espalier.tune.sweep import End, Result, State, Sweep
from espalier.words import bytes_of, checked, listed

LARGEST_BYTES = 1 << 30
LONGEST_MINUTES = 60 * 24 * 7


def register(app: typer.Typer) -> None:
    app.command(
        "tune",
        options_metavar="[OPTIONS] --",
        context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True},
    )(tune)


def tune(
    context: typer.Context,
    launcher: Annotated[
        Optional[list[str]],
        typer.Argument(metavar="LAUNCHER", help="What starts a job, without the program.", show_default=False),
    ] = None,
    minutes: Annotated[
        float, typer.Option(metavar="MINUTES", help="It ends after so long, whatever was reached then.")
    ] = 10,
    collective: Annotated[
        Optional[list[str]], typer.Option(metavar="LIST", help="Such as allreduce,bcast. Default: all.")
    ] = None,
    sizes: Annotated[
        Optional[list[str]],
        typer.Option(
            "--bytes",
            metavar="LIST",
            help="Of a message, or of a rank's block, as of bench. Default: 8 to 4MiB, in steps of 8x.",
            show_default=False,
        ),
    ] = None,
    program_: Annotated[
        Optional[Path],
        typer.Option(
            "--program", metavar="FILE", help="What measures: an espalier-bench-network-* of the launcher's MPI."
        ),
    ] = None,
    directory: Annotated[
        Optional[Path],
        typer.Option(metavar="DIR", help="Where it is kept; by default ESPALIER_MEMORY, or ~/.cache/espalier."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", metavar="", help="Also measure what is known already.")] = False,
    json: Annotated[
        Optional[Path],
        typer.Option(metavar="FILE", help="Also write what was found to this file; - is standard output."),
    ] = None,
) -> None:
    """Fill the memory: measure collectives and sizes on this machine, for a bounded time.

    Put ./espalier tune -- in front of what starts your jobs. What is known already is not measured again, so it goes on
    where it stopped.

    - ./espalier tune --minutes 30 -- mpirun -n 16 --hostfile hosts
    """
    installation: Installation = context.obj
    clock = Clock(60 * checked_minutes(minutes))
    output_files.check_can_be_written("--json", json, output_files.json_with("fingerprint", "pieces"))
    functions = checked("--collective", listed(collective) or pieces.DEFAULT, pieces.ALLOWED)
    wanted = [checked_size(size) for size in listed(sizes)]
    words = list(launcher or [])
    command = [*words, str(program.for_launcher(installation, words, program_))]
    place = location.directory_of(directory, os.environ).absolute()
    launch, _ = bounded_job.prepared(installation, command, settings_for(place))
    console = output.console(stderr=True)
    if launch.launcher is Launcher.UNKNOWN:
        console.print(f"Note: Espalier does not know the launcher {words[0]}; it sets the environment only.")
    with interruption.caught() as caught:
        where = placement.find(installation, command, place, clock, caught)
        refuse_pinned(where)
        planned = pieces.planned(
            functions, wanted or pieces.SIZES, where.ranks, None if wanted else pieces.LARGEST_BUFFER
        )
        sweep, results = swept(launch, where, clock, caught, planned, again, console)
    tuned = Tuned(where, results, sweep.end, clock.spent, where.memory())
    show(tuned, output.console(stderr=output_files.is_standard(json)))
    if json:
        output_files.write_json(as_json(tuned), json)
    if status := status_of(tuned, caught):
        raise typer.Exit(status)


def checked_minutes(minutes: float) -> float:
    if not 0 < minutes <= LONGEST_MINUTES:
        raise Failure(f"--minutes {minutes:g}: allowed: more than 0, and at most {LONGEST_MINUTES:,} (a week)")
    return minutes


def checked_size(text: str) -> int:
    size = bytes_of("--bytes", text)
    if not 0 < size <= LARGEST_BYTES:
        raise Failure(f"--bytes {text}: allowed: 1 to 1GiB")
    return size


def refuse_pinned(where: Placement) -> None:
    memory = where.memory()
    if memory and memory.pinned:
        raise Failure(
            f"{where.path}: is pinned, so nothing would be learnt",
            f"To go on measuring: {COMMAND} memory unpin {where.fingerprint[:SHORT]}",
        )


def swept(
    launch: Launch,
    where: Placement,
    clock: Clock,
    caught: Interruption,
    planned: Sequence[Piece],
    again: bool,
    console: Console,
) -> tuple[Sweep, list[Result]]:
    sweep = Sweep(launch, where, clock, caught)
    with progress.shown(console) as reporting:
        return sweep, sweep.run(planned, again, reporting.begin, reporting.report)


def status_of(tuned: Tuned, caught: Interruption) -> int:
    if tuned.end is End.INTERRUPTED:
        return 128 + caught.number
    return 1 if any(one.state is State.FAILED for one in tuned.results) else 0
