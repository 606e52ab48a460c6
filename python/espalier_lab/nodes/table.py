# SPDX-License-Identifier: Apache-2.0
"""Tables of what was measured inside a node, one for each collective on each MPI."""

from collections.abc import Sequence
from itertools import groupby

from rich.console import Console

from espalier import output, texts, units
from espalier_lab.nodes.best import Compared, compared, ratio
from espalier_lab.nodes.rows import Row
from espalier_lab.nodes.starts import FORCED

LEGEND = (
    "Median time of a call that is alone: buffers are written before it, all ranks meet, and results are read after "
    "it. limit: the best of several hand-written forms. native: the MPI at its best, and by what; native is its own "
    "choice. /limit, /native: Espalier's time as a multiple of these. /own: as a multiple of its own best "
    "algorithm. near, far: by a hand-written barrier in the same job, whether the cores share a cache; what is "
    "compared was measured in the same state."
)
LEAST_NAME = 16
OTHER_COLUMNS = 64  # their width, at most


def show(rows: Sequence[Row], console: Console) -> None:
    name_width = max(LEAST_NAME, console.width - OTHER_COLUMNS)
    for (mpi, ranks, collective), group in groupby(compared(rows), lambda one: (one.mpi, one.ranks, one.collective)):
        console.print(f"\n{collective}, {mpi}, {units.plural(ranks, 'rank')}", style="bold")
        console.print(table_of(list(group), name_width))
    console.print(f"\n{LEGEND}")


def table_of(group: Sequence[Compared], name_width: int) -> output.Table:
    right = ("limit", "native", "espalier", "/limit", "/native", "/own")
    table = output.table("", "limit", "native", "by", *right[2:], right=right)
    for one in group:
        table.add_row(
            f"{size_text(one.bytes)} {one.cores}",
            seconds(one.limit),
            seconds(one.best_native),
            name_of(one.best_native, name_width),
            seconds(one.espalier),
            *(number(ratio(one.espalier, other)) for other in (one.limit, one.best_native, one.best_own)),
        )
    return table


def size_text(size: int) -> str:
    """'64K': there are many columns."""
    return units.bytes_text(size).removesuffix("iB").replace(" ", "")


def seconds(row: Row | None) -> str:
    return units.seconds_text(row.median_s).replace(" ", "") if row else "-"


def name_of(row: Row | None, width: int) -> str:
    return texts.clean(row.variant.removeprefix(FORCED), width) if row else "-"


def number(value: float | None) -> str:
    return f"{value:.2f}" if value else "-"
