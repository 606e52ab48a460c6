# SPDX-License-Identifier: Apache-2.0
"""mpi4py next to a plugin with a serial stand-in: next_to_standin.py PLUGIN first|last; 2 allreduces and 2 barriers."""

import ctypes
import sys

plugin, when = sys.argv[1:]
wrong = 0


def use_standin() -> int:
    """How many of its calls did not reach the stand-in, which answers 7."""
    library = ctypes.CDLL(plugin, ctypes.DEFAULT_MODE)
    return (library.plugin_start() != 7) + sum(library.plugin_step() != 7 for _ in range(5))


if when == "first":
    wrong += use_standin()

from mpi4py import MPI  # noqa: E402

world = MPI.COMM_WORLD
for _ in range(2):
    wrong += world.allreduce(world.rank) != world.size * (world.size - 1) // 2
    world.Barrier()
    wrong += use_standin()
sys.stdout.write(f"rank {world.rank}: {wrong} wrong\n")  # in one piece
