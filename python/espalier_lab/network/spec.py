# SPDX-License-Identifier: Apache-2.0
"""Networks as users write them: torus:3x3x3, mesh:4x4, rails:8x2, sites:8+8, leafspine:4x4."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from espalier.failure import Failure
from espalier.words import nearest
from espalier_lab.network import cluster, lattice, leafspine
from espalier_lab.network.plan import DEFAULT_MTU, Plan

KINDS = "torus:KxKx..., mesh:KxKx..., rails:HOSTSxNICS, sites:HOSTS+HOSTS..., leafspine:LEAVESxNODES"
MOST_HOSTS = 512
UNITS = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9}
RATE = re.compile(r"(\d+(?:\.\d+)?)([kmg]?)(?:bit)?(?:/s)?", re.IGNORECASE)


@dataclass(frozen=True)
class Options:
    rate_bits: float = 20e6  # of each link; where NICs differ, their mean
    without: Sequence[str] = ()
    mtu: int = DEFAULT_MTU
    delay_seconds: float = 0.01  # of a WAN
    nics: int = 2  # of each host in a site
    nic_rates: Sequence[float] = ()  # of each NIC of a host, where they differ
    uplinks: int = 2  # of each leaf
    buffer_bytes: int = 0  # the most that a socket's buffer holds, in each direction; 0: what the kernel allows


def rate_of(text: str) -> float:
    """'20mbit' -> 2e7."""
    match = RATE.fullmatch(text.strip())
    if not match or float(match.group(1)) == 0:
        raise Failure(f"--rate {text}: not a rate; allowed: a number with kbit, mbit or gbit, such as 20mbit")
    return float(match.group(1)) * UNITS[match.group(2).lower()]


def rates_of(text: str) -> tuple[float, ...]:
    """'100mbit,50mbit' -> (1e8, 5e7)."""
    return tuple(rate_of(word) for word in text.split(","))


def seconds_of(text: str) -> float:
    """'10ms' -> 0.01."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(us|ms|s)", text.strip())
    if not match:
        raise Failure(f"--delay {text}: not a time; allowed: a number with us, ms or s, such as 10ms")
    return float(match.group(1)) * {"us": 1e-6, "ms": 1e-3, "s": 1.0}[match.group(2)]


def check_size(spec: str, hosts: int) -> None:
    """Before memory is taken: all of them are namespaces of this machine."""
    if hosts > MOST_HOSTS:
        raise Failure(f"{spec}: too many hosts; allowed: {MOST_HOSTS}")


def extents_of(spec: str, text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d{1,9}(x\d{1,9}){0,15}", text) or any(int(word) < 1 for word in text.split("x")):
        raise Failure(f"{spec}: its extents must be of the form 3x3x3")
    extents = tuple(int(word) for word in text.split("x"))
    check_size(spec, prod(extents))
    return extents


def sites_of(spec: str, text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d{1,9}(\+\d{1,9})*", text) or any(int(word) < 1 for word in text.split("+")):
        raise Failure(f"{spec}: must be of the form sites:8+8, the hosts of each site")
    sizes = tuple(int(word) for word in text.split("+"))
    check_size(spec, sum(sizes))
    return sizes


def place_of(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[0-9]{1,9}(,[0-9]{1,9})*", text):
        raise Failure(f"--without {text}: not a place; allowed: coordinates such as 0,1,2")
    return tuple(int(word) for word in text.split(","))


def nic_rates(spec: str, nics: int, options: Options) -> Sequence[float]:
    """Of each NIC of a host."""
    if options.nic_rates and len(options.nic_rates) != nics:
        raise Failure(f"--rate: {len(options.nic_rates)} rates; each host of {spec} has {nics} NICs")
    return options.nic_rates or [options.rate_bits] * nics


def plan_of(spec: str, options: Options) -> Plan:
    return replace(shape_of(spec, options), buffer_bytes=options.buffer_bytes)


def shape_of(spec: str, options: Options) -> Plan:
    kind, _, rest = spec.partition(":")
    if options.nic_rates and kind not in ("rails", "sites"):
        raise Failure(f"--rate: only NICs of rails or sites may differ; {spec} has links of one rate")
    if kind in ("torus", "mesh"):
        missing = frozenset(place_of(text) for text in options.without)
        network = lattice.Lattice(extents_of(spec, rest), kind == "torus", missing)
        return lattice.make_plan(" ".join([spec, *options.without]), network, options.rate_bits, options.mtu)
    if options.without:
        raise Failure(f"--without {options.without[0]}: only a torus or a mesh has places; {spec} has none")
    if kind == "rails":
        extents = extents_of(spec, rest)
        if len(extents) != 2:
            raise Failure(f"{spec}: must be of the form rails:8x2, hosts and NICs of each")
        return cluster.make_plan(spec, extents[:1], nic_rates(spec, extents[1], options), mtu=options.mtu)
    if kind == "sites":
        sizes = sites_of(spec, rest)
        return cluster.make_plan(spec, sizes, nic_rates(spec, options.nics, options), options.delay_seconds)
    if kind == "leafspine":
        extents = extents_of(spec, rest)
        if len(extents) != 2:
            raise Failure(f"{spec}: must be of the form leafspine:4x4, leaves and the hosts of each")
        leaves = leafspine.LeafSpine(*extents, options.uplinks)
        return leafspine.make_plan(spec, leaves, options.rate_bits, options.mtu)
    near = nearest(kind, [word.partition(":")[0] for word in KINDS.split(", ")])
    raise Failure(f"{spec}: unknown kind of network; " + (f"did you mean {near}?" if near else f"allowed: {KINDS}"))
