# SPDX-License-Identifier: Apache-2.0
"""By which of its links a node reaches each other node, and who is at the other end of each.

Two flows from one node take twice as long if they leave by the same link. So one node after the other is asked about:
a flow to each node it reaches by a link of its own, and one more. That one takes the link of the flow that slows down.

Of the nodes that are reached by one link, the nearest is its end. b lies before c if what arrives at c from b shares
a link with what arrives there from further back.
"""

from __future__ import annotations

from collections.abc import Sequence

from espalier.discover.instrument import Pair
from espalier.discover.latency import Announce, Latencies
from espalier.discover.meter import SHARED, Meter

# A single link has all flows: they take as long as there are flows, all of them. Below these shares of it there are
# several links.
LONGEST_SHARE, SHORTEST_SHARE = 0.75, 0.5
ASKED_NODES = 3
LOOKS = 6  # before flows are held to slow each other down
ALONE = 4  # flows, for how long a single one takes at present


def have_one_port(meter: Meter, nodes: int) -> bool:
    """Whether whatever a node sends leaves it by one link, as where nodes meet in switches. Most of the asked ones say
    so: the end of a line has one link, too."""
    asked = list(range(0, nodes, max(1, nodes // ASKED_NODES)))[:ASKED_NODES]
    return 2 * sum(leaves_by_one_port(meter, node, nodes) for node in asked) > len(asked)


def leaves_by_one_port(meter: Meter, node: int, nodes: int) -> bool:
    """If it does not look so at first, it must show that it has several: by flows that do not slow each other down."""
    flows = [(node, other) for other in range(nodes) if other != node]
    alone = min(max(meter.together([flow])) for flow in flows[:ALONE])
    taken = min((meter.together(flows) for _ in range(2)), key=max)
    if max(taken) > LONGEST_SHARE * alone * len(flows) and min(taken) > SHORTEST_SHARE * max(taken):
        return True
    firsts = [members[0] for members in classes_from(meter, node, nodes)]
    return len(firsts) < 2 or not are_apart(meter, node, firsts)


def are_apart(meter: Meter, node: int, ends: Sequence[int]) -> bool:
    """Whether flows from this node to all of these keep their rate. What is slow by accident is not slow each time."""
    best = [float("inf")] * len(ends)
    for _ in range(LOOKS):
        best = [min(old, new) for old, new in zip(best, meter.together([(node, end) for end in ends]))]
        if max(best) < SHARED:
            return True
    return False


def classes_from(meter: Meter, node: int, nodes: int, ends: Sequence[int] = ()) -> list[list[int]]:
    """The other nodes by the link that flows to them leave by. `ends`: of these it is known that each has its own."""
    classes = [[end] for end in ends]
    for other in range(nodes):
        if other == node or other in ends:
            continue
        at = class_of(meter, node, other, [members[0] for members in classes])
        if at < len(classes):
            classes[at].append(other)
        else:
            classes.append([other])
    return classes


def class_of(meter: Meter, node: int, other: int, firsts: Sequence[int]) -> int:
    """With which of these first members it shares a link; len(firsts): with none.

    The two of them are done when both have been carried, so one of them is late: not always the same one, as the older
    connection may get more. The new one being late says that it shares, the old ones say with whom.
    """
    if not firsts:
        return 0
    best = [float("inf")] * (len(firsts) + 1)
    for _ in range(meter.looks):
        taken = meter.together([(node, first) for first in [*firsts, other]])
        best = [min(old, new) for old, new in zip(best, taken)]
        late = [at for at, units in enumerate(best[:-1]) if units > SHARED]
        if not late and best[-1] < SHARED:
            return len(firsts)
    if len(late) == 1 and best[-1] > SHARED:
        return late[0]
    suspects = sorted(range(len(firsts)), key=lambda at: -best[at])
    return next((at for at in suspects if meter.do_share((node, firsts[at]), (node, other))), len(firsts))


def end_of(meter: Meter, node: int, members: Sequence[int], latencies: Latencies) -> int:
    """The nearest of those that are reached by one link."""
    nearest_first = sorted(members, key=lambda other: latencies.between(node, other))
    nearest = nearest_first[0]
    for other in nearest_first[1:]:
        if meter.do_share((node, nearest), (other, nearest)):
            nearest = other
    return nearest


def links(meter: Meter, nodes: int, latencies: Latencies, announce: Announce) -> list[Pair]:
    """All links between two nodes (a < b). What was found from one end is known at the other."""
    found: set[Pair] = set()
    for node in range(nodes):
        ends = [a + b - node for a, b in sorted(found) if node in (a, b)]
        for members in classes_from(meter, node, nodes, ends):
            if members[0] in ends:
                continue
            end = end_of(meter, node, members, latencies)
            found.add((min(node, end), max(node, end)))
        announce((node + 1) / nodes)
    return sorted(found)


def share_apart(meter: Meter, nodes: int, links: Sequence[Pair]) -> float:
    """Of how many nodes the links that were found do not slow each other down, as they must."""
    ends = {node: [a + b - node for a, b in links if node in (a, b)] for node in range(nodes)}
    return sum(bool(each) and are_apart(meter, node, each) for node, each in ends.items()) / nodes
