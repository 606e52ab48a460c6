# SPDX-License-Identifier: Apache-2.0
"""Files that jobs cannot use."""

import typer

from espalier import output, texts
from espalier.memory.stored import File


def complain(files: list[File], version: str) -> None:
    """One line for each that jobs cannot use; then the exit status says so, too."""
    console = output.console(stderr=True)
    for file in files:
        if file.memory is None:
            console.print(f"espalier: {file.path}: {texts.one_line(file.wrong)}", soft_wrap=True)
        elif file.is_foreign_to(version):
            other = texts.one_line(file.memory.library)
            console.print(
                f"espalier: {file.path}: was written by Espalier {other}; {version} ignores it", soft_wrap=True
            )
    if any(file.memory is None for file in files):
        raise typer.Exit(1)
