# SPDX-License-Identifier: Apache-2.0
"""Who measures at the same time as who: rounds in which no node has two parts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from espalier.discover.instrument import Pair


def all_pairs_in_rounds(nodes: int) -> Iterator[list[Pair]]:
    """Each two nodes once: one stays, all others go round."""
    ring: list[int] = list(range(nodes + nodes % 2))
    for _ in range(len(ring) - 1):
        half = len(ring) // 2
        yield [(a, b) for a, b in zip(ring[:half], reversed(ring[half:])) if max(a, b) < nodes]
        ring = [ring[0], ring[-1], *ring[1:-1]]


def shifts(nodes: Sequence[int], source: random.Random) -> Iterator[list[Pair]]:
    """Each node sends to one other and receives from one; in all rounds together from each to each. Who meets whom
    in a round is drawn."""
    order = list(nodes)
    source.shuffle(order)
    for step in range(1, len(order)):
        yield [(node, order[(at + step) % len(order)]) for at, node in enumerate(order)]


def disjoint(flows: Sequence[Pair]) -> list[list[Pair]]:
    """In rounds in which each node sends one of them at most, and receives one."""
    rounds: list[list[Pair]] = []
    for a, b in flows:
        free = (members for members in rounds if all(a != sender and b != receiver for sender, receiver in members))
        fitting = next(free, None)
        if fitting is None:
            rounds.append([(a, b)])
        else:
            fitting.append((a, b))
    return rounds
