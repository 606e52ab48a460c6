# SPDX-License-Identifier: Apache-2.0
"""Slurm switches Espalier on for everybody: by a TaskProlog, as the page for administrators has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import mpis
import pytest
import slurm
from slurm_jobs import ALL_MPIS, skip_without, srun, sum_of

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
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_a_task_prolog_puts_espalier_under_jobs_that_know_nothing_of_it(
    switched_on: slurm.Cluster, mpi: mpis.Mpi, tmp_path: Path
) -> None:
    listed = switched_on.run(["srun", "--mpi=list"])
    skip_without(listed.stdout + listed.stderr, mpi)
    before = set((switched_on.folder / "logs").rglob("*.json"))
    done = switched_on.run(srun(mpi, "-N2", "-n4", sum_of(mpi, tmp_path)))
    assert (done.returncode, done.stdout) == (0, "sum 4\n"), done.stderr
    (log,) = set((switched_on.folder / "logs").rglob("*.json")) - before
    said = json.loads(log.read_text())
    assert (said["ranks"], said["job"]) == (4, log.parent.name)
