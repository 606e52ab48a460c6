# SPDX-License-Identifier: Apache-2.0
"""What was measured on one machine, a table for each collective: native times, and all else as multiples of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.console import Console

from espalier import output, units
from espalier_lab.measured import Timed

NATIVE = "native"
FORCED = "forced:"
OWN = "espalier:"

LEGEND = (
    "native: median time of a call, past Espalier. All else: the time as a multiple of that, so less than 1 is faster. "
    "best forced: of the MPI's own algorithms, the best at each size. -: the MPI lets none be forced, or Espalier "
    "leaves such calls to the MPI."
)
SUMMARY = "Espalier's best algorithm at each size, as a multiple of the best native time, forced or not"


@dataclass(frozen=True)
class Row(Timed):
    bound_s: float | None  # None: the message is too small to tell
    cpu_busy: float  # of the ranks' time


# One collective's medians on one MPI, by size and variant.
Medians = dict[int, dict[str, float]]


def show(rows: Sequence[Row], console: Console) -> None:
    groups = {key: medians_of(group) for key, group in groupby(rows, key=lambda row: (row.mpi, row.collective))}
    for (mpi, collective), medians in groups.items():
        console.print(f"\n{collective}, {mpi}", style="bold")
        show_collective(medians, console)
    console.print(f"\n{LEGEND}")
    for mpi in dict.fromkeys(row.mpi for row in rows):
        console.print(f"\n{SUMMARY}: {mpi}", style="bold")
        show_summary({name: medians for (one, name), medians in groups.items() if one == mpi}, console)


def medians_of(rows: Iterable[Row]) -> Medians:
    medians: Medians = {}
    for row in rows:
        medians.setdefault(row.bytes, {})[row.variant] = row.median_s
    return medians


def best(times: dict[str, float], *prefixes: str) -> float | None:
    return min((seconds for name, seconds in times.items() if name.startswith(prefixes)), default=None)


def show_collective(medians: Medians, console: Console) -> None:
    heading = [short_size(size) for size in medians]
    table = output.table("", *heading, right=tuple(heading))
    table.add_row(NATIVE, *(short_seconds(times[NATIVE]) for times in medians.values()))
    table.add_row("best forced", *(ratio(best(times, FORCED), times[NATIVE]) for times in medians.values()))
    table.add_row("Espalier's best", *(ratio(best(times, OWN), times[NATIVE]) for times in medians.values()))
    for name in dict.fromkeys(name for times in medians.values() for name in times if name.startswith(OWN)):
        ratios = (ratio(times.get(name), times[NATIVE]) for times in medians.values())
        table.add_row("  " + name.removeprefix(OWN), *ratios)
    console.print(table)


def show_summary(collectives: dict[str, Medians], console: Console) -> None:
    heading = list(dict.fromkeys(short_size(size) for medians in collectives.values() for size in medians))
    table = output.table("", *heading, right=tuple(heading))
    for name, medians in collectives.items():
        table.add_row(name, *(ratio(best(times, OWN), best(times, NATIVE, FORCED)) for times in medians.values()))
    console.print(table)


def ratio(seconds: float | None, other: float | None) -> str:
    return f"{seconds / other:.2f}" if seconds and other else "-"


def short_size(size: int) -> str:
    """'64K': there are many columns."""
    return units.bytes_text(size).removesuffix("iB").replace(" ", "")


def short_seconds(seconds: float) -> str:
    return units.seconds_text(seconds).replace(" ", "")
