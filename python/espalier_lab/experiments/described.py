# SPDX-License-Identifier: Apache-2.0
"""Two descriptions of one network next to each other, as far as the lab writes them: links, groups, NICs and rates."""

import tomllib
from dataclasses import dataclass, field
from itertools import combinations
from statistics import median

from espalier.discover.lattice import Shape

Link = frozenset[str]


@dataclass(frozen=True)
class Described:
    """`groups`: nodes on switches, by site or leaf; a lattice or graph has one."""

    kind: str
    nodes: list[str]
    groups: list[set[str]]
    links: set[Link] = field(default_factory=set)
    nics: int = 1
    rate: float = 0.0
    wan_seconds: float = 0.0


def described(text: str) -> Described:
    raw = tomllib.loads(text)
    for kind in ("torus", "mesh"):
        if kind in raw:
            return lattice(kind, raw[kind])
    if "node" in raw:
        return graph(raw)
    sites = [raw["rails"]] if "rails" in raw else raw["site"]
    rates = sites[0]["rate"]
    return Described(
        kind="rails" if "rails" in raw else "sites" if "wan" in raw else "leaves",
        nodes=[name for site in sites for name in site["nodes"]],
        groups=[set(site["nodes"]) for site in sites],
        nics=sites[0]["nics"],
        rate=median(rates) if isinstance(rates, list) else rates,
        wan_seconds=raw.get("wan", {}).get("seconds", 0.0),
    )


def lattice(kind: str, raw: dict[str, list[str]]) -> Described:
    shape = Shape(tuple(map(int, raw["extents"])), kind == "torus")
    at = dict(zip(shape.places, raw["nodes"], strict=True))
    links = {frozenset((at[p], at[q])) for p in at for q in shape.neighbours(p) if at[p] and at[q]}
    nodes = [name for name in raw["nodes"] if name]
    return Described(kind, nodes, [set(nodes)], links, rate=float(raw["rate"]))  # type: ignore[arg-type]


def graph(raw: dict[str, list[dict[str, object]]]) -> Described:
    nodes = [str(one["name"]) for one in raw["node"]]
    links = {frozenset(map(str, one["between"])) for one in raw.get("link", [])}  # type: ignore[call-overload]
    rates = [float(one["rate"]) for one in raw.get("link", [])]  # type: ignore[arg-type]
    return Described("graph", nodes, [set(nodes)], links, rate=median(rates) if rates else 0.0)


def links_right(truth: Described, found: Described) -> tuple[int, int]:
    """How many of the true links were found, and how many were found that are none."""
    return len(truth.links & found.links), len(found.links - truth.links)


def pairs_right(truth: Described, found: Described) -> float:
    """The share of pairs of nodes that are together in a group in both, or in none."""
    pairs = list(combinations(sorted(truth.nodes), 2))
    return sum(together(truth, *pair) == together(found, *pair) for pair in pairs) / len(pairs)


def together(one: Described, a: str, b: str) -> bool:
    return any(a in group and b in group for group in one.groups)
