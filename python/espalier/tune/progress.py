# SPDX-License-Identifier: Apache-2.0
"""How far the sweep is: a bar on a terminal, lines in a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from espalier import texts, units
from espalier.tune.pieces import Piece
from espalier.tune.sweep import Report, Result, State
from espalier.units import duration_text


@dataclass(frozen=True)
class SweepProgress:
    begin: Callable[[Piece, int], None]
    report: Report


@contextmanager
def shown(console: Console) -> Iterator[SweepProgress]:
    columns = (
        TextColumn("tuning"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        rest = ""

        def begin(piece: Piece, left: int) -> None:
            done = bar.tasks[0].completed
            bar.update(task, total=done + left, description=f"{piece.title}{rest}")

        def report(result: Result, left: int, seconds: float) -> None:
            nonlocal rest
            bar.update(task, advance=1)
            rest = f"; about {duration_text(seconds)} left"
            if not console.is_terminal or result.state in (State.FAILED, State.LATE):
                why = f": {texts.one_line(result.why.splitlines()[0])}" if result.why else ""
                pieces = (
                    f"{units.plural(left, 'piece')}, about {duration_text(seconds)} left" if left else "the last one"
                )
                console.print(f"{result.piece.title}: {result.state}{why} ({pieces})", soft_wrap=True)

        yield SweepProgress(begin, report)
