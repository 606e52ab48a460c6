# SPDX-License-Identifier: Apache-2.0
"""Nodes that are near each other and far from all others, by a number for each pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from espalier.discover.instrument import Pair

AGREEMENT = 0.9  # at least this share of all pairs are on the side of the limit where their groups put them
MOST_LIMITS = 4
PASSES = 3  # in which nodes may change to another group


@dataclass(frozen=True)
class Groups:
    """`inside`, `between`: the mean number of a pair."""

    members: list[list[int]]
    inside: float
    between: float


def of(nodes: Sequence[int], numbers: Mapping[Pair, float]) -> Groups | None:
    """None: there are none, or one node is alone. Pairs are (a, b) with a < b; some may be missing.

    What lies between groups may differ more than it does from what lies inside them, as in a chain of sites. So if no
    groups come of a limit, one below it is tried.
    """
    values = list(numbers.values())
    for _ in range(MOST_LIMITS):
        if len(values) < 2:
            return None
        limit = best_limit(values)
        if (found := by_limit(nodes, numbers, limit)) is not None:
            return found
        values = [value for value in values if value <= limit]
    return None


def by_limit(nodes: Sequence[int], numbers: Mapping[Pair, float], limit: float) -> Groups | None:
    members = grouped(nodes, numbers, limit)
    group_of = {node: at for at, group in enumerate(members) for node in group}
    inside = [number for (a, b), number in numbers.items() if group_of[a] == group_of[b]]
    between = [number for (a, b), number in numbers.items() if group_of[a] != group_of[b]]
    if not inside or not between or min(map(len, members)) < 2:
        return None
    agree = sum(number <= limit for number in inside) + sum(number > limit for number in between)
    if agree < AGREEMENT * len(numbers):
        return None
    return Groups(members, mean(inside), mean(between))


def best_limit(values: Sequence[float]) -> float:
    """That parts them in two which differ the most between, and the least within (Otsu's)."""
    ordered = sorted(values)
    total, count, below = sum(ordered), len(ordered), 0.0
    best, limit = -1.0, ordered[-1]
    for at, (value, following) in enumerate(zip(ordered, ordered[1:])):
        below += value
        low, high = below / (at + 1), (total - below) / (count - at - 1)
        spread = (at + 1) * (count - at - 1) * (high - low) ** 2
        if spread > best:
            best, limit = spread, (value + following) / 2
    return limit


def grouped(nodes: Sequence[int], numbers: Mapping[Pair, float], limit: float) -> list[list[int]]:
    """Each node goes to the group to which it is the nearest on average, if that is below the limit."""
    groups: list[list[int]] = []

    def average(node: int, group: Sequence[int]) -> float:
        known = [numbers[pair] for other in group if (pair := (min(node, other), max(node, other))) in numbers]
        return mean(known) if known else limit

    for _ in range(PASSES):
        for node in nodes:
            groups = [rest for group in groups if (rest := [other for other in group if other != node])]
            distance, nearest = min(((average(node, group), at) for at, group in enumerate(groups)), default=(limit, 0))
            if distance < limit:
                groups[nearest].append(node)
            else:
                groups.append([node])
    return sorted(sorted(group) for group in groups)
