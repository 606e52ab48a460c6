# SPDX-License-Identifier: Apache-2.0
"""Tori and meshes of any dimension, also with nodes missing. Every host passes on what is not for it.

A host has one address, on a device of its own, and a cable to each neighbour without an address. Where all nodes are
there, packets go along the first axis in which they are not yet right, then the next; round missing nodes they take a
shortest route.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

from espalier.failure import Failure
from espalier_lab.network.plan import DEFAULT_MTU, Cable, End, Plan, address, host_names, mac, machine_head, toml_list

DATA_NETWORK = "10.28"
DATA_DEVICE = "mpi0"

Place = tuple[int, ...]


@dataclass(frozen=True)
class Lattice:
    """Nodes are numbered with the first axis fastest; `missing` are the places without a node."""

    extents: tuple[int, ...]
    wraps: bool
    missing: frozenset[Place] = frozenset()

    def __post_init__(self) -> None:
        for place in self.missing:
            inside = len(place) == len(self.extents) and all(
                0 <= x < k for x, k in zip(place, self.extents, strict=True)
            )
            if not inside:
                raise Failure(f"--without {','.join(map(str, place))}: not a place of this lattice")

    @property
    def places(self) -> list[Place]:
        """Those with a node, in order."""
        every = (tuple(reversed(place)) for place in product(*(range(k) for k in reversed(self.extents))))
        return [place for place in every if place not in self.missing]

    def neighbours(self, place: Place) -> Iterator[tuple[int, int, Place]]:
        """Axis, direction (1 or -1) and place of each. A ring of two nodes is one cable, in direction 1."""
        for axis, extent in enumerate(self.extents):
            for step in (1, -1) if extent > 2 or not self.wraps else (1,):
                x = place[axis] + step
                if not self.wraps and not 0 <= x < extent:
                    continue
                other = (*place[:axis], x % extent, *place[axis + 1 :])
                if other != place and other not in self.missing:
                    yield axis, step, other

    @cache  # noqa: B019 - as many as there are nodes
    def distances(self, target: Place) -> dict[Place, int]:
        """Hops from everywhere to `target`."""
        found = {target: 0}
        queue = deque([target])
        while queue:
            place = queue.popleft()
            for _, _, other in self.neighbours(place):
                if other not in found:
                    found[other] = found[place] + 1
                    queue.append(other)
        return found


def device(axis: int, step: int) -> str:
    return f"l{axis}{'p' if step > 0 else 'm'}"


def arrival(lattice: Lattice, axis: int, step: int) -> str:
    """The neighbour's device at the other end of device(axis, step)."""
    return device(axis, step if lattice.wraps and lattice.extents[axis] == 2 else -step)


def port(axis: int, step: int) -> int:
    return 2 * axis + (step < 0)


def make_plan(spec: str, lattice: Lattice, rate_bits: float, mtu: int = DEFAULT_MTU) -> Plan:
    places = lattice.places
    names = host_names(len(places))
    index = {place: i for i, place in enumerate(places)}
    plan = Plan(spec, names, [DATA_DEVICE], [f"{DATA_NETWORK}.0.0/16"], mtu=mtu)
    for place in places:
        plan.cables += cables_up(lattice, place, names, index, rate_bits)
        plan.do(names[index[place]], own_address(index[place], mtu))
        plan.do(names[index[place]], permanent_neighbours(lattice, place, index))
    for target in places:
        if len(lattice.distances(target)) != len(places):
            raise Failure(f"{spec}: without these nodes the network falls apart")
        for place in places:
            if place != target:
                plan.do(names[index[place]], [route(lattice, place, target, index)])
    plan.machine = machine_text(lattice, names, index, rate_bits, plan.mtu)
    return plan


def cables_up(
    lattice: Lattice, place: Place, names: Sequence[str], index: dict[Place, int], rate_bits: float
) -> Iterator[Cable]:
    """Each cable from the end that it leaves in direction 1; of a ring of two, from the lower node."""
    for axis, step, other in lattice.neighbours(place):
        is_pair = lattice.wraps and lattice.extents[axis] == 2
        if step == 1 and not (is_pair and place[axis] == 1):
            there = End(names[index[other]], arrival(lattice, axis, step))
            yield Cable(End(names[index[place]], device(axis, step)), there, rate_bits)


def own_address(me: int, mtu: int) -> list[str]:
    return [
        f"link add {DATA_DEVICE} type ifb",
        f"link set {DATA_DEVICE} mtu {mtu} up",
        f"addr add {address(DATA_NETWORK, me)}/16 dev {DATA_DEVICE} noprefixroute",
    ]


def permanent_neighbours(lattice: Lattice, place: Place, index: dict[Place, int]) -> Iterator[str]:
    me = index[place]
    for axis, step, other in lattice.neighbours(place):
        yield f"link set {device(axis, step)} address {mac(me, port(axis, step))}"
        arrives = arrival(lattice, axis, step)
        there = mac(index[other], port(axis, 1 if arrives.endswith("p") else -1))
        yield (f"neigh add {address(DATA_NETWORK, index[other])} lladdr {there} dev {device(axis, step)} nud permanent")


def next_hop(lattice: Lattice, place: Place, distances: dict[Place, int]) -> tuple[str, Place]:
    """The first neighbour, by axis and direction, that is closer to the target."""
    return next(
        (device(axis, step), other)
        for axis, step, other in lattice.neighbours(place)
        if distances[other] < distances[place]
    )


def links_on_route(lattice: Lattice, place: Place, target: Place) -> Iterator[tuple[Place, str]]:
    """The links that packets take: each by where it leaves, and its device there."""
    distances = lattice.distances(target)
    while place != target:
        out, via = next_hop(lattice, place, distances)
        yield place, out
        place = via


def route(lattice: Lattice, place: Place, target: Place, index: dict[Place, int]) -> str:
    out, via = next_hop(lattice, place, lattice.distances(target))
    return (
        f"route add {address(DATA_NETWORK, index[target])}/32 via {address(DATA_NETWORK, index[via])} dev {out} "
        f"onlink src {address(DATA_NETWORK, index[place])}"
    )


def machine_text(lattice: Lattice, names: Sequence[str], index: dict[Place, int], rate_bits: float, mtu: int) -> str:
    every = Lattice(lattice.extents, lattice.wraps).places
    nodes = [names[index[place]] if place in index else "" for place in every]
    kind = "torus" if lattice.wraps else "mesh"
    assert len(nodes) == prod(lattice.extents)
    return (
        f"{machine_head(rate_bits, mtu)}"
        f"# The first axis is the fastest; an empty name is a node that is missing.\n[{kind}]\n"
        f"extents = {toml_list(lattice.extents)}\nrate = {rate_bits / 8:.0f}  # bytes per second, link and direction\n"
        f"nodes = {toml_list(nodes)}\n"
    )
