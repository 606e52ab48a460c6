# SPDX-License-Identifier: Apache-2.0
"""Exchanges of halos: which ones, what of their bytes goes over which links, and the rows of results.

`paired` are the same persistent sends and receives as `native:persistent`, `espalier:neighbour` the same blocking
neighbourhood collective as `native:blocking`; all others are persistent ones. `packer:NAME` is that packer in a
persistent collective, `blocking:NAME` and `paired:NAME` the same in these two. `together` and `alone`: short messages
of ranks of a host go together, or never do.

A row of the results: {"lab", "mpi", "pattern", "bytes", "ranks", "per_host", "variant", "median_s", "q1_s", "q3_s",
"repeats", "bound_s", "cpu_busy", "packets", "model_s"}. `bytes` are those of the longest message; `bound_s` is what all
NICs of the fullest host take for what it sends or receives, or the fullest link of a torus for what goes over it; what
several ranks of a host get alike counts once. `model_s` is what the model expects by which packers are chosen, 0 where
it says nothing. `packets` are those that the busiest host sends.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from espalier import stored
from espalier.failure import Failure
from espalier.words import checked
from espalier_lab.experiments.comparison import KIB
from espalier_lab.network.lattice import Lattice, links_on_route
from espalier_lab.network.spec import Options, extents_of

TITLE = "Halos over the NICs of hosts"
STUDY = "halo"  # of which the results are
NATIVE = ("native:persistent", "native:neighbour", "native:blocking")
OURS = ("espalier", "espalier:neighbour", "paired")
PACKERS = (
    "even",
    "striped",
    *(f"roundrobin({k})" for k in (1, 2, 4)),
    *(f"bottomleft({k})" for k in (1, 2, 4)),
    *(f"bottomleft_late({k})" for k in (1, 2, 4)),
    "fastest",
)
FORMS = ("packer", "blocking", "paired")  # of a packer's exchanges
TOGETHER = ("native:persistent", "native:neighbour", "alone", "together", "espalier")
# Of the longest message of the weather model, for its heights (paper 3, table 1); and a short one.
SCALE_BYTES = (KIB, *(256 * (height + 4) for height in (60, 70, 80, 109, 218, 327, 436, 545, 654, 763, 872)))


@dataclass(frozen=True)
class Exchange:
    """One pattern on one network."""

    network: str
    options: Options
    pattern: str
    sizes: Sequence[int]
    variants: Sequence[str] = (*NATIVE, *OURS, *(f"{form}:{name}" for form in FORMS for name in PACKERS))
    per_host: int = 1  # ranks

    @property
    def lab(self) -> str:
        rates = self.options.nic_rates or [self.options.rate_bits]
        words = f"{self.network} {'+'.join(f'{rate / 1e6:g}' for rate in rates)}mbit"
        return words + (f", {self.per_host} ranks a host" if self.per_host > 1 else "")

    @property
    def extents(self) -> tuple[int, ...]:
        return extents_of(self.network, self.network.partition(":")[2])

    @property
    def host_rate(self) -> float:
        """Bytes a second over all NICs of a host."""
        return (sum(self.options.nic_rates) or self.extents[1] * self.options.rate_bits) / 8

    def bound_s(self, traffic: Mapping[tuple[int, int], int]) -> float:
        """For bytes from host to host."""
        loads: Counter[object] = Counter()
        if not self.network.startswith("torus"):
            for (source, target), size in traffic.items():
                loads.update({("from", source): size, ("to", target): size})
            return max(loads.values()) / self.host_rate
        torus = Lattice(self.extents, wraps=True)
        for (source, target), size in traffic.items():
            for link in links_on_route(torus, torus.places[source], torus.places[target]):
                loads[link] += size
        return max(loads.values()) / (self.options.rate_bits / 8)

    def traffic(self, size: Mapping[str, Any]) -> Counter[tuple[int, int]]:
        """From host to host, what is alike once."""
        traffic: Counter[tuple[int, int]] = Counter()
        done = set()
        for sender, receiver, length in size["messages"]:
            source, target = sender // self.per_host, receiver // self.per_host
            if source == target or (size["is_alike"] and (sender, target) in done):
                continue
            done.add((sender, target))
            traffic[source, target] += length
        return traffic


@dataclass(frozen=True)
class Row:
    lab: str
    mpi: str
    pattern: str
    bytes: int
    ranks: int
    per_host: int
    variant: str
    median_s: float
    q1_s: float
    q3_s: float
    repeats: int
    bound_s: float
    cpu_busy: float
    packets: float
    model_s: float = 0.0


def exchanges() -> list[Exchange]:
    """At rates at which two cores are no limit."""
    short = (KIB, 8 * KIB, 64 * KIB, 256 * KIB)
    return [
        Exchange("rails:8x4", Options(20e6), "scale", SCALE_BYTES),
        Exchange("rails:9x4", Options(20e6), "scale", (KIB, SCALE_BYTES[6], SCALE_BYTES[-1])),
        Exchange("rails:16x4", Options(10e6), "scale", (SCALE_BYTES[0], *SCALE_BYTES[1::5])),
        Exchange("rails:8x2", Options(30e6, nic_rates=(40e6, 20e6)), "scale", (KIB, 16 * KIB, SCALE_BYTES[-1])),
        Exchange("torus:4x4", Options(20e6), "scale", (KIB, *SCALE_BYTES[3::4])),
        Exchange("rails:8x4", Options(20e6), "stencil", short),
        Exchange("rails:8x4", Options(20e6), "irregular", short),
        Exchange("rails:4x2", Options(20e6), "stencil", (64, 256, KIB, 4 * KIB, 64 * KIB), TOGETHER, per_host=4),
        Exchange("rails:4x2", Options(20e6), "alike", (64, KIB, 16 * KIB, 64 * KIB), TOGETHER, per_host=4),
    ]


@dataclass(frozen=True)
class Part:
    """What is wanted of all of them; empty: everything."""

    patterns: Sequence[str]
    networks: Sequence[str]
    sizes: Sequence[int]
    variants: Sequence[str]

    def of(self, planned: Sequence[Exchange]) -> list[Exchange]:
        checked("--pattern", self.patterns, sorted({one.pattern for one in planned}))
        checked("--network", self.networks, sorted({one.network for one in planned}))
        checked("--variant", self.variants, sorted({name for one in planned for name in one.variants}))
        found = [
            replace(one, sizes=self.sizes or one.sizes, variants=self.variants or one.variants)
            for one in planned
            if (not self.patterns or one.pattern in self.patterns)
            and (not self.networks or one.network in self.networks)
        ]
        if not found:
            raise Failure("There is no such pattern on such a network.", "Leave --pattern or --network out.")
        return found


def read(file: Path) -> list[Row]:
    """What `espalier lab halos` has written."""
    return stored.rows_of(Row, file, "espalier lab halos")
