# SPDX-License-Identifier: Apache-2.0
"""An mpi4py program with collectives between neighbours, whose blocks have different sizes.

A rank has not as many neighbours to send to as to receive from. mpi4py calls the large forms.
"""

import sys

import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
wrong = 0

# Every rank sends to the next one, and rank 0 to all. Rank r gives r + 1 numbers to each.
sources, destinations = [(rank - 1) % size, 0], [(rank + 1) % size, *(range(size) if rank == 0 else [])]
graph = world.Create_dist_graph_adjacent(sources, destinations)
counts = [source + 1 for source in sources]
begins = [0, counts[0]]
to = len(destinations)
expected = numpy.repeat([float(source) for source in sources], counts)
given = numpy.full(rank + 1, float(rank))
got = numpy.full(sum(counts), -1.0)

graph.Neighbor_allgatherv(given, [got, counts, begins, MPI.DOUBLE])
wrong += numpy.count_nonzero(got != expected)
got[:] = -1
graph.Neighbor_alltoallv([given, [rank + 1] * to, [0] * to, MPI.DOUBLE], [got, counts, begins, MPI.DOUBLE])
wrong += numpy.count_nonzero(got != expected)
got[:] = -1
places = [8 * begin for begin in begins]
graph.Ineighbor_alltoallw(
    [given, [rank + 1] * to, [0] * to, [MPI.DOUBLE] * to], [got, counts, places, [MPI.DOUBLE] * len(sources)]
).Wait()
wrong += numpy.count_nonzero(got != expected)

# In a ring; both neighbours give theirs.
ring = world.Create_cart([size], [True])
both = numpy.full(2, -1.0)
ring.Neighbor_allgatherv(numpy.full(1, float(rank)), [both, [1, 1], [0, 1], MPI.DOUBLE])
wrong += numpy.count_nonzero(both != [(rank - 1) % size, (rank + 1) % size])

sys.stdout.write(f"rank {rank}: {wrong} wrong\n")  # in one piece
