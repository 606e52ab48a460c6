# SPDX-License-Identifier: Apache-2.0
"""Every algorithm against the native MPI, in one job per MPI and rank count: see differential/main.cpp."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from crowded import IS_THOROUGH, run
from mpis import ROOT, Mpi, matrix

MPIS = ("openmpi5", "mpich5")
RANKS = (*range(1, 10), 16)


def coverage(ranks: int) -> str:
    """The more ranks, the longer a call takes on few cores."""
    if IS_THOROUGH:
        return "triples"
    return "pairs" if ranks <= 5 else "brief"


def all_algorithms() -> set[str]:
    registry = (ROOT / "src" / "algorithms" / "registry.def").read_text()
    return {name.replace("_", ":", 1) for name in re.findall(r"^ALGORITHM\((\w+)\)", registry, re.MULTILINE)}


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_all_results_are_right(mpi: Mpi, ranks: int, build: Path) -> None:
    facts, _ = run(mpi, ranks, build, "differential", [coverage(ranks)])
    assert facts["active"]
    if ranks > 1:
        assert set(facts["algorithms"]) == all_algorithms()
        assert facts["expressions"] > 0


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_rounded_results_have_the_same_bits_in_every_run(mpi: Mpi, build: Path) -> None:
    runs = [run(mpi, 3, build, "differential", ["brief", "7"])[0] for _ in range(2)]
    assert runs[0]["bits"] == runs[1]["bits"] != "0"
