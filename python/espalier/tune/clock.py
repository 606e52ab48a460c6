# SPDX-License-Identifier: Apache-2.0
"""The time that there is, and what of it a job may take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

GRACE_SECONDS = 3.0  # of a job that is told to end
LONGEST_SECONDS = 30.0  # of calls of one piece
LEAST_SECONDS = 0.5
PATIENCE = 4.0  # its first calls tell a job how many it can make; the others may take longer


@dataclass
class Clock:
    """`start_seconds`: about what a job takes next to its calls."""

    seconds: float
    start_seconds: float = 1.0
    began: float = field(default_factory=time.monotonic)

    @property
    def spent(self) -> float:
        return time.monotonic() - self.began

    @property
    def left(self) -> float:
        """In which jobs may go on; what comes then ends those that do not end by themselves."""
        return self.seconds - min(GRACE_SECONDS, self.seconds / 10) - self.spent

    @property
    def is_over(self) -> bool:
        """No further job could do anything of use."""
        return self.left < self.start_seconds + LEAST_SECONDS

    def has_time_for_another(self, pieces: int) -> bool:
        """Job, next to one for each of this many pieces."""
        return self.left > (pieces + 1) * (self.start_seconds + LEAST_SECONDS)

    def limit(self, pieces: int) -> float:
        """For the calls of the next one of this many. What it does not need, those behind it have."""
        share = self.left / pieces - self.start_seconds
        least = max(LEAST_SECONDS, self.start_seconds / 2)
        return min(max(least, min(share, LONGEST_SECONDS)), max(LEAST_SECONDS, self.left - self.start_seconds))

    def allowance(self, limit: float) -> float:
        """After which the job is ended."""
        return min(self.left, 2 * self.start_seconds + PATIENCE * limit + GRACE_SECONDS)

    def learn(self, job_seconds: float, calls_seconds: float) -> None:
        """What a job took next to its calls."""
        self.start_seconds += 0.5 * (max(0.0, job_seconds - calls_seconds) - self.start_seconds)
