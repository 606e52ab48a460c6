# SPDX-License-Identifier: Apache-2.0
"""Jobs on one node of which something is wrong: with a rank, with /dev/shm, with what the system allows.

The program is tests/apps/faults/node.c. Each job has a /dev/shm of its own, in a mount namespace, so that what is left
there is its own; and a folder for what it may leave elsewhere.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import processes
import pytest
from crowded import waiting_environment_of
from mpis import Mpi, checked

FAULTS = Path(__file__).resolve().parents[1] / "apps" / "faults"
# What is a hang. A job takes a second or two; with others on all cores, who do not yield, one took 95 s.
LIMIT_SECONDS = 240
RIGHT = re.compile(r"^0 wrong, (\d+) ranks share memory$", re.M)
WRONG = re.compile(r"^rank \d+: |^[1-9]\d* wrong", re.M)
# Names of ours in /dev/shm; others are the MPI's.
OURS = re.compile(r"[0-9a-f]{32}|.*espalier.*")

# Words before a launcher: /dev/shm is that folder, or what these commands make of it.
OF_ITS_OWN = 'mount --bind "$1" /dev/shm && shift && exec "$@"'
MADE_BY = 'eval "$1" && shift && exec "$@"'
# Likewise, as another user than root.
OF_NOBODY = 'mount --bind "$1" /dev/shm && shift && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"'
# Words before a program: those in $2 on the ranks in $1.
BY_RANK = (
    'ranks=$1 words=$2; shift 2; case ",$ranks," in *",${OMPI_COMM_WORLD_RANK:-$PMI_RANK},"*) ;; *) words=; esac; '
)
BY_RANK += 'exec $words "$@"'


@functools.cache
def missing_rights() -> str | None:
    """Why such a job cannot be made here."""
    words = ["unshare", "--mount", "--pid", "--ipc", "--fork", "--mount-proc", "true"]
    done = subprocess.run(words, capture_output=True, check=False) if shutil.which("unshare") else None
    return None if done and done.returncode == 0 else "namespaces of one's own need root and util-linux"


@dataclass(frozen=True)
class Ended:
    status: int
    out: str
    errors: str

    @property
    def sharing(self) -> int:
        """How many ranks had memory in common; fails if it is not right."""
        found = RIGHT.search(self.out)
        assert self.status == 0, self.shown
        assert found, self.shown
        assert not WRONG.search(self.errors), self.shown
        return int(found[1])

    @property
    def is_right(self) -> bool:
        return self.status == 0 and RIGHT.search(self.out) is not None

    @property
    def shown(self) -> str:
        return f"status {self.status}\n{self.out}\n{self.errors[-8000:]}"

    def has_no_wrong_byte(self) -> bool:
        return not WRONG.search(f"{self.out}\n{self.errors}")


@dataclass(frozen=True)
class NodeJobs:
    """Those of one MPI."""

    mpi: Mpi
    build: Path
    root: Path  # with a short name, since sockets may lie there
    shared_memory: Path
    program: Path
    refusing: Path

    def start(
        self,
        ranks: int,
        *arguments: object,
        settings: Mapping[str, str | Path] | None = None,
        around_job: Sequence[str] = (),
        around_rank: Sequence[str] = (),
    ) -> StartedJob:
        """MPICH, too, waits in shared memory, as users have it."""
        around_job = around_job or ("sh", "-c", OF_ITS_OWN, "sh", str(self.shared_memory))
        environment = {**waiting_environment_of(self.mpi, 2, self.build), **(settings or {})}
        command = self.mpi.command(ranks, [*around_rank, self.program, *map(str, arguments)], environment)
        return StartedJob(self, ["unshare", "--mount", *around_job, *command])

    def run(self, ranks: int, *arguments: object, **around: Any) -> Ended:
        return self.start(ranks, *arguments, **around).end()

    def run_natively(self, ranks: int, *arguments: object, **around: Any) -> Ended:
        settings = {**around.pop("settings", {}), "LD_PRELOAD": ""}
        return self.run(ranks, *arguments, settings=settings, **around)

    def as_ordinary_user(self, mode: int) -> tuple[str, ...]:
        """Words before a launcher. The program, of root's, has that mode."""
        program = self.root / "node-of-root"
        shutil.copy(self.program, program)
        self.program.unlink()
        program.chmod(mode)
        self.program.symlink_to(program)
        self.root.chmod(0o755)
        for place in (self.shared_memory, self.root / "tmp", self.root / "here"):
            place.chmod(0o1777)
        return ("sh", "-c", OF_NOBODY, "sh", str(self.shared_memory))

    def processes(self) -> list[int]:
        return [number for number, words in processes.command_lines().items() if str(self.program) in words]

    def left_behind(self) -> list[str]:
        """Some time after the end: processes, shared memory and files of ours."""
        for _ in range(50):
            left = [*map(str, self.processes()), *(path.name for path in self.files())]
            if not left:
                break
            time.sleep(0.1)
        return left

    def files(self) -> list[Path]:
        places = (self.shared_memory, self.root / "tmp", self.root / "here")
        return [path for place in places for path in place.rglob("*") if OURS.fullmatch(path.name)]

    def sweep(self) -> None:
        """What the MPI leaves of a job that is killed."""
        for place in (self.shared_memory, self.root / "tmp"):
            for path in place.iterdir():
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


@dataclass
class StartedJob:
    jobs: NodeJobs
    command: list[str]
    process: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        temporary = str(self.jobs.root / "tmp")
        self.process = subprocess.Popen(
            self.command,
            cwd=self.jobs.root / "here",
            env={**os.environ, "TMPDIR": temporary},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )

    def end(self) -> Ended:
        try:
            out, errors = self.process.communicate(timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            for number in self.jobs.processes():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            out, errors = self.process.communicate()
            raise AssertionError(f"no end after {LIMIT_SECONDS} s: {self.command}\n{out}\n{errors}") from None
        return Ended(self.process.returncode, out, errors)


def compiled(mpi: Mpi, programs: Path) -> tuple[Path, Path]:
    """The program of that MPI, and what refuses calls: once for all tests."""
    program, refusing = programs / f"node-{mpi}", programs / "refusing"
    if not program.exists():
        mpi.compile([FAULTS / "node.c"], program)
    if not refusing.exists():
        checked(["cc", "-O1", "-o", str(refusing), str(FAULTS / "refusing.c")])
    return program, refusing


@contextlib.contextmanager
def node_jobs(mpi: Mpi, build: Path, programs: Path) -> Iterator[NodeJobs]:
    """Nothing of theirs may be there in the end."""
    if reason := missing_rights():
        pytest.skip(reason)
    with (
        tempfile.TemporaryDirectory(prefix="node-") as folder,
        tempfile.TemporaryDirectory(dir="/dev/shm", prefix="node-") as shared_memory,
    ):
        root = Path(folder)
        for name in ("tmp", "here"):
            (root / name).mkdir()
        program, refusing = compiled(mpi, programs)
        (root / "node").symlink_to(program)  # so that its processes are known by their name
        jobs = NodeJobs(mpi, build, root, Path(shared_memory), root / "node", refusing)
        yield jobs
        assert not jobs.left_behind()
