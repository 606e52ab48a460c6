# SPDX-License-Identifier: Apache-2.0
"""A comparison of algorithms to make one collective on one network, and a row of its results.

A row of the results: {"lab", "mpi", "collective", "bytes", "ranks", "variant", "median_s", "q1_s", "q3_s", "repeats",
"bound_s", "cpu_busy", "chosen", "first_over_best", "hop_s", "calls", "in_calls_s", "each_s"}. `bound_s` is what the
links allow for the payload alone, `hop_s` what a message was measured to cost at each host, as Espalier was told.
`first_over_best` is how much longer what ran first was found to take than the best that was timed (1: as long, 0: not
known). Of a series, `calls` is of how many calls `median_s` is the mean, and `each_s` the time of each, mean over
ranks. Of the transform a step is what is called a call here, and `in_calls_s` what of it the alltoalls took.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from espalier import stored
from espalier_lab.measured import Timed
from espalier_lab.network.plan import HOP_SECONDS
from espalier_lab.network.spec import Options

KIB, MIB = 1 << 10, 1 << 20


@dataclass(frozen=True)
class Comparison:
    """One collective on one network."""

    network: str
    collective: str
    sizes: Sequence[int]
    options: Options = field(default_factory=Options)
    variants: Sequence[str] = ("native", "forced:*", "espalier")
    members: Sequence[int] = ()  # the ranks that take part; empty: all
    label: str = ""  # of the members: "plane"
    repeats: int = 5
    per_host: int = 1
    seed: int = 1
    root: int | None = None  # of all calls, which find connections made; None: another one in each
    trains: bool = True  # calls back to back; False: each alone, after a rest of the links
    series: int = 0  # calls in a row by each variant (series_variants.py) that `variants` names; 0: no series
    limit_seconds: float = 600  # of a series: if native calls would take longer, there are fewer, and otherwise, too
    is_limited: bool = True  # or else there are as many calls as it says, however long they take
    settings: Mapping[str, str] = field(default_factory=dict)  # of Espalier's, in all variants
    whole_numbers: bool = False  # in a series: sums may be made in any order
    is_fresh: bool = False  # in a series: each size on a communicator that was just made

    @property
    def lab(self) -> str:
        rates = self.options.nic_rates or [self.options.rate_bits]
        rate = "+".join(f"{rate / 1e6:g}" for rate in rates) + "mbit"
        words = [self.network, *(f"without {place}" for place in self.options.without), rate, self.label]
        words += [f"{self.per_host} ranks a host"] if self.per_host > 1 else []
        return " ".join(filter(None, words))


@dataclass(frozen=True)
class Row(Timed):
    bound_s: float
    cpu_busy: float
    chosen: str = ""  # of `espalier`: by what its calls were done, and how many
    first_over_best: float = 0.0
    hop_s: float = HOP_SECONDS
    calls: int = 0
    in_calls_s: float = 0.0
    each_s: list[float] = field(default_factory=list)

    @property
    def is_forced(self) -> bool:
        return self.variant.startswith("forced:")


def shuffled(count: int, seed: int) -> list[int]:
    """Ranks are placed at random: nothing may depend on their numbers."""
    order = list(range(count))
    random.Random(seed).shuffle(order)
    return order


def read(file: Path) -> list[Row]:
    """What `espalier lab compare` has written."""
    return stored.rows_of(Row, file, f"espalier lab compare {file.stem}")
