# SPDX-License-Identifier: Apache-2.0
"""Exchanges of halos in the lab, in turns: the MPI's requests and calls, and Espalier's, shared out by each packer.

`paired` are the same persistent sends and receives as `native:persistent`, `espalier:neighbour` the same blocking
neighbourhood collective as `native:blocking`; all others are persistent ones. `together` and `alone`: short messages of
ranks of a host go together, or never do.

A row of the results: {"lab", "mpi", "pattern", "bytes", "ranks", "per_host", "variant", "median_s", "q1_s", "q3_s",
"repeats", "bound_s", "cpu_busy", "packets"}. `bytes` are those of the longest message; `bound_s` is what all NICs of
the fullest host take for what it sends or receives, or the fullest link of a torus for what goes over it; what several
ranks of a host get alike counts once. `packets` are those that the busiest host sends.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from rich.console import Console

from espalier import output, stored
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.lab import bench_program, launch, session
from espalier.lab import figure as figures
from espalier.lab.compare import KIB
from espalier.lab.comparison_table import BUSY, speedup
from espalier.lab.lattice import Lattice, links_on_way
from espalier.lab.launch import Family
from espalier.lab.spec import Options, extents_of
from espalier.words import checked

TITLE = "Halos over the NICs of hosts"
STUDY = "halo"  # of which the results are
NATIVE = ("native:persistent", "native:neighbour", "native:blocking")
OURS = ("espalier", "espalier:neighbour", "paired")
PACKERS = (
    "even",
    "striped",
    *(f"roundrobin({k})" for k in (1, 2, 4)),
    *(f"bottomleft({k})" for k in (1, 2, 4)),
    "fastest",
)
TOGETHER = ("native:persistent", "native:neighbour", "alone", "together", "espalier")
# Of the longest message of the weather model, for its heights (paper 3, table 1); and a short one.
SCALE_BYTES = (KIB, *(256 * (height + 4) for height in (60, 70, 80, 109, 218, 327, 436, 545, 654, 763, 872)))


@dataclass(frozen=True)
class Exchange:
    """One pattern on one network."""

    network: str
    options: Options
    pattern: str
    sizes: Sequence[int]
    variants: Sequence[str] = (*NATIVE, *OURS, *(f"packer:{name}" for name in PACKERS))
    per_host: int = 1  # ranks

    @property
    def lab(self) -> str:
        rates = self.options.nic_rates or [self.options.rate_bits]
        words = f"{self.network} {'+'.join(f'{rate / 1e6:g}' for rate in rates)}mbit"
        return words + (f", {self.per_host} ranks a host" if self.per_host > 1 else "")

    @property
    def extents(self) -> tuple[int, ...]:
        return extents_of(self.network, self.network.partition(":")[2])

    @property
    def host_rate(self) -> float:
        """Bytes a second over all NICs of a host."""
        return (sum(self.options.nic_rates) or self.extents[1] * self.options.rate_bits) / 8

    def bound_s(self, traffic: Mapping[tuple[int, int], int]) -> float:
        """For bytes from host to host."""
        loads: Counter[object] = Counter()
        if not self.network.startswith("torus"):
            for (source, target), size in traffic.items():
                loads.update({("from", source): size, ("to", target): size})
            return max(loads.values()) / self.host_rate
        torus = Lattice(self.extents, wraps=True)
        for (source, target), size in traffic.items():
            for link in links_on_way(torus, torus.places[source], torus.places[target]):
                loads[link] += size
        return max(loads.values()) / (self.options.rate_bits / 8)

    def traffic(self, size: Mapping[str, Any]) -> Counter[tuple[int, int]]:
        """From host to host, what is alike once."""
        traffic: Counter[tuple[int, int]] = Counter()
        done = set()
        for sender, receiver, length in size["messages"]:
            source, target = sender // self.per_host, receiver // self.per_host
            if source == target or (size["is_alike"] and (sender, target) in done):
                continue
            done.add((sender, target))
            traffic[source, target] += length
        return traffic


@dataclass(frozen=True)
class Row:
    lab: str
    mpi: str
    pattern: str
    bytes: int
    ranks: int
    per_host: int
    variant: str
    median_s: float
    q1_s: float
    q3_s: float
    repeats: int
    bound_s: float
    cpu_busy: float
    packets: float


def exchanges() -> list[Exchange]:
    """At rates at which two cores are no limit."""
    short = (KIB, 8 * KIB, 64 * KIB, 256 * KIB)
    return [
        Exchange("rails:8x4", Options(20e6), "scale", SCALE_BYTES),
        Exchange("rails:16x4", Options(10e6), "scale", (SCALE_BYTES[0], *SCALE_BYTES[1::5])),
        Exchange("rails:8x2", Options(30e6, nic_rates=(40e6, 20e6)), "scale", (KIB, 16 * KIB, SCALE_BYTES[-1])),
        Exchange("torus:4x4", Options(20e6), "scale", (KIB, *SCALE_BYTES[3::4])),
        Exchange("rails:8x4", Options(20e6), "stencil", short),
        Exchange("rails:8x4", Options(20e6), "irregular", short),
        Exchange("rails:4x2", Options(20e6), "stencil", (64, 256, KIB, 4 * KIB, 64 * KIB), TOGETHER, per_host=4),
        Exchange("rails:4x2", Options(20e6), "alike", (64, KIB, 16 * KIB, 64 * KIB), TOGETHER, per_host=4),
    ]


@dataclass(frozen=True)
class Part:
    """What is wanted of all of them; empty: everything."""

    patterns: Sequence[str]
    networks: Sequence[str]
    sizes: Sequence[int]
    variants: Sequence[str]

    def of(self, planned: Sequence[Exchange]) -> list[Exchange]:
        checked("--pattern", self.patterns, sorted({one.pattern for one in planned}))
        checked("--network", self.networks, sorted({one.network for one in planned}))
        checked("--variant", self.variants, sorted({name for one in planned for name in one.variants}))
        found = [
            replace(one, sizes=self.sizes or one.sizes, variants=self.variants or one.variants)
            for one in planned
            if (not self.patterns or one.pattern in self.patterns)
            and (not self.networks or one.network in self.networks)
        ]
        if not found:
            raise Failure("There is no such pattern on such a network.", "Leave --pattern or --network out.")
        return found


@dataclass
class Done:
    rows: list[Row] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def run(
    installation: Installation,
    planned: Sequence[Exchange],
    families: Sequence[Family],
    repeats: int,
    say: output.Say,
    write: Callable[[Sequence[Row]], None],
) -> Done:
    done = Done()
    for exchange in planned:
        for family in families:
            title = f"{exchange.pattern} on {exchange.lab}, {family}"
            say(title, is_step=True)
            try:
                done.rows += measure(installation, exchange, family, repeats, say)
            except Failure as failure:
                done.failures.append(f"{title}: {failure.message}")
            write(done.rows)
    return done


def measure(installation: Installation, exchange: Exchange, family: Family, repeats: int, say: output.Say) -> list[Row]:
    program = bench_program.path(installation, family, "halo")
    words = [str(program), "--pattern", exchange.pattern, "--bytes", ",".join(map(str, exchange.sizes))]
    words += ["--variants", ";".join(exchange.variants), "--repeats", str(repeats)]
    job = launch.Job(words, {"ESPALIER_MEMORY": "", "ESPALIER_PERSISTENT": "paired"}, exchange.per_host)
    with (
        session.lab(exchange.network, exchange.options) as plan,
        launch.prepared(installation, plan, family, job) as prepared,
    ):
        raw = json.loads(bench_program.run(prepared, say))
    bounds = {size["bytes"]: exchange.bound_s(exchange.traffic(size)) for size in raw["sizes"]}
    return [row_of(exchange, family, raw["ranks"], row, bounds[row["bytes"]]) for row in raw["rows"]]


def row_of(exchange: Exchange, family: Family, ranks: int, raw: dict[str, Any], bound_s: float) -> Row:
    seconds = raw["seconds"]
    low, high = seconds[0], seconds[0]
    if len(seconds) > 1:
        low, _, high = quantiles(seconds, n=4, method="inclusive")
    return Row(
        lab=exchange.lab,
        mpi=family.versioned,
        pattern=exchange.pattern,
        bytes=raw["bytes"],
        ranks=ranks,
        per_host=exchange.per_host,
        variant=raw["variant"],
        median_s=median(seconds),
        q1_s=low,
        q3_s=high,
        repeats=len(seconds),
        bound_s=bound_s,
        cpu_busy=raw["cpu_busy"],
        packets=median(raw["packets"]),
    )


def read(file: Path) -> list[Row]:
    """What `espalier lab halos` has written."""
    return stored.rows_of(Row, file, "espalier lab halos")


def best_native(rows: Sequence[Row]) -> Row | None:
    return min((row for row in rows if row.variant in NATIVE), key=lambda row: row.median_s, default=None)


def figure(rows: Sequence[Row]) -> str:
    """SVG: the MPI's quickest way and Espalier's, as it chooses, of each exchange at its longest messages."""
    blocks = []
    for (lab, mpi, pattern), group in groupby(rows, key=lambda row: (row.lab, row.mpi, row.pattern)):
        of_pattern = list(group)
        longest = max(row.bytes for row in of_pattern)
        of_size = [row for row in of_pattern if row.bytes == longest]
        own = next((row for row in of_size if row.variant == "espalier"), None)
        chosen = {figures.NATIVE: best_native(of_size), figures.OWN: own}
        seconds = {name: row.median_s for name, row in chosen.items() if row}
        times = {name: value / of_size[0].bound_s for name, value in seconds.items()}
        where = f"{lab.split()[0]}, {figures.NAMES.get(mpi, mpi)}"
        blocks.append(figures.Bars(f"{pattern}, {output.bytes_text(longest)}", where, times, seconds))
    return figures.drawn(TITLE, blocks)


def show(rows: Sequence[Row], console: Console) -> None:
    for (lab, mpi, pattern), group in groupby(rows, key=lambda row: (row.lab, row.mpi, row.pattern)):
        console.print(f"\n{pattern} on {lab}, {mpi}", style="bold")
        show_pattern(list(group), console)
    console.print("Medians, and half the distance of the quartiles; * marks rows that the processors limit.")


def show_pattern(rows: Sequence[Row], console: Console) -> None:
    counts_packets = any(row.per_host > 1 for row in rows)
    right = ("Median", "Spread", "/ native", "Of bound", "CPU", *(["Packets"] if counts_packets else []))
    table = output.table("Longest", "Variant", *right, right=right)
    for size, group in groupby(rows, key=lambda row: row.bytes):
        of_size = list(group)
        native = best_native(of_size)
        for index, row in enumerate(of_size):
            table.add_row(
                output.bytes_text(size) if index == 0 else "",
                row.variant,
                output.seconds_text(row.median_s),
                f"{(row.q3_s - row.q1_s) / 2 / row.median_s:.0%}",
                speedup(native, row),
                f"{row.bound_s / row.median_s:.2f}",
                f"{row.cpu_busy:.0%}" + ("*" if row.cpu_busy > BUSY else ""),
                *([f"{row.packets:.0f}"] if counts_packets else []),
            )
    console.print(table)
