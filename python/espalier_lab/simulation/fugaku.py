# SPDX-License-Identifier: Apache-2.0
"""Fugaku: what Fujitsu MPI's algorithms took there, and the same ones simulated; then ours on the same machine.

The machine's constants are those of src/simulate/machines/fugaku-*.toml, which fugaku_fit.py has found by the rows of
4x4x4 (it says how). Segments are those that were forced when it was measured.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console

from espalier import output, units
from espalier.installation import ROOT, Installation
from espalier_lab.simulation import compared
from espalier_lab.simulation.curves import Panel, draw
from espalier_lab.simulation.rows import Row, Wanted
from espalier_lab.simulation.study import Study

TIMINGS = ROOT / "bench" / "simulation" / "fugaku.csv"
FITTED, HELD = "4x4x4", ("8x8x8", "64x64", "32x256")
LINK = 6.8e9  # bytes per second, in each direction
MIB = 1 << 20

# Theirs, and what it is called here.
NAMES = {
    "default-trinaryx3": "trinaryx3",
    "default-trinaryx6": "trinaryx6",
    "default-trix3": "trinaryx3",
    "default-trix6": "trinaryx6",
    "default-recursive_doubling": "recursive_doubling",
    "default-ring": "ring",
    "default-binomial": "binomial",
}
TREES = ("trinaryx3", "trinaryx6")
WINDOW = ",window=8"

# Measured at 512 MiB on 8x8x8, in the same publication: the best of all algorithms, and trinaryx6.
LARGE, OURS_ON = 512 * MIB, "8x8x8"
BEST = "fugaku, the best measured"
OURS = {"allreduce": ("trinaryx3_fused", 0.0510, 3), "bcast": ("trinaryx6", 0.0171, 6)}  # and how often N/B is divided
THREADS = "Fugaku 8x8x8, threads"
THREADS_WHERE = ("--topology", str(ROOT / "bench" / "simulation" / "machines" / "fugaku-8x8x8-threads.toml"))
OURS_SEGMENTS = ("64KiB", "128KiB", "256KiB")


def forced_segment(collective: str, size: int) -> int:
    """Of trinaryx3 and 6: run_bcast.sh, run_reduce.sh and run_allreduce.sh of HLC-Lab's bine_trees_fugaku."""
    steps = ((384 << 10, 4 << 10), ((48 if collective == "bcast" else 6) * MIB, 16 << 10))
    return next((segment for most, segment in steps if size <= most), 64 << 10)


def with_parameters(name: str, collective: str, size: int) -> str:
    """An algorithm as it was forced: those that are not Trinaryx do not cut messages."""
    if name in TREES:
        return f"{name},segment={forced_segment(collective, size)}{WINDOW}"
    if (collective, name) == ("bcast", "binomial"):
        return f"near_first,segment={size}"  # Fujitsu's MPI stems from Open MPI
    return f"{name},segment={size}"


def machine(torus: str) -> tuple[str, tuple[str, ...]]:
    return f"Fugaku {torus}", ("--machine", f"fugaku-{torus}")


def measured() -> Iterator[Wanted]:
    with TIMINGS.open(encoding="utf-8") as file:
        for line in csv.DictReader(file):
            name, collective, size = line["algorithm"], line["collective"], int(line["bytes"])
            if name in NAMES:
                algorithm = with_parameters(NAMES[name], collective, size)
                seconds = float(line["median_s"])
                yield Wanted(*machine(line["torus"]), collective, size, algorithm, f"fugaku {name}", seconds)


def is_two_calls(one: Row | Wanted) -> bool:
    """Theirs of this name is a reduce to the root, then a bcast, each on six trees."""
    return one.collective == "allreduce" and one.algorithm.startswith("trinaryx6")


def parts_of(one: Wanted) -> list[Wanted]:
    source = f"{one.source}, a part of"
    where = (one.machine, one.where)
    return [Wanted(*where, collective, one.bytes, one.algorithm, source) for collective in ("reduce", "bcast")]


def ours() -> Iterator[Wanted]:
    for collective, (name, best, _) in OURS.items():
        for segment in OURS_SEGMENTS:
            algorithm = f"{name},segment={segment}"
            yield Wanted(*machine(OURS_ON), collective, LARGE, algorithm, BEST, best)
            if collective == "allreduce":
                yield Wanted(THREADS, THREADS_WHERE, collective, LARGE, algorithm, BEST, best)


def wanted(_: Installation) -> Iterable[Wanted]:
    played = [part for one in measured() for part in (parts_of(one) if is_two_calls(one) else [one])]
    order = (FITTED, *HELD)
    return sorted([*played, *ours()], key=lambda one: order.index(job_of(one.machine)))


def job_of(name: str) -> str:
    return name.removeprefix("Fugaku ").partition(",")[0]


def derived(rows: Sequence[Row]) -> Iterator[Row]:
    by_call = {(row.machine, row.collective, row.bytes, row.source): row.seconds for row in rows}
    for one in filter(is_two_calls, measured()):
        parts = [by_call.get((part.machine, part.collective, part.bytes, part.source)) for part in parts_of(one)]
        if None not in parts:
            yield one.row(sum(seconds for seconds in parts if seconds is not None))


def family(row: Row) -> str:
    return f"{row.collective} {NAMES[row.source.removeprefix('fugaku ')]}"


def show(rows: Sequence[Row], console: Console) -> None:
    some = [pair for pair in compared.pairs(rows) if pair.row.source.removeprefix("fugaku ") in NAMES]
    for heading, tori in ((f"{FITTED}, fitted", (FITTED,)), ("Held out", HELD)):
        here = [pair for pair in some if job_of(pair.row.machine) in tori]
        if here:
            console.print(compared.summary(here, heading, family))
            trees = [pair for pair in here if pair.row.algorithm.startswith(TREES)]
            show_all(here, "all", console)
            show_all(trees, "Trinaryx alone", console)
    console.print(compared.summary(some, "By machine", lambda row: row.machine))
    show_ours(rows, console)


def show_all(some: Sequence[compared.Pair], what: str, console: Console) -> None:
    worst = compared.words_of(compared.worst(some))
    console.print(f"{what}, {len(some)} calls: {compared.median_off(some):.1%} off in the median; the worst {worst}")


def show_ours(rows: Sequence[Row], console: Console) -> None:
    table = output.table(
        "Ours, 512 MiB on 8x8x8", "Simulated", "Best measured", "Of the bound", right=("Of the bound",)
    )
    for collective, (_, best, shares) in OURS.items():
        some = [row for row in rows if row.bytes == LARGE and row.collective == collective]
        for row in some:
            bound = LARGE / shares / LINK
            share = f"{bound / row.seconds:.2f}"
            times = (units.seconds_text(row.seconds), units.seconds_text(best))
            threads = row.machine.removeprefix(machine(OURS_ON)[0])
            table.add_row(f"{collective} {row.algorithm}{threads}", *times, share)
    console.print(table)


def figure(rows: Sequence[Row]) -> str:
    lines = []
    for torus in (FITTED, *HELD):
        name = machine(torus)[0]
        here = [pair for pair in compared.pairs(rows) if pair.row.machine == name and pair.row.bytes < LARGE]
        panels = [panel_of(name, collective, here) for collective in ("bcast", "reduce", "allreduce")]
        lines.append([panel for panel in panels if panel.curves])
    return draw("Fugaku: simulated (lines) and measured (dots)", [line for line in lines if line])


def panel_of(name: str, collective: str, some: Sequence[compared.Pair]) -> Panel:
    panel = Panel(collective, name, {}, {})
    for pair in some:
        if pair.row.collective == collective:
            algorithm = family(pair.row).partition(" ")[2]
            panel.curves.setdefault(algorithm, []).append((pair.row.bytes, pair.row.seconds))
            panel.dots.setdefault(algorithm, []).append((pair.row.bytes, pair.measured))
    for points in (*panel.curves.values(), *panel.dots.values()):
        points.sort()
    return panel


STUDY = Study("fugaku", "Fugaku's own timings, and ours there", wanted, show, figure, derived)
