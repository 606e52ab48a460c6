# SPDX-License-Identifier: Apache-2.0
"""Networks that were found, as a table."""

from collections.abc import Sequence

from rich.console import Console

from espalier import output, texts
from espalier_lab.experiments.discovery import Row
from espalier_lab.experiments.launch import name_of_mpi

BUSY = 8
COLUMNS = ("Network", "MPI", "Found", "Links", "Wrong", "Groups", "NICs", "Rate", "WAN", "Same", "Time")


def show(rows: Sequence[Row], console: Console) -> None:
    table = output.table(*COLUMNS, right=COLUMNS[3:])
    for row in rows:
        table.add_row(*cells(row))
    console.print(table)
    console.print(
        "Links: of the true ones, how many were found; wrong: found ones that are none. Groups: pairs of nodes that "
        "are rightly on one switch, or not. Rate, WAN: what was found, next to what is true. Same: calls for which the "
        f"found description chooses the same algorithm. *: more than {BUSY} processes wanted this machine's processors."
    )
    for row in rows:
        if row.failure:
            console.print(f"{row.lab}, {name_of_mpi(row.mpi)}: {texts.one_line(row.failure)}", style="bold")


def cells(row: Row) -> list[str]:
    is_direct = row.links > 0
    return [
        row.lab,
        name_of_mpi(row.mpi),
        row.found_kind,
        f"{row.links_right}/{row.links}" if is_direct else "-",
        str(row.links_wrong) if is_direct else "-",
        "-" if is_direct else f"{row.pairs_right:.0%}",
        "-" if is_direct else f"{row.found_nics}/{row.nics}",
        change(row.found_rate, row.rate),
        change(row.found_wan_s, row.wan_s),
        f"{row.same_choices}/{row.choices}" if row.choices else "-",
        f"{row.seconds:.0f} s" + ("*" if row.load > BUSY else ""),
    ]


def change(found: float, true: float) -> str:
    return f"{found / true - 1:+.0%}" if true and found else "-"
