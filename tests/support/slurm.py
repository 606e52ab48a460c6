# SPDX-License-Identifier: Apache-2.0
"""A Slurm of three nodes on this machine, for as long as a test needs it: munged, slurmctld and a slurmd for each node.

    with slurm.cluster(tmp_path) as cluster:
        cluster.run(["srun", "-n", "2", "hostname"])

All files, sockets and ports are its own, so it meets no other one. Three nodes, since a job of several components needs
one for each. A node has its own host name and its own /dev/shm, as MPIs take ranks of different nodes for strangers who
would not meet there; the network is the machine's.
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
ENDED = {"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY"}
PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "sinfo")
PATIENCE_SECONDS = 240  # a machine may have much else to do
# What a slurmd runs in: its name, which all nodes know, and a memory of its own. "sh -c" takes: name, hosts, command.
ENTER = 'hostname "$0" && mount -t tmpfs node /dev/shm && mount --bind "$1" /etc/hosts && shift && exec "$@"'
AS_A_NODE = ("unshare", "--mount", "--uts", "sh", "-c", ENTER)
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
TmpFS={folder}/tmp-%n
KillWait=3
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=bf_interval=1,bf_resolution=1,sched_interval=1
PartitionName=all Nodes={nodes} Default=YES MaxTime=10 State=UP
"""
NODE = "NodeName={name} NodeAddr=127.0.0.1 Port={port} CPUs=4 State=UNKNOWN\n"


def missing() -> str | None:
    """Why there can be no such cluster here; None if there can."""
    absent = [name for name in PROGRAMS if not shutil.which(name, path=search_path())]
    if absent:
        return f"Slurm is not installed: no {', no '.join(absent)}"
    if os.geteuid() != 0:
        return "only root can start a slurmd"
    tried = subprocess.run([*AS_A_NODE, "node", "/etc/hosts", "true"], capture_output=True, text=True, check=False)
    return None if tried.returncode == 0 else f"a node cannot have a name and memory of its own: {tried.stderr}"


def search_path() -> str:
    """Daemons lie where the paths of users often do not lead."""
    return os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])


@dataclass(frozen=True)
class Cluster:
    configuration: Path
    daemons: Mapping[str, int]  # by node: the process of its slurmd

    @property
    def folder(self) -> Path:
        return self.configuration.parent

    def shared_memory(self, node: str) -> set[str]:
        """What lies in its /dev/shm."""
        return {path.name for path in Path(f"/proc/{self.daemons[node]}/root/dev/shm").iterdir()}

    def temporary_files(self, node: str) -> set[str]:
        """What lies in its TmpFS, which is TMPDIR to no one but MPIs."""
        place = self.folder / f"tmp-{node}"
        return {str(path.relative_to(place)) for path in place.rglob("*")}

    @property
    def environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM", "SRUN"))}
        return {**inherited, "PATH": search_path(), "SLURM_CONF": str(self.configuration)}

    def run(
        self,
        command: Sequence[str | Path],
        environment: Mapping[str, str] | None = None,
        timeout_seconds: float = PATIENCE_SECONDS,
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

    def submit(self, script: str, options: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
        """The number of the job, whose output goes to NUMBER.out in the cluster's folder."""
        file = self.folder / "script"
        file.write_text(f"#!/bin/sh\n{script}")
        words = ["sbatch", "--parsable", f"--output={self.folder}/%j.out", f"--chdir={self.folder}", *options, file]
        done = self.run(words, environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def output(self, job: str) -> str:
        """Nothing before it runs."""
        file = self.folder / f"{job}.out"
        return file.read_text(errors="replace") if file.exists() else ""

    def shown(self, job: str) -> list[dict[str, str]]:
        """What Slurm says of it, of each task of an array."""
        lines = self.run(["scontrol", "--oneliner", "show", "job", job]).stdout.splitlines()
        return [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines]

    def wait_for(self, job: str, seconds: float = PATIENCE_SECONDS) -> list[dict[str, str]]:
        """Until it has ended, with all tasks if it is an array; what Slurm says of it then."""
        states: list[dict[str, str]] = []

        def has_ended() -> bool:
            states[:] = self.shown(job)
            return bool(states) and all(one["JobState"] in ENDED for one in states)

        wait_until(has_ended, f"job {job} does not end", seconds)
        return states


@contextmanager
def cluster(folder: Path, lines: str = "", nodes: Sequence[str] = NODES) -> Iterator[Cluster]:
    """With these lines in slurm.conf; other files of Slurm's, as topology.conf, may lie in the folder already."""
    with ExitStack() as daemons:
        start_munge(daemons, folder)
        configuration = configured(folder, lines, nodes)
        start(daemons, ["slurmctld", "-D", "-f", str(configuration)], folder / "slurmctld.log")
        started = {}
        for name in nodes:
            node = ["slurmd", "-D", "-N", name, "-f", str(configuration)]
            started[name] = start(
                daemons, [*AS_A_NODE, name, str(folder / "hosts"), *node], folder / f"slurmd-{name}.log"
            )
        result = Cluster(configuration, started)
        wait_for_nodes(result)
        daemons.callback(end_jobs, result)
        yield result


def configured(folder: Path, further_lines: str, nodes: Sequence[str]) -> Path:
    for name in ("state", *(f"tmp-{node}" for node in nodes)):
        (folder / name).mkdir()
    (folder / "hosts").write_text(f"{Path('/etc/hosts').read_text()}\n127.0.0.1 {' '.join(nodes)}\n")
    host = socket.gethostname().partition(".")[0]
    controller, *ports = free_ports(1 + len(nodes))
    lines = [NODE.format(name=name, port=port) for name, port in zip(nodes, ports, strict=True)]
    text = CONFIGURATION.format(host=host, controller=controller, folder=folder, nodes=",".join(nodes))
    at = text.index("PartitionName")
    configuration = folder / "slurm.conf"
    configuration.write_text(text[:at] + "".join(lines) + further_lines + text[at:])
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


def start(daemons: ExitStack, command: Sequence[str], log: Path) -> int:
    with log.open("wb") as file:
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", *command],  # also where the tests themselves are killed
            env={**os.environ, "PATH": search_path()},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
    daemons.callback(end, process)
    return process.pid


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
        return states == ["idle"] * len(cluster.daemons)

    wait_until(are_idle, "the nodes do not come up")


def end_jobs(cluster: Cluster) -> None:
    """They outlive the daemons."""
    cluster.run(["scancel", f"--user={os.geteuid()}"])
    wait_until(lambda: not cluster.run(["squeue", "--noheader"]).stdout, "jobs do not end")


def wait_until(condition: Callable[[], bool], complaint: str, seconds: float = PATIENCE_SECONDS) -> None:
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(complaint)
        time.sleep(0.1)
