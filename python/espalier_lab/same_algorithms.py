# SPDX-License-Identifier: Apache-2.0
"""Which algorithm of ours is the one that another library calls so: of it, our estimates speak.

By the names that Open MPI and Fujitsu MPI give their algorithms (coll_tuned_*_algorithm), in lower case, without the
library's mark."""

import re

NONE = "-"

LINEAR, BINOMIAL, KNOMIAL = "linear", "knomial,radix=2", "knomial,radix=4"
SAME: dict[str, dict[str, str]] = {
    "allreduce": {
        "ring": "ring",
        "ring_segmented": "ring,segment=64KiB",
        "segmented_ring": "ring,segment=64KiB",
        "recursive_doubling": "recursive_doubling",
        "rabenseifner": "rabenseifner",
    },
    "allgather": {
        "ring": "ring",
        "recursive_doubling": "recursive_doubling",
        "neighbor": "neighbor_exchange",
        "bruck": "bruck",
    },
    "alltoall": {
        "pairwise": "pairwise",
        "bruck": "bruck",
        "modified_bruck": "bruck",
        "linear": "spread",
        "linear_sync": "spread",
        "spread": "spread",
        "ring": "ring",
    },
    "bcast": {
        "binomial": BINOMIAL,
        "knomial": KNOMIAL,
        "binary": "binary",
        "binary_tree": "binary",
        "scatter_allgather": "scatter_allgather",
        "scatter_allgather_ring": "scatter_allgather",
        "chain": "chain",
        "pipeline": "chain",
        "linear": LINEAR,
        "basic_linear": LINEAR,
    },
    "reduce": {
        "binomial": "binomial",
        "binary": "binary",
        "rabenseifner": "rabenseifner",
        "chain": "chain",
        "pipeline": "chain",
    },
    "reduce_scatter": {"ring": "ring", "recursive_halving": "recursive_halving"},
    "gather": {
        "binomial": BINOMIAL,
        "linear": LINEAR,
        "basic_linear": LINEAR,
        "linear_sync": LINEAR,
        "linear_synch": LINEAR,
        "simple": LINEAR,
    },
    "scatter": {"binomial": BINOMIAL, "linear": LINEAR, "basic_linear": LINEAR, "linear_nb": LINEAR},
}


def same_algorithm(collective: str, name: str) -> str:
    """As ESPALIER_ALGORITHM takes it; NONE: we have no such one."""
    plain = name.lower().replace("-", "_").removeprefix("default_").removesuffix("_ompi")
    return SAME.get(collective, {}).get(plain, NONE)


def ranks_of(job: str) -> int:
    """Of a job that is called by its extents, such as "leonardo 128x4 2025_03_19"; 0: it is not."""
    for word in job.split():
        if re.fullmatch(r"\d+(x\d+)+", word):
            ranks = 1
            for extent in word.split("x"):
                ranks *= int(extent)
            return ranks
    return 0
