# SPDX-License-Identifier: Apache-2.0
"""The comparisons that `make bench-torus` and its like run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from espalier.functions import BREADTH, crossing
from espalier.lab import connections
from espalier.lab.compare import KIB, MIB, Bound, Comparison, lattice_bound, shuffled
from espalier.lab.lattice import Lattice
from espalier.lab.leafspine import LeafSpine
from espalier.lab.spec import Options, extents_of, place_of, plan_of
from espalier.lab.transform import ALLTOALLS
from espalier.lab.ways import TRANSFORM

TORUS = "torus:3x3x3"
SIZES = (8, KIB, 64 * KIB, MIB, 8 * MIB)
Algorithms = Mapping[str, Sequence[str]]  # by collective


@dataclass(frozen=True)
class Study:
    name: str
    title: str
    comparisons: Sequence[Comparison]
    bound_of: Callable[[Comparison], Bound]


def kind_and_extents(comparison: Comparison) -> tuple[str, tuple[int, ...]]:
    kind, _, text = comparison.network.partition(":")
    return kind, extents_of(comparison.network, text)


def lattice_of(comparison: Comparison) -> Lattice:
    kind, extents = kind_and_extents(comparison)
    missing = frozenset(place_of(place) for place in comparison.options.without)
    return Lattice(extents, kind == "torus", missing)


def bound_on_lattice(comparison: Comparison) -> Bound:
    """The members' own links only; whoever has the fewest of them is the last to have everything."""
    lattice = lattice_of(comparison)
    places = lattice.places
    hosts = members_hosts(comparison, len(places))
    inside = {places[host] for host in hosts}
    fewest = min(sum(other in inside for _, _, other in lattice.neighbours(place)) for place in inside)
    return lattice_bound(fewest, comparison.options.rate_bits)


def members_hosts(comparison: Comparison, hosts: int) -> list[int]:
    if not comparison.members:
        return list(range(hosts))
    order = shuffled(hosts, comparison.seed)
    return [order[rank // comparison.per_host] for rank in comparison.members]


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
    return Study("torus", "27 hosts on a torus, links of 20 Mbit/s each way", [*main, *parts], bound_on_lattice)


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


def shared_study() -> Study:
    """What a host's ranks cost that share its links, beside one rank a host; at the lower rate CPUs are no limit."""
    comparisons = [
        Comparison("torus:3x3", name, (64 * KIB, MIB), Options(rate), ("native", "espalier"), per_host=per_host)
        for rate in (10e6, 20e6)
        for name in ("bcast", "allreduce")
        for per_host in (1, 3)
    ]
    return Study("shared", "9 hosts x 3 ranks beside 9 x 1", comparisons, bound_on_lattice)


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


def nics_of(comparison: Comparison) -> int:
    """Of each host."""
    kind, _, text = comparison.network.partition(":")
    if kind == "rails":
        return extents_of(comparison.network, text)[1]
    return comparison.options.nics


def bound_of_cluster(comparison: Comparison) -> Bound:
    """All NICs of a host at once."""
    options = comparison.options
    hosts = len(plan_of(comparison.network, options).hosts)
    host_rate = (sum(options.nic_rates) or nics_of(comparison) * options.rate_bits) / 8

    def bound(collective: str, size: int) -> float:
        return crossing(collective, size, hosts) / host_rate

    return bound


def bound_of_leaves(comparison: Comparison) -> Bound:
    """Of alltoall, with a rank on each host: the fullest link, which static routes make an uplink here."""
    leaves, nodes = kind_and_extents(comparison)[1]
    messages = LeafSpine(leaves, nodes, comparison.options.uplinks).messages_on_fullest_link()
    link = comparison.options.rate_bits / 8

    def bound(collective: str, size: int) -> float:
        times = ALLTOALLS if collective == TRANSFORM else 1
        return times * size * messages / link

    return bound


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


# By the MPI and by libfabric.
OVER_LANES: Algorithms = {"bcast": ("multilane", "chain"), "allreduce": ("multilane", "ring")}
OVER_TORUS: Algorithms = {"bcast": ("trinaryx6",), "allreduce": ("trinaryx3_fused",)}
OVER_SITES = "espalier:sites_chain"
CONNECTIONS = (1, 4, 8, 16, 32)  # over a WAN, beside what is chosen


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
    """As figure 3 of the paper: a connection's buffers hold a small part of what is on its way. From one root, since a
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
    return Study("lanes", "Libfabric beside the MPI: NICs, a torus, a WAN", comparisons, bound_anywhere)


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


def bound_anywhere(comparison: Comparison) -> Bound:
    kind = comparison.network.partition(":")[0]
    return bound_on_lattice(comparison) if kind in ("torus", "mesh") else bound_of_cluster(comparison)


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
}
