# SPDX-License-Identifier: Apache-2.0
"""espalier memory export: rules of the native MPI."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Optional

import typer
from rich.console import Console

from espalier import output, output_files, units
from espalier.commands.memory.options import Directory, Fingerprint
from espalier.commands.memory.words import best_text, collective_text, message_text, mpi_text
from espalier.failure import Failure
from espalier.memory import stored
from espalier.memory.contents import Context, Memory
from espalier.memory.export import made
from espalier.memory.export.made import Export
from espalier.memory.export.openmpi_counterparts import Promises
from espalier.memory.export.openmpi_json import distribution
from espalier.memory.export.targets import MPIS, Target, target_of
from espalier.memory.location import directory_of

PLACES = {
    "any": "wherever its ranks are",
    "single-node": "all on one node",
    "one-per-node": "each on a node of its own",
}


def register(app: typer.Typer) -> None:
    app.command()(export)


def export(
    fingerprint: Fingerprint,
    mpi: Annotated[
        Optional[str],
        typer.Option(metavar="NAME", help="As openmpi4.1 or mpich5.0; by default the MPI that it was learnt under."),
    ] = None,
    file: Annotated[
        Optional[Path],
        typer.Option("--output", "-o", metavar="FILE", help="Where the rules go; by default espalier-FINGERPRINT.*"),
    ] = None,
    commutative: Annotated[
        bool,
        typer.Option("--commutative", metavar="", help="No program has operations that do not commute (Open MPI)."),
    ] = False,
    same_types: Annotated[
        bool,
        typer.Option("--same-types", metavar="", help="In each broadcast all ranks give the same datatype (Open MPI)."),
    ] = False,
    library: Annotated[
        Optional[Path], typer.Option(metavar="FILE", help="MPICH's libmpi.so, whose own rules go on counting.")
    ] = None,
    directory: Directory = None,
) -> None:
    """Write what was learnt as rules of the native MPI, for jobs that cannot run under Espalier.

    - ./espalier memory export 3f2a --mpi openmpi5 -o rules.conf
    """
    found, memory = stored.usable(stored.named(directory_of(directory, os.environ), fingerprint))
    target = target_of(mpi, memory)
    if commutative and target.family != "openmpi":
        raise Failure("--commutative: MPICH's rules tell such operations apart by themselves")
    if same_types and target.family != "openmpi":
        raise Failure("--same-types: MPICH's algorithms need no such thing")
    if library and target.family != "mpich":
        raise Failure("--library: only for --mpi mpich")
    path = file or Path(f"espalier-{found.fingerprint}.{target.ending}")
    if target.family == "openmpi":
        result = made.for_openmpi(memory, path, Promises(commutative, same_types), target)
    else:
        result = made.for_mpich(memory, path, library, target)
    for path in result.files:
        output_files.check_can_be_written("--output", path, made.are_rules)
    if result.mapped:
        for path, text in result.files.items():
            output_files.write_text(text, path)
    show_export(result, memory, target, output.console())
    if not result.mapped:
        raise Failure("Nothing was written: no rule could be made.", status=1)


def show_export(result: Export, memory: Memory, target: Target, console: Console) -> None:
    name = MPIS[target.family]
    show_contexts(f"{name} runs", [(one.context, one.native) for one in result.mapped], console)
    show_contexts(f"Left to {name}, because", [(one.context, one.why) for one in result.left_out], console)
    if not memory.mpi.startswith(name):
        console.print(f"Times were learnt under {mpi_text(memory)}: {name} may find others the fastest.\n")
    if result.mapped:
        show_loading(result, memory, target, console)


def show_contexts(heading: str, described: Sequence[tuple[Context, str]], console: Console) -> None:
    if not described:
        return
    table = output.table("Collective", "Message", "Was the best", heading)
    for context, words in described:
        table.add_row(collective_text(context), message_text(context), best_text(context), words)
    console.print(table)
    console.print()


def show_loading(result: Export, memory: Memory, target: Target, console: Console) -> None:
    written = ", ".join(map(str, result.files))
    console.print(f"Written for {target}, and checked: {written}. To be loaded by", soft_wrap=True)
    for line in result.loading:
        console.print(f"    {quoted(line, target.family)}", soft_wrap=True)
    for note in result.notes:
        console.print(note, soft_wrap=True)
    where = PLACES[distribution(memory.ranks, memory.nodes) if target.sees_places else "any"]
    console.print(
        f"The rules hold for every communicator of {units.plural(memory.ranks, 'rank')}, {where}. "
        "Sums of floating-point numbers may differ in their last bits from those without them."
    )


def quoted(line: str, family: str) -> str:
    """As a shell takes it."""
    if family == "openmpi":
        option, name, value = line.split(" ", 2)
        return f"{option} {name} {shlex.quote(value)}"
    name, _, value = line.partition("=")
    return f"{name}={shlex.quote(value)}"
