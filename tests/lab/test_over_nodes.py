# SPDX-License-Identifier: Apache-2.0
"""Collectives among hosts with several ranks each, by leaders: over the MPI or NICs, and in memory inside hosts."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import labs
import mpis
import pytest

pytestmark = pytest.mark.on_any_mpi

TIMEOUT_SECONDS = 240
COLLECTIVES = "3000"
RANKS = 9
LED = ("allreduce:ring", "reduce:binomial", "gather:knomial", "scatter:knomial", "bcast:knomial")


@pytest.fixture(autouse=True)
def _namespaces_are_allowed() -> None:
    labs.skip_unless_allowed()


def run_in_lab(build: Path, mpi: str, *words: str | Path) -> str:
    command = [mpis.ROOT / "espalier", "--build", build, "lab", "run", "rails:3x2", "--rate", "200mbit"]
    command += ["--per-host", "3", "--mpi", mpi, "--", *words]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def program(build: Path, name: str, mpi: str) -> Path:
    path = build / "bin" / f"stress-{name}-{mpi}5"
    if not path.exists() or mpis.by_name(f"{mpi}5").missing():
        pytest.skip(f"{mpi} 5 is not installed")
    return path


# Another algorithm at every call, by all ranks and by leaders, with known results.
@pytest.mark.parametrize("transport", ["mpi", "fabric"])
@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_any_algorithm_runs_over_nodes(
    mpi: str, transport: str, build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "report.json"
    monkeypatch.setenv("ESPALIER_REPORT", str(file))
    monkeypatch.setenv("ESPALIER_TRANSPORT", transport)
    monkeypatch.setenv("OMPI_MCA_coll", "^han")  # its gathers are wrong where ranks name their data by different types
    run_in_lab(build, mpi, program(build, "turns", mpi), COLLECTIVES)
    rows = [row for row in json.loads(file.read_text())["rows"] if "leaders=" in row["parameters"]]
    assert {row["collective"] for row in rows} >= {"allreduce", "bcast", "reduce", "alltoall", "allgather", "barrier"}


@pytest.mark.parametrize("transport", ["mpi", "fabric"])
@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_leaders_give_what_the_native_mpi_gives(
    mpi: str, transport: str, tmp_path: Path, build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = mpis.by_name(f"{mpi}5")
    if reason := one.missing():
        pytest.skip(reason)
    monkeypatch.setenv("ESPALIER_TRANSPORT", transport)
    monkeypatch.setenv("ESPALIER_ALGORITHM", ";".join(f"{choice},leaders=2" for choice in LED))
    said = run_in_lab(build, mpi, one.compile([Path(__file__).with_name("over_nodes.c")], tmp_path / "program"))
    assert said.count(": 0 wrong\n") == RANKS
