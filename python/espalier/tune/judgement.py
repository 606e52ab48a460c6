# SPDX-License-Identifier: Apache-2.0
"""Which guidelines hold, by a memory's times. Nothing is said where a side of one was not measured.

A guideline is violated if the left side takes longer than the right one by more than twice the standard deviation of
the logarithm of their proportion, and by 5% at least. That it holds is said only of messages of equal size; a larger
one on the right can only tell that it does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from espalier.memory.contents import REDUCTIONS, Candidate, Context, Memory
from espalier.older_python import pairwise
from espalier.tune import times
from espalier.tune.guidelines import EVERY, GUIDELINES, MONOTONY, Guideline
from espalier.tune.times import TimeOf, Times

DEVIATIONS = 2.0
LEAST = math.log(1.05)
KINDS = ("exact", "commutative")


@dataclass(frozen=True)
class Comparison:
    left: float  # seconds
    right: float
    sd: float  # of the natural logarithm of their proportion

    @property
    def tolerance(self) -> float:
        """The left side may take a number of times as long."""
        return math.exp(max(LEAST, DEVIATIONS * self.sd))

    @property
    def times_longer(self) -> float:
        return self.left / self.right

    @property
    def is_violated(self) -> bool:
        return self.times_longer > self.tolerance


@dataclass(frozen=True)
class Verdict:
    """`native`: as the MPI does both sides; `own`: as Espalier does."""

    text: str
    collective: str
    bytes: int
    arithmetic: str
    native: Comparison
    own: Comparison | None
    is_hint: bool = False


def compared(left: Candidate, right: list[Candidate]) -> Comparison:
    total = sum(one.seconds for one in right)
    variance = left.sd**2 + sum((one.sd * one.seconds / total) ** 2 for one in right)
    return Comparison(left.seconds, total, math.sqrt(variance))


def compare(left: Context, right: list[Context], time_of: TimeOf) -> Comparison | None:
    one, others = time_of(left), [found for context in right if (found := time_of(context))]
    return compared(one, others) if one and len(others) == len(right) else None


def verdicts(memory: Memory) -> list[Verdict]:
    measured = Times(memory)
    return [*monotony(measured), *(one for guideline in GUIDELINES for one in of(guideline, measured))]


def monotony(measured: Times) -> Iterator[Verdict]:
    for collective in EVERY:
        for kind in kinds(collective):
            timed = [one for one in measured.of(collective, kind) if times.native(one)]
            for smaller, larger in pairwise(timed):
                if smaller.bytes_low < larger.bytes_low:
                    yield from verdict(f"{collective}: {MONOTONY}", smaller, [larger], kind, is_of_size=True)


def of(guideline: Guideline, measured: Times) -> Iterator[Verdict]:
    reduces = guideline.left in REDUCTIONS
    for kind in kinds(guideline.left):
        for left in measured.of(guideline.left, kind):
            found = [
                measured.covering(part.collective, kind, part.size(left.bytes_low, measured.ranks), part.uneven)
                for part in guideline.right
            ]
            there = [one for one in found if one]
            if len(there) == len(found):
                right = [one.context for one in there]
                text = kind if reduces else "exact"
                are_of_size = all(one.is_of_size for one in there)
                yield from verdict(guideline.text, left, right, text, are_of_size, guideline.is_hint)


def kinds(collective: str) -> tuple[str, ...]:
    return KINDS if collective in REDUCTIONS else KINDS[:1]


def verdict(
    text: str, left: Context, right: list[Context], kind: str, is_of_size: bool, is_hint: bool = False
) -> Iterator[Verdict]:
    native = compare(left, right, times.native)
    if native and (is_of_size or native.is_violated):
        yield Verdict(text, left.collective, left.bytes_low, kind, native, compare(left, right, times.best), is_hint)
