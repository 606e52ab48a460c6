# SPDX-License-Identifier: Apache-2.0
"""Linear regression on all ranks: the parameters are broadcast once, gradients are averaged in every step.

An ordinary MPI program in Python; it knows nothing of Espalier.

    mpirun -n 27 python train.py [PARAMETERS [STEPS]]
"""

import sys
import time

import numpy as np
from mpi4py import MPI

SAMPLES = 4
RATE = 0.5


def main(parameters: int, steps: int) -> None:
    comm = MPI.COMM_WORLD
    random = np.random.default_rng(comm.rank)
    inputs = random.standard_normal((SAMPLES, parameters)) / np.sqrt(parameters)
    targets = inputs.sum(axis=1)

    weights = np.zeros(parameters)
    if comm.rank == 0:
        weights += np.random.default_rng(1).standard_normal(parameters)
    comm.Barrier()
    start = time.monotonic()
    comm.Bcast(weights)

    gradient = np.empty(parameters)
    loss = np.empty(1)
    for _ in range(steps):
        errors = inputs @ weights - targets
        comm.Allreduce(inputs.T @ errors, gradient)
        comm.Allreduce(np.array([errors @ errors]), loss)
        weights -= RATE / comm.size * gradient
    comm.Barrier()
    if comm.rank == 0:
        print(f"{steps} steps, {parameters} parameters, {comm.size} ranks: loss {loss[0]:.6f}", flush=True)
        print(f"seconds {time.monotonic() - start:.3f}", flush=True)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 131072, int(sys.argv[2]) if len(sys.argv) > 2 else 5)
