# SPDX-License-Identifier: Apache-2.0
"""Who had to wait for whom on a link, from the times at which packets left its shaper.

A shaper lets a little more pass at once than its rate says (a burst). We play a link of that rate without a burst: a
packet that comes while the link is still sending an earlier one has to wait; if that one is of another stream, the two
contend for the link. A stream that only waits for itself is TCP filling its window.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from espalier_lab.network.capture import Packet

# A packet that arrives the last microseconds of another one's sending is not said to have waited: clocks are no better.
SLACK = 1 / 8  # of the other one's time on the link


@dataclass(frozen=True)
class Contention:
    """Of one direction of a link."""

    packets: int
    delayed: int  # found the link busy, be it with their own stream
    behind_others: int  # found it busy with another stream


def contention(packets: Sequence[Packet], rate_bits: float) -> Contention:
    """`packets` in order of time."""
    delayed = behind_others = 0
    free_at = 0.0
    sending: deque[tuple[float, Packet]] = deque()  # when it is through, nearly
    for packet in packets:
        while sending and sending[0][0] <= packet.seconds:
            sending.popleft()
        delayed += bool(sending)
        behind_others += any(other.stream != packet.stream for _, other in sending)
        duration = packet.bytes * 8 / rate_bits
        free_at = max(free_at, packet.seconds) + duration
        sending.append((free_at - SLACK * duration, packet))
    return Contention(len(packets), delayed, behind_others)
