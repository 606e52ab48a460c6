# SPDX-License-Identifier: Apache-2.0
"""espalier memory forget: a placement, some of its contexts, or everything."""

import os
import sys
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from espalier import output, texts, units
from espalier.commands.memory.options import Directory
from espalier.failure import Failure
from espalier.memory import change, stored
from espalier.memory.contents import COLLECTIVES, Context, Memory
from espalier.memory.location import directory_of
from espalier.older_python import zipped
from espalier.words import bytes_of, checked, listed


def register(app: typer.Typer) -> None:
    app.command()(forget)


def forget(
    fingerprint: Annotated[str, typer.Argument(metavar="[FINGERPRINT]", help="Its first digits.")] = "",
    collective: Annotated[
        Optional[list[str]], typer.Option(metavar="LIST", help="Only what was learnt of these, such as bcast,reduce.")
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
        if not typer.confirm(texts.one_line(f"Forget {memories}, {pinned} of them pinned?")):
            raise typer.Exit(1)
    for path in paths:
        change.remove(path)
    console.print(f"Forgotten: {memories}", soft_wrap=True)


def forget_contexts(path: Path, collectives: list[str], size: str) -> None:
    wanted_bytes = bytes_of("--bytes", size) if size else None
    gone: list[Context] = []

    def edit(memory: Memory) -> Optional[dict[str, Any]]:
        gone[:] = [one for one in memory.contexts if concerns(one, collectives, wanted_bytes)]
        kept = [raw for raw, one in zipped(memory.raw.get("context", []), memory.contexts) if one not in gone]
        return {**memory.raw, "context": kept} if kept else None

    change.rewrite(path, edit)
    if not gone:
        raise Failure(f"{path}: has no such contexts", status=1)
    rest = "" if path.exists() else ", and with them the file, as none is left"
    output.console().print(f"Forgotten: {units.plural(len(gone), 'context')} of {path}{rest}", soft_wrap=True)


def concerns(context: Context, collectives: list[str], size: Optional[int]) -> bool:
    if collectives and context.collective not in collectives:
        return False
    return size is None or context.bytes_low <= size <= context.bytes_high
