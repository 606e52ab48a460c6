# SPDX-License-Identifier: Apache-2.0
"""Whether links make a torus or a mesh, of which extents, and which node is at which place of it.

Shapes with as many nodes and links are tried, one place after the other: the node there must be a neighbour of those
at the places next to it. A few links too many or too few are forgiven, as measurements miss some.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from espalier.discover.instrument import Pair

FORGIVEN_SHARE = 0.05  # of the links
MOST_STEPS = 200_000  # of a search; a shape that fits is found in about as many as there are nodes

Place = tuple[int, ...]


@dataclass(frozen=True)
class Shape:
    extents: tuple[int, ...]
    wraps: bool

    @property
    def places(self) -> list[Place]:
        """The first axis fastest."""
        return [tuple(reversed(place)) for place in product(*(range(k) for k in reversed(self.extents)))]

    def neighbours(self, place: Place) -> list[Place]:
        found = []
        for axis, extent in enumerate(self.extents):
            for step in (1, -1):
                x = place[axis] + step
                if self.wraps or 0 <= x < extent:
                    other = (*place[:axis], x % extent, *place[axis + 1 :])
                    if other != place and other not in found:
                        found.append(other)
        return found

    @property
    def links(self) -> int:
        return sum(len(self.neighbours(place)) for place in self.places) // 2


@dataclass(frozen=True)
class Lattice:
    shape: Shape
    nodes: list[int]  # at each place, the first axis fastest
    missed: list[Pair]  # links of the lattice that were not found, and ...
    surplus: list[Pair]  # ... found ones that it does not have


def recognised(nodes: int, links: Sequence[Pair]) -> Lattice | None:
    """The one with the fewest links to forgive."""
    forgiven = int(FORGIVEN_SHARE * len(links))
    for allowed in sorted({0, forgiven}):
        for shape in shapes_of(nodes):
            if abs(shape.links - len(links)) <= allowed and (found := embedded(shape, links, allowed)):
                return found
    return None


def shapes_of(nodes: int) -> Iterator[Shape]:
    """Tori first: a ring of two is a line of two."""
    for extents in factors(nodes, nodes):
        if max(extents) > 2:
            yield Shape(extents, True)
    for extents in factors(nodes, nodes):
        yield Shape(extents, False)


def factors(number: int, largest: int) -> Iterator[tuple[int, ...]]:
    """All products of numbers from 2 to `largest` that make it, each in falling order."""
    if number == 1:
        return
    for factor in range(min(number, largest), 1, -1):
        if number == factor:
            yield (factor,)
        elif number % factor == 0:
            yield from ((factor, *rest) for rest in factors(number // factor, factor))


def embedded(shape: Shape, links: Sequence[Pair], allowed: int) -> Lattice | None:
    """`allowed`: this many links of the lattice may be missing where they were measured."""
    order = from_a_corner(shape)
    near: dict[int, set[int]] = {node: set() for node in range(prod(shape.extents))}
    for a, b in links:
        near[a].add(b)
        near[b].add(a)
    at = Search(shape, order, near, allowed).run()
    if at is None:
        return None
    wanted = {tuple(sorted((at[p], at[q]))) for p in order for q in shape.neighbours(p)}
    found = {tuple(sorted(link)) for link in links}
    missed = sorted((a, b) for a, b in wanted - found)
    surplus = sorted((a, b) for a, b in found - wanted)
    return Lattice(shape, [at[place] for place in shape.places], missed, surplus)


def from_a_corner(shape: Shape) -> list[Place]:
    """Each place, but for the first, has a neighbour before it."""
    order = [tuple(0 for _ in shape.extents)]
    known = set(order)
    for place in order:
        for other in shape.neighbours(place):
            if other not in known:
                known.add(other)
                order.append(other)
    return order


class Search:
    """Depth first, with places in a fixed order and nodes that may stand there."""

    def __init__(self, shape: Shape, order: Sequence[Place], near: dict[int, set[int]], allowed: int) -> None:
        self.order = order
        index = {place: number for number, place in enumerate(order)}
        # Of each place: which of those before it are its neighbours.
        self.before = [
            [index[other] for other in shape.neighbours(place) if index[other] < number]
            for number, place in enumerate(order)
        ]
        self.near = near
        self.allowed = allowed

    def run(self) -> dict[Place, int] | None:
        degree = max(len(others) for others in self.near.values())
        least = min(len(others) for others in self.near.values())
        for first in sorted(self.near, key=lambda node: len(self.near[node])):
            # A corner of a mesh has the fewest neighbours; all nodes of a torus are alike.
            if len(self.near[first]) > least + self.allowed and degree != least:
                break
            if (found := self.from_node(first)) is not None:
                return dict(zip(self.order, found))
            if degree == least:
                break
        return None

    def from_node(self, first: int) -> list[int] | None:
        chosen, used, costs = [first], {first}, [0]
        waiting = [self.candidates(chosen, used, 0)] if len(self.order) > 1 else []
        for _ in range(MOST_STEPS):
            if len(chosen) == len(self.order):
                return chosen
            if not waiting[-1]:
                waiting.pop()
                if not waiting:
                    return None
                used.discard(chosen.pop())
                costs.pop()
                continue
            cost, node = waiting[-1].pop(0)
            chosen.append(node)
            used.add(node)
            costs.append(costs[-1] + cost)
            if len(chosen) < len(self.order):
                waiting.append(self.candidates(chosen, used, costs[-1]))
        return None

    def candidates(self, chosen: Sequence[int], used: set[int], spent: int) -> list[tuple[int, int]]:
        """Who may stand at the next place, by how much must be forgiven for it."""
        neighbours = {chosen[index] for index in self.before[len(chosen)]}
        found = []
        for node in {other for neighbour in neighbours for other in self.near[neighbour]} - used:
            missed = len(neighbours - self.near[node])
            surplus = len((self.near[node] & used) - neighbours)
            if spent + missed + surplus <= self.allowed:
                found.append((missed + surplus, node))
        return sorted(found)
