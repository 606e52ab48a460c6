# SPDX-License-Identifier: Apache-2.0
"""Persistent sends and receives that meet each other, over libfabric on the loopback: see stress/pairs.cpp."""

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


def algorithms(report: Path) -> set[str]:
    rows: list[dict[str, Any]] = json.loads(report.read_text())["rows"]
    return {row["algorithm"] for row in rows if row["collective"] in ("send", "recv")}


@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_what_was_sent_comes(mpi: Mpi, ranks: int, build: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    settings = {"ESPALIER_TRANSPORT": "fabric", "ESPALIER_PERSISTENT": "paired", "ESPALIER_REPORT": str(report)}
    facts, _ = run(mpi, ranks, build, "stress-pairs", ["2000" if IS_THOROUGH else "40"], settings)
    assert ("paired" in algorithms(report)) == (ranks > 1)
    assert facts["growth_bytes"] < 8 * MEBIBYTE


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_what_was_sent_comes_natively_too(mpi: Mpi, build: Path) -> None:
    run(mpi, 3, build, "stress-pairs", ["20"])


@pytest.mark.parametrize(
    ("case", "sender", "receiver", "said"),
    [
        pytest.param("0", "error", "success", "rank 0's persistent send of 20000 bytes with tag 7", id="MPI_Recv"),
        pytest.param("1", "success", "error", "rank 1's persistent receive of 20000 bytes with tag 7", id="MPI_Isend"),
        pytest.param("2", "length", "error", "expects a message of another length", id="shorter"),
        pytest.param("3", "length", "error", "expects a message of another length", id="much_shorter"),
        pytest.param("4", "length", "error", "expects a message of another length", id="longer"),
        pytest.param("5", "success", "success", "", id="late"),
        pytest.param("6", "length", "error", "expects a message of another length", id="throwing_handler"),
    ],
)
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_a_broken_promise_is_named(mpi: Mpi, case: str, sender: str, receiver: str, said: str, build: Path) -> None:
    settings = {"ESPALIER_TRANSPORT": "fabric", "ESPALIER_PERSISTENT": "paired", "ESPALIER_LANE_TIMEOUT": "2"}
    facts, errors = run(mpi, 2, build, "stress-promises", [case], settings)
    assert (facts["sender"], facts["receiver"]) == (sender, receiver)
    assert said in errors if said else errors == ""
