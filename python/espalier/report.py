# SPDX-License-Identifier: Apache-2.0
"""The report that the preloaded library writes at MPI_Finalize, and the table made of it.

The fields are described in docs/reference/report.md.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from espalier import output, stored
from espalier.failure import Failure

NATIVE = "native"


@dataclass(frozen=True)
class Row:
    """All calls of one collective and size class that were treated alike."""

    collective: str
    bytes_low: int
    bytes_high: int
    algorithm: str
    parameters: str
    reason: str
    ranks: int  # that made such calls
    calls: int  # of all ranks together
    seconds_mean: float  # of one rank's calls together; the mean over these ranks
    seconds_max: float  # and the rank that took longest

    @property
    def seconds_per_call(self) -> float:
        return self.seconds_mean * self.ranks / self.calls if self.calls else 0.0

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


@dataclass(frozen=True)
class Report:
    """What one MPI job did."""

    version: str
    mpi: str
    ranks: int
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


def read(path: Path) -> Report:
    try:
        raw = stored.load(path.read_text(encoding="utf-8"))
        rows = tuple(stored.dataclass_of(Row, row) for row in stored.list_in(raw, "rows"))
        head = stored.dataclass_of(Head, raw)
        return Report(head.version, head.mpi, head.ranks, rows, raw)
    except (OSError, ValueError) as error:
        raise Failure(f"The report {path} cannot be read: {error!r}", "Was the disk full?", status=1) from error


def headline(report: Report) -> str:
    mpi = report.mpi.partition(",")[0]  # the rest says how it was built
    where = f"Espalier {report.version} on {mpi}, {output.plural(report.ranks, 'rank')}"
    if not report.calls:
        return f"{where}: the program made no collective calls that Espalier looks at."
    share = f"{output.count_text(report.own_calls)} of {output.plural(report.calls, 'call')} ({report.own_share:.1%})"
    return f"{where}: {share} ran on its own schedules."


def show(reports: Iterable[Report], console: Console) -> None:
    for report in reports:
        console.print(headline(report))
        if report.rows:
            show_rows(sorted(report.rows, key=lambda row: (row.collective, row.bytes_low, row.algorithm)), console)


def show_rows(rows: Sequence[Row], console: Console) -> None:
    """What is the same for all rows is said once, below the table."""
    same_parameters = only({row.parameters for row in rows if row.own})
    same_reason = only({row.reason for row in rows})
    columns = ["Collective", "Message", "Calls", "Time", "Per call", "Ran as"]
    table = output.table(*columns, *([] if same_reason else ["Why"]), right=("Calls", "Time", "Per call"))
    for row in rows:
        parameters = "" if same_parameters else row.parameters
        table.add_row(
            row.collective,
            output.size_class_text(row.bytes_low, row.bytes_high),
            output.count_text(row.calls),
            output.seconds_text(row.seconds_mean),
            output.seconds_text(row.seconds_per_call),
            f"{row.algorithm} {parameters.replace(',', ' ')}".rstrip(),
            *([] if same_reason else [row.reason]),
        )
    console.print(table)
    console.print("Calls: of all ranks together. Time: of one rank, on average.")
    if same_reason:
        console.print(f"Why, for all: {same_reason}.")
    if same_parameters:
        console.print(f"Parameters of the own algorithms: {same_parameters}.")


def only(values: set[str]) -> str:
    """The one value that there is, or nothing."""
    return next(iter(values)) if len(values) == 1 else ""
