# SPDX-License-Identifier: Apache-2.0
"""Measured to be simulated: our own algorithms alone, long messages, a rank on each host."""

from collections.abc import Sequence

from espalier_lab.experiments.bounds import bound_anywhere
from espalier_lab.experiments.comparison import MIB, Comparison
from espalier_lab.experiments.study import TORUS, Study
from espalier_lab.network.spec import Options

SIZES = (MIB, 8 * MIB)
CUT = ",segment=16KiB"
WIDE = ",segment=32KiB"

LATTICE = {
    "bcast": (f"trinaryx3{CUT}", f"trinaryx6{CUT}", f"packed{CUT}", f"snake{CUT}"),
    "allreduce": (f"trinaryx3{CUT}", f"trinaryx3_fused{CUT}", f"packed{CUT}", "ring", "rabenseifner"),
}
GRAPH = {"bcast": (f"packed{CUT}",), "allreduce": (f"packed{CUT}", "ring")}
SWITCHED = {
    "bcast": (f"multilane{WIDE}", f"sites_chain{WIDE}", f"sites_binary{WIDE}", "scatter_allgather"),
    "allreduce": (f"multilane{WIDE}", "ring", f"tree{WIDE}"),
}
SITES = {**SWITCHED, "bcast": (*SWITCHED["bcast"], f"sites_suspended{WIDE}")}
NETWORKS = (
    (TORUS, Options(), LATTICE),
    (TORUS, Options(without=("1,1,1",)), GRAPH),
    ("mesh:4x4", Options(), GRAPH),
    ("rails:8x2", Options(), SWITCHED),
    ("sites:8+8", Options(), SITES),
)


def own(algorithms: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"espalier:{algorithm}" for algorithm in algorithms)


def simulated_study() -> Study:
    """A broadcast runs into the one before it where they come back to back; what reduces to all does not."""
    comparisons = [
        Comparison(network, collective, SIZES, options, own(algorithms), repeats=3, trains=collective != "bcast")
        for network, options, by_collective in NETWORKS
        for collective, algorithms in by_collective.items()
    ]
    return Study("simulated", "Our algorithms at 1 and 8 MiB, links of 20 Mbit/s", comparisons, bound_anywhere)
