# SPDX-License-Identifier: Apache-2.0
"""Which long packets each direction of each shaped link carried, and when: a tap behind every shaper.

The taps are packet sockets. They change nothing on the link, and a filter in the kernel passes them only what leaves by
it and is long: acknowledgements and control messages of an MPI are left out.
"""

import ctypes
import os
import select
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Self

from espalier.failure import Failure
from espalier_lab.network import namespaces
from espalier_lab.network.plan import End, Plan

# An acknowledgement has 66 bytes, a header of an MPI next to it about as many again.
SHORTEST_BYTES = 256

ETHERNET_BYTES = 14
ETH_P_ALL = 3
SNAP_BYTES = 64

# <linux/socket.h>, <linux/if_packet.h>, <linux/filter.h>; Python names few of them.
SO_ATTACH_FILTER, SO_TIMESTAMPNS = 26, 35
SOL_PACKET, PACKET_STATISTICS = 263, 6
LOAD_HALF, LOAD_WORD, LOAD_LENGTH, IF_EQUAL, IF_AT_LEAST, RETURN = 0x28, 0x20, 0x80, 0x15, 0x35, 0x06
PACKET_TYPE, OUTGOING = 0xFFFFF000 + 4, 4

# Operation, jumps if true and if false, operand.
FILTER = (
    (LOAD_HALF, 0, 0, 12),
    (IF_EQUAL, 0, 5, 0x0800),
    (LOAD_WORD, 0, 0, PACKET_TYPE),
    (IF_EQUAL, 0, 3, OUTGOING),
    (LOAD_LENGTH, 0, 0, 0),
    (IF_AT_LEAST, 0, 1, SHORTEST_BYTES),
    (RETURN, 0, 0, SNAP_BYTES),
    (RETURN, 0, 0, 0),
)


@dataclass(frozen=True)
class Packet:
    """`stream` says who sends to whom: two addresses."""

    seconds: float  # since the epoch
    bytes: int
    stream: tuple[str, str]


@contextmanager
def inside(namespace: str) -> Iterator[None]:
    """This thread is in the namespace; what it opens there stays there."""
    libc = ctypes.CDLL(None, use_errno=True)
    with (
        Path("/proc/thread-self/ns/net").open() as own,
        Path(f"/run/netns/{namespaces.name_of(namespace)}").open() as there,
    ):
        if libc.setns(there.fileno(), 0) != 0:
            raise Failure(f"{namespace}: {os.strerror(ctypes.get_errno())}", status=1)
        try:
            yield
        finally:
            libc.setns(own.fileno(), 0)


def tap(device: str) -> socket.socket:
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW | socket.SOCK_NONBLOCK, 0)
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in FILTER))
    opened.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HP", len(FILTER), ctypes.addressof(code)))
    opened.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    opened.bind((device, ETH_P_ALL))
    return opened


def packets_at(opened: socket.socket) -> Iterator[Packet]:
    """All that have arrived."""
    while True:
        try:
            frame, ancillary, _, _ = opened.recvmsg(SNAP_BYTES, 64)
        except BlockingIOError:
            return
        seconds, nanoseconds = struct.unpack("qq", ancillary[0][2])
        header = frame[ETHERNET_BYTES:]
        stream = socket.inet_ntoa(header[12:16]), socket.inet_ntoa(header[16:20])
        length = int.from_bytes(header[2:4], "big") + ETHERNET_BYTES
        yield Packet(seconds + nanoseconds * 1e-9, length, stream)


class Capture:
    """Of all shaped directions, for as long as the context lasts."""

    def __init__(self, plan: Plan) -> None:
        self.packets: dict[tuple[End, End], list[Packet]] = {}
        self._ended = Event()
        self._thread = Thread(target=self._collect)
        self._taps: dict[int, tuple[socket.socket, tuple[End, End]]] = {}
        self._sockets = ExitStack()
        directions = [variant for cable in plan.cables if cable.rate_bits is not None for variant in cable.directions]
        for near, far in sorted(directions, key=lambda variant: variant[0].namespace):
            with inside(near.namespace):
                opened = self._sockets.enter_context(tap(near.device))
            self._taps[opened.fileno()] = opened, (near, far)
            self.packets[near, far] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        lost = sum(self._lost(opened) for opened, _ in self._taps.values())
        self._sockets.close()
        if lost and error is None:
            raise Failure(f"{lost} packets went by unseen: this machine is too busy for a capture.", status=1)

    def _collect(self) -> None:
        with select.epoll() as poll:
            for number in self._taps:
                poll.register(number, select.EPOLLIN)
            while not self._ended.is_set():
                for number, _ in poll.poll(0.2):
                    self._take_from(number)
        for number in self._taps:
            self._take_from(number)

    def _take_from(self, number: int) -> None:
        opened, variant = self._taps[number]
        self.packets[variant].extend(packets_at(opened))

    @staticmethod
    def _lost(opened: socket.socket) -> int:
        _, lost = struct.unpack("II", opened.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))
        return int(lost)
