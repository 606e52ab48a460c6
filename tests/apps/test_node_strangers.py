# SPDX-License-Identifier: Apache-2.0
"""What SECURITY.md promises of memory that ranks share, attacked by another user of the machine."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from drawn import IS_THOROUGH
from mpis import matrix
from node_jobs import BY_RANK, NodeJobs, StartedJob

pytestmark = pytest.mark.on_any_mpi

INTRUDER = Path(__file__).resolve().parent / "strangers" / "intruder.py"
MPIS = ("openmpi5", "mpich5", *(("openmpi4", "mpich4") if IS_THOROUGH else ()))
NOBODY = 65534
RANKS = 2
OURS = re.compile(r"^([0-9a-f]+-[0-9a-f]+) .*(?:/memfd:espalier|/[0-9a-f]{32}\b)", re.M)
FROM_THE_START = {"descriptor", "pidfd_getfd"}
LATER = {"map_files", "mem", "process_vm_readv", "process_vm_writev", "ptrace"}


def intruder(jobs: NodeJobs, seconds: float, *spans: str, user: int = NOBODY) -> subprocess.Popen[str]:
    as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    source, places = INTRUDER.read_text(), [str(jobs.program), str(jobs.shared_memory)]
    words = ["/usr/bin/python3", "-c", source, str(seconds), *places, *spans]
    return subprocess.Popen([*as_user, *words], stdout=subprocess.PIPE, text=True)


def answers(of: subprocess.Popen[str]) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(of.communicate(timeout=60)[0])
    print(said)
    return said


def shared_spans(jobs: NodeJobs, job: StartedJob) -> list[str]:
    """Where each rank has it, as soon as all have."""
    while job.process.poll() is None:
        found = []
        for process in jobs.processes():
            try:
                maps = Path(f"/proc/{process}/maps").read_text()
            except OSError:
                continue
            found += [f"{process}:{span}" for span in OURS.findall(maps)]
        if len(found) >= RANKS:
            return found
        time.sleep(0.01)
    raise AssertionError(job.end().shown)


# The second one has a name until all ranks have opened it.
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("refused", ["", "memfd_create"], ids=["without_a_name", "with_a_name"])
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_another_user_gets_nothing_of_it(refused: str, jobs: NodeJobs) -> None:
    jobs.shared_memory.chmod(0o1777)  # as /dev/shm is
    from_the_start = intruder(jobs, 2)
    around = ("sh", "-c", BY_RANK, "sh", "0,1", f"{jobs.refusing} {refused}") if refused else ()
    job = jobs.start(RANKS, 1, "idle", 3, "", around_rank=around)
    spans = shared_spans(jobs, job)
    said = [answers(intruder(jobs, 0, *spans)), answers(from_the_start)]
    control = answers(intruder(jobs, 0, *spans, user=0))
    assert job.end().sharing == RANKS
    for words, tried in zip(said, (LATER, FROM_THE_START), strict=True):
        assert words["user"] == NOBODY
        assert set(words["tried"]) >= tried
        assert not words["got"]
    assert set(control["got"]) >= {"mem", "process_vm_readv"}  # whose memory it is may do so: the attack is one
