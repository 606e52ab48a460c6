# SPDX-License-Identifier: Apache-2.0
"""The comparisons that `make bench-torus` and its like run."""

from collections.abc import Callable, Sequence
from itertools import product

from espalier.functions import BREADTH
from espalier_lab.experiments.bounds import bound_anywhere, bound_of_cluster, bound_of_leaves, bound_on_lattice
from espalier_lab.experiments.comparison import KIB, MIB, Comparison, shuffled
from espalier_lab.experiments.lanes_study import lanes_study
from espalier_lab.experiments.series_variants import TRANSFORM
from espalier_lab.experiments.simulated_study import simulated_study
from espalier_lab.experiments.study import TORUS, Study
from espalier_lab.network.spec import Options

SIZES = (8, KIB, 64 * KIB, MIB, 8 * MIB)


def members_in_box(extents: Sequence[int], box: Sequence[int], seed: int) -> tuple[int, ...]:
    """The ranks whose hosts are in the corner of the torus, of such a size."""
    places = [tuple(reversed(place)) for place in product(*(range(k) for k in reversed(extents)))]
    order = shuffled(len(places), seed)
    return tuple(rank for rank, host in enumerate(order) if all(x < k for x, k in zip(places[host], box, strict=True)))


def torus_study() -> Study:
    own = {
        "bcast": ("espalier:trinaryx3,segment=16KiB",),
        "allreduce": ("espalier:ring", "espalier:trinaryx3,segment=16KiB"),
    }
    main = [
        Comparison(TORUS, name, SIZES, variants=("native", "forced:*", "espalier", *own[name]))
        for name in ("bcast", "allreduce")
    ]
    parts = [
        Comparison(TORUS, name, (64 * KIB, MIB), members=members_in_box((3, 3, 3), box, 1), label=label)
        for label, box in (("plane 3x3", (3, 3, 1)), ("box 3x3x2", (3, 3, 2)))
        for name in ("bcast", "allreduce")
    ]
    return Study(
        "torus", "27 hosts on a torus, links of 20 Mbit/s in each direction", [*main, *parts], bound_on_lattice
    )


def efficiency_study() -> Study:
    """On fewer, slower links, where the CPUs are no limit."""
    comparisons = [
        Comparison(network, name, (8 * MIB,), Options(rate), ("espalier",), repeats=3)
        for network, rate in ((TORUS, 10e6), ("torus:3x3", 10e6))
        for name in ("bcast", "allreduce")
    ]
    return Study("efficiency", "8 MiB against the physical bound", comparisons, bound_on_lattice)


def graphs_study() -> Study:
    networks = (
        (TORUS, Options(without=("1,1,1",))),
        (TORUS, Options(without=("1,1,1", "2,0,1"))),
        ("mesh:4x4", Options()),
    )
    comparisons = [
        Comparison(network, name, (64 * KIB, MIB), options, repeats=3)
        for network, options in networks
        for name in ("bcast", "allreduce")
    ]
    return Study("graphs", "Tori with nodes missing, and a mesh", comparisons, bound_on_lattice)


def led(algorithm: str, per_host: int, leaders: Sequence[int]) -> list[str]:
    """By all ranks, and where several share a host by some leaders of each."""
    some = [count for count in leaders if count <= per_host and per_host > 1]
    return [f"espalier:{algorithm}", *(f"espalier:{algorithm},leaders={count}" for count in some)]


SHARED = {
    "torus:3x3": ((1, 3, 5), {"bcast": "packed", "allreduce": "packed"}),
    "rails:4x2": ((1, 8), {"bcast": "multilane", "allreduce": "ring"}),
}


def shared_study() -> Study:
    """What a host's ranks cost that share its links, next to one rank a host; at such a rate CPUs are no limit."""
    comparisons = [
        Comparison(
            network,
            name,
            (64 * KIB, MIB),
            Options(10e6),
            ("native", "espalier", *led(algorithm, per_host, sorted({1, 2, per_host}))),
            repeats=3,
            per_host=per_host,
        )
        for network, (counts, algorithms) in SHARED.items()
        for name, algorithm in algorithms.items()
        for per_host in counts
    ]
    blocks = Comparison(
        "rails:8x1",
        "alltoall",
        (8, KIB),
        Options(),
        ("native", *led("spread", 8, (1, 8)), *led("bruck", 8, (1, 8))),
        repeats=3,
        per_host=8,
    )
    title = "Hosts with several ranks next to hosts with one, links of 10 Mbit/s; alltoall among 8 x 8"
    return Study("shared", title, [*comparisons, blocks], bound_anywhere)


# The chain and the binary trees know the sites as the two trees do; ranks are placed at random.
LANES = {
    "bcast": (
        "multilane,segment=8KiB",
        "multilane,segment=32KiB",
        "sites_chain,segment=8KiB",
        "sites_chain,segment=32KiB",
        "sites_binary,segment=32KiB",
        "scatter_allgather",
    ),
    "allreduce": ("multilane,segment=32KiB", "ring", "tree,segment=32KiB"),
}
SUSPENDED = "sites_suspended,segment=32KiB"


def clusters_comparison(network: str, collective: str, sizes: Sequence[int], own: Sequence[str]) -> Comparison:
    variants = ("native", "forced:*", "espalier", *(f"espalier:{one}" for one in own))
    return Comparison(network, collective, sizes, variants=variants, repeats=3)


def clusters_study(name: str, title: str, networks: Sequence[str], suspended: Sequence[str] = ()) -> Study:
    comparisons = []
    for network in networks:
        sizes, own = (KIB, 64 * KIB, MIB, 8 * MIB), (*LANES["bcast"], *suspended)
        comparisons.append(clusters_comparison(network, "bcast", sizes, own))
        comparisons.append(clusters_comparison(network, "allreduce", sizes[:-1], LANES["allreduce"]))
    return Study(name, title, comparisons, bound_of_cluster)


def rails_study() -> Study:
    return clusters_study("rails", "Hosts with two NICs of 20 Mbit/s on switches", ("rails:8x2", "rails:15x2"))


def sites_study() -> Study:
    return clusters_study("sites", "Two sites of 8 hosts, 10 ms apart", ("sites:8+8",), (SUSPENDED,))


def breadth_study() -> Study:
    """Each call alone: what one of these calls leaves behind is not what the next one of another kind would meet."""
    comparisons = [
        Comparison(
            "rails:8x1", name, (64 * KIB,), variants=("native", "forced:*", "espalier", "espalier:*"), trains=False
        )
        for name in BREADTH
    ]
    return Study(
        "breadth-rails", "Every other collective among 8 hosts with a NIC of 20 Mbit/s", comparisons, bound_of_cluster
    )


CHOICE_SERIES = 300
TRANSFORM_BLOCK = 16 * KIB  # on 16 ranks of 64 x 64 x 64 points


def choice_study() -> Study:
    """As in paper 5: where static routes decide, and placements differ. Calls alone, and a program that makes them."""
    comparisons = [
        Comparison(
            "leafspine:4x4",
            collective,
            sizes,
            Options(rate_bits=50e6),
            variants=("native", "policy:race", "policy:star", "fixed:*"),
            label=f"placement {seed}",
            seed=seed,
            series=CHOICE_SERIES,
        )
        for seed in range(1, 6)
        for collective, sizes in (("alltoall", (KIB, 64 * KIB, MIB)), (TRANSFORM, (TRANSFORM_BLOCK,)))
    ]
    title = "16 hosts on 4 leaves, 2 uplinks each, links of 50 Mbit/s: alltoall under 5 placements"
    return Study("choice", title, comparisons, bound_of_leaves)


def blind_study() -> Study:
    """What choosing while the program runs makes of a network that nobody has described."""
    comparisons = [
        Comparison(
            network,
            name,
            (64 * KIB, MIB),
            variants=("native", "policy:race", "warm:race", "described:race", "described:estimate", "fixed:*"),
            series=CHOICE_SERIES,
            whole_numbers=True,
        )
        for network in (TORUS, "rails:8x2", "sites:8+7")
        for name in ("bcast", "allreduce")
    ]
    return Study("blind", "Networks with and without a description, links of 20 Mbit/s", comparisons, bound_anywhere)


STUDIES: dict[str, Callable[[], Study]] = {
    "torus": torus_study,
    "efficiency": efficiency_study,
    "graphs": graphs_study,
    "rails": rails_study,
    "sites": sites_study,
    "lanes": lanes_study,
    "shared": shared_study,
    "breadth-rails": breadth_study,
    "choice": choice_study,
    "blind": blind_study,
    "simulated": simulated_study,
}
