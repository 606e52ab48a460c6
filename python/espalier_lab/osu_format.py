# SPDX-License-Identifier: Apache-2.0
"""What `espalier bench` measured, in the form in which the OSU micro-benchmarks print collectives.

So whatever reads those reads this: comments begin with #, a line has a size and times in microseconds. Each variant is
an output of its own. What differs is said in its title, since OSU's average is one over ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from espalier.failure import Failure

ALLOWED = ("table", "osu")
SIZE_WIDTH, TIME_WIDTH, COUNT_WIDTH = 10, 18, 12
TIMES = ("Avg Latency(us)", "Min Latency(us)", "Max Latency(us)")
MICROSECONDS = 1e6


def checked(format_: str, full: bool) -> bool:
    """Whether it is to be OSU's."""
    if format_ not in ALLOWED:
        raise Failure(f"--format {format_}: unknown; allowed: {' or '.join(ALLOWED)}")
    if full and format_ != "osu":
        raise Failure("--full belongs to --format osu")
    return format_ == "osu"


def text(result: dict[str, Any], full: bool) -> str:
    """Of one collective. Variants that were left to the MPI have no times, and no lines."""
    variants = list(dict.fromkeys(row["variant"] for row in result["rows"]))
    return "".join(
        "\n" + "\n".join([*head(result, variant, full), *lines]) + "\n"
        for variant in variants
        if (lines := lines_of(result, variant, full))
    )


def head(result: dict[str, Any], variant: str, full: bool) -> list[str]:
    mpi = result["mpi"].partition(",")[0]
    columns = [*TIMES, "Iterations"] if full else TIMES[:1]
    return [
        f"# Espalier MPI {result['collective']} Latency Test: {variant}, {result['ranks']} ranks, {mpi}",
        "# Avg, Min, Max: over measurements, each of the slowest rank. Iterations: measurements.",
        behind(result, "# Size", "".join(map(in_column, columns))),
    ]


def lines_of(result: dict[str, Any], variant: str, full: bool) -> list[str]:
    rows = [row for row in result["rows"] if row["variant"] == variant and row["seconds"]]
    return [behind(result, str(row["bytes"]), numbers(row["seconds"], full)) for row in rows]


def behind(result: dict[str, Any], size: str, rest: str) -> str:
    """A barrier has no sizes: OSU's lines of it begin with the time, one column to the left."""
    if result["collective"] != "barrier":
        return size.ljust(SIZE_WIDTH) + rest
    return ("#" if size.startswith("#") else " ") + rest[2:]


def in_column(title: str) -> str:
    return title.rjust(COUNT_WIDTH if title == "Iterations" else TIME_WIDTH)


def numbers(seconds: Sequence[float], full: bool) -> str:
    average = sum(seconds) / len(seconds)
    if not full:
        return times([average])
    return times([average, min(seconds), max(seconds)]) + str(len(seconds)).rjust(COUNT_WIDTH)


def times(seconds: Iterable[float]) -> str:
    return "".join(f"{one * MICROSECONDS:.2f}".rjust(TIME_WIDTH) for one in seconds)
