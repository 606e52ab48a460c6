# SPDX-License-Identifier: Apache-2.0
"""What is slower than before in the jobs of a run: into their reports, and one line for each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from espalier.drift import found, words
from espalier.drift.found import Drift
from espalier.drift.history import JobTimes
from espalier.failure import Failure
from espalier.installation import COMMAND
from espalier.memory import location
from espalier.report import Report


def add(reports: Sequence[Report], run: str) -> None:
    """To each report: `drift`, if there is any."""
    for directory in {place for one in reports if (place := directory_of(one))}:
        left = list(reports)
        for jobs in by_end(of_run_in(directory, run)):
            report = next((one for one in left if is_of(one, jobs[0][0])), None)
            if report is None:
                continue
            left.remove(report)
            drifts = sorted((one for _, many in jobs for one in many), key=lambda one: (-round(one.times, 2), -one.now))
            if drifts:
                report.raw["drift"] = [found.as_json(one) for one in drifts]


def of_run_in(directory: Path, run: str) -> list[tuple[JobTimes, list[Drift]]]:
    try:
        return found.of_run(directory, run)
    except Failure:  # nobody else's directory is believed: the job has said so
        return []


def by_end(of_run: Sequence[tuple[JobTimes, list[Drift]]]) -> list[list[tuple[JobTimes, list[Drift]]]]:
    """What one job said of all its placements, it said at once."""
    ends = sorted({(job.at, job.program, job.world_ranks) for job, _ in of_run})
    return [[one for one in of_run if (one[0].at, one[0].program, one[0].world_ranks) == end] for end in ends]


def is_of(report: Report, job: JobTimes) -> bool:
    return report.head.ranks == job.world_ranks and "drift" not in report.raw


def directory_of(report: Report) -> Path | None:
    """Where that job kept what it learnt."""
    settings = report.raw.get("settings")
    value = settings.get(location.SETTING) if isinstance(settings, dict) else None
    if not isinstance(value, str):
        return None
    try:
        return location.directory_of(None, {**os.environ, location.SETTING: value})
    except Failure:  # it keeps none
        return None


def show(reports: Sequence[Report], console: Console) -> None:
    for one in reports:
        if all_ := words.told_in(one.raw):
            console.print(f"{words.sentence(all_)} All: {COMMAND} memory drift", soft_wrap=True)
