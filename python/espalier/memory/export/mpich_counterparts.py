# SPDX-License-Identifier: Apache-2.0
"""Which algorithm of MPICH does what one of ours does, and where it may run."""

from __future__ import annotations

from dataclasses import dataclass

from espalier.memory.choice import Choice
from espalier.memory.contents import Context
from espalier.memory.export.openmpi_counterparts import is_power_of_two
from espalier.memory.export.rules import BY_BLOCKS, NoCounterpart, function_of, sizes

LARGEST_SIZE = 2**31 - 1  # that a rule can name

# Nobody may be left out: what is not said is not initialised.
NO_TOPOLOGY = ("topo_overhead=0", "topo_diff_groups=0", "topo_diff_switches=0", "topo_same_switches=0")


@dataclass(frozen=True)
class Algorithm:
    """`guards`: what must hold of a call next to its size, by its name in mpich_forms.py."""

    name: str
    parameters: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()

    def __str__(self) -> str:
        shown = [word for word in self.parameters if word not in NO_TOPOLOGY and not word.startswith(HIDDEN)]
        return ", ".join([self.name.removeprefix("MPIR_"), *shown])


HIDDEN = ("is_non_blocking=", "recv_pre_posted=", "buffer_per_child=")
BUILT_IN = ("built_in",)
COMMUTES = ("commutes",)
LONG = ("long",)  # at least an element for each of the largest power of two of ranks

PLAIN = {
    ("barrier", "dissemination"): Algorithm("MPIR_Barrier_intra_k_dissemination", ("k=2",)),
    ("bcast", "scatter_allgather"): Algorithm("MPIR_Bcast_intra_scatter_ring_allgather"),
    ("reduce", "binomial"): Algorithm("MPIR_Reduce_intra_binomial", guards=BUILT_IN),
    ("reduce", "rabenseifner"): Algorithm("MPIR_Reduce_intra_reduce_scatter_gather", guards=(*BUILT_IN, *LONG)),
    ("allreduce", "recursive_doubling"): Algorithm("MPIR_Allreduce_intra_recursive_doubling", guards=BUILT_IN),
    ("allreduce", "rabenseifner"): Algorithm(
        "MPIR_Allreduce_intra_reduce_scatter_allgather", guards=(*BUILT_IN, *LONG)
    ),
    ("allreduce", "ring"): Algorithm("MPIR_Allreduce_intra_ring", guards=(*BUILT_IN, *LONG)),
    ("allgather", "ring"): Algorithm("MPIR_Allgather_intra_ring"),
    ("allgather", "bruck"): Algorithm("MPIR_Allgather_intra_brucks"),
    ("allgatherv", "ring"): Algorithm("MPIR_Allgatherv_intra_ring"),
    ("allgatherv", "bruck"): Algorithm("MPIR_Allgatherv_intra_brucks"),
    ("alltoall", "pairwise"): Algorithm("MPIR_Alltoall_intra_pairwise"),
    ("alltoall", "spread"): Algorithm("MPIR_Alltoall_intra_scattered"),
    ("reduce_scatter", "recursive_halving"): Algorithm("MPIR_Reduce_scatter_intra_recursive_halving", guards=COMMUTES),
    ("reduce_scatter_block", "recursive_halving"): Algorithm(
        "MPIR_Reduce_scatter_block_intra_recursive_halving", guards=COMMUTES
    ),
}
OLDER = {"MPIR_Barrier_intra_k_dissemination": Algorithm("MPIR_Barrier_intra_dissemination")}  # in MPICH 4.0
ONLY_ONE = "MPICH has only one algorithm for it"
NO_SIZE = "MPICH's rules for it do not see the size"
NO_RULES = {
    "gather": ONLY_ONE,
    "scatter": ONLY_ONE,
    "gatherv": ONLY_ONE,
    "scatterv": ONLY_ONE,
    "scan": NO_SIZE,
    "exscan": ONLY_ONE,
    "alltoallv": "MPICH's rules for it see what a rank sends: ranks might choose differently",
}


def counterpart(context: Context, ranks: int) -> Algorithm:
    function, choice = function_of(context), context.best.choice
    if function in NO_RULES:
        raise NoCounterpart(NO_RULES[function])
    if context.arithmetic == "rank_order":
        raise NoCounterpart("MPICH's rules do not tell one such operation from another")
    if sizes_seen(context, ranks)[0] > LARGEST_SIZE:
        raise NoCounterpart("MPICH's rules know sizes below 2 GiB only")
    found = found_for(function, choice, context, ranks)
    if found is None:
        raise NoCounterpart("MPICH has no such algorithm")
    return found


def known(algorithm: Algorithm, names: frozenset[str]) -> Algorithm:
    """As this MPICH has it."""
    if algorithm.name in names:
        return algorithm
    older = OLDER.get(algorithm.name)
    if older is None or older.name not in names:
        raise NoCounterpart("this MPICH has no such algorithm")
    return older


def sizes_seen(context: Context, ranks: int) -> tuple[int, int]:
    """All blocks together; of MPI_Alltoall one."""
    function = function_of(context)
    low, high = sizes(context, ranks if function in BY_BLOCKS and function != "alltoall" else 1)
    return low, high if context.collective == "barrier" or low > LARGEST_SIZE else min(high, LARGEST_SIZE)


def found_for(function: str, choice: Choice, context: Context, ranks: int) -> Algorithm | None:
    key = (function, choice.algorithm)
    if key == ("bcast", "knomial"):
        return binomial_or_more(choice.radix)
    if key == ("bcast", "chain"):
        return pipelined(choice, context, children=1)
    if key == ("bcast", "binary"):
        return pipelined(choice, context, children=2)
    if key == ("allreduce", "tree"):
        return up_and_down(choice, context)
    if key in (("allgather", "recursive_doubling"), ("allgatherv", "recursive_doubling")):
        name = f"MPIR_{function.capitalize()}_intra_recursive_doubling"
        return Algorithm(name) if is_power_of_two(ranks) else None
    if key == ("alltoall", "ring"):  # among a power of two, its pairwise exchange is another one
        return None if is_power_of_two(ranks) else PLAIN["alltoall", "pairwise"]
    if key == ("alltoall", "bruck"):
        return bruck(choice.radix)
    return PLAIN.get(key)


def binomial_or_more(radix: int) -> Algorithm:
    if radix == 2:
        return Algorithm("MPIR_Bcast_intra_binomial")
    return Algorithm("MPIR_Bcast_intra_tree", ("tree_type=knomial_1", f"k={radix}", "is_non_blocking=1", *NO_TOPOLOGY))


def pipelined(choice: Choice, context: Context, children: int) -> Algorithm:
    segment = choice.segment_for(context.bytes_high) or min(LARGEST_SIZE, context.bytes_high + 1)
    parameters = ("tree_type=kary", f"k={children}", f"chunk_size={segment}", "is_non_blocking=1", "recv_pre_posted=0")
    return Algorithm("MPIR_Bcast_intra_pipelined_tree", parameters)


def up_and_down(choice: Choice, context: Context) -> Algorithm:
    chunk = choice.segment_for(context.bytes_high)
    parameters = ("tree_type=kary", "k=2", f"chunk_size={chunk}", "buffer_per_child=0", *NO_TOPOLOGY)
    return Algorithm("MPIR_Allreduce_intra_tree", parameters, BUILT_IN)


def bruck(radix: int) -> Algorithm:
    if radix == 2:
        return Algorithm("MPIR_Alltoall_intra_brucks")
    return Algorithm("MPIR_Alltoall_intra_k_brucks", (f"k={radix}",))
