# SPDX-License-Identifier: Apache-2.0
"""Looks whether rules for Open MPI say what they are to say, and nothing that its code has wrong."""

from __future__ import annotations

from espalier.memory.export import openmpi_read
from espalier.memory.export.checked import mistake, rule_for, sizes_around, sizes_of
from espalier.memory.export.openmpi_counterparts import Promises, Tuned, is_power_of_two
from espalier.memory.export.openmpi_read import Chosen, Read
from espalier.memory.export.openmpi_rules import BY_HAN
from espalier.memory.export.rules import UNBOUNDED, Rule, Rules

# Its numbers of what only operations that commute may run as, and only a power of two of ranks.
MUST_COMMUTE = {
    *(("allreduce", number) for number in (4, 5)),
    *(("reduce", number) for number in (3, 4, 5)),
    *(("reduce_scatter", number) for number in (2, 3)),
    ("reduce_scatter_block", 3),
}
POWER_OF_TWO = {("allgather", 3)}
IN_PARTS = (8, 9)  # broadcasts that need no segments to cut by each rank's own datatype
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


def check(text: str, rules: Rules[Tuned], ranks: int, promises: Promises) -> None:
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
    check_is_right(read, ranks, promises)


def check_han(text: str, rules: Rules[Tuned], ranks: int) -> None:
    """Where there is a rule, and only there, coll/han must lead on to it."""
    for function, size in sizes_of(rules, UNBOUNDED):
        if function not in BY_HAN:
            continue
        blocks = ranks if function == "allgather" else 1  # it looks at one
        for among in sizes_around(ranks):
            is_wanted = among == ranks and rule_for(rules, function, size) is not None
            is_whole = size % blocks == 0
            if is_whole and openmpi_read.led_on(text, function, among, size // blocks) != is_wanted:
                raise mistake(f"coll/han keeps or leaves {function} of {size} bytes among {among} ranks")


def check_is_right(read: Read, ranks: int, promises: Promises) -> None:
    for function, groups in read.items():
        for one in {line.chosen for group in groups for line in group.lines}:
            if one.algorithm > LARGEST_NUMBERS[function]:
                raise mistake(f"{function} has no algorithm {one.algorithm}")
            if not is_allowed(function, one, ranks, promises):
                raise mistake(f"{function} must not run as {one}")


def is_allowed(function: str, one: Chosen, ranks: int, promises: Promises) -> bool:
    what = (function, one.algorithm)
    if what in MUST_COMMUTE and not promises.all_commute:
        return False
    if function == "bcast" and (one.segment or one.algorithm in IN_PARTS) and not promises.same_types:
        return False
    return what not in POWER_OF_TWO or is_power_of_two(ranks)


def chosen_by(rule: Rule[Tuned]) -> Chosen:
    return Chosen(rule.native.algorithm, rule.native.fanout, rule.native.segment, rule.native.requests)
