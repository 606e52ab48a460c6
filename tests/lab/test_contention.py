# SPDX-License-Identifier: Apache-2.0
"""Who waited for whom, on packets that nobody sent."""

import pytest

from espalier_lab.experiments.contention import Contention, contention
from espalier_lab.network.capture import Packet

RATE_BITS = 8000.0  # a packet of 1000 bytes takes a second
A_TO_B, C_TO_B = ("a", "b"), ("c", "b")


def packets(*sent: tuple[float, tuple[str, str]]) -> list[Packet]:
    return [Packet(seconds, 1000, stream) for seconds, stream in sent]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ([], Contention(0, 0, 0)),
        ([(0, A_TO_B)], Contention(1, 0, 0)),
        ([(0, A_TO_B), (0.5, A_TO_B)], Contention(2, 1, 0)),
        ([(0, A_TO_B), (0.5, C_TO_B)], Contention(2, 1, 1)),
        ([(0, A_TO_B), (1.5, C_TO_B)], Contention(2, 0, 0)),
    ],
)
def test_a_packet_waits_that_finds_the_link_busy(sent: list[tuple[float, tuple[str, str]]], expected: object) -> None:
    assert contention(packets(*sent), RATE_BITS) == expected


def test_what_a_burst_lets_pass_at_once_would_wait_on_a_plain_link() -> None:
    at_once = packets((0, A_TO_B), (0, C_TO_B), (1, A_TO_B), (2.5, A_TO_B))
    assert contention(at_once, RATE_BITS) == Contention(4, 3, 2)


def test_the_end_of_a_packet_is_not_waited_for() -> None:
    assert contention(packets((0, A_TO_B), (0.9, C_TO_B)), RATE_BITS) == Contention(2, 0, 0)
