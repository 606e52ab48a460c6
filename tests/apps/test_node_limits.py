# SPDX-License-Identifier: Apache-2.0
"""Where ranks of a node may not share memory as usual: /dev/shm, calls that are refused, limits, containers.

Results are right by whatever way is found. Where the native MPI itself cannot start, the job ends as that one does.
"""

from __future__ import annotations

from typing import Any

import pytest
from crowded import complaints
from drawn import IS_THOROUGH
from mpis import Mpi, matrix
from node_jobs import BY_RANK, MADE_BY, Ended, NodeJobs

pytestmark = pytest.mark.on_any_mpi

OPENMPI = ("openmpi5", "openmpi4") if IS_THOROUGH else ("openmpi5",)
MPICH = ("mpich5", "mpich4") if IS_THOROUGH else ("mpich5",)
MPIS = (*OPENMPI, "mpich5")  # over sockets alone Debian's MPICH does not always come out of MPI_Finalize, without us
RANKS = 3
ROUNDS = 6
# The MPIs' own messages by sockets, as far as ranks are on one host for them: MPICH's short ones stay in /dev/shm.
BY_DEFAULT: dict[str, str] = {}
BY_SOCKETS = {"OMPI_MCA_btl": "self,tcp", "MPIR_CVAR_CH4_CMA_ENABLE": "0", "UCX_TLS": "tcp,self"}
WITHOUT_A_HOST = {**BY_SOCKETS, "MPIR_CVAR_NOLOCAL": "1", "MPIR_CVAR_CH4_NETMOD": "ucx"}

# A /dev in which there is none; in a folder, since that of the machine must not change.
WITHOUT = """
    there=$(mktemp -d) && mount -t tmpfs none $there || exit 1
    for one in null zero full random urandom tty; do touch $there/$one && mount --bind /dev/$one $there/$one; done
    mount --rbind $there /dev
"""
SHARED_MEMORY = {
    "full": "mount -t tmpfs -o size=1m none /dev/shm; cat /dev/zero > /dev/shm/filling 2> /dev/null; true",
    "64_KiB": "mount -t tmpfs -o size=64k none /dev/shm",
    "read_only": "mount -t tmpfs -o ro none /dev/shm",
    "missing": WITHOUT,
}
CONTAINERS = {
    "ipc": "unshare --ipc",
    "pid": "unshare --pid --fork --mount-proc",
    "ipc_and_pid": "unshare --ipc --pid --fork --mount-proc",
    "user": "unshare --user --map-root-user",
}
EVERY_RANK = "0,1,2"
LIMITS = ("-n 40", "-n 20", "-v 600000", "-v 250000", "-v 30000", "-l 0", "-d 50000")


def on_ranks(ranks: str, words: str) -> tuple[str, ...]:
    return ("sh", "-c", BY_RANK, "sh", ranks, words)


def ends_as_natively(jobs: NodeJobs, **around: Any) -> None:
    ended = jobs.run(RANKS, ROUNDS, **around)
    assert ended.has_no_wrong_byte(), ended.shown
    assert ended.is_right or not jobs.run_natively(RANKS, ROUNDS, **around).is_right, ended.shown


def says_that_memory_is_not_shared(ended: Ended) -> bool:
    return ["cannot share memory" in line for line in complaints(ended.errors)] == [True]


# Memory without a name lies elsewhere.
@pytest.mark.parametrize("how", SHARED_MEMORY)
@pytest.mark.parametrize("mpi", matrix(OPENMPI))
def test_without_a_usable_dev_shm_memory_is_shared_all_the_same(how: str, jobs: NodeJobs) -> None:
    made_so = ("sh", "-c", MADE_BY, "sh", SHARED_MEMORY[how])
    ended = jobs.run(RANKS, ROUNDS, settings=BY_SOCKETS, around_job=made_so)
    assert ended.sharing == RANKS
    assert not complaints(ended.errors)
    refused = on_ranks(EVERY_RANK, f"{jobs.refusing} memfd_create")
    ended = jobs.run(RANKS, ROUNDS, settings=BY_SOCKETS, around_job=made_so, around_rank=refused)
    assert ended.sharing == 0
    assert says_that_memory_is_not_shared(ended)


# It needs /dev/shm itself, but for messages between hosts.
@pytest.mark.parametrize("how", SHARED_MEMORY)
@pytest.mark.parametrize("mpi", matrix(MPICH))
def test_without_a_usable_dev_shm_mpich_does_as_it_does_alone(mpi: Mpi, how: str, jobs: NodeJobs) -> None:
    made_so = ("sh", "-c", MADE_BY, "sh", SHARED_MEMORY[how])
    for settings in (BY_DEFAULT, WITHOUT_A_HOST) if mpi.name in MPIS else (BY_DEFAULT,):
        ends_as_natively(jobs, settings=settings, around_job=made_so)


# On all ranks, and on one.
@pytest.mark.parametrize("ranks", [EVERY_RANK, "1"], ids=["all", "one"])
@pytest.mark.parametrize(
    "calls", ["memfd_create", "process_vm_readv", "process_vm_writev", "process_vm_readv,process_vm_writev"]
)
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_where_the_system_refuses_calls_memory_is_shared_in_another_way(calls: str, ranks: str, jobs: NodeJobs) -> None:
    refused = on_ranks(ranks, f"{jobs.refusing} {calls}")
    ended = jobs.run(RANKS, ROUNDS, settings=BY_SOCKETS, around_rank=refused)
    assert ended.sharing == RANKS
    assert not complaints(ended.errors)


# Numbers of processes mean something else in each; by a name in /dev/shm they find each other.
@pytest.mark.parametrize("ranks", [EVERY_RANK, "0", "1"], ids=["all", "first", "second"])
@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_ranks_in_containers_share_what_they_can(container: str, ranks: str, jobs: NodeJobs) -> None:
    ended = jobs.run(RANKS, ROUNDS, settings=BY_SOCKETS, around_rank=on_ranks(ranks, CONTAINERS[container]))
    assert ended.sharing == RANKS
    assert not complaints(ended.errors)


# Each with a /dev/shm of its own.
@pytest.mark.parametrize("ranks", [EVERY_RANK, "0", "1"], ids=["all", "first", "second"])
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_ranks_in_containers_that_have_nothing_in_common_share_nothing(mpi: Mpi, ranks: str, jobs: NodeJobs) -> None:
    inner = jobs.root / "inner"
    inner.write_text('#!/bin/sh\nmount -t tmpfs none /dev/shm && exec "$@"\n')
    inner.chmod(0o755)
    around = on_ranks(ranks, f"{CONTAINERS['ipc_and_pid']} {inner}")
    ended = jobs.run(RANKS, ROUNDS, settings=WITHOUT_A_HOST, around_rank=around)
    assert ended.sharing == 0
    assert mpi.family == "mpich" or says_that_memory_is_not_shared(ended)


# Of a program that may not be read the system shows nothing, not even to other processes of its user.
@pytest.mark.parametrize("mode", [0o755, 0o711], ids=["as_usual", "unreadable"])
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_jobs_of_an_ordinary_user_share_memory(mode: int, jobs: NodeJobs) -> None:
    ended = jobs.run(RANKS, ROUNDS, settings=BY_SOCKETS, around_job=jobs.as_ordinary_user(mode))
    assert ended.sharing == RANKS
    assert not complaints(ended.errors)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_under_limits_jobs_run_where_they_do_natively(limit: str, jobs: NodeJobs) -> None:
    around = ("sh", "-c", f'ulimit {limit} && exec "$@"', "sh")
    ends_as_natively(jobs, settings=BY_SOCKETS, around_rank=around)


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_limited_address_space_is_left_to_the_program(jobs: NodeJobs) -> None:
    around = ("sh", "-c", 'ulimit -v 600000 && exec "$@"', "sh")
    ended = jobs.run(RANKS, ROUNDS, "memory", 240, "", settings=BY_SOCKETS, around_rank=around)
    assert ended.sharing == RANKS
