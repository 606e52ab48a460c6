# SPDX-License-Identifier: Apache-2.0
"""Tasks for pools of processes, which come and go through communicators between two groups."""

from mpi4py import MPI
from mpi4py.futures import MPICommExecutor, MPIPoolExecutor

STEP, TASKS = 2000, 40


def primes_from(first: int) -> int:
    """How many of STEP numbers are prime."""
    return sum(all(n % d for d in range(2, int(n**0.5) + 1)) for n in range(max(first, 2), first + STEP))


def tell(pool: str, counts: list[int]) -> None:
    print(f"{pool}: {sum(counts)} primes", flush=True)


def main() -> None:
    world = MPI.COMM_WORLD
    firsts = range(0, TASKS * STEP, STEP)
    for root in range(world.size):
        with MPICommExecutor(world, root=root) as pool:
            mine = list(pool.map(primes_from, firsts, chunksize=3)) if pool is not None else None
        counts = world.bcast(mine, root=root)
        equal = world.allreduce(counts == world.bcast(counts, root=0), op=MPI.LAND)
        if world.rank == root:
            tell(f"ranks, master {root}, all know the same: {equal}", counts)
        world.barrier()
    if world.rank == 0:
        with MPIPoolExecutor(max_workers=2) as pool:
            tell("spawned", list(pool.map(primes_from, firsts)))
    world.barrier()


if __name__ == "__main__":
    main()
