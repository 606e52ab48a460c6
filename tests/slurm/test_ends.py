# SPDX-License-Identifier: Apache-2.0
"""Jobs that Slurm ends: what is said of them, and that nothing stays behind."""

from __future__ import annotations

import json
from pathlib import Path

import mpis
import pytest
import slurm
from drawn import IS_THOROUGH
from slurm_jobs import ALL_MPIS, command_of, skip_without, srun, without_end


@pytest.fixture(autouse=True)
def needed(request: pytest.FixtureRequest, cluster: slurm.Cluster) -> None:
    listed = cluster.run(["srun", "--mpi=list"])
    skip_without(listed.stdout + listed.stderr, request.getfixturevalue("mpi"))


def started(cluster: slurm.Cluster, build: Path, mpi: mpis.Mpi, folder: Path, *options: str) -> str:
    """A job on two nodes, two ranks on each, once its ranks speak with each other."""
    for name in ("temporary", "logs"):
        (folder / name).mkdir()
    script = command_of(build, folder / "report.json", srun(mpi, without_end(mpi, folder)))
    environment = {"TMPDIR": str(folder / "temporary"), "ESPALIER_LOG_DIR": str(folder / "logs")}
    job = cluster.submit(script, ["-N2", "--ntasks-per-node=2", *options], environment)
    slurm.wait_until(lambda: "running" in cluster.output(job), "the job does not run")
    return job


def left(cluster: slurm.Cluster, folder: Path) -> list[str]:
    """What is still there of Espalier, in the memory of the nodes and in files; not what MPIs leave."""
    of_nodes = [name for node in slurm.NODES for name in (*cluster.shared_memory(node), *cluster.temporary_files(node))]
    ours = [path.name for place in ("temporary", "logs") for path in (folder / place).iterdir()]
    return [name for name in of_nodes if "espalier" in name] + ours


def ends_cleanly(cluster: slurm.Cluster, job: str, folder: Path) -> None:
    """Slurm says that a job has ended before its last processes have."""
    slurm.wait_until(lambda: "before MPI_Finalize" in cluster.output(job), f"no last word: {cluster.output(job)}")
    slurm.wait_until(lambda: not left(cluster, folder), f"left: {left(cluster, folder)}")
    assert json.loads((folder / "report.json").read_text())["jobs"] == []


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_a_cancelled_job_says_that_it_has_no_report_and_leaves_nothing(
    cluster: slurm.Cluster, build: Path, mpi: mpis.Mpi, tmp_path: Path
) -> None:
    job = started(cluster, build, mpi, tmp_path)
    cluster.run(["scancel", job])
    (ended,) = cluster.wait_for(job)
    assert ended["JobState"] == "CANCELLED"
    ends_cleanly(cluster, job, tmp_path)


@pytest.mark.skipif(not IS_THOROUGH, reason="Slurm's limits are minutes")
@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_a_job_at_its_time_limit_says_that_it_has_no_report_and_leaves_nothing(
    cluster: slurm.Cluster, build: Path, mpi: mpis.Mpi, tmp_path: Path
) -> None:
    job = started(cluster, build, mpi, tmp_path, "--time=1")
    (ended,) = cluster.wait_for(job)
    assert ended["JobState"] == "TIMEOUT"
    ends_cleanly(cluster, job, tmp_path)
