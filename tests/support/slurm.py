# SPDX-License-Identifier: Apache-2.0
"""A Slurm of three nodes on this machine, for as long as a test needs it: munged, slurmctld and a slurmd for each node.

    with slurm.cluster(tmp_path) as cluster:
        cluster.run(["srun", "-n", "2", "hostname"])

All files, sockets and ports are its own, so it meets no other one. Three nodes, since a job of several components needs
one for each.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

NODES = ("one", "two", "three")
FILES_OF_MUNGE = {"key-file": "key", "socket": "socket", "pid-file": "pid", "seed-file": "seed"}
PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "sinfo")
START_SECONDS = 60
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser=root
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmdSpoolDir={folder}/spool-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=bf_interval=1,bf_resolution=1,sched_interval=1
PartitionName=all Nodes={nodes} Default=YES MaxTime=10 State=UP
"""
NODE = "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=4 State=UNKNOWN\n"


def missing() -> str | None:
    """Why there can be no such cluster here; None if there can."""
    absent = [name for name in PROGRAMS if not shutil.which(name, path=search_path())]
    if absent:
        return f"Slurm is not installed: no {', no '.join(absent)}"
    return None if os.geteuid() == 0 else "only root can start a slurmd"


def search_path() -> str:
    """Daemons lie where the paths of users often do not lead."""
    return os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])


@dataclass(frozen=True)
class Cluster:
    configuration: Path

    @property
    def environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM", "SRUN"))}
        return {**inherited, "PATH": search_path(), "SLURM_CONF": str(self.configuration)}

    def run(
        self, command: Sequence[str | Path], environment: Mapping[str, str] | None = None, timeout_seconds: float = 60
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            env={**self.environment, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout_seconds,
            check=False,
        )


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    with ExitStack() as daemons:
        start_munge(daemons, folder)
        result = Cluster(configured(folder))
        start(daemons, ["slurmctld", "-D", "-f", str(result.configuration)], folder / "slurmctld.log")
        for name in NODES:
            start(daemons, ["slurmd", "-D", "-N", name, "-f", str(result.configuration)], folder / f"slurmd-{name}.log")
        wait_for_nodes(result)
        yield result


def configured(folder: Path) -> Path:
    (folder / "state").mkdir()
    host = socket.gethostname().partition(".")[0]
    controller, *ports = free_ports(1 + len(NODES))
    lines = [NODE.format(name=name, host=host, port=port) for name, port in zip(NODES, ports, strict=True)]
    text = CONFIGURATION.format(host=host, controller=controller, folder=folder, nodes=",".join(NODES))
    at = text.index("PartitionName")
    configuration = folder / "slurm.conf"
    configuration.write_text(text[:at] + "".join(lines) + text[at:])
    return configuration


def free_ports(count: int) -> list[int]:
    with ExitStack() as held:
        sockets = [held.enter_context(closing(socket.socket())) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def start_munge(daemons: ExitStack, folder: Path) -> None:
    key = folder / "munge.key"
    key.touch(mode=0o600)
    key.write_bytes(os.urandom(1024))
    files = [f"--{name}={folder}/munge.{end}" for name, end in FILES_OF_MUNGE.items()]
    start(daemons, ["munged", "--foreground", "--force", "--num-threads=2", *files], folder / "munged.log")
    wait_until((folder / "munge.socket").exists, "munged has no socket")


def start(daemons: ExitStack, command: Sequence[str], log: Path) -> None:
    with log.open("wb") as file:
        process = subprocess.Popen(
            command,
            env={**os.environ, "PATH": search_path()},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
    daemons.callback(end, process)


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_for_nodes(cluster: Cluster) -> None:
    def are_idle() -> bool:
        states = cluster.run(["sinfo", "-h", "-N", "-o", "%t"]).stdout.split()
        return states == ["idle"] * len(NODES)

    wait_until(are_idle, "the nodes do not come up")


def wait_until(condition: Callable[[], bool], complaint: str) -> None:
    until = time.monotonic() + START_SECONDS
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(complaint)
        time.sleep(0.1)
