# SPDX-License-Identifier: Apache-2.0
"""mpi4py: nonblocking and persistent collectives and messages, completed together and one by one. Says how many
allreduces were Espalier's own."""

import ctypes
import sys

import numpy
from mpi4py import MPI

ROUNDS = 50
LENGTH = 500

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
ranks_sum = size * (size - 1) // 2
wrong = 0


def own_allreduces() -> int:
    calls = getattr(ctypes.CDLL(None), "espalier_calls", None)
    own, native = ctypes.c_ulonglong(), ctypes.c_ulonglong()
    if calls:
        calls(b"allreduce", ctypes.byref(own), ctypes.byref(native))
    return own.value


world.Barrier()
world.allreduce(rank)
mine, always = numpy.zeros(LENGTH), numpy.zeros(LENGTH)
news = numpy.zeros(LENGTH)
persistent = [world.Allreduce_init(mine, always, MPI.SUM), world.Bcast_init(news, size - 1)]
for turn in range(ROUNDS):
    mine[:] = rank + turn
    news[:] = turn if rank == size - 1 else -1
    total, received = numpy.zeros(LENGTH), numpy.zeros(1)
    ranks, sent = numpy.full(LENGTH, float(rank)), numpy.full(1, float(turn))
    MPI.Prequest.Startall(persistent)
    requests = [
        world.Irecv(received, (rank - 1) % size),
        world.Iallreduce(ranks, total, MPI.SUM),
        world.Isend(sent, (rank + 1) % size),
        world.Ibarrier(),
        *persistent,
    ]
    if turn % 3 == 0:
        MPI.Request.Waitall(requests)
    elif turn % 3 == 1:
        while MPI.Request.Waitsome(requests) is not None:
            pass
    else:
        for request in reversed(requests):
            while not request.Get_status():
                pass
            request.Wait()
    wrong += numpy.count_nonzero(total != ranks_sum) + (received[0] != turn)
    wrong += numpy.count_nonzero(always != ranks_sum + size * turn) + numpy.count_nonzero(news != turn)
for request in persistent:
    request.Free()
sys.stdout.write(f"rank {rank}: {wrong} wrong, {own_allreduces()} own\n")
