# SPDX-License-Identifier: Apache-2.0
"""espalier memory pin: what was learnt becomes law."""

import os
from typing import Annotated

import typer

from espalier import output, texts, units
from espalier.commands.memory.options import Directory, Fingerprint
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.memory import change, stored
from espalier.memory.contents import Memory
from espalier.memory.location import directory_of
from espalier.memory.widen import is_single, widened

PINNED = (
    "Pinned: jobs on this placement now do what comes first in each of its contexts, from the first call on and "
    "without measuring. That holds for the order of additions, too: results of floating-point reductions may differ in "
    "their last bits from those before, and are equal from run to run from now on. Jobs never write over a pinned file."
)


def register(app: typer.Typer) -> None:
    app.command()(pin)


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
            f"{file.path}: was written by Espalier {texts.one_line(memory.library)}: {installation.version} ignores it"
        )
    change.rewrite(file.path, lambda memory: {**(widened(memory) if widen else memory.raw), "pinned": True})
    console = output.console()
    console.print(str(file.path), soft_wrap=True)
    if widen:
        after = stored.usable(file.path)[1]
        console.print(f"Widened: {units.plural(count_widened(memory, after), 'context')} of a single size.")
    console.print(PINNED)


def count_widened(before: Memory, after: Memory) -> int:
    return sum(map(is_single, before.contexts)) - sum(map(is_single, after.contexts))
