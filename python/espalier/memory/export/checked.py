# SPDX-License-Identifier: Apache-2.0
"""What was made is read back before it is written. It must say of each size just what was wanted, and an algorithm only
where the MPI's own code has it right. What is wrong there is a mistake of ours, and nothing is written."""

from __future__ import annotations

from collections.abc import Iterator

from espalier.failure import Failure
from espalier.memory.export.rules import Native, Rule, Rules


def sizes_of(rules: Rules[Native], largest: int) -> Iterator[tuple[str, int]]:
    """Functions and sizes on both sides of each rule's ends."""
    for function in rules.functions:
        ends = {0, 1, largest}
        for rule in rules.of(function):
            ends |= {rule.low - 1, rule.low, rule.high, rule.high + 1}
        yield from ((function, size) for size in sorted(ends) if 0 <= size <= largest)


def sizes_around(ranks: int) -> list[int]:
    return sorted({1, 2, max(1, ranks - 1), ranks, ranks + 1, 2 * ranks})


def rule_for(rules: Rules[Native], function: str, size: int) -> Rule[Native] | None:
    return next((rule for rule in rules.of(function) if rule.low <= size <= rule.high), None)


def mistake(what: str) -> Failure:
    return Failure(f"Nothing was written, as the rules that were made are wrong: {what}", "Please report it.", status=1)
