# SPDX-License-Identifier: Apache-2.0
"""espalier memory drift: what takes longer than it did in earlier jobs."""

import os
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console

from espalier import output, output_files, texts
from espalier.commands.memory.options import Directory, Json
from espalier.drift import found, history, words
from espalier.drift.found import Drift
from espalier.drift.history import File
from espalier.memory import change
from espalier.memory.location import directory_of


def register(app: typer.Typer) -> None:
    app.command()(drift)


def drift(
    directory: Directory = None,
    json: Json = False,
    accept: Annotated[
        bool, typer.Option("--accept", metavar="", help="What is slow now is accepted: forget earlier jobs.")
    ] = False,
) -> None:
    """List what takes longer in the last job of each program than in earlier ones, and what else changed.

    - ./espalier memory drift
    """
    place = directory_of(directory, os.environ)
    files = history.in_directory(place)
    drifts = [one for file in files for one in found.latest(file.jobs)]
    if json:
        output_files.write_json({"directory": str(place), "drift": [found.as_json(one) for one in drifts]})
    elif drifts:
        show_drifts(drifts, output.console())
    else:
        count = sum(len(file.jobs) for file in files)
        known = f"{place} knows of {count} jobs" if count else f"{place} holds no history of jobs"
        output.console().print(f"Nothing is slower than it was: {known}.", soft_wrap=True)
    complain(files)
    if accept:
        forget(files)


def show_drifts(drifts: Sequence[Drift], console: Console) -> None:
    numbers = ("Ranks", "Nodes", "Then", "Now", "Slower")
    table = output.table("Program", "Calls", "Ran as", *numbers, "Since", right=numbers)
    all_ = [(one, words.told(found.as_json(one))) for one in drifts]
    for one, told in all_:
        table.add_row(
            texts.one_line(one.job.program),
            told.calls,
            told.choice.replace(",", " "),
            str(one.job.ranks),
            str(one.job.nodes),
            told.before,
            told.now,
            f"{told.times}x",
            told.since,
        )
    console.print(table)
    console.print("Then: in the middle of earlier jobs. Now: in the last one. Since: the first job that took so long.")
    for text in dict.fromkeys(f"{one.job.program}, {told.where}: {told.changed}" for one, told in all_):
        console.print(texts.one_line(text), soft_wrap=True)


def complain(files: Sequence[File]) -> None:
    console = output.console(stderr=True)
    wrong = [file for file in files if file.wrong]
    for file in wrong:
        console.print(f"espalier: {file.path}: {texts.one_line(file.wrong)}", soft_wrap=True)
    if wrong:
        raise typer.Exit(1)


def forget(files: Sequence[File]) -> None:
    """Where something is slow."""
    for file in files:
        if found.latest(file.jobs):
            change.remove(file.path)
            output.console().print(f"Forgotten: {file.path}", soft_wrap=True)
