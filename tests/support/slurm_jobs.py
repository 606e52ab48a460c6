# SPDX-License-Identifier: Apache-2.0
"""Programs for jobs under a Slurm, what each MPI wants of srun, and what reports say of such jobs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mpis
import pytest

ROOT = Path(__file__).resolve().parents[2]
# What srun is told for each MPI. The wheels' and Debian's MPICH know no PMIx, and their Open MPI no PMI-2.
PLUGINS = {"openmpi4": "pmix", "openmpi5": "pmix", "mpich4": "pmi2", "mpich5": "pmi2"}
ALL_MPIS = mpis.matrix(list(PLUGINS))


def sum_of(mpi: mpis.Mpi, folder: Path) -> Path:
    """A program of ten all-reductions, which prints the number of ranks as their sum."""
    return mpi.compile([ROOT / "tests/cli/sum.c"], folder / f"sum-{mpi}")


def without_end(mpi: mpis.Mpi, folder: Path) -> Path:
    """A program that makes all-reductions until it is killed, and says once that it does."""
    return mpi.compile([ROOT / "tests/slurm/without_end.c"], folder / f"without-end-{mpi}")


def srun(mpi: mpis.Mpi, *words: str | Path) -> list[str]:
    return ["srun", f"--mpi={PLUGINS[mpi.name]}", *map(str, words)]


def launch(mpi: mpis.Mpi, ranks: int, program: str | Path) -> list[str]:
    """By the MPI's own launcher, which starts its processes by Slurm where there is an allocation."""
    options = [one for one in mpi.options if one != "--oversubscribe"]
    return [str(word) for word in (mpi.launcher, *options, "-n", ranks, program)]


def command_of(build: Path, report: Path | str, launcher: Sequence[str], *options: str) -> str:
    """For a job script: what is launched runs under Espalier."""
    words = [ROOT / "espalier", "--build", build, "run", "--json", report, *options]
    return " ".join([*map(shlex.quote, map(str, words)), "--", *launcher])


# What is looked for in reports.
RING = ("--algorithm", "allreduce:ring")


def only_job(report: Path) -> dict[str, Any]:
    (job,) = json.loads(report.read_text())["jobs"]
    return dict(job)


def algorithms(job: dict[str, Any]) -> set[str]:
    return {row["algorithm"] for row in job["rows"] if row["collective"] == "allreduce"}


def skip_without(listed: str, mpi: mpis.Mpi) -> None:
    """Where this Slurm was built without what the MPI speaks, as srun --mpi=list says."""
    if PLUGINS[mpi.name] not in listed.split():
        pytest.skip(f"this Slurm has no {PLUGINS[mpi.name]}")
