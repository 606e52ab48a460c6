# SPDX-License-Identifier: Apache-2.0
"""What a study is, and how its calls are played: one after the other, each as soon as it is done in the file."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from espalier import output, units
from espalier.installation import Installation
from espalier_lab.simulation import rows as stored_rows
from espalier_lab.simulation.program import Played, play
from espalier_lab.simulation.rows import Row, Wanted

CLEARLY_OFF = 0.02  # a long message's time is not to be trusted if its plays lie so far off a line
NOT_COMPARED = 1.0  # what the simulator says of a time that nothing was compared with


@dataclass(frozen=True)
class Study:
    name: str
    title: str
    wanted: Callable[[Installation], Iterable[Wanted]]
    show: Callable[[Sequence[Row], Console], None]
    figure: Callable[[Sequence[Row]], str]  # SVG; empty if there is nothing to draw
    derived: Callable[[Sequence[Row]], Iterable[Row]] = lambda _: ()  # further rows, of those that were played
    play: Callable[[Installation, Wanted], Played] = play


def run(installation: Installation, study: Study, file: Path, *, resumes: bool) -> list[Row]:
    """The rows that are wanted, in that order, and those derived from them; they are in the file then, too."""
    wanted = list(study.wanted(installation))
    rows = [row for row in (stored_rows.read(file) if resumes else []) if not_forgotten(row, wanted)]
    console = output.console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), BarColumn(20), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=len(wanted), completed=len(rows))
        for one in stored_rows.missing(wanted, rows):
            bar.update(task, description=words_of(one)[:56])
            played = study.play(installation, one)
            if played.off > CLEARLY_OFF:
                console.print(f"{words_of(one)}: {doubt(played.off)}")
            rows.append(one.row(played.seconds))
            stored_rows.write(rows, file)
            bar.advance(task)
    places = {stored_rows.key_of(one): place for place, one in enumerate(wanted)}
    rows.sort(key=lambda row: places[stored_rows.key_of(row)])
    rows += study.derived(rows)
    stored_rows.write(rows, file)
    return rows


def doubt(off: float) -> str:
    if off == NOT_COMPARED:
        return "continued from short plays, and nothing was compared with it"
    return f"the times of long messages are off a line by {off:.0%}"


def not_forgotten(row: Row, wanted: Sequence[Wanted]) -> bool:
    return stored_rows.key_of(row) in set(map(stored_rows.key_of, wanted))


def words_of(one: Wanted) -> str:
    return f"{one.machine} {one.collective} {units.bytes_text(one.bytes)} {one.algorithm}"
