# SPDX-License-Identifier: Apache-2.0
"""The MPI's collective functions by their names in lower case, and how much data a call of each is about.

`size`, as benchmarks mean it: of a message that stays whole, or is reduced and scattered; otherwise of the block that a
rank gives or gets, or that each of a pair gives the other. Where blocks have sizes of their own it is the mean.
"""

# What each does, as Espalier calls it.
from __future__ import annotations

COLLECTIVES = {
    "barrier": "barrier",
    "bcast": "bcast",
    "reduce": "reduce",
    "allreduce": "allreduce",
    "allgather": "allgather",
    "allgatherv": "allgather",
    "alltoall": "alltoall",
    "alltoallv": "alltoall",
    "alltoallw": "alltoall",
    "reduce_scatter": "reduce_scatter",
    "reduce_scatter_block": "reduce_scatter",
    "gather": "gather",
    "gatherv": "gather",
    "scatter": "scatter",
    "scatterv": "scatter",
    "scan": "scan",
    "exscan": "exscan",
}

# Those whose data is in blocks, or combined in rank order: all but the four that most programs live on.
BREADTH = tuple(name for name in COLLECTIVES if name not in ("barrier", "bcast", "reduce", "allreduce"))


def block_bytes(function: str, size: int, ranks: int) -> int:
    """Of the message, or of each block."""
    return size // ranks if COLLECTIVES[function] == "reduce_scatter" else size


def written(function: str, size: int, ranks: int) -> tuple[int, int]:
    """The bytes that each rank with a result must write, and how many such ranks there are."""
    by_collective = {
        "barrier": (0, ranks),
        "bcast": (size, ranks - 1),
        "exscan": (size, ranks - 1),
        "reduce": (size, 1),
        "allgather": (size * ranks, ranks),
        "alltoall": (size * ranks, ranks),
        "gather": (size * ranks, 1),
    }
    return by_collective.get(COLLECTIVES[function], (block_bytes(function, size, ranks), ranks))


def crossing(function: str, size: int, ranks: int) -> float:
    """The bytes that the busiest rank must send or receive."""
    by_collective: dict[str, float] = {
        "barrier": 0,
        "bcast": size,
        "reduce": size,
        "scan": size,
        "exscan": size,
        "allreduce": size * 2 * (ranks - 1) / ranks,
        "reduce_scatter": size * (ranks - 1) / ranks,
    }
    return by_collective.get(COLLECTIVES[function], size * (ranks - 1))
