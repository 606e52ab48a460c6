# SPDX-License-Identifier: Apache-2.0
"""The first calls of a program on fresh communicators: connections are not made, schedules not built, nothing learnt.

A job makes a communicator for each size, and at once its calls. Jobs come in pairs: the same program without Espalier,
and under Espalier as it is by default, with nothing remembered and no description of the network. Which is first is
drawn for each pair, and so is the order of the sizes, as only the first one finds no connections at all.
"""

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from espalier import contexts_read, output, output_files, report, report_files
from espalier.installation import Installation
from espalier_lab.experiments import bench_program, compare, launch, series_variants
from espalier_lab.experiments.collected import Collected, PartOfStudy, on_each_network
from espalier_lab.experiments.comparison import KIB, MIB, Comparison, shuffled
from espalier_lab.experiments.warmup_rows import Own, Row, Times, times_of
from espalier_lab.measured import Measured
from espalier_lab.network import watch
from espalier_lab.network.plan import Plan
from espalier_lab.network.spec import Options

NAME, TITLE = "warmup", "First calls on fresh communicators"
CALLS = 300
SIZES = (8, 4 * KIB, 64 * KIB, MIB)
# Links are slow enough for two processors to keep up with all hosts.
PLACES = (
    ("rails:4x2", Options(100e6), 1),
    ("torus:3x3", Options(100e6), 1),
    ("leafspine:3x3", Options(100e6), 1),
    ("sites:4+4", Options(100e6, delay_seconds=3e-3), 1),
    ("mesh:2x3", Options(50e6, without=("1,1",)), 1),
    ("rails:3x2", Options(100e6), 2),
)
LONGEST_SECONDS = 1800.0


def comparisons() -> list[Comparison]:
    return [
        Comparison(
            network,
            collective,
            SIZES,
            options,
            variants=("espalier",),  # the MPI's functions as programs call them; without Espalier they are native
            per_host=per_host,
            series=CALLS,
            is_limited=False,
            whole_numbers=True,
            is_fresh=True,
        )
        for network, options, per_host in PLACES
        for collective in ("alltoall", "allreduce")
    ]


@dataclass(frozen=True)
class Series(PartOfStudy):
    """All pairs of a collective under an MPI."""

    @property
    def title(self) -> str:
        return ", ".join((self.comparison.lab, self.family.versioned, self.comparison.collective))


@dataclass(frozen=True)
class Run:
    ranks: int
    times: dict[int, Times]  # by size
    reports: Sequence[report.Report]
    cpu_busy: float


def run(
    installation: Installation,
    planned: Sequence[Series],
    pairs: int,
    rows: Sequence[Row],
    reports: Path,
    announce: output.Announce,
    keep: Callable[[Sequence[Row]], None],
) -> Collected[Row]:
    """All that `rows` does not have yet. The networks come one after the other, and what is measured there in turns."""
    parts = [1.0] * sum(pairs - pairs_done(series, rows) for series in planned)
    collected = Collected(rows, parts, announce, keep)
    on_each_network(planned, partial(run_pairs, installation, collected, pairs, reports, announce))
    return collected


def pairs_done(series: Series, rows: Sequence[Row]) -> int:
    """At all sizes."""
    done = {row.key: row.pairs for row in rows}
    return min(done.get(key_of(series, size), 0) for size in series.comparison.sizes)


def key_of(series: Series, size: int) -> tuple[str, str, str, int]:
    return series.comparison.lab, series.family.versioned, series.comparison.collective, size


def run_pairs(
    installation: Installation,
    collected: Collected[Row],
    pairs: int,
    reports: Path,
    announce: output.Announce,
    plan: Plan,
    planned: Sequence[Series],
) -> None:
    for turn in range(pairs):
        for series in planned:
            if turn < pairs_done(series, collected.rows):
                continue
            title = f"{series.title}, pair {turn + 1}"
            found = collected.attempt(title, partial(pair, installation, plan, series, turn, announce))
            if found is None:
                continue
            add(collected.rows, series, *found)
            collected.keep()
            for one in found[1].reports:
                words = title.replace(", ", "-").replace(" ", "-").replace(":", "-")
                output_files.write_json(one.raw, reports / f"{words}.json")


def pair(
    installation: Installation, plan: Plan, series: Series, turn: int, announce: output.Announce
) -> tuple[Run, Run]:
    """Natively, and under Espalier."""
    sizes = [series.comparison.sizes[k] for k in shuffled(len(series.comparison.sizes), seed=turn)]
    drawn = replace(series, comparison=replace(series.comparison, sizes=sizes))
    runs = {side: carry_out(installation, plan, drawn, side == 1, announce) for side in shuffled(2, seed=turn)}
    return runs[0], runs[1]


def carry_out(installation: Installation, plan: Plan, series: Series, is_own: bool, announce: output.Announce) -> Run:
    with tempfile.TemporaryDirectory(prefix="espalier-") as directory:
        files = report_files.ReportFiles(Path(directory) / "report")
        settings = {**files.settings, **series_variants.NO_DESCRIPTION, "XDG_CACHE_HOME": directory}
        job = compare.job_of(installation, plan, series.family, series.comparison, settings)
        before = watch.cpu_times()
        with launch.prepared(installation, plan, series.family, job if is_own else replace(job, settings=None)) as made:
            raw = json.loads(bench_program.run(made, announce, LONGEST_SECONDS))
        busy, every = (now - then for now, then in zip(watch.cpu_times(), before, strict=True))
        times = {row["bytes"]: times_of(row["each"]) for row in raw["rows"]}
        return Run(raw["ranks"], times, files.read(), busy / max(1, every))


def add(rows: list[Row], series: Series, native: Run, espalier: Run) -> None:
    by_key = {row.key: row for row in rows}
    for size in series.comparison.sizes:
        key = key_of(series, size)
        if key not in by_key:
            by_key[key] = Row(*key, native.ranks, series.comparison.series)
            rows.append(by_key[key])
        own = own_of(espalier.reports, Measured(*key, native.ranks, "espalier"))
        busy = max(native.cpu_busy, espalier.cpu_busy)
        by_key[key].add(native.times[size], espalier.times[size], own, busy)


def own_of(reports: Sequence[report.Report], calls: Measured) -> Own:
    contexts = [
        one for each in reports for one in contexts_read.of(each) if compare.is_context_of(one, calls) and one.calls > 1
    ]
    lost = sum(max(0.0, one.lost_seconds) for each in contexts for one in each.candidates)
    agreeing = sum(one.agreement_seconds for one in contexts)
    return Own(lost, agreeing, compare.chosen(calls, [row for each in reports for row in each.rows]))
