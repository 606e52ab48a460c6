# SPDX-License-Identifier: Apache-2.0
"""Ten all-reductions and two barriers, and an exception of the MPI's that Python catches."""

from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
total = array("i", [0])
comm.Barrier()
for _ in range(10):
    comm.Allreduce([array("i", [1]), MPI.INT], [total, MPI.INT])
comm.Barrier()
try:
    comm.Bcast([total, MPI.INT], root=comm.size)
except MPI.Exception as refused:
    known = refused.Get_error_class() == MPI.ERR_ROOT
if comm.rank == 0:
    print(f"sum {total[0]}, root {'refused' if known else 'taken'}, {MPI.Get_library_version().splitlines()[0]}")
