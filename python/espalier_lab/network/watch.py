# SPDX-License-Identifier: Apache-2.0
"""What links carried and how busy the machine was, between two times."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from espalier_lab.network import counters
from espalier_lab.network.counters import Traffic
from espalier_lab.network.plan import End, Plan

# Columns of the first line of /proc/stat; waiting for input and output is idleness.
NICED, IDLE = 1, (3, 4)


def cpu_times() -> tuple[int, int]:
    """Of all cores since start: busy and in all. Low priorities take only what is left, unless this is one."""
    words = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    free = IDLE if os.nice(0) > 0 else (*IDLE, NICED)
    return sum(words) - sum(words[column] for column in free), sum(words)


@dataclass(frozen=True)
class Observation:
    """Directions of shaped links only."""

    seconds: float
    cpu_busy: float
    traffic: dict[tuple[End, End], Traffic]

    @property
    def bytes(self) -> int:
        return sum(item.bytes for item in self.traffic.values())

    @property
    def drops(self) -> int:
        return sum(item.drops for item in self.traffic.values())

    @property
    def used(self) -> int:
        """Directions that carried more than the odd control packet."""
        return sum(item.bytes > 10_000 for item in self.traffic.values())

    @property
    def busiest(self) -> tuple[tuple[End, End], Traffic]:
        return max(self.traffic.items(), key=lambda item: item[1].bytes)


class Watch:
    """From its making on."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._traffic = counters.counters(plan)
        self._cpu = cpu_times()
        self._start = time.monotonic()

    def observe(self) -> Observation:
        seconds = time.monotonic() - self._start
        busy, total = (now - then for now, then in zip(cpu_times(), self._cpu, strict=True))
        now = counters.counters(self._plan)
        traffic = {link: item.since(self._traffic[link]) for link, item in now.items()}
        return Observation(seconds, busy / max(total, 1), traffic)
