# SPDX-License-Identifier: Apache-2.0
"""Comparisons in the lab: native, the MPI's own algorithms forced, and Espalier, interleaved in one run.

A row of the results: {"lab", "mpi", "collective", "bytes", "ranks", "variant", "median_s", "q1_s", "q3_s", "repeats",
"bound_s", "cpu_busy", "chosen", "hop_s"}. `bound_s` is what the links allow for the payload alone, `hop_s` what a
message was measured to cost at each host, as Espalier was told.
"""

import json
import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from espalier import output, report, report_files, stored
from espalier.failure import Failure
from espalier.functions import COLLECTIVES, block_bytes
from espalier.installation import Installation
from espalier.lab import bench_program, hop, launch, session
from espalier.lab.launch import Family
from espalier.lab.plan import HOP_SECONDS, Plan
from espalier.lab.spec import Options
from espalier.measured import Timed

KIB, MIB = 1 << 10, 1 << 20


@dataclass(frozen=True)
class Comparison:
    """One collective on one network."""

    network: str
    collective: str
    sizes: Sequence[int]
    options: Options = field(default_factory=Options)
    variants: Sequence[str] = ("native", "forced:*", "espalier")
    members: Sequence[int] = ()  # the ranks that take part; empty: all
    label: str = ""  # of the members: "plane"
    repeats: int = 5
    per_host: int = 1
    seed: int = 1
    trains: bool = True  # calls back to back; False: each alone, after a rest of the links
    series: int = 0  # so many calls one after the other, and their mean time; 0: no series
    policy: str = ""  # by which Espalier chooses, with no description of the network; empty: as by default

    @property
    def lab(self) -> str:
        rate = f"{self.options.rate_bits / 1e6:g}mbit"
        words = [self.network, *(f"without {place}" for place in self.options.without), rate, self.label]
        words += [f"{self.per_host} ranks a host"] if self.per_host > 1 else []
        return " ".join(filter(None, words))


@dataclass(frozen=True)
class Row(Timed):
    bound_s: float
    cpu_busy: float
    chosen: str = ""  # of `espalier`: by what its calls were done, and how many
    hop_s: float = HOP_SECONDS

    @property
    def is_forced(self) -> bool:
        return self.variant.startswith("forced:")


# Seconds for (collective, bytes) at best, given the plan and the ranks that take part.
Bound = Callable[[str, int], float]


def measure(
    installation: Installation,
    plan: Plan,
    family: Family,
    comparison: Comparison,
    bound: Bound,
    say: output.Say,
) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="espalier-") as directory:
        files = report_files.ReportFiles(Path(directory) / "report")
        job = job_of(installation, plan, family, comparison, {**files.settings, **settings_of(comparison)})
        with launch.prepared(installation, plan, family, job) as prepared:
            raw = json.loads(bench_program.run(prepared, say))
        calls = [row for one in files.read() for row in one.rows if row.reason != "forced"]
    rows = [row_of(comparison, family, raw["ranks"], row, bound) for row in raw["rows"]]
    rows = [replace(row, chosen=chosen(row, calls)) if row.variant == "espalier" else row for row in rows]
    return [replace(row, variant=variant_of(row.variant, comparison)) for row in rows]


def settings_of(comparison: Comparison) -> dict[str, str]:
    return {"ESPALIER_POLICY": comparison.policy, "ESPALIER_TOPOLOGY": ""} if comparison.policy else {}


def variant_of(name: str, comparison: Comparison) -> str:
    """In a series, what Espalier chooses by a policy, and what is one of its algorithms all the time."""
    if not comparison.policy:
        return name
    return f"policy:{comparison.policy}" if name == "espalier" else name.replace("espalier:", "fixed:")


def chosen(row: Row, calls: Sequence[report.Row]) -> str:
    """'native, 7 calls'. Those that nobody forced are this row's, for they alone are of its size, or of a size that
    differs from pair to pair."""
    size = block_bytes(row.collective, row.bytes, row.ranks)
    found = [one for one in calls if one.bytes_low <= size <= one.bytes_high or one.bytes_high == 0]
    found = [one for one in found if one.collective == COLLECTIVES[row.collective]]
    return "; ".join(f"{one.algorithm}, {output.plural(one.calls_per_rank, 'call')}" for one in found)


def job_of(
    installation: Installation, plan: Plan, family: Family, comparison: Comparison, settings: Mapping[str, str]
) -> launch.Job:
    words = [str(bench_program.path(installation, family)), "--collective", comparison.collective]
    words += ["--repeats", str(comparison.repeats)]
    words += ["--bytes", ",".join(map(str, comparison.sizes)), "--variants", ";".join(comparison.variants)]
    words += ["--series", str(comparison.series)] if comparison.series else []
    words += ["--seed", str(comparison.seed), "--trains", "yes" if comparison.trains else "no"]
    if comparison.members:
        words += ["--members", ",".join(map(str, comparison.members))]
    return launch.Job(words, settings, comparison.per_host, shuffled(len(plan.hosts), comparison.seed))


def shuffled(count: int, seed: int) -> list[int]:
    """Ranks are placed at random: nothing may depend on their numbers."""
    order = list(range(count))
    random.Random(seed).shuffle(order)
    return order


def row_of(comparison: Comparison, family: Family, ranks: int, raw: dict[str, Any], bound: Bound) -> Row:
    seconds = raw["seconds"]
    low, high = (seconds[0], seconds[0])
    if len(seconds) > 1:
        low, _, high = quantiles(seconds, n=4, method="inclusive")
    return Row(
        lab=comparison.lab,
        mpi=f"{family.value}5",
        collective=comparison.collective,
        bytes=raw["bytes"],
        ranks=ranks,
        variant=raw["variant"],
        median_s=median(seconds),
        q1_s=low,
        q3_s=high,
        repeats=len(seconds),
        bound_s=bound(comparison.collective, raw["bytes"]),
        cpu_busy=raw["cpu_busy"],
    )


def read(file: Path) -> list[Row]:
    """What `espalier lab compare` has written."""
    if not file.exists():
        raise Failure(f"{file} does not exist.", f"Measure first: espalier lab compare {file.stem}")
    try:
        return [stored.dataclass_of(Row, row) for row in stored.load(file.read_text())]
    except (OSError, TypeError, ValueError) as error:
        raise Failure(f"{file} cannot be read: {error}", f"Measure again: espalier lab compare {file.stem}") from error


def lattice_bound(ways_out: int, rate_bits: float) -> Bound:
    """A node has so many links each way; of an all-reduction it must send and receive everything."""
    link = rate_bits / 8

    def bound(collective: str, size: int) -> float:
        share = ways_out / 2 if collective == "allreduce" else ways_out
        return size / (share * link)

    return bound


def run_all(
    installation: Installation,
    comparisons: Sequence[Comparison],
    families: Sequence[Family],
    bound_of: Callable[[Comparison], Bound],
    say: output.Say,
    keep: Callable[[Sequence[Row]], None],
) -> list[Row]:
    """Comparisons on the same network share it. `keep` is called with all rows so far whenever there are more."""
    rows: list[Row] = []
    done: list[Comparison] = []
    for first in comparisons:
        if first in done:
            continue
        same = [one for one in comparisons if (one.network, one.options) == (first.network, first.options)]
        done += same
        with session.lab(first.network, first.options) as plan:
            for family in families:
                seconds = hop.measured(installation, plan, family, say)
                described = hop.with_hop(plan, seconds)
                for one in same:
                    say(f"{one.lab}, {family.value}, {one.collective}", is_step=True)
                    measured = measure(installation, described, family, one, bound_of(one), say)
                    rows += [replace(row, hop_s=seconds) for row in measured]
                    keep(rows)
    return rows
