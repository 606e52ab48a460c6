# SPDX-License-Identifier: Apache-2.0
"""espalier tune: measure a machine for a given time, so that jobs on it know from the start what is the fastest."""

import os
import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from espalier import output
from espalier.commands.memory import context_as_json, mpi_text
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.lab.remaining import duration_text
from espalier.launchers import Launch, Launcher
from espalier.memory import location
from espalier.memory.contents import Memory
from espalier.tune import bounded_job, interruption, judgement, pieces, placement, program, progress, tables, times
from espalier.tune.clock import Clock
from espalier.tune.interruption import Interruption
from espalier.tune.judgement import Comparison, Verdict
from espalier.tune.pieces import Piece
from espalier.tune.placement import Placement
from espalier.tune.settings import settings_for
from espalier.tune.sweep import MOST_FAILURES, End, Result, State, Sweep, context_of
from espalier.words import bytes_of, checked, listed

CONSEQUENCES = (
    "Jobs on this placement begin with what was learnt from now on. Reductions of floating-point numbers were tried in "
    "any order of additions (ESPALIER_REPRODUCIBLE=off); unless the memory is pinned, jobs use of that only what adds "
    "in the same order as without it, so that their results stay the same. Pinning makes all of it law, for floating "
    "point, too: results may then differ in their last bits from those before. Exporting makes rules for the native "
    "MPI, for jobs that cannot run under Espalier."
)

SHORT = 8  # digits of a fingerprint
LARGEST_BYTES = 1 << 30
LONGEST_MINUTES = 60 * 24 * 7


@dataclass(frozen=True)
class Tuned:
    """What there is to tell in the end."""

    where: Placement
    results: Sequence[Result]
    end: End
    seconds: float
    memory: Memory | None

    @cached_property
    def verdicts(self) -> list[Verdict]:
        return judgement.verdicts(self.memory) if self.memory else []


def register(app: typer.Typer) -> None:
    app.command(
        "tune",
        options_metavar="[OPTIONS] --",
        context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True},
    )(tune)


def tune(
    context: typer.Context,
    launcher: Annotated[
        list[str] | None,
        typer.Argument(metavar="LAUNCHER", help="What starts a job, without the program.", show_default=False),
    ] = None,
    minutes: Annotated[
        float, typer.Option(metavar="MINUTES", help="It ends after so long, whatever was reached then.")
    ] = 10,
    collective: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="Such as allreduce,bcast. Default: all.")
    ] = None,
    sizes: Annotated[
        list[str] | None,
        typer.Option(
            "--bytes",
            metavar="LIST",
            help="Of a message, or of a rank's block, as of bench. Default: 8 to 4MiB, in steps of 8x.",
            show_default=False,
        ),
    ] = None,
    program_: Annotated[
        Path | None,
        typer.Option(
            "--program", metavar="FILE", help="What measures: an espalier-bench-network-* of the launcher's MPI."
        ),
    ] = None,
    directory: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where it is kept; by default ESPALIER_MEMORY, or ~/.cache/espalier."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", metavar="", help="Also measure what is known already.")] = False,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write what was found to this file; - is standard output.")
    ] = None,
) -> None:
    """Fill the memory: measure collectives and sizes on this machine, for a bounded time.

    Put ./espalier tune -- in front of what starts your jobs. What is known already is not measured again, so it goes on
    where it stopped.

    - ./espalier tune --minutes 30 -- mpirun -n 16 --hostfile hosts
    """
    installation: Installation = context.obj
    clock = Clock(60 * checked_minutes(minutes))
    output.check_can_be_written("--json", json, output.json_with("fingerprint", "pieces"))
    functions = checked("--collective", listed(collective) or pieces.DEFAULT, pieces.ALLOWED)
    wanted = [checked_size(size) for size in listed(sizes)]
    words = list(launcher or [])
    command = [*words, str(program.for_launcher(installation, words, program_))]
    place = location.directory_of(directory, os.environ).absolute()
    launch, _ = bounded_job.prepared(installation, command, settings_for(place))
    console = output.console(stderr=True)
    if launch.launcher is Launcher.UNKNOWN:
        console.print(f"Note: Espalier does not know the launcher {words[0]}; it sets the environment only.")
    with interruption.heard() as heard:
        where = placement.find(installation, command, place, clock, heard)
        refuse_pinned(where)
        planned = pieces.planned(
            functions, wanted or pieces.SIZES, where.ranks, None if wanted else pieces.LARGEST_BUFFER
        )
        sweep, results = swept(launch, where, clock, heard, planned, again, console)
    tuned = Tuned(where, results, sweep.end, clock.spent, where.memory())
    show(tuned, output.console(stderr=output.is_standard(json)))
    if json:
        output.write_json(as_json(tuned), json)
    if status := status_of(tuned, heard):
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
            f"To go on measuring: ./espalier memory unpin {where.fingerprint[:SHORT]}",
        )


def swept(
    launch: Launch,
    where: Placement,
    clock: Clock,
    heard: Interruption,
    planned: Sequence[Piece],
    again: bool,
    console: Console,
) -> tuple[Sweep, list[Result]]:
    sweep = Sweep(launch, where, clock, heard)
    with progress.shown(console) as telling:
        return sweep, sweep.run(planned, again, telling.begin, telling.tell)


def status_of(tuned: Tuned, heard: Interruption) -> int:
    if tuned.end is End.INTERRUPTED:
        return 128 + heard.number
    return 1 if any(one.state is State.FAILED for one in tuned.results) else 0


def show(tuned: Tuned, console: Console) -> None:
    sample = tuned.where.sample
    nodes = output.plural(sample.nodes, "node")
    console.print(
        f"{tuned.where.fingerprint}: {output.plural(sample.ranks, 'rank')} on {nodes}, {mpi_text(sample)}\n",
        soft_wrap=True,
    )
    tables.show_found(tuned.results, tuned.memory, console)
    tables.show_rest(tuned.results, console)
    console.print(f"\n{how_far(tuned)}\n")
    if tuned.memory is None:
        return
    tables.show_guidelines(tuned.verdicts, console)
    show_what_next(tuned.where, tuned.memory, console)


def how_far(tuned: Tuned) -> str:
    def count(state: State) -> int:
        return sum(one.state is state for one in tuned.results)

    measured = f"In {duration_text(tuned.seconds)} {output.plural(count(State.MEASURED), 'piece')} "
    measured += f"of {len(tuned.results)} "
    measured += "was" if count(State.MEASURED) == 1 else "were"
    measured += f" measured; {count(State.KNOWN)} had been known before."
    left = output.plural(count(State.NOT_REACHED), "piece")
    rest = {
        End.DONE: "",
        End.TIME_OVER: f" The time is over, with {left} left: the same command goes on there.",
        End.INTERRUPTED: f" It was interrupted, with {left} left: the same command goes on there.",
        End.FAILURES: f" {MOST_FAILURES} jobs in a row failed, so it was given up, with {left} left.",
    }
    return measured + rest[tuned.end]


def show_what_next(where: Placement, memory: Memory, console: Console) -> None:
    short = where.fingerprint[:SHORT]
    place = where.path.parent
    usual = usual_place()
    option = "" if place == usual else f" --directory {shlex.quote(str(place))}"
    mpi = "mpich" if "MPICH" in memory.mpi else "openmpi"
    console.print("\nWhat next:")
    console.print(f"    ./espalier memory show {short}{option}", soft_wrap=True)
    console.print(f"    ./espalier memory pin {short} --widen{option}", soft_wrap=True)
    console.print(f"    ./espalier memory export {short} --mpi {mpi}{option}", soft_wrap=True)
    console.print(CONSEQUENCES)
    if option:
        console.print(f"Jobs find it with ESPALIER_MEMORY={shlex.quote(str(place))}", soft_wrap=True)


def usual_place() -> Path | None:
    """Where jobs look in this environment; None: nowhere."""
    try:
        return location.directory_of(None, os.environ).absolute()
    except Failure:
        return None


def as_json(tuned: Tuned) -> dict[str, Any]:
    sample = tuned.where.sample
    return {
        "fingerprint": tuned.where.fingerprint,
        "file": str(tuned.where.path),
        "mpi": sample.mpi,
        "ranks": sample.ranks,
        "nodes": sample.nodes,
        "end": tuned.end,
        "seconds": round(tuned.seconds, 3),
        "pieces": [piece_as_json(one, tuned.memory) for one in tuned.results],
        "guidelines": [verdict_as_json(one) for one in tuned.verdicts],
    }


def piece_as_json(result: Result, memory: Memory | None) -> dict[str, Any]:
    context = context_of(memory, result.piece)
    native = times.native(context) if context else None
    return {
        **asdict(result.piece),
        "state": result.state,
        "seconds": round(result.seconds, 3),
        "calls": result.calls,
        "why": result.why,
        "native_seconds": native.seconds if native else None,
        "context": context_as_json(context) if context else None,
    }


def verdict_as_json(one: Verdict) -> dict[str, Any]:
    return {
        "guideline": one.text,
        "bytes": one.bytes,
        "arithmetic": one.arithmetic,
        "is_hint": one.is_hint,
        "native": comparison_as_json(one.native),
        "espalier": comparison_as_json(one.own) if one.own else None,
    }


def comparison_as_json(one: Comparison) -> dict[str, Any]:
    return {
        "seconds": one.left,
        "instead_of_seconds": one.right,
        "tolerance": one.tolerance,
        "is_violated": one.is_violated,
    }
