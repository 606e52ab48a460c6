# SPDX-License-Identifier: Apache-2.0
"""Every algorithm against the native MPI, in one job per MPI and rank count: see differential/main.cpp."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from crowded import IS_THOROUGH, run
from mpis import ROOT, Mpi, matrix

MPIS = ("openmpi5", "mpich5")
ALL_RANKS = (*range(1, 10), 16)
INTERCEPTED = ("allgather", "allreduce", "alltoall", "barrier", "bcast", "reduce", "reduce_scatter_block")
USUAL_RANKS = {"openmpi5": (1, 2, 3, 5, 8, 9), "mpich5": (1, 2, 3, 5)}  # more take minutes on two cores


def coverage(ranks: int) -> str:
    """The more ranks, the longer a call takes on few cores."""
    return "pairs" if ranks <= 3 else "brief"


def algorithms_without_a_network() -> set[str]:
    """The others are forced, too, and then go to the native MPI: here no network is known."""
    names: set[str] = set()
    for file in (ROOT / "src" / "algorithms").glob("*/*.cpp"):
        found = re.search(r"^extern const Algorithm (\w+)\{", (text := file.read_text()), re.MULTILINE)
        if found and ".needs" not in text and file.parent.name in INTERCEPTED:
            collective = file.parent.name
            names.add(f"{collective}:{found.group(1).removeprefix(collective + '_')}")
    return names


@pytest.mark.parametrize("ranks", ALL_RANKS)
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_all_results_are_right(mpi: Mpi, ranks: int, build: Path) -> None:
    if ranks not in USUAL_RANKS[mpi.name] and not IS_THOROUGH:
        pytest.skip("tried when THOROUGH_TESTS is set")
    facts, _ = run(mpi, ranks, build, "differential", [coverage(ranks)])
    assert facts["active"]
    if ranks > 1:
        assert set(facts["algorithms"]) == algorithms_without_a_network()
        assert facts["expressions"] > 0


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_rounded_results_have_the_same_bits_in_every_run(mpi: Mpi, build: Path) -> None:
    runs = [run(mpi, 3, build, "differential", ["brief", "7"])[0] for _ in range(2)]
    assert runs[0]["bits"] == runs[1]["bits"] != "0"
