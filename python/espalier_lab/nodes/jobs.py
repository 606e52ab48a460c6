# SPDX-License-Identifier: Apache-2.0
"""The jobs that measure inside a node (bench/nodes, bin/espalier-bench-nodes-MPI): which there are, and one of them."""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from espalier import launchers, mpis, output
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.job import NO_MEMORY
from espalier_lab.experiments import bench_program, launch
from espalier_lab.experiments.series_variants import NO_DESCRIPTION
from espalier_lab.nodes.rows import Found, Sample
from espalier_lab.nodes.starts import Start, starts_of

PROGRAM = "espalier-bench-nodes-"
MPIS = ("openmpi5", "mpich5", "openmpi4", "mpich4")

# A report times every call.
# First calls would be native.
SETTINGS = {
    **NO_MEMORY,
    **NO_DESCRIPTION,
    "ESPALIER_REPORT": "",
    "ESPALIER_SHARED_MEMORY": "on",
    "ESPALIER_FIRST_CALLS": "0",
}

YIELDING = {"OMPI_MCA_mpi_yield_when_idle": "1"}  # MPICH yields anyway
LONGEST_SECONDS = 1200.0

# What the larger part of a job's variants takes, next to those of a start that has settings.
PLAIN_WEIGHT = 5.0


@dataclass(frozen=True)
class Plan:
    """What is wanted of each job."""

    collectives: Sequence[str]
    sizes: Sequence[int]
    ranks: int
    repeats: int
    variants: Sequence[str] = ()  # only these kinds; empty: all

    @property
    def is_crowded(self) -> bool:
        return self.ranks > len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Job:
    mpi: str
    start: Start
    plan: Plan
    turn: int

    @property
    def collectives(self) -> list[str]:
        return [one for one in self.plan.collectives if one in self.start.collectives]

    @property
    def variants(self) -> list[str]:
        wanted = self.plan.variants
        return [one for one in self.start.variants if not wanted or one.partition(":")[0] in wanted]

    @property
    def title(self) -> str:
        return f"turn {self.turn}, {self.mpi}, {self.start.title}"

    @property
    def weight(self) -> float:
        return len(self.collectives) * (PLAIN_WEIGHT if self.start.is_plain else 1.0)


def jobs_of(mpi_names: Sequence[str], plan: Plan, turns: int) -> list[Job]:
    """All that are needed, turn by turn: jobs of other settings and of other MPIs lie between those of one."""
    jobs = [
        Job(mpi, start, plan, turn) for turn in range(1, turns + 1) for mpi in mpi_names for start in starts_of(mpi)
    ]
    return [job for job in jobs if job.collectives and job.variants]


def built(installation: Installation) -> list[str]:
    """The MPIs that have a program here, and a launcher."""
    there = {mpi.name for mpi in mpis.found()}
    return [name for name in MPIS if name in there and program(installation, name).exists()]


def program(installation: Installation, mpi: str) -> Path:
    return installation.build / "bin" / f"{PROGRAM}{mpi}"


def measure(installation: Installation, job: Job, announce: output.Announce) -> list[Found]:
    """Throws Failure."""

    def say(text: str, *, is_step: bool = False) -> None:
        announce(f"{job.title}: {text}", is_step=is_step)

    text = bench_program.run(prepared_launch(installation, job), say, LONGEST_SECONDS)
    return [found_in(line, job) for line in rows_in(text)]


def prepared_launch(installation: Installation, job: Job) -> launchers.Launch:
    mpi = next((one for one in mpis.found() if one.name == job.mpi), None)
    if mpi is None:
        raise Failure(f"The launcher of {job.mpi} is not installed.", "Install what is missing: scripts/setup")
    bound = ["--bind-to", "none" if job.plan.is_crowded else "core"]
    options = [*launchers.options_for_one_machine(mpi.launcher), *bound]
    command = [str(mpi.path), *options, "-n", str(job.plan.ranks), *words_of(program(installation, job.mpi), job)]
    # A start with settings is of the MPI alone.
    preload = str(installation.preload) if job.start.is_plain else ""
    settings = {**(SETTINGS if job.start.is_plain else {}), **job.start.settings}
    if job.plan.is_crowded:
        settings |= YIELDING
    return launchers.prepare(command, preload, settings, launch.cleaned(os.environ))


def words_of(file: Path, job: Job) -> Iterator[str]:
    yield str(file)
    yield from ("--collectives", ";".join(job.collectives))
    yield from ("--bytes", ",".join(map(str, job.plan.sizes)))
    yield from ("--variants", ";".join(job.variants))
    yield from ("--repeats", str(job.plan.repeats))
    yield from ("--crowded", "yes" if job.plan.is_crowded else "no")


def rows_in(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        if line.startswith("{"):
            yield json.loads(line)


def found_in(row: dict[str, Any], job: Job) -> Found:
    samples = zip(row["seconds"], row["barrier_seconds"], strict=True)
    return Found(
        mpi=job.mpi,
        ranks=job.plan.ranks,
        collective=row["collective"],
        bytes=row["bytes"],
        variant=job.start.variant(row["collective"], row["variant"]),
        samples=tuple(Sample(*numbers) for numbers in samples),
        is_crowded=job.plan.is_crowded,
    )
