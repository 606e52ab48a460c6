# SPDX-License-Identifier: Apache-2.0
"""Real programs on networks of the lab: natively, as a policy chooses, and as it chooses with the memory of an earlier
run, or with a description of the network, in turns; what a run takes.
"""

import shlex
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from espalier import contexts, contexts_read, job, output, report, report_files
from espalier.installation import Installation
from espalier_lab.apps import description, results, trial
from espalier_lab.apps.description import App, Quantity
from espalier_lab.experiments import launch, transform
from espalier_lab.experiments.collected import Collected, on_each_network
from espalier_lab.experiments.comparison import shuffled
from espalier_lab.experiments.launch import Family
from espalier_lab.experiments.programs_rows import UNKNOWN, Row, Series, add, has_native
from espalier_lab.experiments.series_variants import NAS_FT, NATIVE, POLICY, TRANSFORM, WARM, kind_of, settings_of
from espalier_lab.network.plan import Plan

TRANSFORM_POINTS, TRANSFORM_STEPS = 64, 100
NAS_FT_CLASS, NAS_FT_TIMES = "W", 20

TIMEOUT_SECONDS = 3600
DEFAULT_SECONDS = 60.0  # of a run; a first guess
SEED = 1  # of the placement


def app_of(program: str, installation: Installation, family: Family) -> App:
    if program == TRANSFORM:
        words = [str(transform.path(installation, family)), str(TRANSFORM_POINTS), str(TRANSFORM_STEPS)]
        right = Quantity("check", r": (right|WRONG)$")
        about = "a three-dimensional Fourier transform, forth and back"
        return App(TRANSFORM, "Fourier transform", about, [], 0, [shlex.join(words)], [right])
    if program == NAS_FT:
        words = [str(transform.program(installation, family, "nas_ft")), NAS_FT_CLASS, str(NAS_FT_TIMES)]
        right = Quantity("checksums", r": (verified|wrong)$")
        about = f"waves that die away, class {NAS_FT_CLASS}, an alltoall in each step"
        return App(NAS_FT, "NAS FT", about, [], 0, [shlex.join(words)], [right], seconds=r"seconds ([\d.]+),")
    app = description.read(program)
    return replace(app, runs=app.long_runs or app.runs)


def run(
    installation: Installation,
    planned: Sequence[Series],
    rows: Sequence[Row],
    announce: output.Announce,
    keep: Callable[[Sequence[Row]], None],
) -> Collected[Row]:
    """All that `rows` does not have yet."""
    left = [one for one in planned if any(one.runs_left(rows))]
    collected = Collected(rows, [DEFAULT_SECONDS for one in left for _ in one.runs_left(rows)], announce, keep)
    on_each_network(left, partial(run_all, installation, collected))
    return collected


def run_all(installation: Installation, collected: Collected[Row], plan: Plan, planned: Sequence[Series]) -> None:
    for series in planned:
        run_series(installation, collected, plan, series)


def run_series(installation: Installation, collected: Collected[Row], plan: Plan, series: Series) -> None:
    app = app_of(series.program, installation, series.family)
    natively = trial.values_of_earlier(app, place_of(series, NATIVE)) if has_native(series, collected.rows) else None
    runs = list(series.runs_left(collected.rows))
    for number, (repeat, variant) in enumerate(runs, start=1):
        title = f"{series.title}, {variant}, run {repeat + 1}"
        side = collected.attempt(title, partial(carry_out, installation, plan, series, app, variant))
        if side is None:
            collected.leave_out(len(runs) - number)  # it is not tried again
            return
        if variant == NATIVE and natively is None:
            natively = side.values
        verdict = results.compared(app.results, natively, side.values) if natively else UNKNOWN
        if verdict.difference:
            collected.failures.append(f"{title}: {verdict.difference}")
        whose, first = series.key(variant)[:3], first_choices(side.reports)
        right = sum(one <= contexts.AS_GOOD for one in first)
        add(
            collected.rows,
            Row(*whose, len(plan.hosts), variant, verdict.verdict, [side.seconds], len(first), right),
        )
        collected.keep()


def first_choices(reports: Sequence[report.Report]) -> list[float]:
    """In each context of which that is known, how much longer what ran first takes than the best."""
    return [found for one in reports for each in contexts_read.of(one) if (found := contexts.first_over_best(each)) > 0]


def carry_out(installation: Installation, plan: Plan, series: Series, app: App, variant: str) -> trial.Side:
    def in_lab(command: str, directory: Path) -> job.Outcome:
        with tempfile.TemporaryDirectory(prefix="espalier-") as temporary:
            files = report_files.ReportFiles(Path(temporary) / "report")
            cache, memory = Path(temporary) / "cache", memory_of(series, app, command)
            copy_if_there(memory if kind_of(variant) == WARM else None, cache)
            settings = {**settings_of(variant), **files.settings, "XDG_CACHE_HOME": str(cache)}
            environment = [f"{name}={value}" for name, value in app.environment.items()]
            words = ["env", *environment, *shlex.split(command)]
            order = shuffled(len(plan.hosts), SEED)
            wanted = launch.Job(words, None if variant == NATIVE else settings, order=order)
            with launch.prepared(installation, plan, series.family, wanted) as prepared:
                ended = replace(prepared, arguments=launch.limited(prepared.arguments, TIMEOUT_SECONDS))
                status, text = job.wait_for(ended, capture=True, directory=directory)
            if kind_of(variant) == POLICY:
                copy_if_there(cache, memory)
            return job.Outcome(prepared, status, files.read(), files, text)

    return trial.side(app, trial.fresh_directory(app, place_of(series, variant)), in_lab)


def place_of(series: Series, variant: str) -> Path:
    words = (series.program, series.network, series.family.versioned, variant)
    return series.place.joinpath(*(word.replace(":", "-") for word in words))


def memory_of(series: Series, app: App, command: str) -> Path:
    """What the policy's last run of the command had learnt."""
    return place_of(series, "memory") / f"run-{app.runs.index(command)}"


def copy_if_there(source: Path | None, target: Path) -> None:
    """In the place of what was there."""
    shutil.rmtree(target, ignore_errors=True)
    if source is not None and source.is_dir():
        shutil.copytree(source, target)
