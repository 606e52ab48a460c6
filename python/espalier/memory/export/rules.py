# SPDX-License-Identifier: Apache-2.0
"""Rules: for which sizes of which MPI function the native MPI shall run which algorithm of its own.

What contexts say of the same sizes may differ, as they are of different roots or types: then the one with the most
calls is received. It is received too if it wants nothing to be said: the MPI's own rule goes on counting.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from espalier.memory.contents import Context

Native = TypeVar("Native")
UNBOUNDED = 2**63 - 1

MPI_FUNCTIONS = {
    "allgather": ("allgather", "allgatherv"),
    "alltoall": ("alltoall", "alltoallv"),
    "gather": ("gather", "gatherv"),
    "scatter": ("scatter", "scatterv"),
    "reduce_scatter": ("reduce_scatter_block", "reduce_scatter"),
}
BY_BLOCKS = ("allgather", "allgatherv", "alltoall", "reduce_scatter", "reduce_scatter_block")


class NoCounterpart(Exception):
    """Why nothing can be said of a context."""


@dataclass(frozen=True)
class Rule(Generic[Native]):
    """`low` and `high`, both included: as the MPI measures messages."""

    function: str
    low: int
    high: int
    native: Native

    def overlaps(self, low: int, high: int) -> bool:
        return self.low <= high and low <= self.high


@dataclass(frozen=True)
class LeftOut:
    context: Context
    why: str


@dataclass(frozen=True)
class Rules(Generic[Native]):
    made: tuple[Rule[Native], ...]
    mapped: tuple[tuple[Context, Native], ...]
    left_out: tuple[LeftOut, ...]

    def of(self, function: str) -> list[Rule[Native]]:
        """In the order of sizes; none overlap."""
        return sorted((rule for rule in self.made if rule.function == function), key=lambda rule: rule.low)

    @property
    def functions(self) -> list[str]:
        return sorted({rule.function for rule in self.made})


def function_of(context: Context) -> str:
    """Of the MPI, in lower case."""
    even, uneven = MPI_FUNCTIONS.get(context.collective, (context.collective, context.collective))
    return uneven if context.uneven else even


def sizes(context: Context, blocks: int) -> tuple[int, int]:
    """Of this many blocks together; where blocks differ, the mean was rounded down. A barrier has no size."""
    if context.collective == "barrier":
        return 0, UNBOUNDED
    return context.bytes_low * blocks, min(UNBOUNDED, (context.bytes_high + 1) * blocks - 1)


def made_of(
    contexts: Sequence[Context],
    counterpart: Callable[[Context], Native],
    sizes_of: Callable[[Context], tuple[int, int]],
) -> Rules[Native]:
    """Where nothing is known of the best one, or it is the native MPI, `counterpart` is not asked."""
    counted: list[Rule[Native | None]] = []
    mapped: list[tuple[Context, Native]] = []
    left_out: list[LeftOut] = []
    for context in sorted(contexts, key=lambda one: -one.calls):
        function, (low, high) = function_of(context), sizes_of(context)
        native, why = wanted(context, counterpart)
        others = [rule for rule in counted if rule.function == function and rule.overlaps(low, high)]
        if any(rule.native != native for rule in others):
            native, why = None, "contexts with more calls say otherwise of these sizes"
        if native is None:
            left_out.append(LeftOut(context, why))
        else:
            mapped.append((context, native))
        counted += [Rule(function, *part, native) for part in parts_left((low, high), others)]
    rules = [Rule(rule.function, rule.low, rule.high, rule.native) for rule in counted if rule.native is not None]
    return Rules(tuple(joined(rules)), tuple(mapped), tuple(left_out))


def wanted(context: Context, counterpart: Callable[[Context], Native]) -> tuple[Native | None, str]:
    if context.best.choice.is_native:
        return None, "the native MPI is the best"
    if context.best.seconds <= 0:
        return None, "it was never timed"
    try:
        return counterpart(context), ""
    except NoCounterpart as reason:
        return None, str(reason)


def parts_left(sizes: tuple[int, int], others: Sequence[Rule[Native]]) -> list[tuple[int, int]]:
    """What the others leave of them."""
    parts = [sizes]
    for other in others:
        parts = [part for whole in parts for part in without(whole, (other.low, other.high))]
    return parts


def without(whole: tuple[int, int], taken: tuple[int, int]) -> list[tuple[int, int]]:
    pieces = [(whole[0], min(whole[1], taken[0] - 1)), (max(whole[0], taken[1] + 1), whole[1])]
    return [piece for piece in pieces if piece[0] <= piece[1]]


def joined(rules: Sequence[Rule[Native]]) -> list[Rule[Native]]:
    """Neighbours that say the same are one."""
    result: list[Rule[Native]] = []
    for rule in sorted(rules, key=lambda one: (one.function, one.low)):
        last = result[-1] if result else None
        if last and (last.function, last.native, last.high + 1) == (rule.function, rule.native, rule.low):
            result[-1] = replace(last, high=rule.high)
        else:
            result.append(rule)
    return result
