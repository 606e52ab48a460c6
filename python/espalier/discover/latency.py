# SPDX-License-Identifier: Apache-2.0
"""How long a short message takes between any two nodes, and which nodes are sites of their own by that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from statistics import mean, median

from espalier.discover import groups
from espalier.discover.instrument import Instrument, Pair
from espalier.discover.pairs import all_pairs_in_rounds

COUNT = 5  # messages there and back, of which the shortest counts
LONG_COUNT, ALONE = 100, 3  # where it is to be a number of its own; of this many pairs
# It is measured again as long as that makes it shorter, where processors are busy with something else.
MOST_TURNS = 6
BETTER = 0.95
# Between sites it takes several times as long as inside one, and longer than any switch.
WAN_RATIO = 2.0
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
        before = dict(seconds)
        for number, pairs in enumerate(rounds):
            for (a, b), took in zip(pairs, instrument.ping(COUNT, pairs)):
                pair = (min(a, b), max(a, b))
                seconds[pair] = min(took, seconds.get(pair, took))
            announce((turn + (number + 1) / len(rounds)) / MOST_TURNS)
        if before and mean(seconds[pair] / before[pair] for pair in before) > BETTER:
            break
    return Latencies(nodes, seconds)


def undisturbed(instrument: Instrument, pairs: Sequence[Pair]) -> float:
    """Of pairs like these, one after the other: the shortest of many messages has met nothing else."""
    return median(instrument.ping(LONG_COUNT, [pair])[0] for pair in pairs[:ALONE])


def sites_of(latencies: Latencies) -> Sites | None:
    """None: no WAN shows."""
    found = groups.of(range(latencies.nodes), latencies.seconds)
    if found is None or found.between < max(WAN_RATIO * found.inside, found.inside + WAN_LEAST_SECONDS):
        return None
    chain = in_chain(found.members, latencies)
    steps = [latencies.across(one, other) for one, other in zip(chain, chain[1:])]
    return Sites(chain, median(steps) - median(took for site in chain for took in latencies.inside(site)))


def in_chain(members: list[list[int]], latencies: Latencies) -> list[list[int]]:
    """The shortest route through all of them."""

    def length(order: Sequence[int]) -> float:
        return sum(latencies.across(members[a], members[b]) for a, b in zip(order, order[1:]))

    if len(members) > MOST_SITES_TRIED:
        return members
    forward = (order for order in permutations(range(len(members))) if order[0] < order[-1])
    return [members[site] for site in min(forward, key=length)]
