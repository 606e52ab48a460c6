# SPDX-License-Identifier: Apache-2.0
"""How long a short message takes between any two nodes, and which nodes are sites of their own by that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from statistics import median

from espalier.discover.instrument import Instrument, Pair
from espalier.discover.pairs import all_pairs_in_rounds

COUNT = 5  # messages there and back, of which the shortest counts
# It is measured again as long as that makes it shorter, where processors are busy with something else.
MOST_TURNS = 6
BETTER = 0.9
# Between sites it takes several times as long as within any of them.
WAN_RATIO = 3.0
WAN_LEAST_SECONDS = 1e-4
MOST_SITES_TRIED = 7  # in each order; more are put one behind the other, nearest first

Announce = Callable[[float], None]  # with the share that is done


@dataclass(frozen=True)
class Latencies:
    """Seconds in one direction, of each pair (a < b)."""

    nodes: int
    seconds: dict[Pair, float]

    def between(self, a: int, b: int) -> float:
        return self.seconds[min(a, b), max(a, b)]

    def inside(self, members: Sequence[int]) -> list[float]:
        return [self.between(a, b) for a, b in combinations(members, 2)]

    def across(self, one: Sequence[int], other: Sequence[int]) -> float:
        return median(self.between(a, b) for a in one for b in other)


@dataclass(frozen=True)
class Sites:
    """In the order of the chain."""

    members: list[list[int]]
    wan_seconds: float  # from one to the next one, on top of what it takes inside


def measured(instrument: Instrument, announce: Announce) -> Latencies:
    nodes = len(instrument.nodes)
    rounds = list(all_pairs_in_rounds(nodes))
    seconds: dict[Pair, float] = {}
    for turn in range(MOST_TURNS):
        before = sum(seconds.values())
        for number, pairs in enumerate(rounds):
            for (a, b), took in zip(pairs, instrument.ping(COUNT, pairs)):
                pair = (min(a, b), max(a, b))
                seconds[pair] = min(took, seconds.get(pair, took))
            announce((turn + (number + 1) / len(rounds)) / MOST_TURNS)
        if before and sum(seconds.values()) > BETTER * before:
            break
    return Latencies(nodes, seconds)


def sites_of(latencies: Latencies) -> Sites | None:
    """None: no WAN shows. Sites are what is left together when all slow pairs are cut, if nothing slow is inside."""
    limit = widest_gap(sorted(latencies.seconds.values()))
    if limit is None:
        return None
    near = [pair for pair, took in latencies.seconds.items() if took < limit]
    members = components(latencies.nodes, near)
    inside = [took for site in members for took in latencies.inside(site)]
    if len(members) < 2 or min(map(len, members)) < 2 or max(inside) >= limit:
        return None
    chain = in_chain(members, latencies)
    steps = [latencies.across(one, other) for one, other in zip(chain, chain[1:])]
    return Sites(chain, median(steps) - median(inside))


def widest_gap(seconds: Sequence[float]) -> float | None:
    """Between which of these times there is nothing for the longest."""
    gaps = [(above / below, below, above) for below, above in zip(seconds, seconds[1:]) if below > 0]
    wide = [gap for gap in gaps if gap[0] > WAN_RATIO and gap[2] > WAN_LEAST_SECONDS]
    if not wide:
        return None
    _, below, above = max(wide)
    return float((below * above) ** 0.5)


def components(nodes: int, links: Sequence[Pair]) -> list[list[int]]:
    """Nodes that can reach each other, in order of their lowest number."""
    group = list(range(nodes))

    def find(node: int) -> int:
        while group[node] != node:
            group[node] = group[group[node]]
            node = group[node]
        return node

    for a, b in links:
        low, high = sorted((find(a), find(b)))
        group[high] = low
    found: dict[int, list[int]] = {}
    for node in range(nodes):
        found.setdefault(find(node), []).append(node)
    return list(found.values())


def in_chain(members: list[list[int]], latencies: Latencies) -> list[list[int]]:
    """The shortest way through all of them."""

    def length(order: Sequence[int]) -> float:
        return sum(latencies.across(members[a], members[b]) for a, b in zip(order, order[1:]))

    if len(members) > MOST_SITES_TRIED:
        return members
    forward = (order for order in permutations(range(len(members))) if order[0] < order[-1])
    return [members[site] for site in min(forward, key=length)]
