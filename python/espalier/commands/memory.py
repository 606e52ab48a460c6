# SPDX-License-Identifier: Apache-2.0
"""espalier memory: what jobs have learnt about their collectives."""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from espalier import output
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.memory import belief, change, stored
from espalier.memory.contents import ARITHMETICS, COLLECTIVES, REDUCTIONS, ROOTED, Context, Memory
from espalier.memory.export import made
from espalier.memory.export.made import Export
from espalier.memory.location import directory_of
from espalier.memory.stored import File
from espalier.memory.widen import is_single, widened
from espalier.words import bytes_of, checked, listed

app = typer.Typer(
    help="What jobs have learnt about the times of their collectives: list, show, pin, forget and export it.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

Directory = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Where it is kept; by default ESPALIER_MEMORY, or ~/.cache/espalier."),
]
Fingerprint = Annotated[str, typer.Argument(metavar="FINGERPRINT", help="Its first digits, as list shows them.")]
Json = Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")]

PINNED = (
    "Pinned: jobs on this placement now do what comes first in each of its contexts, from the first call on and "
    "without measuring. That holds for the order of additions, too: results of floating-point reductions may differ in "
    "their last bits from those before, and are equal from run to run from now on. Jobs never write over a pinned file."
)
UNPINNED = (
    "No longer pinned: jobs on this placement begin with what was learnt, go on measuring, and write what they learn "
    "into the file. Reductions whose order of additions shows have their usual order again."
)


def register(parent: typer.Typer) -> None:
    app.command("list")(list_)
    app.command()(show)
    app.command()(forget)
    app.command()(pin)
    app.command()(unpin)
    app.command()(export)
    parent.add_typer(app, name="memory")


def list_(context: typer.Context, directory: Directory = None, json: Json = False) -> None:
    """List the placements of communicators of which something was learnt.

    - ./espalier memory list
    """
    installation: Installation = context.obj
    place = directory_of(directory, os.environ)
    files = stored.in_directory(place)
    version = installation.version
    if json:
        output.write_json({"directory": str(place), "files": [as_json(file, version) for file in files]})
    elif not files:
        output.console().print(f"Nothing was learnt yet: {place} holds no memory.", soft_wrap=True)
    else:
        show_list(files, output.console())
    complain(files, version)


def as_json(file: File, version: str) -> dict[str, Any]:
    if file.memory is None:
        return {"fingerprint": file.fingerprint, "wrong": file.wrong}
    memory = file.memory
    return {
        "fingerprint": file.fingerprint,
        "mpi": memory.mpi,
        "library": memory.library,
        "is_used": not file.is_foreign_to(version),
        "ranks": memory.ranks,
        "nodes": memory.nodes,
        "placement": memory.placement,
        "network": memory.network,
        "contexts": len(memory.contexts),
        "pinned": memory.pinned,
        "age_seconds": round(file.age),
    }


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


def complain(files: list[File], version: str) -> None:
    """One line for each that jobs cannot use; then the exit status says so, too."""
    console = output.console(stderr=True)
    for file in files:
        if file.memory is None:
            console.print(f"espalier: {file.path}: {output.one_line(file.wrong)}", soft_wrap=True)
        elif file.is_foreign_to(version):
            other = output.one_line(file.memory.library)
            console.print(
                f"espalier: {file.path}: was written by Espalier {other}; {version} ignores it", soft_wrap=True
            )
    if any(file.memory is None for file in files):
        raise typer.Exit(1)


def mpi_text(memory: Memory) -> str:
    """The rest says how it was built."""
    first = memory.mpi.partition(",")[0].partition("\n")[0]
    return " ".join(first.split())[:40]


def age_text(seconds: float) -> str:
    for size, word in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            return output.plural(int(seconds // size), word)
    return "now"


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
        output.write_json({"directory": str(place), "files": contents})
    else:
        console = output.console()
        for file in files:
            if file.memory:
                show_memory(file, file.memory, console)
        if not files:
            console.print(f"Nothing was learnt yet: {place} holds no memory.", soft_wrap=True)
    complain(files, version)


def contexts_as_json(memory: Memory | None) -> list[dict[str, Any]]:
    return [context_as_json(one) for one in memory.contexts] if memory else []


def context_as_json(context: Context) -> dict[str, Any]:
    rival = belief.rival_of_best(context)
    best = context.best
    return {
        "collective": context.collective,
        **({"root": context.root} if context.collective in ROOTED else {}),
        "bytes_low": context.bytes_low,
        "bytes_high": context.bytes_high,
        **({"element_bytes": context.element_bytes} if context.element_bytes else {}),
        **({"arithmetic": context.arithmetic} if context.collective in REDUCTIONS else {}),
        "uneven": context.uneven,
        "calls": context.calls,
        "best": best.choice.text,
        "seconds": best.seconds,
        "compared_with": rival.choice.text if rival else None,
        "times_faster": belief.times_faster(best, rival) if rival else None,
        "probability": belief.probability_faster(best, rival) if rival else None,
    }


def show_memory(file: File, memory: Memory, console: Console) -> None:
    nodes = output.plural(memory.nodes, "node")
    pinned = ", pinned" if memory.pinned else ""
    console.print(f"{file.fingerprint}: {output.plural(memory.ranks, 'rank')} on {nodes}, {mpi_text(memory)}{pinned}")
    console.print(f"Ranks of each node: {output.one_line(memory.placement)}", soft_wrap=True)
    if memory.network:
        console.print(f"Network: {output.one_line(memory.network)}", soft_wrap=True)
    if not memory.contexts:
        console.print("It has no contexts.\n")
        return
    numbers = ("Calls", "Time", "Faster", "Sure")
    table = output.table("Collective", "Message", "Calls", "Best", "Time", "Faster", "Sure", right=numbers)
    for context in sorted(memory.contexts, key=lambda one: (one.collective, one.bytes_low, one.root)):
        table.add_row(
            collective_text(context),
            message_text(context),
            output.count_text(context.calls),
            best_text(context),
            output.seconds_text(context.best.seconds or None),
            *certainty(context),
        )
    console.print(table)
    console.print(
        "Faster: than the native MPI by so many times; where that is the best itself, than the next one, in brackets. "
        "Sure: how probable it is that it is faster at all.\n"
    )


def collective_text(context: Context) -> str:
    words = [context.collective]
    words += [f"root {context.root}"] if context.collective in ROOTED and context.root else []
    words += ["uneven"] if context.uneven else []
    words += [f"({ARITHMETICS[context.arithmetic]})"] if context.arithmetic == "rank_order" else []
    words += ["(floating point)"] if context.arithmetic == "commutative" else []
    return " ".join(words)


def certainty(context: Context) -> tuple[str, str]:
    rival = belief.rival_of_best(context)
    if rival is None:
        return "-", "-"
    faster = f"{belief.times_faster(context.best, rival):.2f}x"
    probability = belief.probability_faster(context.best, rival)
    sure = ">99.9%" if probability > 0.999 else f"{probability:.1%}"
    return f"({faster})" if context.best.choice.is_native else faster, sure


def forget(
    fingerprint: Annotated[str, typer.Argument(metavar="[FINGERPRINT]", help="Its first digits.")] = "",
    collective: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="Only what was learnt of these, such as bcast,reduce.")
    ] = None,
    size: Annotated[str, typer.Option("--bytes", metavar="SIZE", help="Only of messages of this size.")] = "",
    everything: Annotated[bool, typer.Option("--all", metavar="", help="All files, pinned ones too.")] = False,
    yes: Annotated[bool, typer.Option("--yes", metavar="", help="Do not ask.")] = False,
    directory: Directory = None,
) -> None:
    """Forget a placement, some of its contexts, or everything.

    - ./espalier memory forget 3f2a --collective allreduce --bytes 64KiB
    """
    place = directory_of(directory, os.environ)
    if everything == bool(fingerprint) or (everything and (collective or size)):
        raise Failure("Say what to forget: a FINGERPRINT, perhaps with --collective and --bytes, or --all.")
    if everything:
        forget_all(place, yes)
        return
    path = stored.named(place, fingerprint)
    if collective or size:
        forget_contexts(path, checked("--collective", listed(collective), COLLECTIVES), size)
    else:
        change.remove(path)
        output.console().print(f"Forgotten: {path}", soft_wrap=True)


def forget_all(place: Path, yes: bool) -> None:
    paths = stored.paths_in(place)
    console = output.console()
    if not paths:
        console.print(f"Nothing was learnt yet: {place} holds no memory.", soft_wrap=True)
        return
    memories = f"{len(paths)} {'memory' if len(paths) == 1 else 'memories'} in {place}"
    if not yes:
        pinned = sum(1 for path in paths if (memory := stored.read(path).memory) and memory.pinned)
        if not sys.stdin.isatty():
            raise Failure(f"{memories} would be forgotten, {pinned} of them pinned.", "To do it: --yes")
        if not typer.confirm(output.one_line(f"Forget {memories}, {pinned} of them pinned?")):
            raise typer.Exit(1)
    for path in paths:
        change.remove(path)
    console.print(f"Forgotten: {memories}", soft_wrap=True)


def forget_contexts(path: Path, collectives: list[str], size: str) -> None:
    wanted_bytes = bytes_of("--bytes", size) if size else None
    gone: list[Context] = []

    def edit(memory: Memory) -> dict[str, Any] | None:
        gone[:] = [one for one in memory.contexts if concerns(one, collectives, wanted_bytes)]
        kept = [raw for raw, one in zip(memory.raw.get("context", []), memory.contexts, strict=True) if one not in gone]
        return {**memory.raw, "context": kept} if kept else None

    change.rewrite(path, edit)
    if not gone:
        raise Failure(f"{path}: has no such contexts", status=1)
    rest = "" if path.exists() else ", and with them the file, as none is left"
    output.console().print(f"Forgotten: {output.plural(len(gone), 'context')} of {path}{rest}", soft_wrap=True)


def concerns(context: Context, collectives: list[str], size: int | None) -> bool:
    if collectives and context.collective not in collectives:
        return False
    return size is None or context.bytes_low <= size <= context.bytes_high


def pin(
    context: typer.Context,
    fingerprint: Fingerprint,
    widen: Annotated[
        bool,
        typer.Option(
            "--widen",
            metavar="",
            help="Reductions whose order of additions shows are learnt for single sizes: law for those between, too.",
        ),
    ] = False,
    directory: Directory = None,
) -> None:
    """Make what was learnt of a placement law: jobs there do what was best, and never write over it.

    Without --widen, floating-point reductions of other sizes than those that were learnt stay as they are. With it,
    what was learnt of a size also holds up to halfway to the next one, by factors: 64 and 4096 bytes meet at 512. Below
    the smallest it holds for all, above the largest up to four times that.

    - ./espalier memory pin 3f2a --widen
    """
    installation: Installation = context.obj
    file, memory = stored.usable(stored.named(directory_of(directory, os.environ), fingerprint))
    if file.is_foreign_to(installation.version):
        raise Failure(
            f"{file.path}: was written by Espalier {output.one_line(memory.library)}: {installation.version} ignores it"
        )
    change.rewrite(file.path, lambda memory: {**(widened(memory) if widen else memory.raw), "pinned": True})
    console = output.console()
    console.print(str(file.path), soft_wrap=True)
    if widen:
        after = stored.usable(file.path)[1]
        console.print(f"Widened: {output.plural(count_widened(memory, after), 'context')} of a single size.")
    console.print(PINNED)


def count_widened(before: Memory, after: Memory) -> int:
    return sum(map(is_single, before.contexts)) - sum(map(is_single, after.contexts))


def unpin(fingerprint: Fingerprint, directory: Directory = None) -> None:
    """Let jobs learn again on a placement that was pinned."""
    path = stored.named(directory_of(directory, os.environ), fingerprint)
    change.rewrite(path, lambda memory: {key: value for key, value in memory.raw.items() if key != "pinned"})
    console = output.console()
    console.print(str(path), soft_wrap=True)
    console.print(UNPINNED)


def export(
    fingerprint: Fingerprint,
    mpi: Annotated[str, typer.Option(metavar="NAME", help="openmpi or mpich.")],
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where the rules go; by default espalier-FINGERPRINT.*"),
    ] = None,
    commutative: Annotated[
        bool,
        typer.Option("--commutative", metavar="", help="No program has operations that do not commute (Open MPI)."),
    ] = False,
    library: Annotated[
        Path | None, typer.Option(metavar="FILE", help="MPICH's libmpi.so, whose own rules go on counting.")
    ] = None,
    directory: Directory = None,
) -> None:
    """Write what was learnt as rules of the native MPI, for jobs that cannot run under Espalier.

    - ./espalier memory export 3f2a --mpi openmpi -o rules.conf
    """
    checked("--mpi", [mpi], tuple(made.MPIS))
    if commutative and mpi != "openmpi":
        raise Failure("--commutative: MPICH's rules tell such operations apart by themselves")
    if library and mpi != "mpich":
        raise Failure("--library: only for --mpi mpich")
    found, memory = stored.usable(stored.named(directory_of(directory, os.environ), fingerprint))
    target = file or Path(f"espalier-{found.fingerprint}.{made.ENDINGS[mpi]}")
    if mpi == "openmpi":
        result = made.for_openmpi(memory, target, commutative)
    else:
        result = made.for_mpich(memory, target, library)
    for path in result.files:
        output.check_can_be_written("--output", path, made.are_rules)
    if result.mapped:
        for path, text in result.files.items():
            output.write_text(text, path)
    show_export(result, memory, mpi, output.console())
    if not result.mapped:
        raise Failure("Nothing was written: no rule could be made.", status=1)


def show_export(result: Export, memory: Memory, mpi: str, console: Console) -> None:
    name = made.MPIS[mpi]
    show_contexts(f"{name} runs", [(one.context, one.native) for one in result.mapped], console)
    show_contexts(f"Left to {name}, because", [(one.context, one.why) for one in result.left_out], console)
    if not memory.mpi.startswith(name):
        console.print(f"Times were learnt under {mpi_text(memory)}: {name} may find others the fastest.\n")
    if result.mapped:
        show_loading(result, memory, mpi, console)


def show_contexts(heading: str, told: Sequence[tuple[Context, str]], console: Console) -> None:
    if not told:
        return
    table = output.table("Collective", "Message", "Was the best", heading)
    for context, words in told:
        table.add_row(collective_text(context), message_text(context), best_text(context), words)
    console.print(table)
    console.print()


def show_loading(result: Export, memory: Memory, mpi: str, console: Console) -> None:
    console.print(f"Written: {', '.join(map(str, result.files))}. They are loaded by", soft_wrap=True)
    for line in result.loading:
        console.print(f"    {quoted(line, mpi)}", soft_wrap=True)
    for note in result.notes:
        console.print(note, soft_wrap=True)
    console.print(
        f"The rules hold for every communicator of {output.plural(memory.ranks, 'rank')}, wherever its ranks are. "
        "Sums of floating-point numbers may differ in their last bits from those without them."
    )


def quoted(line: str, mpi: str) -> str:
    """As a shell takes it."""
    if mpi == "openmpi":
        option, name, value = line.split(" ", 2)
        return f"{option} {name} {shlex.quote(value)}"
    name, _, value = line.partition("=")
    return f"{name}={shlex.quote(value)}"


def best_text(context: Context) -> str:
    """In words that a table may break."""
    return context.best.choice.text.replace(",", " ")


def message_text(context: Context) -> str:
    return output.size_class_text(context.bytes_low, context.bytes_high) if context.bytes_high else "-"
