# SPDX-License-Identifier: Apache-2.0
"""What is slower than before, in one placement: for words, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from espalier.drift import changes, history, judge
from espalier.drift.changes import Change
from espalier.drift.history import JobTimes, Key


@dataclass(frozen=True)
class Drift:
    """A context of `job` which takes longer than in `jobs` earlier ones. Seconds since 1970: when."""

    job: JobTimes
    key: Key
    choice: str
    before: float  # seconds of a call
    now: float
    jobs: int
    first: int
    last: int
    since: int  # the first of the jobs in a row that took so long
    changed: tuple[Change, ...]

    @property
    def times(self) -> float:
        return self.now / self.before


def in_job(job: JobTimes, earlier: Sequence[JobTimes]) -> list[Drift]:
    """The worst first."""
    return [
        Drift(
            job,
            one.key,
            one.choice,
            one.before,
            one.now,
            len(one.jobs),
            one.jobs[0].at,
            one.jobs[-1].at,
            changes.slow_since(job, one).at,
            tuple(changes.changes(job, one)),
        )
        for one in judge.slower_contexts(job, earlier)
    ]


def latest(jobs: Sequence[JobTimes]) -> list[Drift]:
    """Of the last job of each program."""
    last = {job.program: number for number, job in enumerate(jobs)}
    return [one for number in sorted(last.values()) for one in in_job(jobs[number], jobs[:number])]


def of_run(directory: Path, run: str) -> list[tuple[JobTimes, list[Drift]]]:
    """Each job of this run on each placement, in the order in which they ended."""
    found = [
        (job, in_job(job, file.jobs[:number]))
        for file in history.of_run(directory, run)
        for number, job in enumerate(file.jobs)
        if job.run == run
    ]
    return sorted(found, key=lambda one: one[0].at)


def as_json(drift: Drift) -> dict[str, Any]:
    key = drift.key
    return {
        "program": drift.job.program,
        "ranks": drift.job.ranks,
        "nodes": drift.job.nodes,
        "collective": key.collective,
        "bytes": key.bytes_low,
        "bytes_high": key.bytes_high,
        "root": key.root,
        "element_bytes": key.element_bytes,
        "arithmetic": key.arithmetic,
        "uneven": key.uneven,
        "choice": drift.choice,
        "seconds": drift.now,
        "seconds_before": drift.before,
        "times": drift.times,
        "jobs_before": drift.jobs,
        "first_before": drift.first,
        "last_before": drift.last,
        "since": drift.since,
        "ended": drift.job.at,
        "changed": [asdict(one) for one in drift.changed],
    }
