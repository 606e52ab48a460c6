# SPDX-License-Identifier: Apache-2.0
"""Which nodes are on a switch of their own, where switches above it are crowded.

All nodes send at once, each to another one. Flows within a leaf keep their rate whatever the others do; those that
leave it meet others on their route up or down, sooner or later. Who keeps the rate with whom shares a leaf.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from espalier.discover import groups
from espalier.discover.instrument import Pair, TimeIsUp
from espalier.discover.latency import Announce
from espalier.discover.meter import Meter
from espalier.discover.pairs import shifts

TURNS = 4  # each node sends to each other one so often
BASE_SHARE = 0.1  # of the flows of a round, which are taken for undisturbed
DIFFERENCE = 1.15  # times as long, at least, flows between leaves take
SEED = 1  # of who meets whom

Samples = dict[Pair, list[float]]


@dataclass(frozen=True)
class Leaves:
    """`inside`, `between`: how long flows took, against the fastest of those that were under way."""

    members: list[list[int]]
    inside: float
    between: float = 0.0

    @property
    def are_several(self) -> bool:
        return len(self.members) > 1


def measured(meter: Meter, nodes: Sequence[int], announce: Announce) -> Samples:
    """For each two nodes (a < b), how long flows between them took, against the fastest of the round: as it is with
    all of them that processors are busy. As many rounds as time allows."""
    samples: Samples = defaultdict(list)
    source = random.Random(SEED)
    for turn in range(TURNS):
        for number, flows in enumerate(shifts(nodes, source)):
            try:
                taken = meter.together(flows)
            except TimeIsUp:
                if turn == 0:
                    raise
                return samples
            base = sorted(taken)[int(BASE_SHARE * len(taken))]
            for (a, b), units in zip(flows, taken):
                samples[min(a, b), max(a, b)].append(units / base)
            announce((turn + (number + 1) / len(nodes)) / TURNS)
    return samples


def leaves_of(nodes: Sequence[int], samples: Samples) -> Leaves:
    """One leaf, if they are not told apart."""
    means = {pair: mean(each) for pair, each in samples.items()}
    found = groups.of(nodes, means)
    if found is None or found.between < DIFFERENCE * found.inside:
        return Leaves([list(nodes)], mean(means.values()))
    return Leaves(found.members, found.inside, found.between)


def share_between(meter: Meter, leaves: Sequence[Sequence[int]]) -> float:
    """Of the rates of its nodes, what a leaf gets through to the next one when all of it sends there."""
    flows = [
        (node, leaves[(at + 1) % len(leaves)][index % len(leaves[(at + 1) % len(leaves)])])
        for at, leaf in enumerate(leaves)
        for index, node in enumerate(leaf)
    ]
    return min(1.0, 1 / max(mean(meter.together(flows)), 1e-6))
