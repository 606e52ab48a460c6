# SPDX-License-Identifier: Apache-2.0
"""InfiniBand, from what `ibnetdiscover` prints: hosts by the switches that they are on.

    Switch  36 "S-ec0d9a0300ec8240"     # "leaf01" base port 0 lid 48 lmc 0
    [1]     "H-506b4b03003fa9b6"[1](506b4b03003fa9b6)       # "node018 HCA-1" lid 67 4xEDR

    Ca      1 "H-506b4b03003fa9b6"      # "node018 HCA-1"
    [1](506b4b03003fa9b6)   "S-ec0d9a0300ec8240"[1]         # lid 67 lmc 0 "leaf01" lid 48 4xEDR

A host may have several adapters: its name is the first word of what is said of them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from espalier import units
from espalier.described.lines import Line, lines_of
from espalier.described.machine import Clusters, Description, Graph, Link
from espalier.failure import Failure

GUID = r'"([SHR])-(?:0x)?([0-9a-fA-F]{1,16})"'
NODE = re.compile(rf'(Switch|Ca|Rt)\s+\d+\s+{GUID}\s*#\s*"([^"]*)"')
PORT_END = r"\[(\d+)\](?:\[ext \d+\])?(?:\([0-9a-fA-Fx]+\))?"
PORT = re.compile(rf"{PORT_END}\s+{GUID}{PORT_END}\s*#\s*(.*)")
WIDTH_AND_SPEED = re.compile(r"\b(\d{1,2})x([A-Z]DR(?:10)?)\b[^\"]*$")
KEY = re.compile(r"(vendid|devid|sysimgguid|switchguid|caguid|rtguid|portguid)=0x[0-9a-fA-F]+(\([0-9a-fA-F]+\))?")
GROUP = re.compile(r"(Chassis|Non-Chassis|Hostname|Spine|Line)\b")  # titles of `ibnetdiscover -g`
# Bits per second of a lane that are data, without those of its encoding.
LANES = {"SDR": 2e9, "DDR": 4e9, "QDR": 8e9, "FDR10": 10e9, "FDR": 13.64e9, "EDR": 25e9, "HDR": 50e9, "NDR": 100e9}
LANES["XDR"] = 200e9
# Adapters inside switches, which reduce: nobody's host.
NO_HOST = "Aggregation Node"
MOST_NICS = 16


@dataclass
class Port:
    peer: str
    rate: float  # bytes per second; 0: not said
    line: Line


@dataclass
class Device:
    is_switch: bool
    title: str
    line: Line
    ports: dict[int, Port] = field(default_factory=dict)

    @property
    def host(self) -> str:
        return self.title.split()[0]


Fabric = dict[str, Device]


def description_of(file: Path, rate: float) -> Description:
    fabric = fabric_of(file)
    check_is_whole(fabric, file)
    return described(fabric, rate, file)


def fabric_of(file: Path) -> Fabric:
    fabric: Fabric = {}
    device = None
    for line in lines_of(file):
        if node := NODE.match(line.text):
            device = Device(node.group(1) == "Switch", node.group(4).strip(), line)
            guid = node.group(3).lower().zfill(16)
            if guid in fabric:
                raise line.wrong(f"each device once; this one is in line {fabric[guid].line.number}, too")
            fabric[guid] = device
        elif line.text.startswith("["):
            if device is None:
                raise line.wrong("a line that begins with Switch, Ca or Rt before the first port")
            number, port = port_of(line)
            if number in device.ports:
                raise line.wrong(f"each port once; this one is in line {device.ports[number].line.number}, too")
            device.ports[number] = port
        elif not (line.text.startswith("#") or KEY.fullmatch(line.text) or GROUP.match(line.text)):
            raise line.wrong('what ibnetdiscover prints, such as: Switch 36 "S-0002c9..." # "name" ...')
    return fabric


def port_of(line: Line) -> tuple[int, Port]:
    found = PORT.match(line.text)
    if not found:
        raise line.wrong('a port, such as: [1] "H-0002c9..."[1] # "node01 HCA-1" lid 4 4xEDR')
    return int(found.group(1)), Port(found.group(3).lower().zfill(16), rate_of(line, found.group(5)), line)


def rate_of(line: Line, rest: str) -> float:
    """Older ones say no rate."""
    found = WIDTH_AND_SPEED.search(rest)
    if not found:
        return 0.0
    if found.group(2) not in LANES:
        raise line.wrong(f"a speed of these: {', '.join(LANES)}")
    return int(found.group(1)) * LANES[found.group(2)] / 8


def check_is_whole(fabric: Fabric, file: Path) -> None:
    """Both ends of a link are there, or else the output was cut off."""
    if not fabric:
        raise Failure(f"{file}: has no Switch and no Ca; expected: what ibnetdiscover prints")
    for device in fabric.values():
        for port in device.ports.values():
            if port.peer not in fabric:
                raise port.line.wrong("a device that has lines of its own; is the output cut off?")


def described(fabric: Fabric, rate: float, file: Path) -> Description:
    hosts = ports_of_hosts(fabric)
    if not hosts:
        raise Failure(f"{file}: has no Ca that is joined to anything; expected: hosts on switches")
    rates = [port.rate or rate for ports in hosts.values() for port in ports]
    if not all(rates):
        missing = next(port for ports in hosts.values() for port in ports if not (port.rate or rate))
        raise missing.line.wrong("a width and speed at its end, such as 4xEDR; or else --rate, in bytes per second")
    remarks = [f"From what ibnetdiscover printed: {file.name}.", *remarks_on_rates(rates)]
    if any(not fabric[port.peer].is_switch for ports in hosts.values() for port in ports):
        return joined_directly(fabric, hosts, rate, remarks, file)
    return on_switches(fabric, hosts, min(rates), remarks)


def ports_of_hosts(fabric: Fabric) -> dict[str, list[Port]]:
    """In the order of their names, with the adapters of a host together."""
    hosts: dict[str, list[Port]] = defaultdict(list)
    titles: dict[str, Line] = {}
    for device in fabric.values():
        if device.is_switch or NO_HOST in device.title or not device.ports:
            continue
        if not device.title:
            raise device.line.wrong("what the adapter's host is called, such as: node01 HCA-1")
        if device.title in titles:
            raise device.line.wrong(
                f"a title that tells hosts apart (node01 HCA-1); line {titles[device.title].number} has this one, too"
            )
        titles[device.title] = device.line
        hosts[device.host] += device.ports.values()
    return {host: hosts[host] for host in sorted(hosts, key=natural)}


def natural(name: str) -> list[tuple[int, str]]:
    """n2 before n10."""
    return [(int(word), "") if word.isdecimal() else (-1, word) for word in re.split(r"(\d+)", name) if word]


def remarks_on_rates(rates: Sequence[float]) -> list[str]:
    counts = Counter(rates)
    if len(counts) == 1:
        return []
    said = ", ".join(f"{8 * rate / 1e9:g} Gbit/s at {count}" for rate, count in sorted(counts.items()))
    return [f"Ports of hosts differ ({said}): the slowest rate stands for all."]


def on_switches(fabric: Fabric, hosts: dict[str, list[Port]], rate: float, remarks: list[str]) -> Description:
    leaves: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for host, ports in hosts.items():
        leaves[tuple(sorted({port.peer for port in ports}))].append(host)
    counts = Counter(min(MOST_NICS, len(ports)) for ports in hosts.values())
    if len(counts) > 1:
        remarks.append(f"Hosts have {min(counts)} to {max(counts)} ports that are up: the fewest stand for all.")
    for switches, members in leaves.items():
        remarks.append(leaf_remark(fabric, switches, members, hosts))
    return Description(Clusters(list(leaves.values()), min(counts), rate), remarks)


def leaf_remark(fabric: Fabric, switches: Sequence[str], members: Sequence[str], hosts: dict[str, list[Port]]) -> str:
    names = ", ".join(fabric[switch].title for switch in switches)
    down = sum(port.rate for host in members for port in hosts[host])
    up = sum(port.rate for switch in switches for port in fabric[switch].ports.values() if fabric[port.peer].is_switch)
    size = units.plural(len(members), "host")
    if not up or not down:
        return f"{names}: {size}."
    return f"{names}: {size}; its links to other switches carry {up / down:.0%} of what these can send."


def joined_directly(
    fabric: Fabric, hosts: dict[str, list[Port]], rate: float, remarks: list[str], file: Path
) -> Description:
    """Adapters cabled to each other: a graph, if that is all there is."""
    links: dict[tuple[str, str], float] = defaultdict(float)
    for host, port in ((host, port) for host, ports in hosts.items() for port in ports):
        if fabric[port.peer].is_switch:
            raise port.line.wrong(f"either hosts on switches or hosts joined to each other; {file.name} has both")
        links[host, fabric[port.peer].host] += port.rate or rate
    once: Iterable[tuple[tuple[str, str], float]] = ((pair, of) for pair, of in links.items() if pair[0] < pair[1])
    return Description(Graph(list(hosts), [Link(a, b, of) for (a, b), of in once]), remarks)
