# SPDX-License-Identifier: Apache-2.0
"""Real jobs of an unchanged program on an unchanged machine, with the memory kept: none of them counts as slower than
those before it, nor than any single one of these. Other processes may disturb them; THOROUGH_TESTS runs many."""

import itertools
from pathlib import Path

import pytest
from crowded import environment_of
from drawn import IS_THOROUGH
from mpis import Mpi, matrix

from espalier.drift import found, history
from espalier.drift.history import JobTimes

RANKS = 2
JOBS = 60 if IS_THOROUGH else 4

PROGRAM = """
#include <mpi.h>
enum { longest = 1 << 17 };
static long from[longest], to[longest];
static volatile double work;

static void compute(int steps) {
  for (int k = 0; k < steps; ++k) work += k;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int step = 0; step < 4000; ++step) {
    compute(2000);
    MPI_Allreduce(from, to, 16384, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoall(from, 4096, MPI_LONG, to, 4096, MPI_LONG, MPI_COMM_WORLD);
    if (step % 4 == 0) MPI_Bcast(from, longest, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Allreduce(from, to, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
"""


@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_unchanged_jobs_raise_no_alarm(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    source, memory = tmp_path / "steps.c", tmp_path / "memory"
    source.write_text(PROGRAM)
    program = mpi.compile([source], tmp_path / "steps")
    environment = {**environment_of(mpi, RANKS, build), "ESPALIER_MEMORY": memory}
    jobs: list[JobTimes] = []
    alarms = []
    for _ in range(JOBS):
        mpi.run(RANKS, [program], environment, timeout_seconds=100)
        (file,) = history.in_directory(memory)
        assert file.wrong == ""
        assert file.jobs[-1].contexts
        alarms += found.in_job(file.jobs[-1], file.jobs[:-1])
        jobs.append(file.jobs[-1])
    for earlier, later in itertools.combinations(jobs, 2):
        alarms += found.in_job(later, [earlier])
    assert alarms == []
