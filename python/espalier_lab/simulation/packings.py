# SPDX-License-Identifier: Apache-2.0
"""Paper 3's halo exchanges among 48 processes: what each packer makes of them, in the model of src/halo.

Not played by SimGrid: an exchange is no registered collective. In the model the puts of one process stand for those of
all, on a periodic grid; what they share they share evenly (max-min), as in SimGrid.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from rich.console import Console

from espalier import output
from espalier.installation import Installation
from espalier_lab.simulation.program import Played
from espalier_lab.simulation.rows import Row, Wanted
from espalier_lab.simulation.study import Study

HEIGHTS = (60, 70, 80, 109, 218, 327, 436, 545, 654, 763, 872)
NEIGHBOURS = ("east_west", "north_south", "sides", "diagonals", "all")
K = (1, 2, 4)
PACKERS = (*(f"{family}({k})" for family in ("roundrobin", "bottomleft", "bottomleft_late") for k in K), "fastest")
SHOWN = {  # as columns
    "roundrobin(1)": "rr(1)",
    "roundrobin(2)": "rr(2)",
    "roundrobin(4)": "rr(4)",
    "bottomleft(1)": "bl(1)",
    "bottomleft(2)": "bl(2)",
    "bottomleft(4)": "bl(4)",
    "bottomleft_late(4)": "late(4)",
    "fastest": "fastest",
}
# What the paper says in numbers; its figures are curves.
PRINTED = {
    (872, "east_west", "bottomleft(4)"): 72e-6,
    (872, "north_south", "roundrobin(4)"): 64e-6,
    (872, "north_south", "bottomleft(4)"): 74e-6,
    (872, "north_south", "roundrobin(2)"): 108e-6,
    (872, "sides", "bottomleft(4)"): 86e-6,
}


def bytes_of(height: int, neighbours: str) -> int:
    """That a process sends: eastwards, westwards a put each, else two. (Paper 3, table 1.)"""
    column = (height + 4) * 8 * 16  # of north or south, a put
    parts = {"east_west": 4 * column, "north_south": 4 * column, "diagonals": 8 * column // 8}
    parts["sides"] = parts["east_west"] + parts["north_south"]
    parts["all"] = parts["sides"] + parts["diagonals"]
    return parts[neighbours]


def wanted(_installation: Installation) -> Iterator[Wanted]:
    for neighbours in NEIGHBOURS:
        for height in HEIGHTS:
            for packer in PACKERS:
                yield Wanted(
                    machine="K, 48 processes on a periodic grid",
                    where=(),
                    collective=words_of(neighbours, height),
                    bytes=bytes_of(height, neighbours),
                    algorithm=packer,
                    source="paper 3",
                    reference_s=PRINTED.get((height, neighbours, packer)),
                    options=(neighbours, str(height)),
                )


@cache
def packed(installation: Installation, neighbours: str, height: str) -> dict[str, float]:
    answer = installation.ask_tool(["halo", "--neighbours", neighbours, "--height", height])
    return {one["name"]: one["seconds"] for one in answer["packers"]}


def play(installation: Installation, one: Wanted) -> Played:
    neighbours, height = one.options
    seconds = packed(installation, neighbours, height)[one.algorithm]
    return Played(seconds=seconds, off=0, messages=0, waited=0)


def words_of(neighbours: str, height: int) -> str:
    return f"halo exchange, {neighbours}, height {height}"


def show(rows: Sequence[Row], console: Console) -> None:
    """Microseconds; in brackets the paper's."""
    by_key = {(row.collective, row.algorithm): row for row in rows}
    for neighbours in NEIGHBOURS:
        table = output.Table(["height", *SHOWN.values()], ["height", *SHOWN.values()])
        for height in HEIGHTS:
            table.add_row(str(height), *(cell(by_key[words_of(neighbours, height), packer]) for packer in SHOWN))
        console.print(f"\n{neighbours}, us")
        console.print(table)


def cell(row: Row) -> str:
    text = f"{row.seconds * 1e6:.1f}"
    return text if row.reference_s is None else f"{text} [{row.reference_s * 1e6:.0f}]"


def figure(_rows: Sequence[Row]) -> str:
    return ""


STUDY = Study("packings", "Paper 3: halo exchanges of 48 processes with 4 engines", wanted, show, figure, play=play)
