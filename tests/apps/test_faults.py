# SPDX-License-Identifier: Apache-2.0
"""Faults at random: on one rank memory runs out, a message fails, the clock jumps or a file cannot be used.

The job goes on right, or ends with an error as the native MPI would end it; it never hangs, gives wrong results or
leaves something behind. FAULT_SEED in the environment repeats a run, FAULT_TRIALS makes it longer.
"""

from __future__ import annotations

import functools
import json
import os
import random
import re
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import processes
import pytest
from crowded import environment_of
from drawn import IS_THOROUGH
from fault_trials import Trial, Trials
from mpis import Mpi, checked, matrix
from own_algorithms import own_algorithms

# Of `make faults`: of each kind, and such as once ended otherwise.
SEEDS = (1046, 2001, 2017, 2022, 2049, 2105)
FOLDER = Path(__file__).resolve().parent / "faults"
RANKS = 3
KINDS = ("allocation", "message", "clock", "file")
# Messages of the MPI; the other kinds meet Espalier's own shared memory.
CARRIED = {"message": {"ESPALIER_SHARED_MEMORY": "off"}}
# Of each kind; Open MPI's jobs take longest to start.
TRIALS = {"openmpi5": 3, "mpich5": 7} if IS_THOROUGH else {"openmpi5": 1, "mpich5": 2}
# As many allocations as the start makes, and some more.
START = 130
# In the order of the start: before the backend is there, in the settings, the choice, the topology, the attributes.
# It is the same under each MPI; Open MPI's other ranks wait longest for the one that cannot start.
AT_THE_START = (
    {"openmpi5": (1, 50), "mpich5": (1, 5, 15, 30, 50, 70)} if IS_THOROUGH else {"openmpi5": (50,), "mpich5": (5, 70)}
)


@dataclass(frozen=True)
class Job:
    mpi: Mpi
    folder: Path
    shared_memory: Path  # where its files of shared memory lie; MPICH's lie among everybody's
    environment: dict[str, str | Path]

    def run(self, kind: str, rank: int, at: int, as_for: str = "") -> subprocess.CompletedProcess[str]:
        fault = {"FAULT_KIND": kind, "FAULT_RANK": str(rank), "FAULT_AT": str(at)}
        environment = {**self.environment, **fault, **CARRIED.get(as_for or kind, {})}
        command = self.mpi.command(RANKS, [self.folder / "job"], environment)
        try:
            return checked(command, timeout_seconds=60, check=False)
        except AssertionError as hung:
            # MPICH's launcher by itself, without us, now and then does not learn of an abort: the others wait for good.
            if self.mpi.family == "mpich" and "Abort(" in str(hung):
                return subprocess.CompletedProcess(command, 1, "", str(hung))
            raise

    @functools.cached_property
    def calls(self) -> list[dict[str, int]]:
        """How many calls of each kind a rank makes: rank 0, which writes the report, and each of the others."""
        counted = []
        for rank in (0, 1):
            calls = {}
            for kind in KINDS:
                said = self.run("none", rank, 0, as_for=kind).stderr
                calls[kind] = int(re.findall(rf"fault: {kind} of (\d+)", said)[0])
                self.report.unlink()
            counted.append(calls)
        return counted

    @property
    def report(self) -> Path:
        return self.folder / "report.json"


@pytest.fixture(scope="module")
def shared_memory() -> Iterator[Path]:
    """A folder of its own: other tests' jobs may run at the same time, and leave something when they are killed."""
    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="faults-") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def job(
    request: pytest.FixtureRequest, build: Path, tmp_path_factory: pytest.TempPathFactory, shared_memory: Path
) -> Job:
    mpi: Mpi = request.param
    folder = tmp_path_factory.mktemp(mpi.name)
    program = build / "bin" / f"faults-job-{mpi}"
    if not program.exists():
        pytest.skip(f"{program.name} was not built: its MPI was not there then")
    (folder / "job").symlink_to(program)  # so that its processes are known by their name
    as_library = ["-shared", "-fPIC", "-Wl,--as-needed", "-ldl"]
    injector = mpi.compile([FOLDER / "inject.c"], folder / "inject.so", as_library)
    machine = folder / "machine.toml"
    machine.write_text(f'[rails]\nnics = 1\nrate = 1e9\nnodes = ["{os.uname().nodename}"]\n')
    environment = environment_of(mpi, RANKS, build)
    return Job(
        mpi,
        folder,
        shared_memory,
        {
            **environment,
            "LD_PRELOAD": f"{environment['LD_PRELOAD']}:{injector}",
            "ESPALIER_ALGORITHM": own_algorithms(build),
            "ESPALIER_TOPOLOGY": machine,
            "ESPALIER_REPORT": folder / "report.json",
            "OMPI_MCA_btl_sm_backing_directory": shared_memory,
        },
    )


def outcome_of(done: subprocess.CompletedProcess[str], kind: str) -> str:
    """How the job ended; fails if it may not end so."""
    shown = f"{done.stdout}\n{done.stderr}"
    assert "terminate called" not in shown, shown
    if done.returncode == 0:
        assert done.stdout == "0 wrong\n", shown
        if f"fault: {kind}" not in done.stderr:
            return "not reached"
        return "right, and said" if "espalier: " in done.stderr else "right"
    # An error of the MPI's, which by default ends the job; if it was found here, the reason was said before.
    assert " wrong" not in done.stdout, shown
    assert f"fault: {kind}" in done.stderr, shown
    assert re.search(r"espalier: rank \d: \w+ failed|Abort\(|MPI_ERR_|BAD TERMINATION", shown), shown
    return "ended by an MPI error"


def processes_of(program: Path) -> list[str]:
    return [str(number) for number, words in processes.command_lines().items() if str(program) in words[0]]


def left_behind(job: Job) -> list[str]:
    """What is still there some time after the end: processes, shared memory, half a report."""
    for _ in range(50):
        left = [*processes_of(job.folder / "job"), *(path.name for path in job.shared_memory.iterdir())]
        if not left:
            break
        time.sleep(0.1)
    for report in job.folder.glob("report.json*"):
        json.loads(report.read_text())
        report.unlink()
    return left


@pytest.mark.parametrize("job", matrix(["openmpi5", "mpich5"]), indirect=True)
def test_memory_that_is_short_at_the_start_makes_everything_native(job: Job) -> None:
    for at in AT_THE_START[job.mpi.name]:
        done = job.run("allocation", 1, at)
        assert (done.returncode, done.stdout) == (0, "0 wrong\n"), done.stderr
        # A number of the topology that cannot be read for lack of memory looks like one that is wrong.
        assert re.search(r"espalier: (rank 1: )?startup failed|Continuing without a topology", done.stderr), done.stderr
        assert not list(job.folder.glob("report.json*"))  # nothing was ours


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("job", matrix(["openmpi5", "mpich5"]), indirect=True)
def test_a_fault_on_one_rank_never_hangs_or_corrupts_the_job(job: Job, kind: str) -> None:
    seed = int(os.environ.get("FAULT_SEED", random.SystemRandom().randrange(1 << 32) if IS_THOROUGH else SEEDS[0]))
    choose = random.Random(seed)
    outcomes: Counter[str] = Counter()
    for trial in range(int(os.environ.get("FAULT_TRIALS", TRIALS[job.mpi.name]))):
        rank = choose.randrange(RANKS)
        calls = job.calls[min(rank, 1)][kind]
        at = choose.randint(1, min(calls, START) if kind == "allocation" and trial % 2 else calls)
        print(f"seed {seed}, {kind} {at} on rank {rank}: ", end="")
        done = job.run(kind, rank, at)
        outcome = outcome_of(done, kind)
        print(outcome)
        outcomes[outcome] += 1
        assert not left_behind(job)
    print(f"{job.mpi}, {kind}, seed {seed}:", ", ".join(f"{count} {name}" for name, count in outcomes.items()))


@pytest.fixture(scope="module")
def trials(build: Path, tmp_path_factory: pytest.TempPathFactory) -> Trials:
    return Trials(build, tmp_path_factory.mktemp("trials"))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_job_in_trouble_ends_right_or_says_why(trials: Trials, seed: int) -> None:
    trial = Trial(seed)
    if missing := trial.mpi.missing():
        pytest.skip(missing)
    outcome = trials.try_out(trial)
    print(f"{trial}: {outcome.name}")
    assert not outcome.is_bad, outcome.text
