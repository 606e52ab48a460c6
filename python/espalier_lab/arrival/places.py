# SPDX-License-Identifier: Apache-2.0
"""Where it is measured: among many ranks on this machine, or in a lab. How an MPI program is started there."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from espalier import launchers
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.job import NO_MEMORY
from espalier.launchers import Launch
from espalier_lab.bound import bound_seconds
from espalier_lab.experiments import launch
from espalier_lab.experiments.bounds import bound_anywhere
from espalier_lab.experiments.comparison import Comparison, shuffled
from espalier_lab.experiments.launch import Family
from espalier_lab.experiments.series_variants import NO_DESCRIPTION
from espalier_lab.network.plan import Plan
from espalier_lab.network.spec import Options

MACHINE, LAB = "machine", "lab"

# As the one that has no settings runs it, but for what earlier jobs have learnt.
SETTINGS = {**NO_MEMORY, **NO_DESCRIPTION}

# Who waits must not take the core from the rank that it waits for. Open MPI can yield; MPICH never does in shared
# memory, but sockets can be waited for in the kernel.
YIELDING = ("--bind-to", "none", "--mca", "mpi_yield_when_idle", "1")
SOCKETS = {"MPIR_CVAR_NOLOCAL": "1", "MPIR_CVAR_CH4_NETMOD": "ucx", "UCX_TLS": "tcp,self"}

SEED = 1


class Place(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def installation(self) -> Installation: ...

    @property
    def ranks(self) -> int: ...

    def launched(
        self, family: Family, words: Sequence[str], settings: Mapping[str, str] | None
    ) -> AbstractContextManager[Launch]:
        """With Espalier under such settings, or without it."""

    def bound(self, collective: str, size: int) -> float:
        """Seconds at best, if nobody is late. 0: not known."""


class Machine:
    name = MACHINE

    def __init__(self, installation: Installation, ranks: int) -> None:
        self.installation, self.ranks = installation, ranks

    @contextmanager
    def launched(self, family: Family, words: Sequence[str], settings: Mapping[str, str] | None) -> Iterator[Launch]:
        is_crowded = self.ranks > len(os.sched_getaffinity(0))
        is_mpich = family is Family.MPICH
        options = launchers.options_for_one_machine(family.launcher)
        preloads = [self.installation.preload] if settings is not None else []
        environment = dict(settings or {})
        if is_crowded and is_mpich:
            preloads = [self.installation.build / "lib" / "libespalier-patient.so", *preloads]
            environment |= SOCKETS
        elif is_crowded:
            options += YIELDING
        command = [str(launch.launcher_of(family)), *options, "-n", str(self.ranks), *words]
        yield launchers.prepare(command, ":".join(map(str, preloads)), environment, launch.cleaned(os.environ))

    def bound(self, collective: str, size: int) -> float:
        return bound_seconds(collective, size, self.ranks) or 0.0


class Lab:
    """A rank on each host; ranks are placed at random."""

    def __init__(self, installation: Installation, plan: Plan, network: str, options: Options) -> None:
        self.installation = installation
        self._plan, self._network, self._options = plan, network, options

    @property
    def name(self) -> str:
        return lab_name(self._network, self._options)

    @property
    def ranks(self) -> int:
        return len(self._plan.hosts)

    def launched(
        self, family: Family, words: Sequence[str], settings: Mapping[str, str] | None
    ) -> AbstractContextManager[Launch]:
        job = launch.Job(words, settings, order=shuffled(self.ranks, SEED))
        return launch.prepared(self.installation, self._plan, family, job)

    def bound(self, collective: str, size: int) -> float:
        comparison = Comparison(self._network, collective, (size,), self._options)
        return bound_anywhere(comparison)(collective, size)


def lab_name(network: str, options: Options) -> str:
    return Comparison(network, "", (), options).lab


def program(installation: Installation, name: str, family: Family, remedy: str = "Build it first: make build") -> Path:
    file = installation.build / "bin" / f"{name}-{family.versioned}"
    if not file.exists():
        raise Failure(f"{file} does not exist.", remedy)
    return file
