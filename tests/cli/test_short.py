# SPDX-License-Identifier: Apache-2.0
"""espalier short: programs of few or short calls."""

import json
from pathlib import Path

import pytest
from conftest import Espalier


def test_cases_run_in_pairs(espalier: Espalier, build: Path, tmp_path: Path) -> None:
    if not (build / "bin" / "espalier-bench-short-mpich5").exists():
        pytest.skip("no mpich5 to measure")
    done = espalier("short", "10-calls", "--pairs", "2", "--mpi", "mpich5", "--results", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "10-calls" in done.stdout
    (row,) = json.loads((tmp_path / "short.json").read_text())
    assert (row["case"], row["mpi"], row["ranks"]) == ("10-calls", "mpich5", 2)
    assert len(row["native_s"]) == len(row["espalier_s"]) == 2


def test_unknown_cases_are_refused(espalier: Espalier) -> None:
    done = espalier("short", "10-cals")
    assert done.returncode == 2
    assert "10-calls" in done.stderr
