# SPDX-License-Identifier: Apache-2.0
"""An MPI without bindings, as interpreters use it: from_handle.py LIBRARY [local|global|deep]

Each function is looked up in the library's handle. Per rank: 2 broadcasts, 2 reductions to rank 0 and 3 to all, by both
names of the functions, and a barrier."""

import ctypes
import os
import sys

library = sys.argv[1]
MODES = {"local": os.RTLD_LOCAL, "global": os.RTLD_GLOBAL, "deep": os.RTLD_LOCAL | os.RTLD_DEEPBIND}
mpi = ctypes.CDLL(library, mode=os.RTLD_NOW | MODES[sys.argv[2]])


def handles() -> list[ctypes.c_void_p] | list[ctypes.c_int]:
    """MPI_COMM_WORLD, MPI_INT and MPI_SUM."""
    if hasattr(mpi, "ompi_mpi_comm_world"):
        names = ("ompi_mpi_comm_world", "ompi_mpi_int", "ompi_mpi_op_sum")
        return [ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, name))) for name in names]
    return [ctypes.c_int(number) for number in (0x44000000, 0x4C000405, 0x58000003)]


world, integer, plus = handles()
one = ctypes.c_int(1)
ranks, rank, total, wrong = ctypes.c_int(), ctypes.c_int(), ctypes.c_int(), 0
mpi.MPI_Init(None, None)
mpi.MPI_Comm_size(world, ctypes.byref(ranks))
mpi.MPI_Comm_rank(world, ctypes.byref(rank))
for bcast in (mpi.MPI_Bcast, mpi.PMPI_Bcast):
    number = ctypes.c_int(7 if rank.value == 0 else 0)
    wrong += bcast(ctypes.byref(number), 1, integer, 0, world) != 0 or number.value != 7
for reduce in (mpi.MPI_Reduce, mpi.PMPI_Reduce):
    wrong += reduce(ctypes.byref(one), ctypes.byref(total), 1, integer, plus, 0, world) != 0
    wrong += rank.value == 0 and total.value != ranks.value
for allreduce in (mpi.MPI_Allreduce, mpi.MPI_Allreduce, mpi.PMPI_Allreduce):
    wrong += allreduce(ctypes.byref(one), ctypes.byref(total), 1, integer, plus, world) != 0
    wrong += total.value != ranks.value
mpi.MPI_Barrier(world)
mpi.MPI_Finalize()
os.write(1, f"rank {rank.value}: {wrong} wrong\n".encode())  # in one piece
