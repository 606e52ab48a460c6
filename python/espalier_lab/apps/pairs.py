# SPDX-License-Identifier: Apache-2.0
"""Real programs on this machine, natively and under Espalier as it is, in pairs: what each of both runs takes.

Runs of a pair follow each other, in an order that is drawn, and the programs take turns: whatever changes on the
machine changes for all. These runs write no report, as calls are timed for one. Calls are counted in two runs before.
"""

import os
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from espalier import job, launchers, mpis, output, report_files
from espalier.failure import Failure
from espalier.functions import COLLECTIVES
from espalier.installation import Installation
from espalier.mpis import Mpi
from espalier_lab.apps import pair_rows, results, trial
from espalier_lab.apps.description import App
from espalier_lab.apps.pair_rows import Row
from espalier_lab.apps.share import share_of
from espalier_lab.experiments.collected import Collected
from espalier_lab.experiments.comparison import shuffled
from espalier_lab.experiments.launch import cleaned

NATIVE, ESPALIER = "native", "espalier"
# Native calls, and a report of them; with ESPALIER=off there is none.
ALL_NATIVE = {"ESPALIER_ALGORITHM": ";".join(f"{name}:native" for name in sorted(set(COLLECTIVES.values())))}


@dataclass(frozen=True)
class Series:
    """A program under an MPI, as it is to run."""

    app: App
    mpi: Mpi
    place: Path  # where it runs
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return f"{self.app.name}, {self.mpi.name}"


@dataclass(frozen=True)
class Run:
    side: trial.Side
    cpu_busy: float


def own_mpi(app: App) -> Mpi | None:
    """That it is linked to; None: it is not here."""
    launcher = shutil.which(trial.launcher_of(app))
    return mpis.of_launcher(Path(launcher)) if launcher else None


def other_mpis(app: App) -> list[Mpi]:
    """Those that are here."""
    wanted = app.pairs.mpis if app.pairs else []
    return [mpi for mpi in mpis.found() if mpi.name in wanted and mpi.path.is_relative_to(trial.ENVIRONMENTS)]


def series_of(app: App, mpi: Mpi, ranks: int, results_place: Path, settings: Mapping[str, str]) -> Series:
    runs, seconds = app.long_runs or app.runs, app.seconds
    if app.pairs:
        runs, seconds = app.pairs.runs or runs, app.pairs.seconds or seconds
    environment = dict(app.environment)
    if app.pairs and app.pairs.mpis:  # the Python next to each MPI has what is made for it
        environment["PATH"] = os.pathsep.join([str(mpi.path.parent), os.environ.get("PATH", os.defpath)])
    app = replace(app, ranks=ranks, runs=runs, seconds=seconds, environment=environment)
    return Series(app, mpi, results_place / app.name / mpi.name, settings)


def run(
    installation: Installation,
    planned: Sequence[Series],
    pairs: int,
    announce: output.Announce,
    keep: Callable[[Sequence[Row]], None],
) -> Collected[Row]:
    """What fails, or computes something else, is not tried again; pairs that were done before are kept."""
    collected: Collected[Row] = Collected([], [1.0] * (len(planned) * (1 + pairs)), announce, keep)
    left, rows = list(planned), dict[str, Row]()
    for turn in range(1 + pairs):
        for series in list(left):
            row = rows.get(series.title)
            what = f"pair {turn}" if row else "its calls"
            part = partial(with_pair, row=row, turn=turn) if row else first
            done = collected.attempt(f"{series.title}, {what}", partial(part, installation, series))
            if done is None:
                left.remove(series)
                collected.leave_out(pairs - turn)
                continue
            rows[series.title] = done
            collected.rows = list(rows.values())
            collected.keep()
    return collected


def first(installation: Installation, series: Series) -> Row:
    """Its calls, and whose they are. The files of program and MPI are in memory after that."""
    past = carry_out(installation, series, ALL_NATIVE, is_reported=True).side
    own = carry_out(installation, series, series.settings, is_reported=True).side
    natively, share = share_of(past.reports), share_of(own.reports)
    return Row(
        program=series.app.name,
        mpi=series.mpi.name,
        ranks=series.app.ranks,
        settings=" ".join(f"{name}={value}" for name, value in series.settings.items()),
        timed=pair_rows.OWN_PART if series.app.seconds else pair_rows.WHOLE_JOBS,
        result=verdict(series, past, own),
        calls=share.all.calls,
        own_calls=share.own.calls,
        in_calls_native_s=natively.all.seconds / series.app.ranks,
        in_calls_s=share.all.seconds / series.app.ranks,
        passed_on=[f"{calls:,} of {collective}: {reason}" for collective, reason, calls in share.passed_on],
    )


def with_pair(installation: Installation, series: Series, row: Row, turn: int) -> Row:
    runs = {}
    for at in shuffled(2, seed=turn):
        runs[at] = carry_out(installation, series, (None, series.settings)[at])
    result = verdict(series, runs[0].side, runs[1].side)
    busy = min(runs[0].cpu_busy, runs[1].cpu_busy)
    return pair_rows.with_pair(row, runs[0].side.seconds, runs[1].side.seconds, busy, result)


def verdict(series: Series, natively: trial.Side, own: trial.Side) -> str:
    compared = results.compared(series.app.results, natively.values, own.values)
    if compared.difference:
        raise Failure(compared.difference)
    return compared.verdict


def carry_out(
    installation: Installation, series: Series, settings: Mapping[str, str] | None, *, is_reported: bool = False
) -> Run:
    """Without settings it is native; with empty ones, Espalier as it is. Nothing is known of earlier runs."""

    cpu_seconds, seconds = 0.0, 0.0

    def run_one(command: str, directory: Path) -> job.Outcome:
        with tempfile.TemporaryDirectory(prefix="espalier-") as temporary:
            files = report_files.ReportFiles(Path(temporary) / "report" if is_reported else None)
            memory = {"XDG_CACHE_HOME": str(Path(temporary) / "cache")}
            app = replace(series.app, environment={**series.app.environment, **memory})
            words, environment = trial.words_of(app, command, series.mpi), cleaned(os.environ)
            launch = launchers.Launch(series.mpi.launcher, words, environment)
            if settings is not None:
                all_settings = {**settings, **(files.settings if is_reported else {})}
                launch = launchers.prepare(words, str(installation.preload), all_settings, environment)
            nonlocal cpu_seconds, seconds
            cpu_before, before = cpu_of_children(), time.monotonic()
            status, text = job.wait_for(launch, capture=True, directory=directory)
            cpu_seconds += cpu_of_children() - cpu_before
            seconds += time.monotonic() - before
            return job.Outcome(launch, status, files.read(), files, text)

    name = NATIVE if settings is None else ESPALIER
    side = trial.side(series.app, trial.fresh_directory(series.app, series.place / name), run_one)
    return Run(side, cpu_seconds / seconds / min(series.app.ranks, len(os.sched_getaffinity(0))))


def cpu_of_children() -> float:
    """Of those that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
