# SPDX-License-Identifier: Apache-2.0
"""Logs added up: by program, and there by collective. Times are those of all ranks together."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from espalier.site_logs.logs import UNKNOWN_USER, CollectiveLog, Log

UNKNOWN = "unknown"
MOST_PROGRAMS = 1000  # anybody may invent some
OTHERS = "all others"


@dataclass
class Calls:
    jobs: int = 0
    own_calls: int = 0
    native_calls: int = 0
    bytes: int = 0
    own_seconds: float = 0.0
    native_seconds: float = 0.0
    saved_seconds: float = 0.0
    lost_seconds: float = 0.0

    def add(self, one: CollectiveLog, ranks: int) -> None:
        self.jobs += 1
        self.own_calls += one.own_calls
        self.native_calls += one.native_calls
        self.bytes += one.own_bytes + one.native_bytes
        self.own_seconds += one.own_seconds * ranks
        self.native_seconds += one.native_seconds * ranks
        self.saved_seconds += one.saved_seconds * ranks
        self.lost_seconds += one.lost_seconds * ranks

    @property
    def calls(self) -> int:
        return self.own_calls + self.native_calls

    @property
    def seconds(self) -> float:
        return self.own_seconds + self.native_seconds

    @property
    def own_share(self) -> float:
        """Of the calls."""
        return self.own_calls / self.calls if self.calls else 0.0

    @property
    def net_seconds(self) -> float:
        """Saved in the end; less than 0: lost."""
        return self.saved_seconds - self.lost_seconds


@dataclass
class Program:
    name: str
    jobs: int = 0
    failures: int = 0  # calls that ended with an error
    jobs_with_failures: int = 0
    most_ranks: int = 0
    wall_seconds: float = 0.0
    users: set[int] = field(default_factory=set)
    collectives: dict[str, Calls] = field(default_factory=dict)

    def add(self, log: Log) -> None:
        head = log.head
        self.jobs += 1
        self.failures += head.failures
        self.jobs_with_failures += head.failures > 0
        self.most_ranks = max(self.most_ranks, head.ranks)
        self.wall_seconds += head.wall_seconds * head.ranks
        if head.user_id != UNKNOWN_USER:
            self.users.add(head.user_id)
        for one in log.collectives:
            self.collectives.setdefault(one.collective, Calls()).add(one, head.ranks)

    @property
    def seconds(self) -> float:
        return sum(one.seconds for one in self.collectives.values())

    @property
    def net_seconds(self) -> float:
        return sum(one.net_seconds for one in self.collectives.values())

    def share(self, seconds: float) -> float:
        """Of the wall time of its ranks."""
        return seconds / self.wall_seconds if self.wall_seconds else 0.0


@dataclass
class Totals:
    first: int = 0  # when the first job ended, and the last
    last: int = 0
    programs: dict[str, Program] = field(default_factory=dict)

    def add(self, log: Log) -> None:
        name = log.head.program or UNKNOWN
        if name not in self.programs and len(self.programs) >= MOST_PROGRAMS:
            name = OTHERS
        self.programs.setdefault(name, Program(name)).add(log)
        self.first = min(self.first or log.head.ended, log.head.ended)
        self.last = max(self.last, log.head.ended)

    @property
    def by_time(self) -> list[Program]:
        return sorted(self.programs.values(), key=lambda one: (-one.seconds, one.name))

    @property
    def jobs(self) -> int:
        return sum(one.jobs for one in self.programs.values())

    @property
    def users(self) -> int:
        return len(set().union(*(one.users for one in self.programs.values())))

    @property
    def wall_seconds(self) -> float:
        return sum(one.wall_seconds for one in self.programs.values())

    @property
    def seconds(self) -> float:
        return sum(one.seconds for one in self.programs.values())

    @property
    def net_seconds(self) -> float:
        return sum(one.net_seconds for one in self.programs.values())

    @property
    def failures(self) -> int:
        return sum(one.failures for one in self.programs.values())

    @property
    def share(self) -> float:
        return self.seconds / self.wall_seconds if self.wall_seconds else 0.0


def of(logs: Iterable[Log]) -> Totals:
    result = Totals()
    for log in logs:
        result.add(log)
    return result


def as_json(totals: Totals) -> dict[str, Any]:
    return {
        "jobs": totals.jobs,
        "users": totals.users,
        "failures": totals.failures,
        "first": totals.first,
        "last": totals.last,
        "wall_seconds": totals.wall_seconds,
        "collective_seconds": totals.seconds,
        "net_seconds": totals.net_seconds,
        "programs": [program_as_json(one) for one in totals.by_time],
    }


def program_as_json(program: Program) -> dict[str, Any]:
    return {
        "program": program.name,
        "jobs": program.jobs,
        "users": len(program.users),
        "most_ranks": program.most_ranks,
        "wall_seconds": program.wall_seconds,
        "failures": program.failures,
        "jobs_with_failures": program.jobs_with_failures,
        "collectives": [{"collective": name, **vars(calls)} for name, calls in sorted_by_time(program.collectives)],
    }


def sorted_by_time(collectives: dict[str, Calls]) -> list[tuple[str, Calls]]:
    return sorted(collectives.items(), key=lambda item: (-item[1].seconds, item[0]))
