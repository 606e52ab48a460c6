# SPDX-License-Identifier: Apache-2.0
"""How many NICs the MPI uses of a node, and how fast each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from espalier.discover.instrument import Node, Pair
from espalier.discover.meter import CHUNKS, LONGER, Meter

LEAST_SHARE = 0.1  # of what a node sent, below which an interface did not take part
MOST_NICS = 16  # of a description
SEVERAL = 1.6  # times the rate of one


@dataclass(frozen=True)
class Nics:
    """`names`: those that carried it, where the system counts; `reason`: how it is known."""

    count: int
    rate: float
    names: Sequence[str]
    reason: str


def measured(meter: Meter, pairs: Sequence[Pair]) -> Nics:
    """By disjoint pairs between which nothing is narrow. Synchronous sends go over all NICs of an MPI that takes them
    in turn."""
    one = median(meter.rates(pairs, synchronous=False))
    before = meter.instrument.carried()
    all_ = median(meter.rates(pairs))
    after = meter.instrument.carried()
    rate, ratio = max(one, all_), all_ / one
    names = busiest(before, after, [a for a, _ in pairs], 2 * (1 + LONGER) * meter.chunk * CHUNKS)
    if len(names) > 1:
        return Nics(len(names), rate / len(names), names, "that is how many interfaces carried what was sent")
    if ratio > SEVERAL:
        count = min(MOST_NICS, round(ratio))
        return Nics(count, rate / count, names, "synchronous sends were so much faster than others")
    return Nics(1, rate, names, "all that was sent went at one rate")


def busiest(
    before: Sequence[dict[str, int]], after: Sequence[dict[str, int]], senders: Sequence[int], sent: int
) -> list[str]:
    """Interfaces that carried a good part of what most senders sent."""
    counts: dict[str, int] = {}
    for node in senders:
        for name, bytes_ in after[node].items():
            if bytes_ - before[node].get(name, bytes_) > LEAST_SHARE * sent:
                counts[name] = counts.get(name, 0) + 1
    return sorted(name for name, count in counts.items() if 2 * count > len(senders))[:MOST_NICS]


def rates_by_system(nodes: Sequence[Node]) -> str:
    """What the system says of NICs, if all nodes say the same; for people."""
    said = {tuple(sorted((nic.name, nic.bytes_per_second) for nic in node.nics)) for node in nodes}
    if len(said) != 1 or not (nics := said.pop()):
        return ""
    return ", ".join(f"{name} of {8 * rate / 1e9:g} Gbit/s" for name, rate in nics)
