# SPDX-License-Identifier: Apache-2.0
"""An instrument over computed networks: flows share links fairly, and times are noisy as on a busy machine."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from espalier.discover.instrument import Nic, Node, Pair, TimeIsUp
from espalier_lab.network.lattice import Lattice, links_on_route
from espalier_lab.network.leafspine import LeafSpine

Route = Callable[[int, int], Sequence[Hashable]]
RATE = 2.5e6


@dataclass
class SimulatedNetwork:
    """`route`: the links that a flow takes, each as wide as `rate`, or as `widths` says in times of it.

    `noise`: times are so much longer on average; `commands`: after so many, the time is up."""

    size: int
    route: Route
    latency: Callable[[int, int], float] = lambda _a, _b: 1e-4
    widths: Callable[[Hashable, bool], float] = lambda _link, _synchronous: 1.0
    interfaces: int = 1
    noise: float = 0.0
    commands: int = 1 << 30
    positions: Sequence[str] = ()
    random: random.Random = field(default_factory=lambda: random.Random(7))
    sent: Counter[int] = field(default_factory=Counter)

    @property
    def nodes(self) -> Sequence[Node]:
        places = self.positions or [""] * self.size
        return [Node(f"n{number:02}", [Nic("hca0:1", 12.5e9, 0)], tofu) for number, tofu in enumerate(places)]

    def ping(self, count: int, pairs: Sequence[Pair]) -> Sequence[float]:
        self.count_command()
        assert count > 0
        assert len({node for pair in pairs for node in pair}) == 2 * len(pairs)
        return [self.disturbed(self.latency(a, b)) for a, b in pairs]

    def flow(self, size: int, chunks: int, flows: Sequence[Pair], synchronous: bool = False) -> Sequence[float]:
        self.count_command()
        for a, _ in flows:
            self.sent[a] += size * chunks
        routes = [list(self.route(a, b)) for a, b in flows]
        times = self.fair_times(routes, lambda link: self.widths(link, synchronous))
        return [self.disturbed(1e-5 + time * size * chunks / RATE) for time in times]

    def carried(self) -> Sequence[dict[str, int]]:
        each = range(self.interfaces)
        return [{f"e{nic}": self.sent[node] // self.interfaces for nic in each} for node in range(self.size)]

    def count_command(self) -> None:
        self.commands -= 1
        if self.commands < 0:
            raise TimeIsUp

    def disturbed(self, seconds: float) -> float:
        return seconds * (1 + self.random.expovariate(1 / self.noise)) if self.noise else seconds

    def fair_times(self, routes: Sequence[Sequence[Hashable]], width: Callable[[Hashable], float]) -> list[float]:
        """When each is done that has 1 to send, if all share fairly."""
        left, done, now = dict.fromkeys(range(len(routes)), 1.0), [0.0] * len(routes), 0.0
        while left:
            rates = max_min_rates({flow: routes[flow] for flow in left}, width)
            step = min(left[flow] / rates[flow] for flow in left)
            now += step
            for flow in list(left):
                left[flow] -= step * rates[flow]
                if left[flow] < 1e-9:
                    done[flow] = now
                    del left[flow]
        return done


def max_min_rates(routes: dict[int, Sequence[Hashable]], width: Callable[[Hashable], float]) -> dict[int, float]:
    room = {link: width(link) for route in routes.values() for link in route}
    rates: dict[int, float] = {}
    while len(rates) < len(routes):
        waiting = Counter(link for flow, route in routes.items() if flow not in rates for link in route)
        fullest = min(waiting, key=lambda link: room[link] / waiting[link])
        share = room[fullest] / waiting[fullest]
        for flow, route in routes.items():
            if flow not in rates and fullest in route:
                rates[flow] = share
                for link in route:
                    room[link] -= share
    return rates


def lattice(extents: tuple[int, ...], *, wraps: bool = True, **more: object) -> SimulatedNetwork:
    """By the routes of the lab's tori: along the first axis first."""
    network = Lattice(extents, wraps)
    places = network.places

    def route(a: int, b: int) -> Sequence[Hashable]:
        return list(links_on_route(network, places[a], places[b]))

    return SimulatedNetwork(len(places), route, **more)  # type: ignore[arg-type]


def graph(links: Sequence[Pair], **more: object) -> SimulatedNetwork:
    """By shortest routes, over the neighbour of the lowest number if there are several."""
    size = 1 + max(node for link in links for node in link)
    near = {node: sorted(a + b - node for a, b in links if node in (a, b)) for node in range(size)}

    def route(a: int, b: int) -> Sequence[Hashable]:
        steps, ring = {b: 0}, [b]
        for node in ring:
            for other in near[node]:
                if other not in steps:
                    steps[other] = steps[node] + 1
                    ring.append(other)
        taken = [a]
        while taken[-1] != b:
            taken.append(next(other for other in near[taken[-1]] if steps[other] < steps[taken[-1]]))
        return list(pairwise(taken))

    return SimulatedNetwork(size, route, **more)  # type: ignore[arg-type]


def leaf_spine(leaves: int, nodes: int, uplinks: int, **more: object) -> SimulatedNetwork:
    network = LeafSpine(leaves, nodes, uplinks)

    def route(a: int, b: int) -> Sequence[Hashable]:
        ends = [("out", a), ("in", b)]
        here, there, spine = network.leaf_of(a), network.leaf_of(b), network.uplink_to(b)
        return ends if here == there else [*ends, ("up", here, spine), ("down", spine, there)]

    return SimulatedNetwork(network.hosts, route, **more)  # type: ignore[arg-type]


def rails(hosts: int, nics: int, **more: object) -> SimulatedNetwork:
    """A standard send takes one NIC, a synchronous one all of them."""

    def widths(_link: Hashable, synchronous: bool) -> float:
        return float(nics) if synchronous else 1.0

    return SimulatedNetwork(
        hosts,
        lambda a, b: [("out", a), ("in", b)],
        widths=widths,
        interfaces=nics,
        **more,  # type: ignore[arg-type]
    )


def sites(sizes: Sequence[int], delay: float, **more: object) -> SimulatedNetwork:
    """In a chain; what one NIC can send is what a WAN carries."""
    site_of = [site for site, size in enumerate(sizes) for _ in range(size)]

    def route(a: int, b: int) -> Sequence[Hashable]:
        low, high = sorted((site_of[a], site_of[b]))
        return [("out", a), ("in", b), *(("wan", site, site_of[a] < site_of[b]) for site in range(low, high))]

    def latency(a: int, b: int) -> float:
        return 1e-4 + delay * abs(site_of[a] - site_of[b])

    return SimulatedNetwork(len(site_of), route, latency, **more)  # type: ignore[arg-type]
