# SPDX-License-Identifier: Apache-2.0
"""The MPIs of this machine: the project's own environments first, then whatever PATH holds."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from espalier.installation import ROOT
from espalier.launchers import LAUNCHER_NAME, Launcher, recognise, version_of

VERSION = re.compile(r"\d+\.\d+(\.\d+)?\w*")


@dataclass(frozen=True)
class Mpi:
    launcher: Launcher
    version: str
    path: Path

    @property
    def name(self) -> str:
        """Short, as in the names of the benchmark's programs: openmpi5."""
        family = {Launcher.OPEN_MPI: "openmpi", Launcher.HYDRA: "mpich", Launcher.SLURM: "slurm"}[self.launcher]
        return family + self.version.partition(".")[0]

    @property
    def words(self) -> str:
        return f"{self.launcher.value} {self.version}"


def candidates() -> Iterator[Path]:
    """Launchers by name; one of several names for the same program."""
    seen = set()
    own = [ROOT / ".deps" / environment / "bin" for environment in ("openmpi", "mpich")]
    for directory in [*own, *map(Path, os.environ.get("PATH", "").split(os.pathsep))]:
        for path in launchers_in(directory):
            real = path.resolve()
            if LAUNCHER_NAME.match(path.name) and real not in seen and os.access(path, os.X_OK):
                seen.add(real)
                yield path


def launchers_in(directory: Path) -> list[Path]:
    """None where this user may not look: PATH may lead there all the same."""
    try:
        return sorted(directory.glob("mpirun*")) + sorted(directory.glob("srun"))
    except OSError:
        return []


def found() -> list[Mpi]:
    return [mpi for path in candidates() if (mpi := of_launcher(path))]


def of_launcher(path: Path) -> Mpi | None:
    """None: it cannot be started, or is none."""
    text = version_of(str(path))
    launcher = recognise(str(path), text)
    version = VERSION.search(text)
    return Mpi(launcher, version.group(), path) if launcher is not Launcher.UNKNOWN and version else None
