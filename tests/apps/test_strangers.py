# SPDX-License-Identifier: Apache-2.0
"""What SECURITY.md promises of the network of a job, attacked by another user of the machine."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import processes
import pytest
from crowded import facts_in, waiting_environment_of
from mpis import Mpi, checked, matrix

FOLDER = Path(__file__).resolve().parent / "strangers"
MPIS = ("openmpi5", "mpich5")
NOBODY = 65534
LOOPBACK = "0100007F"
RANKS = 2
# The MPI listens nowhere: what listens is ours.
BY_SHARED_MEMORY = {"OMPI_MCA_btl": "self,sm", "MPIR_CVAR_CH4_NETMOD": "ucx", "UCX_TLS": "self,sm"}
OVER_FABRIC = {"ESPALIER_TRANSPORT": "fabric", "ESPALIER_ALGORITHM": "bcast:linear"}


def listening() -> dict[str, tuple[str, int]]:
    """Addresses and ports, by the socket's inode."""
    found = {}
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        words = line.split()
        address, port = words[1].split(":")
        if words[3] == "0A":
            found[words[9]] = (address, int(port, 16))
    return found


def sockets_of(process: int) -> set[str]:
    """Their inodes."""
    links = {str(link.readlink()) for link in Path(f"/proc/{process}/fd").iterdir() if link.is_symlink()}
    return {link.removeprefix("socket:[").removesuffix("]") for link in links if link.startswith("socket:[")}


def parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def listening_in(process: int) -> list[tuple[str, int]]:
    """Without those that the launcher left open."""
    ports = listening()
    return [ports[socket] for socket in sockets_of(process) - sockets_of(parent_of(process)) if socket in ports]


def stranger(attack: str, ports: Sequence[int]) -> dict[str, Any]:
    """Attacks as another user where that is possible; libfabric makes no difference."""
    as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.geteuid() == 0 else []
    source = (FOLDER / "stranger.py").read_text()
    done = checked([*as_nobody, "/usr/bin/python3", "-c", source, attack, *map(str, ports)], timeout_seconds=60)
    answers: dict[str, Any] = json.loads(done.stdout)
    assert answers.pop("user") == (NOBODY if as_nobody else os.geteuid())
    return answers


@dataclass
class Victim:
    program: Path

    @property
    def folder(self) -> Path:
        return self.program.parent

    def wait_for(self, name: str) -> None:
        for _ in range(600):
            if (self.folder / name).exists():
                return
            time.sleep(0.05)
        raise AssertionError(f"the victim was never {name}")

    def sockets(self) -> list[list[tuple[str, int]]]:
        """What listens, by rank."""
        ours = [number for number, words in processes.command_lines().items() if words[0] == str(self.program)]
        return [listening_in(process) for process in ours]


@dataclass
class Attacked:
    facts: Mapping[str, int]
    answers: list[dict[str, Any]]
    sockets: list[list[tuple[str, int]]]


def attacked(mpi: Mpi, build: Path, folder: Path, attack: str) -> Attacked:
    """A job that is attacked while it is quiet, and while it makes calls."""
    victim = Victim(mpi.compile([FOLDER / "victim.c"], folder / "victim"))
    result = Attacked({}, [], [])

    def do_it() -> None:
        for state, answer in (("quiet", "attacked"), ("busy", "over")):
            victim.wait_for(state)
            result.sockets = victim.sockets()
            ports = [port for rank in result.sockets for _, port in rank]
            try:
                result.answers.append(stranger(attack, ports))
            finally:
                (folder / answer).touch()

    thread = threading.Thread(target=do_it)
    thread.start()
    environment = {**waiting_environment_of(mpi, RANKS, build), **BY_SHARED_MEMORY, **OVER_FABRIC}
    done = mpi.run(RANKS, [victim.program, folder], environment, timeout_seconds=60)
    thread.join()
    result.facts = facts_in(done.stdout)
    print(mpi, attack, result.facts, result.answers)
    assert result.facts["calls"] > 1
    assert len(result.answers) == 2
    return result


@pytest.mark.parametrize(
    "attack",
    ["write_under_small_keys", "read_under_small_keys", "report_arrived_pieces", "send_messages", "take_places"],
)
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_stranger_changes_and_reads_nothing(mpi: Mpi, attack: str, build: Path, tmp_path: Path) -> None:
    job = attacked(mpi, build, tmp_path, attack)
    assert (job.facts["changed"], job.facts["wrong"]) == (0, 0)
    for answers in job.answers:
        assert answers.get("bytes", 0) == 0
        assert answers.get("taken", 1) > 0  # it was received, at listeners
        assert answers.get("ports", 0) <= RANKS  # listeners; the places of connections are taken
    assert len(job.sockets) == RANKS
    for sockets in job.sockets:
        assert {address for address, _ in sockets} == {LOOPBACK}  # the interface in use, of a job on one host
