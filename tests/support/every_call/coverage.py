# SPDX-License-Identifier: Apache-2.0
"""What each MPI lacks, and what Espalier leaves to it: the only place where tests and documentation know this from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from every_call.functions import Form, Function
from every_call.programs import LANGUAGES, MPI4PY, Language
from mpis import by_name

TITLES = {
    "openmpi4": "Open MPI 4.1",
    "openmpi5": "Open MPI 5.0",
    "mpich4": "MPICH 4.0",
    "mpich5": "MPICH 5",
    "mpich5-abi": "standard ABI (MPICH 5)",
}
PAIRS = tuple(
    (mpi, language)
    for mpi in TITLES
    for language in LANGUAGES
    if language.compiler in by_name(mpi).compilers or (language is MPI4PY and by_name(mpi).python)
)


@dataclass(frozen=True)
class Except:
    """These forms and sizes of all functions, under these MPIs."""

    mpis: Sequence[str]
    why: str
    forms: Sequence[Form] = tuple(Form)
    only_large: bool = False

    def holds_for(self, mpi: str, function: Function) -> bool:
        return mpi in self.mpis and function.form in self.forms and (function.is_large or not self.only_large)


LACKING = (
    Except(("openmpi4",), "Open MPI 4 has them as `MPIX_..._init` only", forms=(Form.persistent,)),
    Except(("openmpi4", "openmpi5"), "Open MPI up to 5.0 has no large counts", only_large=True),
)
PASSED_ON = (
    Except(
        ("mpich4", "mpich5-abi"),
        "this MPI lets nobody into its progress, where calls behind a request go on",
        forms=(Form.nonblocking, Form.persistent),
    ),
)


def why_lacking(mpi: str, language: Language, function: Function) -> str | None:
    """None if a program in that language can call it under that MPI."""
    if function.is_large and not language.has_large:
        return f"{language.name} has no functions for large counts"
    return next((lack.why for lack in LACKING if lack.holds_for(mpi, function)), None)


def why_passed_on(mpi: str, function: Function) -> str | None:
    """None if it runs on an algorithm of ours where one is forced."""
    return next((exception.why for exception in PASSED_ON if exception.holds_for(mpi, function)), None)
