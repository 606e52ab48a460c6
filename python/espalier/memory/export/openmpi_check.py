# SPDX-License-Identifier: Apache-2.0
"""Looks whether rules for Open MPI say what they are to say, and nothing that its code has wrong."""

from __future__ import annotations

from espalier.memory.export import openmpi_read
from espalier.memory.export.checked import mistake, rule_for, sizes_around, sizes_of
from espalier.memory.export.openmpi_counterparts import Tuned, is_power_of_two
from espalier.memory.export.openmpi_read import Chosen, Read
from espalier.memory.export.rules import UNBOUNDED, Rule, Rules

# Its numbers of what only operations that commute may run as, and only a power of two of ranks.
MUST_COMMUTE = {
    *(("allreduce", number) for number in (4, 5)),
    *(("reduce", number) for number in (3, 4, 5)),
    *(("reduce_scatter", number) for number in (2, 3)),
    ("reduce_scatter_block", 3),
}
POWER_OF_TWO = {("allgather", 3)}
LARGEST_NUMBERS = {  # in Open MPI 4.1; later ones have more
    "allgather": 6,
    "allgatherv": 5,
    "allreduce": 6,
    "alltoall": 5,
    "barrier": 6,
    "bcast": 9,
    "reduce": 7,
    "reduce_scatter": 4,
    "reduce_scatter_block": 4,
}


def check(text: str, rules: Rules[Tuned], ranks: int, all_commute: bool) -> None:
    try:
        read = openmpi_read.from_json(text) if text.startswith("{") else openmpi_read.from_text(text)
    except (ValueError, KeyError, TypeError, StopIteration) as error:
        raise mistake(f"they cannot be read: {error}") from None
    for function, size in sizes_of(rules, UNBOUNDED):
        wanted = rule_for(rules, function, size)
        for among in sizes_around(ranks):
            expected = chosen_by(wanted) if wanted and among == ranks else Chosen(0)
            found = openmpi_read.chosen(read, function, among, size)
            if found != expected:
                raise mistake(f"{function} of {size} bytes among {among} ranks is {found}, not {expected}")
    check_is_right(read, ranks, all_commute)


def check_is_right(read: Read, ranks: int, all_commute: bool) -> None:
    for function, groups in read.items():
        for number in {line.chosen.algorithm for group in groups for line in group.lines}:
            one = (function, number)
            if number > LARGEST_NUMBERS[function]:
                raise mistake(f"{function} has no algorithm {number}")
            if (one in MUST_COMMUTE and not all_commute) or (one in POWER_OF_TWO and not is_power_of_two(ranks)):
                raise mistake(f"{function} must not run as {number}")


def chosen_by(rule: Rule[Tuned]) -> Chosen:
    return Chosen(rule.native.algorithm, rule.native.fanout, rule.native.segment, rule.native.requests)
