# SPDX-License-Identifier: Apache-2.0
"""Neighbourhood collectives over libfabric, on the loopback, next to the MPI's own: see stress/halos.cpp."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from crowded import run
from drawn import IS_THOROUGH
from mpis import Mpi, matrix

pytestmark = pytest.mark.on_any_mpi

MPIS = ("openmpi5", "mpich5")
MEBIBYTE = 1 << 20


FORMS = ("blocking", "nonblocking", "persistent")


def algorithms(report: Path, form: str) -> set[str]:
    rows: list[dict[str, Any]] = json.loads(report.read_text())["rows"]
    return {row["algorithm"] for row in rows if row["collective"].startswith("neighbor_") and row["form"] == form}


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_what_comes_is_what_the_mpi_brings(mpi: Mpi, ranks: int, build: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    settings = {"ESPALIER_TRANSPORT": "fabric", "ESPALIER_REPORT": str(report)}
    facts, _ = run(mpi, ranks, build, "stress-halos", ["600" if IS_THOROUGH else "15"], settings)
    for form in FORMS:
        assert ("even" in algorithms(report, form)) == (ranks > 1), form
    assert facts["growth_bytes"] < 8 * MEBIBYTE


@pytest.mark.parametrize("packer", ["native", "striped", "roundrobin(1)", "bottomleft_late(2)", "fastest"])
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_every_packer_brings_the_same(mpi: Mpi, packer: str, build: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    settings = {"ESPALIER_TRANSPORT": "fabric", "ESPALIER_PACKER": packer, "ESPALIER_REPORT": str(report)}
    run(mpi, 3, build, "stress-halos", ["4"], settings)
    taken = "even" if packer == "fastest" else packer  # where there is one NIC, nothing is faster
    assert taken in algorithms(report, "persistent")
    assert taken in algorithms(report, "blocking")


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_ranks_without_neighbours_need_not_call(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    settings = {"ESPALIER_TRANSPORT": "fabric", "ESPALIER_REPORT": str(report)}
    run(mpi, 3, build, "stress-skipping", [], settings)
    assert algorithms(report, "nonblocking") == {"even"}


# Without NICs of ours.
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_elsewhere_they_are_the_mpi_s(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    run(mpi, 3, build, "stress-halos", ["3"], {"ESPALIER_REPORT": str(report)})
    for form in FORMS:
        assert algorithms(report, form) == {"native"}, form


# Who waits in the kernel, as ranks of MPICH do in these tests where there are more than two, learns of it late.
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_nobody_waits_for_a_rank_whose_call_is_wrong(mpi: Mpi, build: Path) -> None:
    ranks = 4 if mpi.family == "openmpi" else 2
    run(mpi, ranks, build, "stress-halos", ["15", "11", "1"], {"ESPALIER_TRANSPORT": "fabric"})
