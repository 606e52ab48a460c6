# SPDX-License-Identifier: Apache-2.0
"""What the links of a network allow at best, of all comparisons."""

from collections.abc import Callable

from espalier.functions import crossing
from espalier_lab.experiments.comparison import Comparison, shuffled
from espalier_lab.experiments.series_variants import TRANSFORM
from espalier_lab.experiments.transform import ALLTOALLS
from espalier_lab.network.lattice import Lattice
from espalier_lab.network.leafspine import LeafSpine
from espalier_lab.network.spec import extents_of, place_of, plan_of

# Seconds for (collective, bytes) at best, given the plan and the ranks that take part.
Bound = Callable[[str, int], float]


def kind_and_extents(comparison: Comparison) -> tuple[str, tuple[int, ...]]:
    kind, _, text = comparison.network.partition(":")
    return kind, extents_of(comparison.network, text)


def lattice_of(comparison: Comparison) -> Lattice:
    kind, extents = kind_and_extents(comparison)
    missing = frozenset(place_of(place) for place in comparison.options.without)
    return Lattice(extents, kind == "torus", missing)


def bound_on_lattice(comparison: Comparison) -> Bound:
    """The members' own links only; anyone who has the fewest of them is the last to have everything."""
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


def bound_anywhere(comparison: Comparison) -> Bound:
    kind = comparison.network.partition(":")[0]
    return bound_on_lattice(comparison) if kind in ("torus", "mesh") else bound_of_cluster(comparison)


def lattice_bound(routes_out: int, rate_bits: float) -> Bound:
    """A node has this many links in each direction; of an all-reduction it must send and receive everything."""
    link = rate_bits / 8

    def bound(collective: str, size: int) -> float:
        share = routes_out / 2 if collective == "allreduce" else routes_out
        return size / (share * link)

    return bound
