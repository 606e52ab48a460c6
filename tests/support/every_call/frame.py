# SPDX-License-Identifier: Apache-2.0
"""Makes the calls of a file that programs.py wrote, as frame.c does: frame.py CALLS NUMBERS SEEN."""

import ctypes
import sys
from pathlib import Path

import numpy
from mpi4py import MPI

ANYTHING = -2

calls, numbers, seen = map(Path, sys.argv[1:])
world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size
root = ROOT = ranks - 1
op = MPI.SUM
sendtypes = recvtypes = [MPI.INT] * ranks

lines = [[int(number) for number in line.split()] for line in numbers.read_text().splitlines()]
length = (len(lines[0]) - 2 - 4 * ranks) // 3
sendbuf, recvbuf, expected = (numpy.zeros(length, "i") for _ in range(3))
absolute = MPI.INT.Create_hindexed([1], [MPI.Get_address(recvbuf)]).Commit()
count_calls = getattr(ctypes.CDLL(None), "espalier_calls", None)
checked: list[str] = []
all_wrong = own_before = 0


def own_calls(collective: str) -> int:
    own, native = ctypes.c_ulonglong(), ctypes.c_ulonglong()
    if count_calls:
        count_calls(collective.encode(), ctypes.byref(own), ctypes.byref(native))
    return own.value


def begin(collective: str, number: int) -> None:
    global sendcount, recvcount, sendcounts, sdispls, recvcounts, rdispls, own_before
    line = lines[number * ranks + rank]
    sendbuf[:], recvbuf[:], expected[:] = numpy.reshape(line[: 3 * length], (3, length))
    sendcount, recvcount = line[3 * length : 3 * length + 2]
    sendcounts, sdispls, recvcounts, rdispls = numpy.reshape(line[-4 * ranks :], (4, ranks)).tolist()
    own_before = own_calls(collective)


def complete_nonblocking(request: MPI.Request) -> None:
    request.Wait()


def complete_persistent(request: MPI.Prequest) -> None:
    request.Start()
    request.Wait()
    request.Free()


def check(name: str, collective: str) -> None:
    global all_wrong
    wrong = numpy.count_nonzero((expected != ANYTHING) & (recvbuf != expected))
    checked.append(f"{name} {own_calls(collective) - own_before} {wrong}\n")
    all_wrong += wrong


exec(calls.read_text())
absolute.Free()
Path(f"{seen}.{rank}").write_text("".join(checked))
sys.stdout.write(f"rank {rank}: {all_wrong} wrong\n")  # in one piece
