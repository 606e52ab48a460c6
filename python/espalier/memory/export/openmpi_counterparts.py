# SPDX-License-Identifier: Apache-2.0
"""Which algorithm of Open MPI's coll/tuned does what one of ours does.

Their numbers: ompi_info --param coll tuned -l 9.

Rules of coll/tuned hold for every operation, and most of its algorithms for reductions do not look whether it commutes:
if it does not, their results are wrong. Broadcasts in pieces cut by the elements of each rank's own datatype: where the
root's is another one than the others', which MPI allows, they fail.
"""

from __future__ import annotations

from dataclasses import dataclass

from espalier.memory.choice import Choice
from espalier.memory.contents import Context
from espalier.memory.export.rules import NoCounterpart, function_of


@dataclass(frozen=True)
class Promises:
    """What the user says of all programs that are to load the rules."""

    all_commute: bool = False
    same_types: bool = False


@dataclass(frozen=True)
class Tuned:
    """As a line of the rules has it."""

    name: str
    algorithm: int
    segment: int = 0
    requests: int = 0
    fanout: int = 0
    must_commute: bool = False
    same_types: bool = False

    def __str__(self) -> str:
        parts = [f"{self.name} ({self.algorithm})"]
        parts += [f"segments of {self.segment} B"] if self.segment else []
        parts += [f"{self.requests} requests at once"] if self.requests else []
        return ", ".join(parts)


PLAIN = {
    ("barrier", "dissemination"): Tuned("bruck", 4),
    ("bcast", "linear"): Tuned("basic_linear", 1),
    ("bcast", "scatter_allgather"): Tuned("scatter_allgather_ring", 9, same_types=True),
    ("reduce", "rabenseifner"): Tuned("rabenseifner", 7),
    ("allreduce", "recursive_doubling"): Tuned("recursive_doubling", 3),
    ("allreduce", "rabenseifner"): Tuned("rabenseifner", 6),
    ("allgather", "bruck"): Tuned("bruck", 2),
    ("allgather", "ring"): Tuned("ring", 4),
    ("allgather", "neighbor_exchange"): Tuned("neighbor", 5),
    ("allgatherv", "bruck"): Tuned("bruck", 2),
    ("allgatherv", "ring"): Tuned("ring", 3),
    ("allgatherv", "neighbor_exchange"): Tuned("neighbor", 4),
    ("alltoall", "pairwise"): Tuned("pairwise", 2),
    ("alltoall", "ring"): Tuned("pairwise", 2),
    ("reduce_scatter", "recursive_halving"): Tuned("recursive_halving", 2, must_commute=True),
    ("reduce_scatter", "ring"): Tuned("ring", 3, must_commute=True),
    ("reduce_scatter_block", "recursive_halving"): Tuned("recursive_halving", 3, must_commute=True),
}
SEGMENTED = {
    ("bcast", "chain"): ("pipeline", 3, False),
    ("bcast", "binary"): ("binary_tree", 5, False),
    ("reduce", "chain"): ("pipeline", 3, True),
    ("reduce", "binary"): ("binary", 4, True),
    ("reduce", "binomial"): ("binomial", 5, True),
    ("reduce", "in_order"): ("in-order_binary", 6, False),
}
ONLY_SOME_RANKS_KNOW = "Open MPI looks at arguments that only some ranks give: they might choose differently"
NO_RULES = {
    "gather": ONLY_SOME_RANKS_KNOW,
    "scatter": ONLY_SOME_RANKS_KNOW,
    "scan": "Open MPI's rules for it do not see the size",
    "exscan": "Open MPI's rules for it do not see the size",
    "gatherv": "Open MPI has no rules for it",
    "scatterv": "Open MPI has no rules for it",
    "alltoallv": "Open MPI's rules for it do not see the size",
}


def counterpart(context: Context, ranks: int, promises: Promises) -> Tuned:
    function, choice = function_of(context), context.best.choice
    if function in NO_RULES:
        raise NoCounterpart(NO_RULES[function])
    found = found_for(function, choice, context, ranks)
    if found is None:
        raise NoCounterpart("Open MPI has no such algorithm")
    if found.must_commute and not promises.all_commute:
        raise NoCounterpart(
            "its results are wrong for operations that do not commute (if there are none: --commutative)"
        )
    if found.same_types and not promises.same_types:
        raise NoCounterpart("it fails where ranks broadcast by different datatypes (if none do: --same-types)")
    return found


def found_for(function: str, choice: Choice, context: Context, ranks: int) -> Tuned | None:
    key = (function, choice.algorithm)
    if key in SEGMENTED:
        name, number, must_commute = SEGMENTED[key]
        segment = choice.segment_for(context.bytes_high)
        is_cut = function == "bcast" and segment > 0
        return Tuned(name, number, segment=segment, must_commute=must_commute, same_types=is_cut)
    if key == ("bcast", "knomial"):
        return binomial(choice, context) if choice.radix == 2 else four_nomial(choice)
    if key == ("allreduce", "ring"):
        segment = choice.segment_for(context.bytes_high // ranks)
        name, number = ("segmented_ring", 5) if segment else ("ring", 4)
        return Tuned(name, number, segment=segment, must_commute=True)
    if key == ("allgather", "recursive_doubling"):
        return Tuned("recursive_doubling", 3) if is_power_of_two(ranks) else None
    if key == ("alltoall", "spread"):
        if choice.window >= ranks - 1:
            return Tuned("linear", 1)
        return Tuned("linear_sync", 4, requests=choice.window)
    if key == ("alltoall", "bruck"):
        return Tuned("modified_bruck", 3) if choice.radix == 2 else None
    return PLAIN.get(key)


def binomial(choice: Choice, context: Context) -> Tuned:
    segment = choice.segment_for(context.bytes_high)
    return Tuned("binomial", 6, segment=segment, same_types=segment > 0)


def four_nomial(choice: Choice) -> Tuned | None:
    """Its radix is a parameter of its own, by default 4."""
    return Tuned("knomial", 7) if choice.radix == 4 else None


def is_power_of_two(number: int) -> bool:
    return number & (number - 1) == 0
