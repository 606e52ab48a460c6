# SPDX-License-Identifier: Apache-2.0
"""The instrument, compiled by the site's own MPI compiler: so it measures through the MPI that jobs use.

It is kept where ranks on other nodes can most likely read it: in the user's cache, at home.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from espalier import launchers
from espalier.failure import Failure

SOURCE = Path(__file__).with_name("instrument.c")
COMPILERS = ("mpicc", "mpiicx", "mpiicc", "cc")  # `cc`: on Cray systems it knows the MPI
NOT_FOUND = 127


def for_launcher(words: list[str], environment: Mapping[str, str], given: Path | None = None) -> Path:
    """The instrument for the MPI of this launcher; `given`: one that the user compiled."""
    launcher = executable(words[launchers.find_launcher(words)])
    if given is None:
        return compiled(compiler_for(launcher, environment), directory_of(environment))
    if not given.is_file() or not os.access(given, os.X_OK):
        raise Failure(f"--program {given}: is no program; allowed: what an MPI compiler made of {SOURCE}")
    return given.absolute()


def executable(word: str) -> Path:
    path = shutil.which(word)
    if path is None:
        raise Failure(f"{word} cannot be started: there is no such program.", "Is it in PATH?", status=NOT_FOUND)
    return Path(path)


def compiler_for(launcher: Path, environment: Mapping[str, str]) -> str:
    """MPICC, or what lies next to the launcher, under its name if there are several: mpirun.mpich, mpicc.mpich."""
    if environment.get("MPICC"):
        return environment["MPICC"]
    _, dot, variant = launcher.name.partition(".")
    near = [launcher.parent / f"{name}{dot}{variant}" for name in COMPILERS[:3]]
    near += [launcher.resolve().parent / name for name in COMPILERS[:3]]
    found = next((str(path) for path in near if os.access(path, os.X_OK)), None)
    found = found or next((path for name in COMPILERS if (path := shutil.which(name))), None)
    if found is None:
        raise Failure(
            f"There is no MPI compiler next to {launcher}, nor in PATH: what measures cannot be compiled.",
            f"Name one (MPICC=...), or compile {SOURCE} for that MPI and give it: --program FILE",
        )
    return found


def directory_of(environment: Mapping[str, str]) -> Path:
    home = Path(environment.get("HOME") or tempfile.gettempdir())
    return Path(environment.get("XDG_CACHE_HOME") or home / ".cache") / "espalier" / "instruments"


def compiled(compiler: str, directory: Path) -> Path:
    """The name follows from what it is made of, so it is compiled once."""
    path = Path(shutil.which(compiler) or compiler).resolve()
    age = path.stat().st_mtime_ns if path.exists() else 0  # of the compiler: it may be another MPI's by now
    of = hashlib.sha256(SOURCE.read_bytes() + f"{path} {age}".encode())
    program = directory / f"instrument-{of.hexdigest()[:16]}"
    if program.exists():
        return program
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=directory) as place:
            made = Path(place) / program.name
            compile_to(compiler, made)
            made.replace(program)
    except OSError as error:
        raise Failure(
            f"{directory}: the instrument could not be put there: {error.strerror}",
            "Name another place that all nodes see: XDG_CACHE_HOME=...",
        ) from error
    return program


def compile_to(compiler: str, program: Path) -> None:
    words = [compiler, "-O2", "-o", str(program), str(SOURCE)]
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise Failure(
            f"{' '.join(words)} failed:\n{done.stderr.strip()[-2000:]}",
            "Name the compiler of the launcher's MPI: MPICC=...",
            status=1,
        )
