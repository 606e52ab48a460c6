# SPDX-License-Identifier: Apache-2.0
"""Comparisons in the lab: native, the MPI's own algorithms forced, and Espalier, interleaved in one run."""

import json
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from espalier import contexts, contexts_read, output, report, report_files, units
from espalier.contexts import Context
from espalier.functions import block_bytes
from espalier.installation import Installation
from espalier_lab.experiments import bench_program, launch, series_variants, transform
from espalier_lab.experiments.bounds import Bound
from espalier_lab.experiments.comparison import Comparison, Row, shuffled
from espalier_lab.experiments.launch import Family
from espalier_lab.measured import Measured
from espalier_lab.network import watch
from espalier_lab.network.plan import Plan


def measure(
    installation: Installation,
    plan: Plan,
    family: Family,
    comparison: Comparison,
    bound: Bound,
    announce: output.Announce,
) -> list[Row]:
    """All variants in turns; of a series the first one, at the first size."""
    with tempfile.TemporaryDirectory(prefix="espalier-") as directory:
        files = report_files.ReportFiles(Path(directory) / "report")
        # Nothing is to be remembered of earlier jobs, nor by later ones.
        settings = {**comparison.settings, "XDG_CACHE_HOME": directory}
        measured = measure_series if comparison.series else measure_in_turns
        if series_variants.kind_of(comparison.variants[0]) == series_variants.WARM:
            measured(installation, plan, family, comparison, bound, settings, announce)
        rows = measured(installation, plan, family, comparison, bound, {**settings, **files.settings}, announce)
        reports = files.read()
    return [with_choice(row, reports) if is_free(row.variant) else row for row in rows]


def with_choice(row: Row, reports: Sequence[report.Report]) -> Row:
    calls = [one for each in reports for one in each.rows if one.reason != "forced"]
    found = [
        one for each in reports for one in contexts_read.of(each) if one.ranks == row.ranks and is_context_of(one, row)
    ]
    return replace(row, chosen=chosen(row, calls), first_over_best=max(map(contexts.first_over_best, found), default=0))


def is_context_of(context: Context, row: Measured) -> bool:
    size = size_in_report(row)
    same = context.collective == series_variants.collective_of(row.collective)
    return same and context.bytes <= size <= max(context.bytes, context.bytes_high)


def is_free(variant: str) -> bool:
    """Whether Espalier chose."""
    return variant == "espalier" or series_variants.kind_of(variant) in series_variants.CHOOSING


def measure_in_turns(
    installation: Installation,
    plan: Plan,
    family: Family,
    comparison: Comparison,
    bound: Bound,
    settings: Mapping[str, str],
    announce: output.Announce,
) -> list[Row]:
    # What is chosen is chosen once, for the variants come in turns.
    settings = {**settings, "ESPALIER_POLICY": "estimate"}
    job = job_of(installation, plan, family, comparison, settings)
    with launch.prepared(installation, plan, family, job) as prepared:
        raw = json.loads(bench_program.run(prepared, announce))
    return [row_of(comparison, family, raw["ranks"], row, bound) for row in raw["rows"]]


def measure_series(
    installation: Installation,
    plan: Plan,
    family: Family,
    comparison: Comparison,
    bound: Bound,
    settings: Mapping[str, str],
    announce: output.Announce,
) -> list[Row]:
    """Nothing if the algorithm is not for such calls."""
    variant = comparison.variants[0]
    settings = {**settings, **series_variants.settings_of(variant)}
    measured = measure_transform if comparison.collective == series_variants.TRANSFORM else measure_calls
    before = watch.cpu_times()
    found = measured(installation, plan, family, comparison, settings, announce)
    busy, every = (now - then for now, then in zip(watch.cpu_times(), before, strict=True))
    return [
        replace(
            row_of(comparison, family, raw["ranks"], raw, bound),
            variant=variant,
            cpu_busy=busy / max(1, every),  # also while the job begins and ends
            calls=raw["calls"],
            in_calls_s=raw["in_calls"],
            each_s=raw["each"],
        )
        for raw in found
    ]


def longest(comparison: Comparison) -> float:
    """Seconds after which something hangs: nothing is so much slower than the native MPI."""
    return 600 + 5 * comparison.limit_seconds


def measure_calls(
    installation: Installation,
    plan: Plan,
    family: Family,
    comparison: Comparison,
    settings: Mapping[str, str],
    announce: output.Announce,
) -> list[dict[str, Any]]:
    described = replace(comparison, variants=[series_variants.variant_of(comparison.variants[0])])
    job = job_of(installation, plan, family, described, settings)
    with launch.prepared(installation, plan, family, job) as prepared:
        raw = json.loads(bench_program.run(prepared, announce, longest(comparison)))
    return [{**row, "ranks": raw["ranks"], "calls": len(row["each"]), "in_calls": 0.0} for row in raw["rows"]]


def measure_transform(
    installation: Installation,
    plan: Plan,
    family: Family,
    comparison: Comparison,
    settings: Mapping[str, str],
    announce: output.Announce,
) -> list[dict[str, Any]]:
    variant, size, ranks, steps = comparison.variants[0], comparison.sizes[0], len(plan.hosts), comparison.series
    announce(f"{variant}, {units.plural(steps, 'step')}")
    words = [str(transform.path(installation, family)), str(transform.points_of(size, ranks)), str(steps)]
    if series_variants.is_fixed(variant):
        settings = {**settings, "ESPALIER_ALGORITHM": f"alltoall:{variant.partition(':')[2]}"}
    order = shuffled(ranks, comparison.seed)
    job = launch.Job(words, None if variant == series_variants.NATIVE else settings, order=order)
    with launch.prepared(installation, plan, family, job) as prepared:
        seconds, in_calls = transform.run(prepared, longest(comparison))
    row = {"bytes": size, "variant": variant, "ranks": ranks, "calls": steps, "each": []}
    return [{**row, "seconds": [seconds / steps], "in_calls": in_calls / steps, "cpu_busy": 0.0}]


def chosen(row: Measured, calls: Sequence[report.Row]) -> str:
    """'native, 7 calls'. Those that nobody forced are this row's, for they alone are of its size, or of a size that
    differs from pair to pair."""
    size = size_in_report(row)
    found = [one for one in calls if one.bytes_low <= size <= one.bytes_high or one.bytes_high == 0]
    found = [one for one in found if one.collective == series_variants.collective_of(row.collective)]
    calls_by: Counter[str] = Counter()
    for one in found:
        calls_by[one.algorithm] += one.calls_per_rank
    return "; ".join(f"{algorithm}, {units.plural(count, 'call')}" for algorithm, count in calls_by.most_common())


def size_in_report(row: Measured) -> int:
    return (
        row.bytes if row.collective == series_variants.TRANSFORM else block_bytes(row.collective, row.bytes, row.ranks)
    )


def job_of(
    installation: Installation, plan: Plan, family: Family, comparison: Comparison, settings: Mapping[str, str]
) -> launch.Job:
    words = [str(bench_program.path(installation, family)), "--collective", comparison.collective]
    words += ["--repeats", str(comparison.repeats)]
    words += ["--bytes", ",".join(map(str, comparison.sizes)), "--variants", ";".join(comparison.variants)]
    if comparison.series:
        limit = comparison.limit_seconds if comparison.is_limited else 0
        words += ["--series", str(comparison.series), "--limit", str(limit)]
        words += ["--numbers", "whole" if comparison.whole_numbers else "real"]
        words += ["--fresh", "yes" if comparison.is_fresh else "no"]
    words += ["--seed", str(comparison.seed), "--trains", "yes" if comparison.trains else "no"]
    if comparison.root is not None:
        words += ["--root", str(comparison.root)]
    if comparison.members:
        words += ["--members", ",".join(map(str, comparison.members))]
    return launch.Job(words, settings, comparison.per_host, shuffled(len(plan.hosts), comparison.seed))


def row_of(comparison: Comparison, family: Family, ranks: int, raw: dict[str, Any], bound: Bound) -> Row:
    seconds = raw["seconds"]
    low, high = (seconds[0], seconds[0])
    if len(seconds) > 1:
        low, _, high = quantiles(seconds, n=4, method="inclusive")
    return Row(
        lab=comparison.lab,
        mpi=family.versioned,
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
