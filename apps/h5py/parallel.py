# SPDX-License-Identifier: Apache-2.0
"""One HDF5 file, written and read by all ranks at once, with and without collective transfers."""

import h5py._debian_h5py_mpi as h5py
import numpy as np
from mpi4py import MPI

ROWS, COLUMNS = 64, 1000
world = MPI.COMM_WORLD
mine = slice(world.rank * ROWS, (world.rank + 1) * ROWS)


def content(first_row: int) -> np.ndarray:
    return np.arange(first_row * COLUMNS, (first_row + ROWS) * COLUMNS, dtype="i8").reshape(ROWS, COLUMNS)


with h5py.File("data.h5", "w", driver="mpio", comm=world) as file:
    for number in range(8):
        data = file.create_dataset(f"group/{number}", (ROWS * world.size, COLUMNS), dtype="i8", chunks=(ROWS, COLUMNS))
        data.attrs["number"] = number
        with data.collective:
            data[mine] = content(world.rank * ROWS) + number
    file.create_dataset("ranks", (world.size,), dtype="i4")[world.rank] = world.rank

with h5py.File("data.h5", "r", driver="mpio", comm=world) as file:
    neighbour = (world.rank + 1) % world.size
    good = list(file["ranks"]) == list(range(world.size))
    for number in range(8):
        data = file[f"group/{number}"]
        with data.collective:
            read = data[neighbour * ROWS : (neighbour + 1) * ROWS]
        good = good and data.attrs["number"] == number and np.array_equal(read, content(neighbour * ROWS) + number)

right = world.allreduce(int(good))
total = world.reduce(int(read.sum()), root=0)
if world.rank == 0:
    print(f"{right} of {world.size} ranks read what others wrote; sum {total}")
