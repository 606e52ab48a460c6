# SPDX-License-Identifier: Apache-2.0
"""Paper 1: allreduces of K's 9,216 nodes as they are printed there, what else its schedules would give, and all of K.

A ring of 9,216 ranks has 170 million messages, in steps that are all alike. So it is played on 288 nodes with blocks
as long as the job's, and the time of a step is counted as often as the job has steps.
"""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console

from espalier import output, units
from espalier.installation import ROOT, Installation
from espalier_lab.simulation.curves import Curves, Panel, draw
from espalier_lab.simulation.rows import Row, Wanted
from espalier_lab.simulation.study import Study

MACHINES = ROOT / "bench" / "simulation" / "machines"
K, THREADS, ENGINES = "K 48x6x32", "K 48x6x32, threads", "K 48x6x32, threads, 6 engines"
ALL = "K 48x54x32"
WHERE = {
    K: ("--machine", "k-48x6x32"),
    ALL: ("--machine", "k"),
    THREADS: ("--topology", str(MACHINES / "k-threads.toml")),
    ENGINES: ("--topology", str(MACHINES / "k-6-engines.toml")),
}
PART, PART_NODES = "K 48x6", 288
NODES = {K: 9216, ALL: 82944}
PART_WHERE = ("--topology", str(MACHINES / "k-48x6.toml"))
FUSED = "trinaryx3_fused,segment=64KiB"
ENGINE_BYTES = 3.867e9  # per second, of one engine

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
SHORT = (16, KIB, 16 * KIB, 128 * KIB, MIB)
LONG = (16 * MIB, GIB)
RINGS = ((K, MIB), (K, 16 * MIB), (K, 256 * MIB), (K, GIB), (ALL, GIB))
FIGURE_14 = {
    64 * KIB: ("1KiB", "4KiB", "16KiB"),
    MIB: ("4KiB", "16KiB", "64KiB"),
    64 * MIB: ("16KiB", "32KiB", "64KiB"),
}

# Printed: 7.1 and 1.4 GB/s as 2N/T; and the model's 193 and 94.1 ms, of which the machine took 1.06 and 1.04 times.
PRINTED = {"allreduce": 2 * GIB / 7.1e9, "ring": 2 * GIB / 1.4e9, "reduce": 1.06 * 0.193, "bcast": 1.04 * 0.0941}
PRINTED_SEGMENT = {"reduce": "48KiB", "bcast": "64KiB"}
SOURCE = "paper 1"
FIGURE_10, FIGURE_13, SEGMENTS, OURS = (
    f"{SOURCE}, {words}" for words in ("figure 10", "figure 13", "figure 14", "fused")
)


def call(machine: str, size: int, algorithm: str, source: str, *, collective: str = "allreduce") -> Wanted:
    return Wanted(machine, WHERE[machine], collective, size, algorithm, source)


def printed_calls(machine: str) -> Iterator[Wanted]:
    for collective, segment in PRINTED_SEGMENT.items():
        printed = PRINTED[collective] if machine == K else None
        yield Wanted(machine, WHERE[machine], collective, GIB, f"trinaryx3,segment={segment}", FIGURE_13, printed)


def rings() -> Iterator[Wanted]:
    for machine, size in RINGS:
        block = max(8, size // NODES[machine] // 8 * 8)
        source = f"{FIGURE_10}, a part of {machine}"
        yield Wanted(PART, PART_WHERE, "allreduce", block * PART_NODES, f"ring,segment={block}", source)


def wanted(_: Installation) -> Iterator[Wanted]:
    yield from printed_calls(K)
    yield from rings()
    for size in (*SHORT, *LONG):
        yield call(K, size, "trinaryx3", FIGURE_10)
    yield call(K, GIB, FUSED, OURS)
    for size in SHORT:
        yield call(K, size, f"recursive_doubling,segment={max(size, 8)}", FIGURE_10)
    for size, segments in FIGURE_14.items():
        for segment in segments:
            yield call(K, size, f"trinaryx3,segment={segment}", SEGMENTS)
    yield from printed_calls(ALL)
    for machine in (THREADS, ENGINES, ALL):
        yield call(machine, GIB, FUSED, OURS)


def derived(rows: Sequence[Row]) -> Iterator[Row]:
    """What is printed of the whole allreduce, and the ring's."""
    text = "trinaryx3,segment=48KiB up, 64KiB down"
    for machine in NODES:
        halves = [row.seconds for row in rows if row.source == FIGURE_13 and row.machine == machine]
        printed = PRINTED["allreduce"] if machine == K else None
        if len(halves) == len(PRINTED_SEGMENT):
            yield Row(machine, "allreduce", GIB, text, sum(halves), printed, FIGURE_13)
    for (machine, size), row in zip(RINGS, (row for row in rows if row.machine == PART), strict=False):
        seconds = row.seconds * (NODES[machine] - 1) / (PART_NODES - 1)
        printed = PRINTED["ring"] if (machine, size) == (K, GIB) else None
        yield Row(machine, "allreduce", size, "ring", seconds, printed, FIGURE_10)


def bandwidth(row: Row) -> float:
    """As the paper counts it: the message goes up, and down."""
    return (2 if row.collective == "allreduce" else 1) * row.bytes / row.seconds


def show(rows: Sequence[Row], console: Console) -> None:
    table = output.table(
        "", "Bytes", "Time", "GB/s", "Printed", "Off", right=("Bytes", "Time", "GB/s", "Printed", "Off")
    )
    for row in sorted((row for row in rows if row.machine != PART), key=lambda row: (row.source, row.bytes)):
        printed, off = "", ""
        if row.reference_s is not None:
            printed, off = units.seconds_text(row.reference_s), f"{row.seconds / row.reference_s - 1:+.0%}"
        name = f"{row.collective} {row.algorithm}{'' if row.machine == K else f', {row.machine}'}"
        size, seconds = units.bytes_text(row.bytes), units.seconds_text(row.seconds)
        table.add_row(name, size, seconds, f"{bandwidth(row) / 1e9:.2f}", printed, off)
    console.print(table)
    show_bounds(rows, console)


def show_bounds(rows: Iterable[Row], console: Console) -> None:
    for row in rows:
        if row.source == OURS:
            shares = 3 if row.machine == ENGINES else 2
            share = row.bytes / shares / ENGINE_BYTES / row.seconds
            console.print(f"Fused, {row.machine}: {share:.2f} of N/{shares}B, with what an engine moves as B")


def figure(rows: Sequence[Row]) -> str:
    curves: Curves = {}
    for row in rows:
        if row.machine == K and row.collective == "allreduce" and row.source == FIGURE_10:
            curves.setdefault(row.algorithm.partition(",")[0], []).append((float(row.bytes), bandwidth(row)))
    for points in curves.values():
        points.sort()
    dots: Curves = {"trinaryx3": [(GIB, 7.1e9)], "ring": [(GIB, 1.4e9)]}
    panel = Panel("Allreduce, 2N/T", f"{K}; dots: printed", curves, dots)
    title = "Paper 1, simulated: all-reductions on 9,216 nodes"
    return draw(title, [[panel]], lambda value: f"{value / 1e6:.1f} MB/s") if curves else ""


STUDY = Study("paper1", "Paper 1: allreduces on 9,216 nodes of K", wanted, show, figure, derived)
