# SPDX-License-Identifier: Apache-2.0
"""What a lab consists of, before anything is made: namespaces, cables between them, and how each is set up.

A kind of network (torus, rails, ...) makes a Plan; `namespaces.py` makes it real; nothing here touches the machine.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

CONTROL = "ctl"  # where the launcher runs; joined to all hosts by an unshaped network of its own
CONTROL_NETWORK = "10.29"

# What a message costs at each host apart from its bytes, where it was not measured (hop.py): all hosts share this
# machine's few cores.
HOP_SECONDS = 2e-4

# Lets a CPU catch up that was busy elsewhere.
BURST_SECONDS = 1e-3

# A frame of 9000 bytes: work en route is per packet.
DEFAULT_MTU = 9000


@dataclass(frozen=True)
class End:
    """One end of a cable: a device in a namespace."""

    namespace: str
    device: str


@dataclass(frozen=True)
class Cable:
    """Two ends; what each end sends is shaped to `rate_bits` per second (None: not at all)."""

    a: End
    b: End
    rate_bits: float | None

    @property
    def directions(self) -> tuple[tuple[End, End], tuple[End, End]]:
        return (self.a, self.b), (self.b, self.a)


@dataclass(frozen=True)
class Delay:
    """All frames between two devices of one namespace are held back."""

    namespace: str
    devices: tuple[str, str]
    seconds: float


@dataclass
class Plan:
    """`hosts` run ranks, in this order; `setup` holds lines for `ip -batch`, after the cables are there."""

    spec: str
    hosts: list[str]
    interfaces: list[str]  # that the MPI is to use, on every host
    networks: list[str]  # the same as subnets
    switches: list[str] = field(default_factory=list)
    cables: list[Cable] = field(default_factory=list)
    delays: list[Delay] = field(default_factory=list)
    setup: dict[str, list[str]] = field(default_factory=dict)
    machine: str = ""  # the description that Espalier reads, TOML
    mtu: int = DEFAULT_MTU
    buffer_bytes: int = 0  # the most that a socket's buffer holds; 0: what the kernel allows

    @property
    def namespaces(self) -> list[str]:
        return [*self.hosts, *self.switches, CONTROL]

    def do(self, namespace: str, lines: Iterable[str]) -> None:
        self.setup.setdefault(namespace, []).extend(lines)


def burst_bytes(rate_bits: float, mtu: int) -> int:
    """What a shaper lets pass at once after a rest: hardly more than one packet, or it is no link."""
    return max(9 * (mtu + 14) // 8, int(rate_bits / 8 * BURST_SECONDS))


def machine_head(rate_bits: float, mtu: int) -> str:
    """What all descriptions begin with."""
    return f"hop_seconds = {HOP_SECONDS}\nburst = {burst_bytes(rate_bits, mtu)}  # bytes\n\n"


def host_names(count: int) -> list[str]:
    width = max(2, len(str(count - 1)))
    return [f"n{index:0{width}}" for index in range(count)]


def address(prefix: str, index: int) -> str:
    """Of host `index` in a /16 network: 10.28 and 0 -> 10.28.0.1."""
    return f"{prefix}.{index // 250}.{index % 250 + 1}"


def mac(index: int, port: int) -> str:
    return f"02:e5:{index >> 8:02x}:{index & 255:02x}:00:{port:02x}"


def toml_list(items: Iterable[object]) -> str:
    return "[" + ", ".join(f'"{item}"' if isinstance(item, str) else str(item) for item in items) + "]"
