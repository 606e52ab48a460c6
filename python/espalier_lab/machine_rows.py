# SPDX-License-Identifier: Apache-2.0
"""What the policies cost on the timings of a machine: a row for each policy and number of calls, over its contexts.

{"machine", "capped", "counted_by", "policy", "calls", "contexts", "over_oracle", "over_native_p99", "slower_by_1",
"slower_by_5"}: ratios less 1, `over_oracle` in the mean; the last two are shares of the contexts in which it was slower
than native by more than 1 and 5%. `counted_by`: bench/selection/recorded_study.hpp."""

import json
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from espalier import output

RAW = " (raw)"
POLICIES_SHOWN = ("native", "star", "adcl", "intel", "race-alone", "race")


@dataclass(frozen=True)
class MachineRow:
    machine: str
    capped: bool
    counted_by: str
    policy: str
    calls: int
    contexts: int
    over_oracle: float
    over_native_p99: float
    slower_by_1: float
    slower_by_5: float


def from_lines(lines: Iterable[str]) -> list[MachineRow]:
    """Of espalier-bench-selection: one for each context."""
    found: dict[tuple[str, str, str, int], list[tuple[float, float]]] = {}
    for line in lines:
        row = json.loads(line)
        key = row["machine"], row["counted_by"], row["policy"], row["calls"]
        found.setdefault(key, []).append((row["over_oracle"], row["over_native"]))
    return [row_of(*key, outcomes) for key, outcomes in found.items()]


def row_of(
    machine: str, counted_by: str, policy: str, calls: int, outcomes: Sequence[tuple[float, float]]
) -> MachineRow:
    over_native = sorted(native for _, native in outcomes)
    return MachineRow(
        machine=machine.removesuffix(RAW),
        capped=not machine.endswith(RAW),
        counted_by=counted_by,
        policy=policy,
        calls=calls,
        contexts=len(outcomes),
        over_oracle=statistics.mean(oracle for oracle, _ in outcomes),
        over_native_p99=over_native[min(len(over_native) - 1, int(0.99 * len(over_native)))],
        slower_by_1=share_above(over_native, 0.01),
        slower_by_5=share_above(over_native, 0.05),
    )


def share_above(values: Sequence[float], bar: float) -> float:
    return sum(value > bar for value in values) / len(values)


def table_of(rows: list[MachineRow]) -> output.Table:
    heading = (*POLICIES_SHOWN, "p99", ">1%", ">5%")
    table = output.table("", *heading, right=heading)
    for machine in dict.fromkeys(row.machine for row in rows):
        by_policy = {row.policy: row for row in rows if row.machine == machine}
        race = by_policy["race"]
        costs = (f"{by_policy[name].over_oracle:.1%}" for name in POLICIES_SHOWN)
        table.add_row(
            machine, *costs, f"{race.over_native_p99:.1%}", f"{race.slower_by_1:.0%}", f"{race.slower_by_5:.0%}"
        )
    return table
