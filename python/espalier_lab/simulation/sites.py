# SPDX-License-Identifier: Apache-2.0
"""Paper 2's broadcasts: 32 nodes in one site, and 16 + 16 with 10 ms between (its figures 7 and 8).

The paper prints curves, no numbers, and neither the rate b nor the latency l. A chain that is always 50 ms behind
multi-lane means 1.9 ms a hop. So all is played twice: on a cluster as they are, and with such a latency.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Console

from espalier import output, units
from espalier.installation import Installation
from espalier_lab.simulation import logarithmic_panels
from espalier_lab.simulation.rows import Row, Wanted
from espalier_lab.simulation.study import Study
from espalier_lab.simulation.written import written

KIB, MIB = 1 << 10, 1 << 20
B = 125e6  # bytes per second: both NICs of a node
SIZES = (64 * KIB, 256 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB, 128 * MIB, 512 * MIB)
SHORT = MIB  # up to this, short segments
CLOSE, FAR = 50e-6, 1.9e-3  # seconds a hop

# Two links to a hop, from the NIC up and down to the other one.
ONE_SITE = """hop_seconds = 50e-6
[rails]
nics = 2
rate = 62.5e6
nodes = "n[0-31]"
"""
TWO_SITES = """hop_seconds = 50e-6
[[site]]
nics = 2
rate = 62.5e6
nodes = "a[0-15]"
[[site]]
nics = 2
rate = 62.5e6
nodes = "b[0-15]"
[wan]
seconds = 0.010
"""
TEXTS = {"32": ONE_SITE, "16+16, 10 ms": TWO_SITES}
# With one site those that know sites are the plain ones.
ALGORITHMS: Mapping[str, tuple[str, ...]] = {
    "32": ("multilane", "chain", "binary", "scatter_allgather"),
    "16+16, 10 ms": (
        "multilane",
        "sites_chain",
        "sites_binary",
        "sites_suspended",
        "sites_scatter_allgather",
        "chain",
        "binary",
        "scatter_allgather",
    ),
}
COLOURS = {
    "multilane": "#1b6ca8",
    "chain": "#d1495b",
    "binary": "#66a182",
    "scatter_allgather": "#8d6a9f",
    "sites_chain": "#edae49",
    "sites_binary": "#2e4057",
    "sites_suspended": "#9c9c9c",
    "sites_scatter_allgather": "#5f0f40",
}


def wanted(_installation: Installation) -> Iterator[Wanted]:
    for name, text in TEXTS.items():
        for latency in (CLOSE, FAR):
            where = ("--topology", topology(name, text, latency))
            for size in SIZES:
                for algorithm in ALGORITHMS[name]:
                    yield Wanted(machine(name, latency), where, "bcast", size, with_cut(algorithm, size), "paper 2")


def machine(name: str, latency: float) -> str:
    return f"{name}, {latency * 1e3:g} ms a hop"


def topology(name: str, text: str, latency: float) -> str:
    if latency == FAR:
        text += f"[simulation]\nlink_seconds = {FAR / 2}\n"
    return written(f"{len(name)}-{latency}.toml", text)


def with_cut(algorithm: str, size: int) -> str:
    """A window wide enough for both NICs, and for what is under way between sites."""
    if algorithm == "scatter_allgather":
        return algorithm
    return f"{algorithm},segment={8 if size <= SHORT else 32}KiB,window=128"


def plain(algorithm: str) -> str:
    return algorithm.partition(",")[0]


def show(rows: Sequence[Row], console: Console) -> None:
    for name, own in by_machine(rows).items():
        algorithms = list(dict.fromkeys(plain(row.algorithm) for row in own))
        table = output.Table(["bytes", "M/b", *algorithms], ["bytes", "M/b", *algorithms])
        for size in SIZES:
            times = {plain(row.algorithm): row.seconds for row in own if row.bytes == size}
            cells = [units.seconds_text(times[algorithm]) if algorithm in times else "-" for algorithm in algorithms]
            table.add_row(units.bytes_text(size), units.seconds_text(size / B), *cells)
        console.print(f"\n{name}")
        console.print(table)


def by_machine(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.machine, []).append(row)
    return found


def figure(rows: Sequence[Row]) -> str:
    """In M/b, so that 1 is the least there is for long messages."""
    panels = {}
    for name, own in by_machine(rows).items():
        lines: dict[str, list[tuple[float, float]]] = {}
        for row in own:
            lines.setdefault(plain(row.algorithm), []).append((row.bytes, row.seconds / (row.bytes / B)))
        panels[name] = lines
    return logarithmic_panels.drawing("Broadcasts of paper 2: time over M/b", panels, COLOURS)


STUDY = Study("sites", "Paper 2, figures 7 and 8: broadcasts in one site and in two", wanted, show, figure)
