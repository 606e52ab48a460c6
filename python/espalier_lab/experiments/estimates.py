# SPDX-License-Identifier: Apache-2.0
"""What Espalier expected, next to what was measured: the estimate it chooses by, for each row of its own."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console

from espalier import output, units
from espalier.functions import COLLECTIVES, block_bytes
from espalier.installation import Installation
from espalier_lab.experiments.comparison import Comparison, Row, shuffled
from espalier_lab.experiments.comparison_table import short
from espalier_lab.experiments.hop import with_hop
from espalier_lab.network.spec import plan_of

OWN = "espalier"


@dataclass(frozen=True)
class Estimate:
    lab: str
    mpi: str
    collective: str
    bytes: int
    variant: str
    chosen: str  # by what it was done, and how many calls
    measured_s: float
    estimated_s: float | None  # None: of the native MPI there is none

    @property
    def error(self) -> float | None:
        return None if self.estimated_s is None else self.estimated_s / self.measured_s - 1


def estimates(installation: Installation, comparisons: Sequence[Comparison], rows: Sequence[Row]) -> list[Estimate]:
    found = []
    for comparison in comparisons:
        asked = [row for row in rows if belongs(row, comparison) and row.variant.partition(":")[0] == OWN]
        with tempfile.TemporaryDirectory(prefix="espalier-") as directory:
            answers: dict[tuple[int, str, str, float], Mapping[str, Any]] = {}
            for row in asked:
                key = (row.bytes, row.variant, row.mpi, row.hop_s)
                if key not in answers:
                    question = words_for(comparison, row.hop_s, Path(directory))
                    size = block_bytes(row.collective, row.bytes, row.ranks)
                    words = [*question, "--bytes", str(size), "--mpi", row.mpi.removesuffix("5")]
                    answers[key] = installation.ask_tool(words, settings(row))
                found.append(estimate_of(row, answers[key]))
    return found


def belongs(row: Row, comparison: Comparison) -> bool:
    return (row.lab, row.collective) == (comparison.lab, comparison.collective)


def words_for(comparison: Comparison, hop_seconds: float, directory: Path) -> list[str]:
    """The network and the hosts of the ranks that take part, as files."""
    plan = with_hop(plan_of(comparison.network, comparison.options), hop_seconds)
    order = shuffled(len(plan.hosts), comparison.seed)
    hosts = [plan.hosts[order[rank // comparison.per_host]] for rank in ranks_of(comparison, len(plan.hosts))]
    machine, hostfile = directory / "machine.toml", directory / "hosts"
    machine.write_text(plan.machine)
    hostfile.write_text("".join(f"{host}\n" for host in hosts))
    return ["explain", COLLECTIVES[comparison.collective], "--topology", str(machine), "--hostfile", str(hostfile)]


def ranks_of(comparison: Comparison, hosts: int) -> Sequence[int]:
    return comparison.members or range(hosts * comparison.per_host)


def settings(row: Row) -> dict[str, str]:
    _, _, forced = row.variant.partition(":")
    return {"ESPALIER_ALGORITHM": f"{COLLECTIVES[row.collective]}:{forced}"} if forced else {}


def estimate_of(row: Row, answer: Mapping[str, Any]) -> Estimate:
    seconds = next(one["estimated_seconds"] for one in answer["candidates"] if one["chosen"])
    chosen = row.chosen or answer["chosen"]
    return Estimate(row.lab, row.mpi, row.collective, row.bytes, row.variant, chosen, row.median_s, seconds)


def as_json(found: Sequence[Estimate]) -> list[dict[str, object]]:
    return [{**asdict(one), "error": one.error} for one in found]


def show(found: Sequence[Estimate], console: Console) -> None:
    console.print("\nWhat Espalier expected (as `espalier explain` does) and what it took\n", style="bold")
    for (lab, collective), group in by_lab(found):
        console.print(f"{collective} on {lab}")
        right = ("Estimate", "Measured", "Error")
        table = output.table("Message", "MPI", "Variant", *right, right=right)
        for one in group:
            table.add_row(
                units.bytes_text(one.bytes),
                one.mpi,
                short(one.variant) if one.variant != OWN else f"chosen: {one.chosen}",
                units.seconds_text(one.estimated_s),
                units.seconds_text(one.measured_s),
                "-" if one.error is None else f"{one.error:+.0%}",
            )
        console.print(table)
    for size in sorted({one.bytes for one in found}):
        errors = [abs(one.error) for one in found if one.bytes == size and one.error is not None]
        if errors:
            rows = units.plural(len(errors), "row")
            console.print(f"{units.bytes_text(size)}: median error, up or down, {median(errors):.0%}, of {rows}.")


def by_lab(found: Sequence[Estimate]) -> Iterator[tuple[tuple[str, str], list[Estimate]]]:
    for key, group in groupby(found, key=lambda one: (one.lab, one.collective)):
        yield key, sorted(group, key=lambda one: (one.bytes, one.variant, one.mpi))
