# SPDX-License-Identifier: Apache-2.0
"""What was the best, and the settings of the native MPIs that force the same: what exported rules are held against."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import memories
from memories import FINGERPRINT
from mpis import ROOT

SOURCES = ROOT / "tests" / "apps" / "exported"
RANKS = 4
FIRST, APART = 1024, 4  # size classes of rules: from 1024 to 2047 bytes, from 4096 to 8191, ...


@dataclass(frozen=True)
class Case:
    """What was the best for messages of `low` bytes up to twice as many, and the MPI's settings that force the same."""

    function: str
    choice: str
    low: int
    settings: Mapping[str, str]

    @property
    def context(self) -> str:
        collective = re.sub(r"(v|_block)$", "", self.function)
        is_uneven = self.function in ("allgatherv", "reduce_scatter")
        return memories.context(collective, self.low, 2 * self.low - 1, self.choice, "native", uneven=is_uneven)

    @property
    def inside(self) -> list[str]:
        return [f"{self.function}:{self.low}", f"{self.function}:{2 * self.low - 8}"]

    @property
    def outside(self) -> list[str]:
        return [f"{self.function}:{self.low - 8}", f"{self.function}:{2 * self.low}"]


def cases_of(table: Mapping[str, Sequence[tuple[str, Mapping[str, object]]]], prefix: str, upper: bool) -> list[Case]:
    """A size class of its own for each of a function. 'SEGMENT' stands for a quarter of its smallest size."""
    result = []
    for function, algorithms in table.items():
        for number, (choice, settings) in enumerate(algorithms):
            low = FIRST * APART**number
            named = f"{prefix}{function.upper() if upper else function}_"
            forced = {named + key: str(value).replace("SEGMENT", str(low // 4)) for key, value in settings.items()}
            result.append(Case(function, choice.replace("SEGMENT", str(low // 4)), low, forced))
    return result


OPENMPI_CASES = cases_of(
    {
        "bcast": [
            ("linear", {"algorithm": 1}),
            ("chain,segment=SEGMENT", {"algorithm": 3, "algorithm_segmentsize": "SEGMENT"}),
            ("binary,segment=SEGMENT", {"algorithm": 5, "algorithm_segmentsize": "SEGMENT"}),
            ("knomial,segment=SEGMENT,radix=2", {"algorithm": 6, "algorithm_segmentsize": "SEGMENT"}),
            ("knomial,radix=4", {"algorithm": 7}),
            ("scatter_allgather", {"algorithm": 9}),
        ],
        "reduce": [
            ("chain,segment=SEGMENT", {"algorithm": 3, "algorithm_segmentsize": "SEGMENT"}),
            ("binary,segment=SEGMENT", {"algorithm": 4, "algorithm_segmentsize": "SEGMENT"}),
            ("binomial", {"algorithm": 5}),
            ("in_order,segment=SEGMENT", {"algorithm": 6, "algorithm_segmentsize": "SEGMENT"}),
            ("rabenseifner", {"algorithm": 7}),
        ],
        "allreduce": [
            ("recursive_doubling", {"algorithm": 3}),
            ("ring,segment=64KiB", {"algorithm": 4}),
            ("ring,segment=256", {"algorithm": 5, "algorithm_segmentsize": 256}),
            ("rabenseifner", {"algorithm": 6}),
        ],
        "allgather": [
            ("bruck", {"algorithm": 2}),
            ("recursive_doubling", {"algorithm": 3}),
            ("ring", {"algorithm": 4}),
            ("neighbor_exchange", {"algorithm": 5}),
        ],
        "allgatherv": [
            ("bruck", {"algorithm": 2}),
            ("ring", {"algorithm": 3}),
            ("neighbor_exchange", {"algorithm": 4}),
        ],
        "alltoall": [
            ("spread,window=64", {"algorithm": 1}),
            ("pairwise", {"algorithm": 2}),
            ("bruck", {"algorithm": 3}),
            ("spread,window=1", {"algorithm": 4, "algorithm_max_requests": 1}),
            ("ring", {"algorithm": 2}),
        ],
        "reduce_scatter": [("recursive_halving", {"algorithm": 2}), ("ring", {"algorithm": 3})],
        "reduce_scatter_block": [("recursive_halving", {"algorithm": 3})],
    },
    "OMPI_MCA_coll_tuned_",
    upper=False,
)
KARY = {"INTRA_ALGORITHM": "pipelined_tree", "TREE_TYPE": "kary", "TREE_PIPELINE_CHUNK_SIZE": "SEGMENT"}
MPICH_CASES = cases_of(
    {
        "bcast": [
            ("chain,segment=SEGMENT", {"COMPOSITION": 3, **KARY, "TREE_KVAL": 1}),
            ("binary,segment=SEGMENT", {"COMPOSITION": 3, **KARY, "TREE_KVAL": 2}),
            ("knomial", {"COMPOSITION": 3, "INTRA_ALGORITHM": "binomial"}),
            (
                "knomial,radix=4",
                {"INTRA_ALGORITHM": "tree", "TREE_TYPE": "knomial_1", "TREE_KVAL": 4, "COMPOSITION": 3},
            ),
            ("scatter_allgather", {"COMPOSITION": 3, "INTRA_ALGORITHM": "scatter_ring_allgather"}),
        ],
        "reduce": [
            ("rabenseifner", {"COMPOSITION": 3, "INTRA_ALGORITHM": "reduce_scatter_gather"}),
            ("binomial", {"COMPOSITION": 3, "INTRA_ALGORITHM": "binomial"}),
        ],
        "allreduce": [
            ("rabenseifner", {"COMPOSITION": 2, "INTRA_ALGORITHM": "reduce_scatter_allgather"}),
            ("recursive_doubling", {"COMPOSITION": 2, "INTRA_ALGORITHM": "recursive_doubling"}),
            ("ring", {"COMPOSITION": 2, "INTRA_ALGORITHM": "ring"}),
            (
                "tree,segment=SEGMENT",
                {
                    "COMPOSITION": 2,
                    "INTRA_ALGORITHM": "tree",
                    "TREE_TYPE": "kary",
                    "TREE_KVAL": 2,
                    "TREE_PIPELINE_CHUNK_SIZE": "SEGMENT",
                    "TREE_BUFFER_PER_CHILD": 0,
                },
            ),
        ],
        "allgather": [
            ("ring", {"INTRA_ALGORITHM": "ring"}),
            ("bruck", {"INTRA_ALGORITHM": "brucks"}),
            ("recursive_doubling", {"INTRA_ALGORITHM": "recursive_doubling"}),
        ],
        "allgatherv": [("ring", {"INTRA_ALGORITHM": "ring"}), ("bruck", {"INTRA_ALGORITHM": "brucks"})],
        "alltoall": [
            ("bruck", {"INTRA_ALGORITHM": "brucks"}),
            ("bruck,radix=3", {"INTRA_ALGORITHM": "k_brucks", "BRUCKS_KVAL": 3}),
            ("pairwise", {"INTRA_ALGORITHM": "pairwise"}),
            ("spread", {"INTRA_ALGORITHM": "scattered"}),
        ],
        "reduce_scatter": [("recursive_halving", {"INTRA_ALGORITHM": "recursive_halving"})],
        "reduce_scatter_block": [("recursive_halving", {"INTRA_ALGORITHM": "recursive_halving"})],
    },
    "MPIR_CVAR_",
    upper=True,
)
BARRIER = memories.context("barrier", 0, 0, "dissemination", "native")


# What a user may say of all programs, so that Open MPI's rules have more algorithms.
PROMISES = ("--commutative", "--same-types")
# What MPICH 4.0 has no algorithm for, as the beginning of a case's words.
NOT_IN_MPICH_4 = ("bcast chain", "bcast binary", "bcast knomial,radix", "allreduce ring", "allreduce tree")
NOT_IN_MPICH_4 += ("alltoall bruck,radix",)


def cases_for(name: str) -> list[Case]:
    """Of an MPI by its name in mpis.py. Open MPI 4 knows no numbers of requests."""
    if name.startswith("openmpi"):
        return [case for case in OPENMPI_CASES if name != "openmpi4" or "window=1" not in case.choice]
    lacking = NOT_IN_MPICH_4 if name == "mpich4" else ()
    return [case for case in MPICH_CASES if not f"{case.function} {case.choice}".startswith(lacking)]


def exported(build: Path, directory: Path, name: str, content: str, *options: str | Path) -> dict[str, str]:
    """The environment that loads the rules, as the command says it."""
    memories.write(directory, content)
    words = ["memory", "export", FINGERPRINT, "--mpi", name, "-o", directory / "rules", *options]
    command = [ROOT / "espalier", "--build", build, *words, "--directory", directory]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    if name.startswith("openmpi"):
        return {f"OMPI_MCA_{key}": value for key, value in re.findall(r"^    --mca (\S+) (\S+)$", done.stdout, re.M)}
    return dict(re.findall(r"^    (MPIR_\w+)=(\S+)$", done.stdout, re.M))
