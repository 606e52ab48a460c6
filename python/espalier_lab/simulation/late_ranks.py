# SPDX-License-Identifier: Apache-2.0
"""Paper 4's benchmarks (a) and (b): broadcasts among 128 processes some of which are late.

Played by bench/arrival, in the model of src/arrival/wave: arrangements change between the broadcasts of a series,
which no single call of espalier-simulate does. A transfer's time is fitted to the paper's broadcasts without a load,
a delay to what its binomial tree takes; all other times follow.
"""

import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from statistics import median

from rich.console import Console

from espalier import output
from espalier.failure import Failure
from espalier.installation import Installation
from espalier_lab.simulation.program import Played
from espalier_lab.simulation.rows import Row, Wanted
from espalier_lab.simulation.study import Study

PROGRAM = "espalier-bench-arrival"
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}
CLEAR = 0.05  # what the paper counts as shorter or longer
# Of (b): in how many patterns the time was shorter, and longer, by that. (Overall at 1 B two thirds were neither.)
PAPER_SHARES = {("1 MiB", "overall"): "58%, 6.5%", ("1 MiB", "mean"): "90%, 1%", ("1 B", "mean"): "89%, 2%"}


@cache
def outcomes(installation: Installation) -> list[dict[str, object]]:
    program = installation.build / installation.programs / PROGRAM
    if not program.exists():
        raise Failure(f"{program} does not exist.", "Build it first: make build")
    done = subprocess.run([str(program)], capture_output=True, text=True, check=True)
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


def bytes_of(size: str) -> int:
    number, unit = size.split()
    return int(number) * UNITS[unit]


def wanted(installation: Installation) -> Iterator[Wanted]:
    for one in outcomes(installation):
        paper = one["paper_ms"]
        case = f"N={one['case']}" if one["benchmark"] == "a" else f"pattern {one['case']}"
        yield Wanted(
            machine=f"128 processes, {case}",
            where=(),
            collective="bcast",
            bytes=bytes_of(str(one["size"])),
            algorithm=f"{one['variant']}, {one['time']}",
            source=f"paper 4 ({one['benchmark']})",
            reference_s=None if paper is None else float(str(paper)) / 1e3,
            options=(str(one["ms"]),),
        )


def play(_installation: Installation, one: Wanted) -> Played:
    return Played(seconds=float(one.options[0]) / 1e3, off=0, messages=0, waited=0)


def show(rows: Sequence[Row], console: Console) -> None:
    show_largest_effect([row for row in rows if row.source == "paper 4 (a)"], console)
    show_random_loads([row for row in rows if row.source == "paper 4 (b)"], console)


def show_largest_effect(rows: Sequence[Row], console: Console) -> None:
    """Milliseconds; in brackets the paper's."""
    by_key = {(row.bytes, row.machine, row.algorithm): row for row in rows}
    variants = ("binomial", "swap", "ideal", "order")
    for time in ("overall", "mean"):
        table = output.Table(["bytes", "N", *variants], ["bytes", "N", *variants])
        for size, machine in dict.fromkeys((row.bytes, row.machine) for row in rows):
            cells = [cell(by_key[size, machine, f"{variant}, {time}"]) for variant in variants]
            table.add_row(str(size), machine.partition("N=")[2], *cells)
        console.print(f"\n(a), {time}, ms")
        console.print(table)
    errors = [abs(row.seconds / row.reference_s - 1) for row in rows if row.reference_s]
    if errors:
        console.print(f"Off the paper's by {median(errors):.1%} in the median of {len(errors)}.")


def cell(row: Row) -> str:
    text = f"{row.seconds * 1e3:.4g}"
    return text if row.reference_s is None else f"{text} [{row.reference_s * 1e3:.4g}]"


def show_random_loads(rows: Sequence[Row], console: Console) -> None:
    by_key = {(row.bytes, row.machine, row.algorithm): row.seconds for row in rows}
    table = output.Table(["bytes", "time", "method", "shorter", "longer", "paper"], ["shorter", "longer"])
    machines = list(dict.fromkeys(row.machine for row in rows))
    for size in ("1 B", "1 MiB"):
        for time in ("overall", "mean"):
            for method in ("swap", "order"):
                ratios = [
                    by_key[bytes_of(size), machine, f"{method}, {time}"]
                    / by_key[bytes_of(size), machine, f"binomial, {time}"]
                    for machine in machines
                ]
                count = Counter(is_clear(ratio) for ratio in ratios)
                shares = [f"{count[sign] / len(ratios):.1%}" for sign in (-1, 1)]
                table.add_row(size, time, method, *shares, PAPER_SHARES.get((size, time), "-"))
    console.print("\n(b): patterns in which the time is more than 5% shorter, or longer, than along the tree as it is")
    console.print(table)


def is_clear(ratio: float) -> int:
    return -1 if ratio <= 1 - CLEAR else 1 if ratio >= 1 + CLEAR else 0


def figure(_rows: Sequence[Row]) -> str:
    return ""


STUDY = Study("late", "Paper 4, benchmarks (a) and (b): late ranks among 128", wanted, show, figure, play=play)
