# SPDX-License-Identifier: Apache-2.0
"""Nodes that say themselves where they are on Tofu: nothing but the rate is left to be measured."""

from __future__ import annotations

from collections.abc import Sequence

from espalier.described.places import tofu_place
from espalier.discover.instrument import Node, Pair

# Of a, b and c: as many nodes of a group, each joined to each. X, Y and Z are lines.
GROUP = (2, 3, 2)

Places = list[tuple[int, ...]]


def places_of(nodes: Sequence[Node]) -> Places:
    """None of them, if not all nodes say it, or two are at one place."""
    places = [tofu_place(node.tofu) for node in nodes]
    known = [place for place in places if place is not None]
    return known if len(set(known)) == len(nodes) else []


def links(places: Places) -> list[Pair]:
    """Between nodes that are there (a < b)."""
    number = {place: node for node, place in enumerate(places)}
    found = set()
    for place, node in number.items():
        for other in next_to(place):
            if other in number:
                found.add((min(node, number[other]), max(node, number[other])))
    return sorted(found)


def next_to(place: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Each link from one of its ends, at least."""
    after = [(*place[:axis], place[axis] + 1, *place[axis + 1 :]) for axis in range(3)]
    for axis, size in enumerate(GROUP, 3):
        after += [(*place[:axis], x, *place[axis + 1 :]) for x in range(size) if x != place[axis]]
    return after
