# SPDX-License-Identifier: Apache-2.0
"""Starts an MPI program on the hosts of a lab. All that launchers and MPIs need to be told there is in here.

The launcher runs in the control namespace and reaches the hosts over the unshaped control network, by a script in the
place of ssh. Ranks must not poll: on few cores a caller that polls takes the core from the one that it waits for.
"""

import os
import signal
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from espalier import mpis
from espalier.failure import Failure
from espalier.installation import Installation, settings_in
from espalier.launchers import Launch, Launcher, prepare
from espalier_lab.network import namespaces
from espalier_lab.network.plan import CONTROL, CONTROL_NETWORK, Plan


class Family(StrEnum):
    OPENMPI = "openmpi"
    MPICH = "mpich"
    OPENMPI4 = "openmpi4"  # Debian's, for Debian's programs

    @property
    def major(self) -> str:
        return "4" if self is Family.OPENMPI4 else "5"

    @property
    def versioned(self) -> str:
        """openmpi5, as in results and in the names of programs."""
        return self.value.rstrip("4") + self.major

    @property
    def launcher(self) -> Launcher:
        return Launcher.HYDRA if self is Family.MPICH else Launcher.OPEN_MPI


MEASURED = (Family.OPENMPI, Family.MPICH)  # comparisons are made under these
SHOWN = {"openmpi5": "Open MPI 5", "mpich5": "MPICH 5"}

# Empty polls in a row before a rank waits in the kernel; each MPI looks at its sockets in its own manner.
PATIENCE = {Family.OPENMPI: "2", Family.OPENMPI4: "2", Family.MPICH: "20"}
# Ranks of a host talk through shared memory under MPICH, by which nobody is woken: they must not wait for long.
SHORT_WAITS = {"PATIENT_MICROSECONDS": "300"}


def name_of_mpi(versioned: str) -> str:
    """For people."""
    return SHOWN.get(versioned, versioned)


REMOTE_SHELL = f"""#!/bin/sh
# In the place of ssh: [options] HOST COMMAND...
while :; do
  case "$1" in
    -l | -p | -o) shift 2 ;;
    -*) shift ;;
    *) break ;;
  esac
done
host=$1
shift
exec ip netns exec {namespaces.PREFIX}"$host" unshare --uts --ipc --mount \\
  sh -c "{namespaces.own_names("$host")}; $*"
"""


@dataclass(frozen=True)
class Job:
    """What to run in a lab. `settings`: ESPALIER_* and other variables of the ranks; None: without Espalier."""

    program: Sequence[str]
    settings: Mapping[str, str] | None = None
    per_host: int = 1
    order: Sequence[int] | None = None  # of the hosts, maybe not all of them; None: as they are numbered


def launcher_of(family: Family) -> Path:
    for mpi in mpis.found():
        # MPICH 4.0 hangs in MPI_Finalize over these networks.
        if mpi.launcher is family.launcher and mpi.version.startswith(f"{family.major}."):
            return mpi.path
    raise Failure(f"There is no {family.launcher.value} {family.major} here.", "Install what is missing: scripts/setup")


@contextmanager
def prepared(installation: Installation, plan: Plan, family: Family, job: Job) -> Iterator[Launch]:
    """The command that runs `job`; its files exist as long as the context."""
    with tempfile.TemporaryDirectory(prefix="espalier-lab-") as name:
        directory = Path(name)
        shell = directory / "remote-shell"
        shell.write_text(REMOTE_SHELL)
        shell.chmod(0o755)
        machine = directory / "machine.toml"
        machine.write_text(plan.machine)
        order = job.order or range(len(plan.hosts))
        hosts = [plan.hosts[index] for index in order]
        launcher = str(launcher_of(family))
        command = [launcher, *ARGUMENTS[family](plan, hosts, job.per_host, shell, directory), *job.program]
        preloads = [str(installation.build / "lib" / "libespalier-patient.so")]
        settings = dict(job.settings or {})
        if job.settings is not None:
            preloads.append(str(installation.preload))
            settings.setdefault("ESPALIER_TOPOLOGY", str(machine))
            settings.setdefault("ESPALIER_NICS", ",".join(plan.interfaces))  # and not the control network
        settings |= {"PATIENT_POLLS": PATIENCE[family], **mpi_environment(plan, family, job.per_host)}
        launch = prepare(command, ":".join(preloads), settings, cleaned(os.environ))
        yield Launch(launch.launcher, namespaces.inside(CONTROL, launch.arguments), launch.environment)


def limited(words: Sequence[str], seconds: float | None) -> list[str]:
    """A command that is ended when that time is over."""
    return [*(["timeout", "--foreground", "--kill-after=10", f"{seconds:g}"] if seconds else []), *words]


def is_late(status: int) -> bool:
    """Whether a command with a limit had to be ended."""
    return status in (124, 128 + signal.SIGKILL, -signal.SIGKILL)


def cleaned(environment: Mapping[str, str]) -> dict[str, str]:
    """Without an LD_PRELOAD of the user's, which is not meant for launchers here, and without settings: those that
    count are the job's, and some launchers pass on all that they have."""
    of_user = settings_in(environment)
    return {name: value for name, value in environment.items() if name != "LD_PRELOAD" and name not in of_user}


def openmpi_arguments(plan: Plan, hosts: Sequence[str], per_host: int, shell: Path, directory: Path) -> list[str]:
    starting = {"--prtemca plm_ssh_agent": str(shell), "--prtemca plm_ssh_no_tree_spawn": "1"}
    return openmpi_words(plan, hosts, per_host, directory, starting)


def openmpi4_arguments(plan: Plan, hosts: Sequence[str], per_host: int, shell: Path, directory: Path) -> list[str]:
    starting = {
        "--mca plm_rsh_agent": str(shell),
        "--mca plm_rsh_no_tree_spawn": "1",
        "--mca oob_tcp_if_include": f"{CONTROL_NETWORK}.0.0/16",
    }
    return openmpi_words(plan, hosts, per_host, directory, starting)


def openmpi_words(
    plan: Plan, hosts: Sequence[str], per_host: int, directory: Path, starting: Mapping[str, str]
) -> list[str]:
    file = directory / "hosts"
    file.write_text("".join(f"{host} slots={per_host}\n" for host in hosts))
    launching = {
        **starting,
        "--mca pml": "ob1",
        "--mca btl": "self,tcp",
        "--mca btl_tcp_if_include": ",".join(plan.networks),
        "--mca mpi_yield_when_idle": "1",
    }
    words = ["--allow-run-as-root", "--hostfile", str(file), "-n", str(len(hosts) * per_host)]
    words += ["--map-by", "node" if per_host == 1 else f"ppr:{per_host}:node", "--bind-to", "none"]
    return words + [word for name, value in launching.items() for word in (*name.split(), value)]


def mpich_arguments(_plan: Plan, hosts: Sequence[str], per_host: int, shell: Path, directory: Path) -> list[str]:
    file = directory / "hosts"
    file.write_text("".join(f"{host}:{per_host}\n" for host in hosts))
    words = ["-launcher", "ssh", "-launcher-exec", str(shell), "-localhost", f"{CONTROL_NETWORK}.255.1"]
    return [*words, "-f", str(file), "-ppn", str(per_host), "-bind-to", "none", "-n", str(len(hosts) * per_host)]


ARGUMENTS = {
    Family.OPENMPI: openmpi_arguments,
    Family.OPENMPI4: openmpi4_arguments,
    Family.MPICH: mpich_arguments,
}


def mpi_environment(plan: Plan, family: Family, per_host: int) -> dict[str, str]:
    if family is Family.OPENMPI:
        return {"PRTE_MCA_prte_if_include": f"{CONTROL_NETWORK}.0.0/16"}
    if family is Family.OPENMPI4:
        return {}
    netmod = {"MPIR_CVAR_CH4_NETMOD": "ofi", "FI_PROVIDER": "tcp", "FI_TCP_IFACE": plan.interfaces[0]}
    return netmod | (SHORT_WAITS if per_host > 1 else {})
