# SPDX-License-Identifier: Apache-2.0
"""Programs that make collective calls, in each language.

Each consists of a frame (frame.c, frame.f90, frame.py), which has a variable for every argument by the standard's name
for it, and of the calls (calls.py). What the variables hold, and must hold afterwards, the program reads from a file: a
line of numbers for each rank in each case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from every_call.calls import all_cases, in_c, in_fortran, in_python, steps_for
from every_call.functions import Function
from every_call.messages import LENGTH, RANKS, ROOT, messages
from mpis import ROOT as PROJECT
from mpis import Mpi

FRAMES = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Language:
    name: str
    compiler: str  # "c", "fortran"; "python" has none
    has_large: bool  # functions of their own, or generic ones, for large counts
    flags: tuple[str, ...] = ()


C = Language("C", "c", has_large=True)
# Also what the MPI's header does not declare, and only the preload has.
C_WITH_ALL = Language("C", "c", has_large=True, flags=("-DDECLARES_ALL", f"-I{PROJECT / 'src'}"))
# Without a module each external procedure would have to be called with the same kinds of buffers everywhere.
MPIF_H = Language("mpif.h", "fortran", has_large=False, flags=("-fallow-argument-mismatch",))
USE_MPI = Language("use mpi", "fortran", has_large=False, flags=("-DMODULE=mpi",))
USE_MPI_F08 = Language("use mpi_f08", "fortran", has_large=True, flags=("-DMODULE=mpi_f08", "-DHANDLES_ARE_TYPES"))
MPI4PY = Language("mpi4py", "python", has_large=False)  # it decides itself which to call
LANGUAGES = (C, MPIF_H, USE_MPI, USE_MPI_F08, MPI4PY)


def numbers() -> str:
    """For all cases, the line of each rank."""
    lines = [message.numbers() for case in all_cases() for message in messages(case)]
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def make(mpi: Mpi, language: Language, functions: Sequence[Function], folder: Path) -> list[str | Path]:
    """The command that makes these calls. It takes one more argument: where it writes what it saw."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "numbers").write_text(numbers())
    calls = folder / "calls.inc"
    write = {"c": in_c, "fortran": in_fortran, "python": in_python}[language.compiler]
    calls.write_text("".join(f"{line}\n" for step in steps_for(functions) for line in write(step)))
    if language is MPI4PY:
        assert mpi.python
        return [mpi.python, FRAMES / "frame.py", calls, folder / "numbers"]
    flags = [f"-I{folder}", f"-DLENGTH={LENGTH}", f"-DRANKS={RANKS}", f"-DROOT={ROOT}"]
    flags += [f"-DCASES={len(all_cases())}", *language.flags]
    if language.compiler == "c":
        return [mpi.compile([FRAMES / "frame.c"], folder / "program", flags), folder / "numbers"]
    flags += ["-cpp", "-ffree-line-length-none"]
    return [mpi.compile([FRAMES / "frame.f90"], folder / "program", flags), folder / "numbers"]
