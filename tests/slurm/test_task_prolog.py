# SPDX-License-Identifier: Apache-2.0
"""Slurm switches Espalier on for everybody: by a TaskProlog, as the page for administrators has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import mpis
import pytest
import slurm
from slurm_jobs import ALL_MPIS, launch, skip_without, srun, sum_of

# Slurm sets what its lines "export NAME=VALUE" say. The task's own environment is the prolog's, too.
PROLOG = """#!/bin/sh
echo "export LD_PRELOAD=BUILD/lib/libespalier.so${LD_PRELOAD:+:$LD_PRELOAD}"
echo "export ESPALIER_LOG_DIR=FOLDER/logs/%job"
"""


@pytest.fixture(scope="module")
def switched_on(build: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[slurm.Cluster]:
    if reason := slurm.missing():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("slurm")
    prolog = folder / "prolog"
    prolog.write_text(PROLOG.replace("BUILD", str(build)).replace("FOLDER", str(folder)))
    prolog.chmod(0o755)
    with slurm.cluster(folder, f"TaskProlog={prolog}\n") as cluster:
        yield cluster


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("way", ["srun", "mpirun"])
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_a_task_prolog_puts_espalier_under_jobs_that_know_nothing_of_it(
    switched_on: slurm.Cluster, mpi: mpis.Mpi, way: str, tmp_path: Path
) -> None:
    listed = switched_on.run(["srun", "--mpi=list"])
    skip_without(listed.stdout + listed.stderr, mpi)
    program = sum_of(mpi, tmp_path)
    words = srun(mpi, program) if way == "srun" else launch(mpi, 3, program)
    job = switched_on.submit(" ".join(words), ["-N3", "-n3"])
    switched_on.wait_for(job)
    assert "sum 3\n" in switched_on.output(job)
    (log,) = (switched_on.folder / "logs" / job).glob("*.json")
    said = json.loads(log.read_text())
    assert (said["ranks"], said["job"]) == (3, job)
