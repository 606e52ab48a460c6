# SPDX-License-Identifier: Apache-2.0
"""What else is another than in the jobs that were faster."""

from __future__ import annotations

import math
from dataclasses import dataclass

from espalier.drift.history import JobTimes, Times
from espalier.drift.judge import Slower

MUCH_LOAD = 2.0  # processes, and times


@dataclass(frozen=True)
class Change:
    what: str
    before: str
    now: str


def changes(job: JobTimes, slower: Slower) -> list[Change]:
    """Against the last job that was not slower itself."""
    before = last_fast(slower)
    texts = [
        Change("nodes", before.host_list, job.host_list),
        Change("rank 0's node", before.host, job.host),
        Change("MPI", before.mpi, job.mpi),
        Change("Espalier", before.library, job.library),
        Change("description of the network", before.network, job.network),
        Change("kernel", before.kernel, job.kernel),
        Change("NICs", ", ".join(before.nics), ", ".join(job.nics)),
        Change("ranks of the job", str(before.world_ranks), str(job.world_ranks)),
    ]
    found = [one for one in texts if one.before != one.now]
    if before.load >= 0 and job.load >= max(before.load * MUCH_LOAD, before.load + MUCH_LOAD):
        found.append(Change("load of rank 0's node", f"{before.load:.1f}", f"{job.load:.1f}"))
    return found


def last_fast(slower: Slower) -> JobTimes:
    return next((one for one in reversed(slower.jobs) if is_fast(one, slower)), slower.jobs[-1])


def slow_since(job: JobTimes, slower: Slower) -> JobTimes:
    """The first of the last jobs, none of which was as fast as before."""
    first = job
    for one in reversed(slower.jobs):
        if is_fast(one, slower):
            break
        first = one
    return first


def is_fast(job: JobTimes, slower: Slower) -> bool:
    times: Times = job.contexts[slower.key][slower.choice]
    return times.median < math.sqrt(slower.before * slower.now)
