# SPDX-License-Identifier: Apache-2.0
"""An ordinary mpi4py program: 2 broadcasts, 1 reduction, 2 allreduces, 1 barrier, on numpy arrays."""

import sys

import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
ranks_sum = size * (size - 1) // 2
wrong = 0

for root in (0, size - 1):
    numbers = numpy.arange(1000.0) + root if rank == root else numpy.empty(1000)
    world.Bcast(numbers, root)
    wrong += numpy.count_nonzero(numbers != numpy.arange(1000.0) + root)

total = numpy.zeros(1000)
world.Reduce(numpy.full(1000, float(rank)), total, MPI.SUM, root=0)
wrong += rank == 0 and numpy.count_nonzero(total != ranks_sum)

world.Allreduce(numpy.full(1000, float(rank)), total, MPI.MAX)
wrong += numpy.count_nonzero(total != size - 1)
total[:] = rank
world.Allreduce(MPI.IN_PLACE, total, MPI.SUM)
wrong += numpy.count_nonzero(total != ranks_sum)

world.Barrier()
sys.stdout.write(f"rank {rank}: {wrong} wrong\n")  # in one piece
