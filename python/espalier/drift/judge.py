# SPDX-License-Identifier: Apache-2.0
"""When a job's calls take longer than before: by much, by far more than jobs differ, and not by one context's noise.

Natural logarithms of times are compared. The doubt about a shift has three parts: how much jobs differ, how much the
calls of one job do, and how far ranks that waited for a processor may have made calls longer. A job's calls are no
independent samples (a slow phase concerns many of them), so their spread counts in full, however many there were. How
much jobs differ is not known from few: there a belief stands next to what was seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low

from espalier.drift.history import JobTimes, Key, Times

LEAST_FACTOR = 1.5
LEAST_TIMED = 4  # calls of an algorithm in a job
BELIEVED_SPREAD = 0.25  # of jobs: the standard deviation of the logarithm
BELIEF_IN_JOBS = 3  # how many jobs that belief counts for
SEVERAL = 2  # contexts that agree
DOUBTS_OF_SEVERAL = 4.0  # the shift, in multiples of the doubt
DOUBTS_OF_ONE = 6.0
TIMED_OF_ONE = 32
RANKS_OF_A_CALL = 2  # that wait for a processor in turn, and not at once
ENOUGH_LIKE_IT = 3  # jobs of the same MPI: then those of others do not count
QUARTILES_PER_SD = 1.349
SD_PER_DEVIATION = 1.4826


@dataclass(frozen=True)
class Slower:
    """A context whose calls take longer than in earlier jobs."""

    key: Key
    choice: str
    before: float  # seconds
    now: float
    doubts: float
    timed: int
    jobs: tuple[JobTimes, ...]  # that it is compared with

    @property
    def times(self) -> float:
        return self.now / self.before


def slower_contexts(job: JobTimes, earlier: Sequence[JobTimes]) -> list[Slower]:
    """Those whose alarm holds, the worst first."""
    known = comparable(job, earlier)
    found = [one for key in job.contexts if (one := slower_context(key, job, known))]
    several = len(found) >= SEVERAL
    held = [one for one in found if several or shows_by_itself(one)]
    return sorted(held, key=lambda one: (-round(one.times, 2), -one.now))


def shows_by_itself(one: Slower) -> bool:
    return one.doubts >= DOUBTS_OF_ONE and one.timed >= TIMED_OF_ONE


def comparable(job: JobTimes, earlier: Sequence[JobTimes]) -> list[JobTimes]:
    """Another program's ranks may come later to their calls, which is in the calls' times."""
    same = [one for one in earlier if one.program == job.program]
    same_mpi = [one for one in same if one.mpi == job.mpi]
    return same_mpi if len(same_mpi) >= ENOUGH_LIKE_IT else same


def slower_context(key: Key, job: JobTimes, earlier: Sequence[JobTimes]) -> Slower | None:
    """By the algorithm in the middle of those that were timed in this job and before."""
    by_waiting = spread_by_waiting(job.waited)
    shifts = [one for times in job.contexts[key].values() if (one := shift_of(key, times, earlier, by_waiting))]
    if not shifts:
        return None
    middle = in_the_middle(shifts)
    is_slower = middle.times >= LEAST_FACTOR and middle.doubts >= DOUBTS_OF_SEVERAL
    return middle if is_slower else None


def in_the_middle(shifts: list[Slower]) -> Slower:
    return sorted(shifts, key=lambda one: one.doubts)[(len(shifts) - 1) // 2]


def shift_of(key: Key, now: Times, earlier: Sequence[JobTimes], by_waiting: float) -> Slower | None:
    jobs = [one for one in earlier if is_timed(one, key, now.choice)]
    if not jobs or now.timed < LEAST_TIMED:
        return None
    before = [one.contexts[key][now.choice] for one in jobs]
    baseline = median_low([math.log(one.median) for one in before])
    spreads = (spread_of_jobs(before, baseline), spread_of_calls(now), median_low(map(spread_of_calls, before)))
    doubt = math.hypot(*spreads, by_waiting)
    shift = math.log(now.median) - baseline
    return Slower(key, now.choice, math.exp(baseline), now.median, shift / doubt, now.timed, tuple(jobs))


def is_timed(job: JobTimes, key: Key, choice: str) -> bool:
    times = job.contexts.get(key, {}).get(choice)
    return times is not None and times.timed >= LEAST_TIMED


def spread_of_jobs(before: Sequence[Times], baseline: float) -> float:
    """With the doubt about the baseline."""
    seen = SD_PER_DEVIATION * median_low([abs(math.log(one.median) - baseline) for one in before])
    count = len(before)
    squares = BELIEF_IN_JOBS * BELIEVED_SPREAD**2 + (count - 1) * seen**2
    return math.sqrt(squares / (BELIEF_IN_JOBS + count - 1) * (1 + 1 / count))


def spread_by_waiting(waited: float) -> float:
    """Others use the processors: then ranks wait for ranks that wait for a processor."""
    return -math.log(1 - min(0.99, max(0.0, RANKS_OF_A_CALL * waited)))


def spread_of_calls(times: Times) -> float:
    return math.log(times.high / times.low) / QUARTILES_PER_SD
