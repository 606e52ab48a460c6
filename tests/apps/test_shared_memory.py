# SPDX-License-Identifier: Apache-2.0
"""Messages inside a node: through memory that its ranks share, and, where they share none, by the MPI."""

from __future__ import annotations

from pathlib import Path

import pytest
from crowded import complaints, run
from mpis import Mpi, matrix
from unkind import REQUESTS_OF_SEVERAL_THREADS, UNKIND_PROGRAMS, UnkindProgram

pytestmark = pytest.mark.on_any_mpi

MPIS = ("openmpi5", "mpich5")
OVER_MPI = {"ESPALIER_SHARED_MEMORY": "off"}


@pytest.mark.parametrize("program", UNKIND_PROGRAMS, ids=str)
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_unkind_programs_run_over_the_mpi_too(mpi: Mpi, program: UnkindProgram, build: Path) -> None:
    if mpi.family == "mpich" and program == REQUESTS_OF_SEVERAL_THREADS:
        pytest.skip("with some seeds it fails there now and then")
    facts, errors = program.run(mpi, build, OVER_MPI)
    assert facts["own"] > 0  # how many depends on times
    assert not complaints(errors)


# What Espalier itself would make is larger than any file may be. Over sockets Open MPI makes no such file.
@pytest.mark.parametrize("mpi", matrix(["openmpi5"]))
def test_where_no_memory_can_be_shared_it_is_said_once_and_messages_go_by_the_mpi(mpi: Mpi, build: Path) -> None:
    settings = {"ESPALIER_ALGORITHM": "bcast:linear;allreduce:ring", "OMPI_MCA_btl": "self,tcp"}
    wrapper = ["sh", "-c", 'ulimit -f 200 && exec "$@"', "sh"]
    facts, errors = run(mpi, 3, build, "stress-probe", settings=settings, wrapper=wrapper)
    assert facts["own"] > 0
    (said,) = complaints(errors)
    assert "cannot share memory" in said


@pytest.mark.parametrize("mpi", matrix(["openmpi5"]))
def test_call_that_failed_on_one_rank_fences_off_what_may_still_arrive(mpi: Mpi, build: Path) -> None:
    facts, _ = run(mpi, 3, build, "stress-failed", settings=OVER_MPI)
    assert facts["learnt"] > 0
    assert facts["own"] > 0
