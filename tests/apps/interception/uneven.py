# SPDX-License-Identifier: Apache-2.0
"""An mpi4py program with blocks of different sizes: 1 Allgatherv, 2 Alltoallv. mpi4py calls the large forms."""

import sys

import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
wrong = 0

# Rank r gives r + 1 numbers to each.
counts = [k + 1 for k in range(size)]
begins = [sum(counts[:k]) for k in range(size)]
expected = numpy.repeat(numpy.arange(float(size)), counts)
got = numpy.full(sum(counts), -1.0)
world.Allgatherv(numpy.full(rank + 1, float(rank)), [got, counts, begins, MPI.DOUBLE])
wrong += numpy.count_nonzero(got != expected)

given = numpy.full(size * (rank + 1), float(rank))
got[:] = -1
begins_of_given = [(rank + 1) * k for k in range(size)]
world.Alltoallv([given, [rank + 1] * size, begins_of_given, MPI.DOUBLE], [got, counts, begins, MPI.DOUBLE])
wrong += numpy.count_nonzero(got != expected)

exchanged = numpy.full(size, float(rank))
world.Alltoallv(MPI.IN_PLACE, [exchanged, [1] * size, list(range(size)), MPI.DOUBLE])
wrong += numpy.count_nonzero(exchanged != numpy.arange(size))

sys.stdout.write(f"rank {rank}: {wrong} wrong\n")  # in one piece
