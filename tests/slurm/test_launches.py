# SPDX-License-Identifier: Apache-2.0
"""Every way in which Slurm starts the ranks of each MPI on several nodes: all of them run under Espalier."""

from __future__ import annotations

from pathlib import Path

import mpis
import pytest
import slurm
import slurm_jobs
from conftest import Espalier
from slurm_jobs import ALL_MPIS, RING, algorithms, command_of, launch, only_job, srun, sum_of

NODES = len(slurm.NODES)
UNDER_ESPALIER = ("run", *RING, "--json")


@pytest.fixture(autouse=True)
def needed(request: pytest.FixtureRequest, cluster: slurm.Cluster) -> None:
    listed = cluster.run(["srun", "--mpi=list"])
    slurm_jobs.skip_without(listed.stdout + listed.stderr, request.getfixturevalue("mpi"))


def check(report: Path, ranks: int) -> None:
    job = only_job(report)
    assert job["ranks"] == ranks
    assert algorithms(job) == {"ring"}


@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_srun_starts_several_ranks_on_each_of_several_nodes(espalier: Espalier, mpi: mpis.Mpi, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    words = srun(mpi, f"-N{NODES}", "--ntasks-per-node=2", sum_of(mpi, tmp_path))
    done = espalier(*UNDER_ESPALIER, report, "--", *words)
    assert (done.returncode, done.stdout) == (0, f"sum {2 * NODES}\n"), done.stderr
    check(report, 2 * NODES)


# PMIx sometimes does not end a step of two components where the nodes are one machine, with us or without.
@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", mpis.matrix(["mpich4", "mpich5"]))
def test_a_heterogeneous_job_is_one_job_under_espalier(espalier: Espalier, mpi: mpis.Mpi, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    program = sum_of(mpi, tmp_path)
    words = [*srun(mpi, "-n1", program), ":", "-n2", "--export=NIL", program]
    done = espalier(*UNDER_ESPALIER, report, "--", *words)
    assert (done.returncode, done.stdout) == (0, "sum 3\n"), done.stderr
    check(report, 3)


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("export", ["ALL", "NONE"])
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_a_job_script_runs_espalier_whatever_sbatch_exports(
    cluster: slurm.Cluster, build: Path, mpi: mpis.Mpi, export: str, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    script = command_of(build, report, srun(mpi, "--export=ALL", sum_of(mpi, tmp_path)), *RING)
    job = cluster.submit(script, [f"-N{NODES}", f"-n{NODES}", f"--export={export}"])
    (ended,) = cluster.wait_for(job)
    assert ended["JobState"] == "COMPLETED", cluster.output(job)
    assert f"sum {NODES}\n" in cluster.output(job)
    check(report, NODES)


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", mpis.matrix(["openmpi4", "mpich4", "mpich5"]))
def test_srun_that_exports_nothing_passes_espalier_on(espalier: Espalier, mpi: mpis.Mpi, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    words = srun(mpi, f"-N{NODES}", "--export=NONE", sum_of(mpi, tmp_path))
    done = espalier(*UNDER_ESPALIER, report, "--", *words)
    assert (done.returncode, done.stdout) == (0, f"sum {NODES}\n"), done.stderr
    check(report, NODES)


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_the_mpis_own_launcher_starts_ranks_on_all_nodes_of_an_allocation(
    cluster: slurm.Cluster, build: Path, mpi: mpis.Mpi, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    command = command_of(build, report, launch(mpi, NODES, sum_of(mpi, tmp_path)), *RING)
    done = cluster.run(["salloc", f"-N{NODES}", f"-n{NODES}", "sh", "-c", command])
    assert done.returncode == 0, done.stderr
    assert f"sum {NODES}\n" in done.stdout
    check(report, NODES)


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_the_mpis_own_launcher_starts_ranks_on_all_nodes_from_a_job_script(
    cluster: slurm.Cluster, build: Path, mpi: mpis.Mpi, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    command = command_of(build, report, launch(mpi, NODES, sum_of(mpi, tmp_path)), *RING)
    job = cluster.submit(command, [f"-N{NODES}", f"-n{NODES}"])
    (ended,) = cluster.wait_for(job)
    assert ended["JobState"] == "COMPLETED", cluster.output(job)
    assert f"sum {NODES}\n" in cluster.output(job)
    check(report, NODES)


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_an_allocation_inside_espalier_hands_it_on_by_the_environment(
    espalier: Espalier, mpi: mpis.Mpi, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    words = ["salloc", f"-N{NODES}", f"-n{NODES}", *launch(mpi, NODES, sum_of(mpi, tmp_path))]
    done = espalier(*UNDER_ESPALIER, report, "--", *words)
    assert done.returncode == 0, done.stderr
    check(report, NODES)


@pytest.mark.parametrize("mpi", mpis.matrix(["openmpi5"]))
def test_processes_that_do_not_find_each_other_are_told_from_a_job(
    espalier: Espalier, mpi: mpis.Mpi, tmp_path: Path
) -> None:
    """This Slurm was not told which MPI the program has, so each process is a job of its own."""
    done = espalier("run", "--", "srun", "-n", "2", sum_of(mpi, tmp_path))
    assert done.returncode == 0, done.stderr
    assert "2 processes, each alone: is this launcher (srun) the program's MPI's?" in " ".join(done.stderr.split())
