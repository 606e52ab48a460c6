# SPDX-License-Identifier: Apache-2.0
"""What no implementation can beat on one machine: every rank that gets a result must write it once.

So the time is at least that of copying it once for each such rank, with all cores copying at full speed out of their
caches. Only for results that are large enough for the measurement to be of copying.
"""

import ctypes
import os
import time
from functools import cache

from espalier.functions import written

LEAST_BYTES = 64 * 1024
TRIALS = 200


def bound_seconds(function: str, size: int, ranks: int) -> float | None:
    bytes_, count = written(function, size, ranks)
    if bytes_ < LEAST_BYTES or count == 0:
        return None
    return copy_seconds(bytes_) * count / min(count, len(os.sched_getaffinity(0)))


@cache
def copy_seconds(size: int) -> float:
    """The least time in which one core copies this many bytes, without what it costs to ask for it."""
    return max(min_time(size) - min_time(1), 1e-9)


def min_time(size: int) -> float:
    source, target = ctypes.create_string_buffer(size), ctypes.create_string_buffer(size)
    least = float("inf")
    for _ in range(TRIALS):
        start = time.perf_counter()
        ctypes.memmove(target, source, size)
        least = min(least, time.perf_counter() - start)
    return least
