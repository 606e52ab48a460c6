# SPDX-License-Identifier: Apache-2.0
"""Which nodes are on a switch of their own, where switches above it are crowded.

All nodes send at once, each to another one. Flows within a leaf keep their rate whatever the others do; those that
leave it meet others on the way up or down, sooner or later. Who keeps the rate with whom shares a leaf.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from espalier.discover.instrument import Pair, TimeIsUp
from espalier.discover.latency import Announce, components
from espalier.discover.meter import SHARED, Meter
from espalier.discover.pairs import shifts

TURNS = 4  # each node sends to each other one so often
KEPT = 0.7  # two nodes share a leaf if at least this share of their flows kept its rate ...
DIFFERENCE = 0.3  # ... and leaves are told apart by at least so much
SEED = 1  # of who meets whom


@dataclass(frozen=True)
class Leaves:
    """`kept`: the share of flows that kept their rate, inside a leaf and between leaves."""

    members: list[list[int]]
    kept_inside: float
    kept_between: float
    share: float = 1.0  # of its nodes' rates that a leaf can send to another one

    @property
    def are_several(self) -> bool:
        return len(self.members) > 1


def measured(meter: Meter, nodes: Sequence[int], announce: Announce) -> dict[Pair, list[bool]]:
    """For each two nodes (a < b): of each flow between them, whether it kept its rate. As many as time allows."""
    kept: dict[Pair, list[bool]] = defaultdict(list)
    source = random.Random(SEED)
    for turn in range(TURNS):
        for number, flows in enumerate(shifts(nodes, source)):
            try:
                taken = meter.together(flows)
            except TimeIsUp:
                return kept
            for (a, b), units in zip(flows, taken):
                kept[min(a, b), max(a, b)].append(units < SHARED)
            announce((turn + (number + 1) / len(nodes)) / TURNS)
    return kept


def leaves_of(nodes: Sequence[int], kept: dict[Pair, list[bool]]) -> Leaves:
    """One leaf, if they are not told apart."""
    shares = {pair: mean(each) for pair, each in kept.items() if each}
    number = {node: at for at, node in enumerate(nodes)}
    near = [(number[a], number[b]) for (a, b), share in shares.items() if share >= KEPT]
    members = [[nodes[at] for at in group] for group in components(len(nodes), near)]
    leaf_of = {node: at for at, group in enumerate(members) for node in group}
    inside = [share for (a, b), share in shares.items() if leaf_of[a] == leaf_of[b]]
    between = [share for (a, b), share in shares.items() if leaf_of[a] != leaf_of[b]]
    one = Leaves([list(nodes)], mean(shares.values()) if shares else 0.0, 0.0)
    if not inside or not between or min(map(len, members)) < 2:
        return one
    found = Leaves(members, mean(inside), mean(between))
    return found if found.kept_inside - found.kept_between >= DIFFERENCE else one


def share_between(meter: Meter, leaves: Sequence[Sequence[int]]) -> float:
    """Of the rates of its nodes, what a leaf gets through to the next one when all of it sends there."""
    flows = [
        (node, leaves[(at + 1) % len(leaves)][index % len(leaves[(at + 1) % len(leaves)])])
        for at, leaf in enumerate(leaves)
        for index, node in enumerate(leaf)
    ]
    return min(1.0, 1 / max(mean(meter.together(flows)), 1e-6))
