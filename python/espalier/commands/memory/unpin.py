# SPDX-License-Identifier: Apache-2.0
"""espalier memory unpin: jobs learn again."""

import os

import typer

from espalier import output
from espalier.commands.memory.options import Directory, Fingerprint
from espalier.memory import change, stored
from espalier.memory.location import directory_of

UNPINNED = (
    "No longer pinned: jobs on this placement begin with what was learnt, go on measuring, and write what they learn "
    "into the file. Reductions whose order of additions shows have their default order again."
)


def register(app: typer.Typer) -> None:
    app.command()(unpin)


def unpin(fingerprint: Fingerprint, directory: Directory = None) -> None:
    """Let jobs learn again on a placement that was pinned."""
    path = stored.named(directory_of(directory, os.environ), fingerprint)
    change.rewrite(path, lambda memory: {key: value for key, value in memory.raw.items() if key != "pinned"})
    console = output.console()
    console.print(str(path), soft_wrap=True)
    console.print(UNPINNED)
