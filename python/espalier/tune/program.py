# SPDX-License-Identifier: Apache-2.0
"""The program that measures, built for the MPI whose launcher starts it (bench/network)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from espalier import mpis
from espalier.failure import Failure
from espalier.installation import COMMAND, Installation
from espalier.launchers import Launcher, find_launcher, recognise, version_of
from espalier.mpis import Mpi

PREFIX = "espalier-bench-network-"
NOT_FOUND = 127
OURS = (Launcher.OPEN_MPI, Launcher.HYDRA)  # who belongs to one MPI only


def for_launcher(installation: Installation, command: Sequence[str], given: Path | None) -> Path:
    if not command:
        raise Failure(
            "There is no launcher: how does a job start?",
            f"For example: {COMMAND} tune -- mpirun -n 16 --hostfile hosts",
        )
    launcher = executable(command[find_launcher(command)])
    return checked(given) if given else found(installation, launcher)


def executable(word: str) -> Path:
    path = shutil.which(word)
    if path is None:
        raise Failure(f"{word} cannot be started: there is no such program.", "Is it in PATH?", status=NOT_FOUND)
    return Path(path)


def checked(given: Path) -> Path:
    if not given.is_file() or not os.access(given, os.X_OK):
        raise Failure(f"--program {given}: is no program; allowed: {PREFIX}* built for the launcher's MPI")
    return given.absolute()


def found(installation: Installation, launcher: Path) -> Path:
    mpi = next((one for one in mpis.found() if is_of(launcher, one)), None)
    if mpi is None:
        raise Failure(
            f"{launcher}: Espalier does not know for which MPI it starts jobs.",
            f"Say which program is to measure, built for that MPI: --program .../{PREFIX}openmpi5, say",
        )
    program = installation.build / "bin" / f"{PREFIX}{mpi.name}"
    if not program.exists():
        raise Failure(
            f"{launcher} starts jobs of {mpi.words}, and {program} does not exist.",
            f"{built(installation)} Build one (make build), or say which program is to measure: --program FILE",
        )
    return program


def built(installation: Installation) -> str:
    names = sorted(path.name for path in (installation.build / "bin").glob(PREFIX + "*"))
    return f"There are: {', '.join(names)}." if names else "None was built for any MPI."


def is_of(launcher: Path, mpi: Mpi) -> bool:
    """It may have several names in one place: mpirun, mpiexec."""
    if mpi.launcher not in OURS:
        return False
    if launcher.resolve() == mpi.path.resolve():
        return True
    is_next_to = launcher.parent.resolve() == mpi.path.parent.resolve()
    return is_next_to and recognise(str(launcher), version_of(str(launcher))) is mpi.launcher


def words_for(function: str, size: int, numbers: str, calls: int, limit: float) -> list[str]:
    words = ["--collective", function, "--bytes", str(size), "--variants", "espalier", "--numbers", numbers]
    return [*words, "--series", str(calls), "--limit", f"{limit:.3f}"]
