# SPDX-License-Identifier: Apache-2.0
"""Machines as they are written down (docs/reference/topology.md). Rates are bytes per second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Union


@dataclass(frozen=True)
class Lattice:
    """A torus or a mesh; its nodes in order, the first axis fastest."""

    wraps: bool
    extents: Sequence[int]
    rate: float
    nodes: Sequence[str]


@dataclass(frozen=True)
class Tofu:
    """Each node's X, Y, Z, a, b, c."""

    rate: float
    places: Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class Clusters:
    """Nodes on switches: one cluster, or several sites in a chain. `wan_seconds`: 0 where no WAN joins them."""

    sites: Sequence[Sequence[str]]
    nics: int
    rate: float  # of each NIC
    wan_seconds: float = 0.0


@dataclass(frozen=True)
class Link:
    a: str
    b: str
    rate: float


@dataclass(frozen=True)
class Graph:
    nodes: Sequence[str]
    links: Sequence[Link]


Machine = Union[Lattice, Tofu, Clusters, Graph]


@dataclass(frozen=True)
class Description:
    """`remarks`: what a reader should know of where it is from, and how sure it is."""

    machine: Machine
    remarks: Sequence[str]
    hop_seconds: float = 0.0  # 0: not known

    @property
    def nodes(self) -> list[str]:
        if isinstance(self.machine, Clusters):
            return [name for site in self.machine.sites for name in site]
        if isinstance(self.machine, Tofu):
            return list(self.machine.places)
        return [name for name in self.machine.nodes if name]
