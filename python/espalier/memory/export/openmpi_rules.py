# SPDX-License-Identifier: Apache-2.0
"""The rules as Open MPI's coll/tuned reads them, and as coll/han does, which comes before it on several nodes.

    rule-file-version-2             the very first thing; only if there are numbers of requests
    number of collectives
    for each: its number
      number of communicator sizes
      for each: ranks               for these and more, up to the next one
        number of message sizes
        for each: bytes algorithm fanout segment [requests]     from this many on, up to the next one

Both lists must begin with 0, as the first entry also holds for what is below it. Algorithm 0 is Open MPI's own rule.
Open MPI 4 reads the first version only.
"""

from __future__ import annotations

from collections.abc import Iterator

from espalier.memory.contents import Context
from espalier.memory.export.openmpi_counterparts import Tuned
from espalier.memory.export.rules import BY_BLOCKS, UNBOUNDED, Rule, Rules, function_of, sizes

NUMBERS = {
    "allgather": 0,
    "allgatherv": 1,
    "allreduce": 2,
    "alltoall": 3,
    "barrier": 6,
    "bcast": 7,
    "reduce": 11,
    "reduce_scatter": 12,
    "reduce_scatter_block": 13,
}
BY_HAN = ("allgather", "allreduce", "barrier", "bcast", "reduce")


def sizes_seen(context: Context, ranks: int) -> tuple[int, int]:
    """All blocks together; of MPI_Allgatherv their mean."""
    function = function_of(context)
    return sizes(context, ranks if function in BY_BLOCKS and function != "allgatherv" else 1)


def tuned_text(rules: Rules[Tuned], ranks: int) -> str:
    return "\n".join(tuned_lines(rules, ranks)) + "\n"


def tuned_lines(rules: Rules[Tuned], ranks: int) -> Iterator[str]:
    with_requests = any(rule.native.requests for rule in rules.made)
    own_rule = "0 0 0 0" if with_requests else "0 0 0"
    if with_requests:
        yield "rule-file-version-2"
    yield f"{len(rules.functions)} # collectives"
    for function in rules.functions:
        yield f"{NUMBERS[function]} # {function}"
        yield "3 # communicator sizes"
        yield f"0 1 # fewer than {ranks} ranks: Open MPI's own rule"
        yield f"0 {own_rule}"
        lines = list(size_lines(rules.of(function), own_rule, with_requests))
        yield f"{ranks} {len(lines)} # {ranks} ranks"
        yield from lines
        yield f"{ranks + 1} 1 # more"
        yield f"0 {own_rule}"


def size_lines(rules: list[Rule[Tuned]], own_rule: str, with_requests: bool) -> Iterator[str]:
    free = 0
    for rule in rules:
        if rule.low > free:
            yield f"{free} {own_rule}"
        tuned = rule.native
        requests = f" {tuned.requests}" if with_requests else ""
        yield f"{rule.low} {tuned.algorithm} {tuned.fanout} {tuned.segment}{requests} # {tuned.name}"
        free = rule.high + 1
    if free <= UNBOUNDED:
        yield f"{free} {own_rule}"


def han_text(rules: Rules[Tuned], ranks: int) -> str:
    """Leads the sizes of the rules on to coll/tuned; empty if there is nothing to lead."""
    functions = [function for function in rules.functions if function in BY_HAN]
    if not functions:
        return ""
    lines = [str(len(functions))]
    for function in functions:
        whole = ranks if function == "allgather" else 1  # it looks at one block
        parts = list(han_lines(rules.of(function), whole))
        # Its name, one level: 2, which is the whole communicator, three communicator sizes.
        lines += [function, "1", "2 3", "1 1", "0 han", f"{ranks} {len(parts)}", *parts, f"{ranks + 1} 1", "0 han"]
    return "\n".join(lines) + "\n"


def han_lines(rules: list[Rule[Tuned]], blocks: int) -> Iterator[str]:
    free = 0
    for rule in rules:
        low, high = rule.low // blocks, rule.high // blocks
        if low > free:
            yield f"{free} han"
        yield f"{low} tuned"
        free = high + 1
    if free * blocks <= UNBOUNDED:
        yield f"{free} han"
