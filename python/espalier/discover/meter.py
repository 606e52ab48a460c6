# SPDX-License-Identifier: Apache-2.0
"""Flows of a size that this network takes a known time for, so that who shares a link shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from espalier.discover.instrument import Instrument, Pair
from espalier.failure import Failure

CHUNKS = 8  # messages of a flow; flows from one node send theirs in turn
LEAST_CHUNK, LARGEST_CHUNK = 1 << 10, 1 << 24
# A flow takes long against what disturbs it: a message's own cost, and the time for which a processor may be away.
LATENCIES = 50
LEAST_SECONDS, MOST_SECONDS = 2e-3, 120e-3
# Two flows on a link take twice as long, each. Noise makes a time longer, hardly ever shorter: what is slow is measured
# again where times differ by themselves.
SHARED = 1.5
ATTEMPTS = 3
CALM = 1.2  # the most that one and the same flow may differ by, where a single time will do
TOO_BUSY = 3.0  # nothing can be told from what differs by as much
CALIBRATING = 3  # pairs
LONGER = 4  # times as many messages, where a rate is wanted


@dataclass
class Meter:
    """`chunk`: bytes of a message; `unit`: seconds that a flow takes alone; `noise`: how much longer, at times."""

    instrument: Instrument
    chunk: int
    unit: float
    noise: float = 1.0

    def together(self, flows: Sequence[Pair]) -> list[float]:
        """How long each of these takes when all are under way, in units. In synchronous mode, by which an MPI that
        takes NICs in turn takes all of them: else several NICs look like links to different neighbours."""
        taken = self.instrument.flow(self.chunk, CHUNKS, flows, synchronous=True)
        return [seconds / self.unit for seconds in taken]

    def do_share(self, one: Pair, other: Pair) -> bool:
        """Whether a link, or a NIC, is the limit of both."""
        best = [float("inf"), float("inf")]
        for _ in range(self.looks):
            best = [min(old, new) for old, new in zip(best, self.together([one, other]))]
            if max(best) < SHARED:
                return False
        return True

    @property
    def looks(self) -> int:
        """How often what is slow is measured before it is believed."""
        return 1 if self.noise < CALM else 2 if self.noise < SHARED else 4

    def rates(self, flows: Sequence[Pair], synchronous: bool = True) -> list[float]:
        """Bytes per second of each when all are under way. By what longer flows take more than short ones: so neither
        the beginning counts, nor what a shaper lets pass at once."""
        short, long = (self.shortest(count, flows, synchronous) for count in (CHUNKS, CHUNKS * LONGER))
        more = self.chunk * CHUNKS * (LONGER - 1)
        return [more / max(after - before, after / LONGER) for before, after in zip(short, long)]

    def shortest(self, chunks: int, flows: Sequence[Pair], synchronous: bool) -> list[float]:
        """Seconds of each, the better of two times."""
        both = [self.instrument.flow(self.chunk, chunks, flows, synchronous) for _ in range(2)]
        return [min(each) for each in zip(*both)]


def calibrated(instrument: Instrument, pairs: Sequence[Pair], latency: float) -> Meter:
    """By some disjoint pairs: messages grow until a flow takes as long as it should."""
    wanted = min(max(LATENCIES * latency, LEAST_SECONDS), MOST_SECONDS)
    chunk = LEAST_CHUNK
    while True:
        # The first time may make a connection.
        taken = min(median(instrument.flow(chunk, CHUNKS, pairs[:CALIBRATING], True)) for _ in range(ATTEMPTS))
        if taken >= wanted or chunk >= LARGEST_CHUNK:
            break
        chunk = min(LARGEST_CHUNK, int(chunk * min(4, max(1.2, 1.1 * wanted / taken))))
    for _ in range(ATTEMPTS):
        times = sorted(instrument.flow(chunk, CHUNKS, pairs[:1], True)[0] for _ in range(2 * ATTEMPTS))
        noise = times[-2] / times[0]
        if noise < TOO_BUSY:
            return Meter(instrument, chunk, times[0], noise)
    raise Failure(
        f"The network, or its nodes, are too busy: one and the same flow takes up to {noise:.1f} times as long.",
        "Measure again when less is running.",
        status=1,
    )
