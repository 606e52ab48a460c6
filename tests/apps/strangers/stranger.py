# SPDX-License-Identifier: Apache-2.0
"""A process that is no part of a job, and what it can try at the job's listening ports, in libfabric's own words.

python3 stranger.py ATTACK PORT...      says as JSON what it was answered. Needs no rights and no library.
"""

from __future__ import annotations

import json
import os
import random
import socket
import struct
import sys
from collections.abc import Callable, Sequence

HERE = "127.0.0.1"
# Of libfabric's provider tcp.
VERSION = 3
CONNECTION_REQUEST, CONNECTION_RESPONSE = 0, 1
MESSAGE, READ, WRITE = 0, 2, 4
CARRIES_DATA = 1
SAME_BYTE_ORDER = 1

Answers = dict[str, int]


def connect(port: int, claimed_port: int = 9, process: int = 1) -> socket.socket | None:
    """A connection as from an endpoint at `claimed_port`; none if nobody takes it."""
    connection = socket.socket()
    connection.settimeout(0.3)
    try:
        connection.connect((HERE, port))
        head = struct.pack("=BBHIQQQ", VERSION, CONNECTION_REQUEST, socket.htons(8), 0, 0, 0, SAME_BYTE_ORDER)
        connection.sendall(head + struct.pack(">BBHI", 0, 0, claimed_port, process))
        if connection.recv(64)[1:2] == bytes([CONNECTION_RESPONSE]):
            return connection
    except OSError:
        pass
    connection.close()
    return None


def packet(operation: int, text: bytes, iov: Sequence[tuple[int, int, int]] = (), data: int | None = None) -> bytes:
    """`iov`: address, bytes and key of memory over there. `data`: go along with a write."""
    extra = (b"" if data is None else struct.pack("=Q", data)) + b"".join(struct.pack("=QQQ", *one) for one in iov)
    flags = 0 if data is None else CARRIES_DATA
    bytes_of_head = 16 + len(extra)
    head = struct.pack("=BBHBBBBQ", VERSION, operation, flags, 0, len(iov), bytes_of_head, 0, bytes_of_head + len(text))
    return head + extra + text


def say(port: int, packets: Sequence[bytes]) -> bool:
    """Whether somebody took the connection."""
    connection = connect(port)
    if connection is None:
        return False
    try:
        for one in packets:
            connection.sendall(one)
        connection.recv(64)
    except OSError:  # closed meanwhile, or silence
        pass
    connection.close()
    return True


def write_under_small_keys(ports: Sequence[int]) -> Answers:
    text = b"written by a stranger. " * 20
    taken = 0
    for port in ports:
        for key in range(8):
            if not say(port, [packet(WRITE, text, [(0, len(text), key)])]):
                break
            taken += 1
    return {"taken": taken}


def read_under_small_keys(ports: Sequence[int]) -> Answers:
    came = 0
    for port in ports:
        for key in range(8):
            connection = connect(port)
            if connection is None:
                break
            try:
                connection.sendall(packet(READ, b"", [(0, 64, key)]))
                came += len(connection.recv(4096))
            except OSError:
                pass
            connection.close()
    return {"bytes": came}


def report_arrived_pieces(ports: Sequence[int]) -> Answers:
    """Writes of nothing to nowhere, for which no key is asked: only what goes along counts."""
    numbers = [inlet << 12 | piece for inlet in range(64) for piece in range(4)]
    numbers += [random.getrandbits(64) for _ in range(1000)]
    packets = [packet(WRITE, b"", data=number) for number in numbers]
    return {"taken": sum(say(port, packets) for port in ports)}


def send_messages(ports: Sequence[int]) -> Answers:
    """Of all lengths, at random, and aborts of runs, without a seal."""
    messages = [random.randbytes(random.randrange(1, 3000)) for _ in range(100)]
    messages += [struct.pack("=IIQQ", 3, 0, run, context) + bytes(64) for run in range(30) for context in range(8)]
    return {"taken": sum(say(port, [packet(MESSAGE, message) for message in messages]) for port in ports)}


def take_places(ports: Sequence[int]) -> Answers:
    """Connects as the process that listens at each of the other ports. Who answers believes that."""
    held = []
    for port in ports:
        for claimed in set(ports) - {port}:
            connection = connect(port, claimed, process=2)
            if connection is None:
                break
            held.append((port, connection))
    return {"ports": len({port for port, _ in held})}


ATTACKS: dict[str, Callable[[Sequence[int]], Answers]] = {
    attack.__name__: attack
    for attack in (
        write_under_small_keys,
        read_under_small_keys,
        report_arrived_pieces,
        send_messages,
        take_places,
    )
}

if __name__ == "__main__":
    answers = ATTACKS[sys.argv[1]]([int(port) for port in sys.argv[2:]])
    print(json.dumps({"user": os.geteuid(), **answers}))
