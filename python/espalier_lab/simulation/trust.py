# SPDX-License-Identifier: Apache-2.0
"""Simulated next to measured: our own algorithms in the lab, as `espalier lab compare simulated` has measured them.

Nothing is fitted: rates are those of the shapers, and what a message costs at a host was measured in the same job.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from rich.console import Console

from espalier import output, units
from espalier.functions import block_bytes
from espalier.installation import ROOT, Installation
from espalier_lab.experiments import comparison as measured_rows
from espalier_lab.experiments import estimates
from espalier_lab.experiments.comparison import Comparison
from espalier_lab.experiments.simulated_study import simulated_study
from espalier_lab.simulation.rows import Row, Wanted
from espalier_lab.simulation.study import Study
from espalier_lab.simulation.written import directory

MEASURED = ROOT / "results" / "simulated.json"


def wanted(_installation: Installation) -> Iterator[Wanted]:
    """Nothing where the lab has measured nothing."""
    rows = measured_rows.read(MEASURED) if MEASURED.exists() else []
    for number, comparison in enumerate(simulated_study().comparisons):
        for row in rows:
            if estimates.belongs(row, comparison):
                yield one_call(row, comparison, number)


def one_call(row: measured_rows.Row, comparison: Comparison, number: int) -> Wanted:
    files = Path(directory().name) / f"lab-{number}-{row.hop_s}"
    files.mkdir(exist_ok=True)
    where = tuple(estimates.words_for(comparison, row.hop_s, files)[2:])
    _, _, algorithm = row.variant.partition(":")
    size = block_bytes(row.collective, row.bytes, row.ranks)
    return Wanted(row.lab, where, row.collective, size, algorithm, f"lab, {row.mpi}", row.median_s)


def error_of(row: Row) -> float:
    assert row.reference_s is not None
    return row.seconds / row.reference_s - 1


def show(rows: Sequence[Row], console: Console) -> None:
    if not rows:
        console.print("Nothing was measured to be compared with: ./espalier lab compare simulated")
        return
    for machine in dict.fromkeys(row.machine for row in rows):
        table = output.Table(["call", "bytes", "algorithm", "simulated", "measured", "off"], ["bytes", "off"])
        for row in rows:
            if row.machine == machine:
                times = units.seconds_text(row.seconds), units.seconds_text(row.reference_s)
                table.add_row(
                    row.collective, units.bytes_text(row.bytes), row.algorithm, *times, f"{error_of(row):+.1%}"
                )
        console.print(f"\n{machine}")
        console.print(table)
    errors = sorted(map(abs, map(error_of, rows)))
    worst = max(rows, key=lambda row: abs(error_of(row)))
    console.print(f"Off by {median(errors):.1%} in the median of {len(rows)} rows.")
    console.print(f"Worst: {worst.collective} by {worst.algorithm} on {worst.machine}, {error_of(worst):+.1%}.")


def figure(_rows: Sequence[Row]) -> str:
    return ""


STUDY = Study("trust", "Simulated and measured in the lab", wanted, show, figure)
