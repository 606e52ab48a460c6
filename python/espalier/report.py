# SPDX-License-Identifier: Apache-2.0
"""The report that the preloaded library writes at MPI_Finalize, and the table made of it.

The fields are described in docs/reference/report.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from espalier import output, stored, units
from espalier.failure import Failure

NATIVE = "native"


@dataclass(frozen=True)
class Row:
    """All calls of one collective, form and size class that were treated alike."""

    collective: str
    form: str
    bytes_low: int
    bytes_high: int
    algorithm: str
    parameters: str
    reason: str
    ranks: int  # that made such calls
    calls: int  # of all ranks together
    bytes: int  # as well
    seconds_mean: float  # of one rank's calls together; the mean over these ranks
    seconds_max: float  # and the rank that took longest
    share: float  # of the wall time of all ranks
    seconds_min: float = 0.0  # the rank that took least
    function: str = ""  # "MPI_Gatherv"; older libraries do not say it
    communicator: str = ""  # as the program named it

    @property
    def name(self) -> str:
        """The MPI's function: 'Gatherv', 'Iallreduce', 'Allreduce_init'."""
        return self.function.removeprefix("MPI_") or self.name_by_collective.capitalize()

    @property
    def name_by_collective(self) -> str:
        return {"nonblocking": f"i{self.collective}", "persistent": f"{self.collective}_init"}.get(
            self.form, self.collective
        )

    @property
    def calls_per_rank(self) -> int:
        return round(self.calls / self.ranks) if self.ranks else 0

    @property
    def own(self) -> bool:
        return self.algorithm != NATIVE


@dataclass(frozen=True)
class Head:
    version: str
    mpi: str
    ranks: int
    wall_seconds: float  # from MPI_Init to MPI_Finalize, of one rank on average


@dataclass(frozen=True)
class Report:
    """What one MPI job did."""

    head: Head
    rows: tuple[Row, ...]
    raw: dict[str, Any]

    @property
    def calls(self) -> int:
        """Of all ranks together."""
        return sum(row.calls for row in self.rows)

    @property
    def own_calls(self) -> int:
        return sum(row.calls for row in self.rows if row.own)

    @property
    def own_share(self) -> float:
        return self.own_calls / self.calls if self.calls else 0.0

    @property
    def share_of_wall_time(self) -> float:
        return sum(row.share for row in self.rows)

    @property
    def own_share_of_wall_time(self) -> float:
        return sum(row.share for row in self.rows if row.own)


def read(path: Path) -> Report:
    try:
        return of(stored.load(path.read_text(encoding="utf-8-sig")))
    except (OSError, ValueError) as error:
        raise Failure(f"The report {path} cannot be read: {error!r}", "Was the disk full?", status=1) from error


def of(raw: Any) -> Report:
    """ValueError: it is no report."""
    rows = tuple(stored.dataclass_of(Row, row) for row in stored.list_in(raw, "rows"))
    return Report(stored.dataclass_of(Head, raw), rows, raw)


def headline(report: Report) -> str:
    mpi = mpi_name(report.head)
    where = f"Espalier {report.head.version} on {mpi}, {units.plural(report.head.ranks, 'rank')}"
    if not report.calls:
        return f"{where}: the program made no collective calls."
    share = f"{units.count_text(report.own_calls)} of {units.plural(report.calls, 'call')} ({report.own_share:.1%})"
    return f"{where}: {share} ran on its own schedules."


def mpi_name(head: Head) -> str:
    """In plain words: the rest says how it was built."""
    return " ".join(head.mpi.partition(",")[0].split())


def total(report: Report) -> str:
    """How much of the wall time all that is."""
    own, all_ = report.own_share_of_wall_time, report.share_of_wall_time
    wall = units.seconds_text(report.head.wall_seconds)
    passed_on = max(0.0, all_ - own)
    return f"Collectives took {all_:.1%} of the wall time of {wall}: {own:.1%} own, {passed_on:.1%} passed on."


def show(reports: Iterable[Report], console: Console) -> None:
    for report in reports:
        console.print(headline(report))
        if report.rows:
            show_rows(sorted(report.rows, key=order), console)
            console.print(total(report))


def order(row: Row) -> tuple[str, str, str, int, str]:
    return row.collective, row.name, row.communicator, row.bytes_low, row.algorithm


def show_rows(rows: Sequence[Row], console: Console) -> None:
    """What is the same for all rows is said once, below the table."""
    same_parameters = only({row.parameters for row in rows if row.own})
    same_reason = only({row.reason for row in rows})
    numbers = ("Calls", "Bytes", "Time", "Wall")
    has_names = any(row.communicator for row in rows)
    columns = ["Function", *(["On"] if has_names else []), "Message", *numbers, "Ran as"]
    table = output.table(*columns, *([] if same_reason else ["Why"]), right=numbers)
    for row in rows:
        parameters = "" if same_parameters else row.parameters
        table.add_row(
            row.name,
            *([row.communicator] if has_names else []),
            units.size_class_text(row.bytes_low, row.bytes_high),
            units.count_text(row.calls),
            units.bytes_text(row.bytes),
            units.seconds_text(row.seconds_mean),
            f"{row.share:.1%}",
            f"{row.algorithm} {parameters.replace(',', ' ')}".rstrip(),
            *([] if same_reason else [row.reason]),
        )
    console.print(table)
    console.print("Calls, Bytes: of all ranks. Time: of one, on average. Wall: of the wall time.")
    if same_reason:
        console.print(f"Why, for all: {same_reason}.")
    if same_parameters:
        console.print(f"Parameters of the own algorithms: {same_parameters}.")


def only(values: set[str]) -> str:
    """The one value that there is, or nothing."""
    return next(iter(values)) if len(values) == 1 else ""
