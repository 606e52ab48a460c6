# SPDX-License-Identifier: Apache-2.0
"""Messages over libfabric, on the loopback: unkind programs, and machines on which it cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from crowded import complaints, run
from mpis import Mpi, matrix
from unkind import UNKIND_PROGRAMS, UnkindProgram

pytestmark = pytest.mark.on_any_mpi

MPIS = ("openmpi5", "mpich5")
OVER_FABRIC = {"ESPALIER_TRANSPORT": "fabric"}
BY_MPI = "Continuing with the MPI's own messages."


@pytest.mark.parametrize("program", UNKIND_PROGRAMS, ids=str)
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_unkind_programs_run_as_over_the_mpi(mpi: Mpi, program: UnkindProgram, build: Path) -> None:
    facts, errors = program.run(mpi, build, OVER_FABRIC)
    assert facts["own"] > 0  # how many depends on times
    assert not complaints(errors)


@pytest.mark.parametrize("mpi", matrix(["openmpi5"]))
def test_call_that_failed_on_one_rank_fences_off_what_may_still_arrive(mpi: Mpi, build: Path) -> None:
    facts, _ = run(mpi, 3, build, "stress-failed", settings=OVER_FABRIC)
    assert facts["learnt"] > 0
    assert facts["own"] > 0


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"ESPALIER_NICS": "eth9"}, ["eth9"]),
        ({"ESPALIER_NICS": "lo,lo"}, ["ESPALIER_NICS=lo,lo", "twice"]),
        ({"FI_PROVIDER": "udp"}, ["FI_PROVIDER=udp"]),
    ],
)
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_that_cannot_be_is_said_once_and_goes_by_the_mpi(
    mpi: Mpi, settings: dict[str, str], words: Sequence[str], build: Path
) -> None:
    everything = {**OVER_FABRIC, **settings, "ESPALIER_ALGORITHM": "bcast:linear;allreduce:ring"}
    facts, errors = run(mpi, 3, build, "stress-probe", settings=everything)
    said = complaints(errors)
    assert facts["own"] > 0
    assert len(said) == 1, errors
    assert all(word in said[0] for word in [*words, BY_MPI]), said


def with_descriptors(soft: int, hard: int) -> list[str]:
    """What to run a program by that may open this many."""
    return ["sh", "-c", f'ulimit -S -n {soft} && ulimit -H -n {hard} && exec "$@"', "sh"]


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_too_few_descriptors_are_named_with_the_remedy_and_messages_go_by_the_mpi(mpi: Mpi, build: Path) -> None:
    settings = {**OVER_FABRIC, "ESPALIER_ALGORITHM": "bcast:linear;allreduce:ring"}
    facts, errors = run(mpi, 2, build, "stress-probe", settings=settings, wrapper=with_descriptors(40, 40))
    said = complaints(errors)
    assert facts["own"] > 0
    assert len(said) == 1, errors
    assert "may open 40 files" in said[0]
    assert "'ulimit -n " in said[0]
    assert BY_MPI in said[0]


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_limit_of_descriptors_is_raised_as_far_as_it_must(mpi: Mpi, build: Path) -> None:
    settings = {**OVER_FABRIC, "ESPALIER_ALGORITHM": "bcast:linear;allreduce:ring"}
    facts, errors = run(mpi, 2, build, "stress-probe", settings=settings, wrapper=with_descriptors(40, 400))
    assert facts["own"] > 0
    assert not complaints(errors)


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_descriptors_that_run_out_later_end_the_call_with_an_error(mpi: Mpi, build: Path) -> None:
    settings = {**OVER_FABRIC, "ESPALIER_ALGORITHM": "bcast:linear", "ESPALIER_LANE_TIMEOUT": "1"}
    facts, errors = run(mpi, 2, build, "stress-descriptors", settings=settings)
    assert facts["errors"] > 0
    assert facts["seconds"] < 20
    assert any("for 1 s (ESPALIER_LANE_TIMEOUT)" in line and "ulimit -n" in line for line in complaints(errors)), errors
