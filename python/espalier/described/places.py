# SPDX-License-Identifier: Apache-2.0
"""Machines whose nodes say themselves where they are: a line for each node, as they said it.

nid001234: x1000c0s0b0n0        an xname of HPE Cray EX: cabinet, chassis, slot, board, node
a01-0001: 3 4 5 0 1 0           a place on Tofu: X, Y, Z, a, b, c
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from espalier import units
from espalier.described.lines import MOST_NODES, Line, lines_of
from espalier.described.machine import Clusters, Description, Tofu
from espalier.failure import Failure

XNAME = re.compile(r"x(\d{1,5})c(\d{1,2})s(\d{1,3})b(\d{1,2})n(\d{1,2})")
TOFU_LIMITS = (MOST_NODES, MOST_NODES, MOST_NODES, 2, 3, 2)


def named_places(file: Path) -> Iterator[tuple[str, str, Line]]:
    """What stands behind each node's name; without a colon or a blank, the name is the place."""
    seen: dict[str, Line] = {}
    for line in lines_of(file):
        if line.text.startswith("#"):
            continue
        name, place = (re.split(r"\s*:\s*|\s+", line.text, maxsplit=1) * 2)[:2]
        if name in seen:
            raise line.wrong(f"each node once; {name} is in line {seen[name].number}, too")
        seen[name] = line
        yield name, place, line
    if not seen:
        raise Failure(f"{file}: names no node; expected: a line for each")


def by_xnames(file: Path, rate: float) -> Description:
    """Nodes by cabinet, or, in a single one, by chassis: there the network's groups and switches end."""
    found: list[tuple[str, tuple[int, ...]]] = []
    places: dict[tuple[int, ...], Line] = {}
    for name, place, line in named_places(file):
        match = XNAME.fullmatch(place)
        if not match:
            raise line.wrong("a node's name and its xname, such as: nid001234: x1000c0s0b0n0")
        at = tuple(map(int, match.groups()))
        if at in places:
            raise line.wrong(f"each xname once; this one is in line {places[at].number}, too")
        places[at] = line
        found.append((name, at))
    check_rate(rate, file, "xnames")
    found.sort(key=lambda one: one[1])
    word, depth = ("cabinet", 1) if len({at[0] for _, at in found}) > 1 else ("chassis", 2)
    groups: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for name, at in found:
        groups[at[:depth]].append(name)
    remarks = [
        f"From xnames: {file.name}. Each {word} is a site: {units.plural(len(groups), 'site')}.",
        "The rate is as it was given. How wide the links between sites are does not follow from xnames.",
    ]
    return Description(Clusters(list(groups.values()), 1, rate), remarks)


def on_tofu(file: Path, rate: float) -> Description:
    places: dict[str, tuple[int, ...]] = {}
    taken: dict[tuple[int, ...], Line] = {}
    for name, place, line in named_places(file):
        at = tofu_place(place)
        if at is None:
            raise line.wrong(
                "a name and X Y Z a b c, where a and c are 0 or 1 and b is 0 to 2, such as: a01: 3 4 5 0 1 0"
            )
        if at in taken:
            raise line.wrong(f"each place once; this one is in line {taken[at].number}, too")
        taken[at] = line
        places[name] = at
    check_rate(rate, file, "tofu")
    return Description(Tofu(rate, dict(places)), [f"From coordinates: {file.name}. The rate is as it was given."])


def tofu_place(text: str) -> tuple[int, ...] | None:
    """As /proc/tofu/position has it, or with commas and brackets."""
    words = re.split(r"[\s,]+", text.strip().strip("()[]"))
    if len(words) != len(TOFU_LIMITS) or not all(re.fullmatch(r"[0-9]{1,7}", word) for word in words):
        return None
    at = tuple(map(int, words))
    return at if all(x < limit for x, limit in zip(at, TOFU_LIMITS)) else None


def check_rate(rate: float, file: Path, kind: str) -> None:
    if not rate:
        raise Failure(
            f"{file}: --from {kind} needs --rate, in bytes per second, as names do not say how fast links are.",
            "For example, for 200 Gbit/s: --rate 25e9",
        )
