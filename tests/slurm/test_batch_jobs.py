# SPDX-License-Identifier: Apache-2.0
"""Job arrays, several steps in one script, and logs that a site keeps of them."""

from __future__ import annotations

import getpass
import json
import os
from pathlib import Path

import mpis
import pytest
import slurm
from slurm_jobs import ALL_MPIS, RING, algorithms, command_of, only_job, skip_without, srun, sum_of

SITE = "ESPALIER_LOG_DIR"


@pytest.fixture(autouse=True)
def needed(request: pytest.FixtureRequest, cluster: slurm.Cluster) -> None:
    listed = cluster.run(["srun", "--mpi=list"])
    skip_without(listed.stdout + listed.stderr, request.getfixturevalue("mpi"))


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_each_task_of_an_array_has_its_own_report_and_log(
    cluster: slurm.Cluster, build: Path, mpi: mpis.Mpi, tmp_path: Path
) -> None:
    logs = {SITE: f"{tmp_path}/logs/%user/%host/%job"}
    script = command_of(build, tmp_path / "REPORT.json", srun(mpi, sum_of(mpi, tmp_path)), *RING)
    array = cluster.submit(script.replace("REPORT", "$SLURM_ARRAY_TASK_ID"), ["--array=1-3", "-n2"], logs)
    tasks = cluster.wait_for(array)
    assert [one["JobState"] for one in tasks] == ["COMPLETED"] * 3
    for number in (1, 2, 3):
        job = only_job(tmp_path / f"{number}.json")
        assert (job["ranks"], algorithms(job)) == (2, {"ring"})
    written = {path: json.loads(path.read_text()) for path in (tmp_path / "logs").rglob("*.json")}
    assert {log["job"] for log in written.values()} == {one["JobId"] for one in tasks}
    for path, log in written.items():
        assert path.parts[-4:-1] == (getpass.getuser(), log["host"], log["job"])
        assert log["host"] in slurm.NODES


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_espalier_before_a_script_reaches_all_of_its_steps(
    cluster: slurm.Cluster, build: Path, mpi: mpis.Mpi, tmp_path: Path
) -> None:
    step = " ".join(srun(mpi, "-n2", sum_of(mpi, tmp_path)))
    steps = tmp_path / "steps"
    steps.write_text(f"#!/bin/sh\n{step}\n{step}\n")
    steps.chmod(0o755)
    job = cluster.submit(command_of(build, tmp_path / "report.json", [str(steps)], *RING), ["-N2", "-n2"])
    (ended,) = cluster.wait_for(job)
    assert ended["JobState"] == "COMPLETED", cluster.output(job)
    reports = json.loads((tmp_path / "report.json").read_text())["jobs"]
    assert [(one["ranks"], algorithms(one)) for one in reports] == [(2, {"ring"})] * 2
    assert os.access(tmp_path / "report.json", os.R_OK)
