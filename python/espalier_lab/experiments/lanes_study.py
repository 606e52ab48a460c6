# SPDX-License-Identifier: Apache-2.0
"""The study of libfabric next to the MPI: over NICs, a torus, a WAN."""

from collections.abc import Sequence

from espalier_lab.experiments import connections
from espalier_lab.experiments.bounds import bound_anywhere
from espalier_lab.experiments.comparison import KIB, MIB, Comparison
from espalier_lab.experiments.study import TORUS, Algorithms, Study
from espalier_lab.network.spec import Options

# By the MPI and by libfabric.
OVER_LANES: Algorithms = {"bcast": ("multilane", "chain"), "allreduce": ("multilane", "ring")}
OVER_TORUS: Algorithms = {"bcast": ("trinaryx6",), "allreduce": ("trinaryx3_fused",)}
OVER_SITES = "espalier:sites_chain"
CONNECTIONS = (1, 4, 8, 16, 32)  # over a WAN, next to what is chosen


def over_both(algorithms: Sequence[str]) -> list[str]:
    return [f"espalier:{name},over={transport}" for name in algorithms for transport in ("mpi", "fabric")]


def over_lanes(network: str, options: Options) -> list[Comparison]:
    return [
        Comparison(
            network,
            name,
            (MIB, 8 * MIB),
            options,
            ("native", "forced:*", "espalier", *over_both(OVER_LANES[name])),
        )
        for name in ("bcast", "allreduce")
    ]


def over_torus() -> list[Comparison]:
    sizes = (64 * KIB, MIB, 8 * MIB)
    return [
        Comparison(TORUS, name, sizes, variants=("native", "espalier", *over_both(OVER_TORUS[name])))
        for name in ("bcast", "allreduce")
    ]


def over_wan(delay: float) -> list[Comparison]:
    """As figure 3 of the paper: a connection's buffers hold a small part of what is in flight. From one root, since a
    pair of hosts that talks over the WAN for the first time takes eight round trips to set up its connections."""
    options = Options(50e6, delay_seconds=delay, nics=1, buffer_bytes=32 * KIB)
    where = f"{delay * 1e3:g} ms, one root"
    by_number = [
        Comparison(
            "sites:4+4",
            "bcast",
            (8 * MIB,),
            options,
            (f"{OVER_SITES},over=fabric",),
            label=connections.label(where, number),
            settings={"ESPALIER_CONNECTIONS": str(number)},
            root=0,
        )
        for number in CONNECTIONS
    ]
    own = ("native", "espalier", f"{OVER_SITES},over=mpi")
    return [Comparison("sites:4+4", "bcast", (8 * MIB,), options, own, label=where, repeats=3, root=0), *by_number]


def lanes_study() -> Study:
    """Rates at which two cores are no limit."""
    comparisons = [
        *over_lanes("rails:8x1", Options(80e6)),
        *over_lanes("rails:8x2", Options(40e6)),
        *over_lanes("rails:8x4", Options(20e6)),
        *over_lanes("rails:8x2", Options(75e6, nic_rates=(100e6, 50e6))),
        *over_torus(),
        *over_wan(20e-3),
        *over_wan(10e-3),
    ]
    return Study("lanes", "Libfabric next to the MPI: NICs, a torus, a WAN", comparisons, bound_anywhere)
