# SPDX-License-Identifier: Apache-2.0
"""First calls on fresh communicators, as a table."""

from collections import Counter
from collections.abc import Sequence
from statistics import median

from rich.console import Console

from espalier import output, units
from espalier_lab.apps.pair_rows import quartiles
from espalier_lab.experiments.launch import name_of_mpi
from espalier_lab.experiments.warmup_rows import FIRST, Row

RIGHT = ("Bytes", "Native", "Ratio", "First", "Last", "CPU")
LEGEND = (
    "Native: the median time of all calls. Ratio: Espalier's time as a multiple of the native one, the median of pairs "
    f"and the quartiles; First: of the first {FIRST} calls, Last: of the last third. CPU: how busy all were; far "
    "above a half, and links are not the limit. Most: by what most calls were done, in most pairs. *: slower by more "
    "than 1% in three quarters of the pairs."
)


def show(rows: Sequence[Row], console: Console) -> None:
    table = output.table("Network", "MPI", "Call", *RIGHT[:3], "", *RIGHT[3:], "Most", right=RIGHT)
    for row in rows:
        table.add_row(*cells(row))
    console.print(table)
    console.print(LEGEND)
    slower = sum(row.is_slower for row in rows)
    console.print(f"Slower: {slower} of {len(rows)}; faster by more than 1%: {sum(map(is_faster, rows))}.")


def cells(row: Row) -> list[str]:
    low, middle, high = quartiles(row.ratios)
    return [
        row.lab,
        name_of_mpi(row.mpi),
        row.collective,
        units.bytes_text(row.bytes),
        units.seconds_text(median(row.native_s)),
        f"{middle:.3f}{'*' if row.is_slower else ''}",
        f"{low:.3f} - {high:.3f}",
        f"{median(row.first_ratios):.2f}",
        f"{median(row.last_ratios):.3f}",
        f"{median(row.cpu_busy):.0%}",
        most_of(row),
    ]


def most_of(row: Row) -> str:
    """'ring 3/5'."""
    first_words = Counter(words.partition(",")[0] for words in row.chosen)
    name, count = first_words.most_common(1)[0]
    return f"{name} {count}/{row.pairs}"


def is_faster(row: Row) -> bool:
    return quartiles(row.ratios)[2] < 1 / 1.01
