# SPDX-License-Identifier: Apache-2.0
"""What came of paper 5's alltoalls: the order of the candidates at each placement."""

from collections.abc import Sequence

from rich.console import Console

from espalier import output, units
from espalier_lab.simulation import placements
from espalier_lab.simulation.rows import Row
from espalier_lab.simulation.study import Study

CLOSE = 1.01  # so near to the fastest one candidate is as good


def show(rows: Sequence[Row], console: Console) -> None:
    for processes in placements.PROCESSES:
        for size in placements.SIZES:
            console.print(f"\n{processes} processes, {units.bytes_text(size)}")
            console.print(table_of(rows, processes, size))


def table_of(rows: Sequence[Row], processes: int, size: int) -> output.Table:
    columns = ["placement", "uplink / NIC", "fastest", "within 1%", "pairwise", "ring", "slowest", "paper"]
    table = output.Table(columns, ["uplink / NIC", "pairwise", "ring"])
    for title, nodes in placements.placements().items():
        machine = f"RICC, {processes} processes, {title}"
        own = sorted((row for row in rows if (row.machine, row.bytes) == (machine, size)), key=lambda row: row.seconds)
        if not own:
            continue
        best = own[0]
        near = [plain(row) for row in own[1:] if row.seconds <= CLOSE * best.seconds]
        heaviest = placements.heaviest(placements.of_processes(nodes, processes))
        table.add_row(
            title,
            f"{heaviest:.2f}",
            f"{plain(best)} {units.seconds_text(best.seconds)}",
            ", ".join(near) or "-",
            *(units.seconds_text(best_of(own, family)) for family in ("pairwise", "ring")),
            f"{plain(own[-1])} {units.seconds_text(own[-1].seconds)}",
            best.source.partition(": ")[2] or "-",
        )
    return table


def plain(row: Row) -> str:
    return row.algorithm.removesuffix(placements.WHOLE)


def best_of(rows: Sequence[Row], family: str) -> float:
    return min(row.seconds for row in rows if row.algorithm.startswith(family))


def figure(_rows: Sequence[Row]) -> str:
    return ""


STUDY = Study("alltoalls", "Paper 5: alltoalls on RICC by placement", placements.wanted, show, figure)
