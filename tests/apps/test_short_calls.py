# SPDX-License-Identifier: Apache-2.0
"""Calls of less than some microseconds, in the memory of one node: they are searched, too."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from mpis import Mpi, matrix

from espalier import contexts_read, report

RANKS = 2


@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
@pytest.mark.parametrize(("case", "collective"), [("20000-barriers", "barrier"), ("20000-allreduces", "allreduce")])
def test_they_are_searched_and_decided_alike(mpi: Mpi, build: Path, tmp_path: Path, case: str, collective: str) -> None:
    program = build / "bin" / f"espalier-bench-short-{mpi}"
    if not program.exists():
        pytest.skip(f"no {program.name}")
    file = tmp_path / "report"
    environment = {
        "LD_PRELOAD": build / "lib" / "libespalier.so",
        "ESPALIER_REPORT": file,
        "ESPALIER_MEMORY": "",
        "ESPALIER_BUDGET": "20%",
    }
    mpi.run(RANKS, [program, case], environment, timeout_seconds=120)
    (context,) = [one for one in contexts_read.of(report.read(file)) if one.collective == collective]
    assert context.state == "racing"
    assert context.agreements > 2
    assert sum(1 for one in context.candidates if one.timed) > 1
    assert context.calls == sum(one.calls for one in context.candidates)
    done = subprocess.run([build / "bin" / "espalier-tool", "replay", file, "--json"], capture_output=True, check=False)
    assert done.returncode == 0, done.stdout
    (outcome,) = [one for one in json.loads(done.stdout)["contexts"] if one["collective"] == collective]
    assert outcome["same"] == outcome["blocks"] > 1
