# SPDX-License-Identifier: Apache-2.0
"""How much of a program's collective communication ran on own schedules.

What no algorithm could do anything for is left out: calls of a single rank, and those between two groups.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from espalier.report import Report, Row

NOT_AMONG_SEVERAL = frozenset({"a single rank", "an intercommunicator"})


@dataclass(frozen=True)
class Amount:
    calls: int = 0
    seconds: float = 0.0  # of all ranks together
    bytes: int = 0  # where each rank has as many

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.calls + other.calls, self.seconds + other.seconds, self.bytes + other.bytes)


@dataclass(frozen=True)
class Share:
    all: Amount
    own: Amount
    left_out: int  # calls
    collectives: list[str]  # that ran on own schedules
    passed_on: list[tuple[str, str, int]]  # collective, reason and calls; the most first

    @property
    def of_calls(self) -> float:
        return ratio(self.own.calls, self.all.calls)

    @property
    def of_seconds(self) -> float:
        return ratio(self.own.seconds, self.all.seconds)

    @property
    def of_bytes(self) -> float:
        return ratio(self.own.bytes, self.all.bytes)


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def amount(rows: Iterable[Row]) -> Amount:
    return sum((Amount(row.calls, row.seconds_mean * row.ranks, row.bytes) for row in rows), Amount())


def share_of(reports: Iterable[Report]) -> Share:
    every = [row for report in reports for row in report.rows]
    rows = [row for row in every if row.reason not in NOT_AMONG_SEVERAL]
    passed_on: Counter[tuple[str, str]] = Counter()
    for row in rows:
        if not row.own:
            passed_on[row.collective, row.reason] += row.calls
    return Share(
        all=amount(rows),
        own=amount(row for row in rows if row.own),
        left_out=sum(row.calls for row in every) - sum(row.calls for row in rows),
        collectives=sorted({row.collective for row in rows if row.own}),
        passed_on=[(collective, reason, calls) for (collective, reason), calls in passed_on.most_common()],
    )
