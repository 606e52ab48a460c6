# SPDX-License-Identifier: Apache-2.0
"""The MPI's collective functions in all their forms, as the library's own lists have them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache

from mpis import ROOT as PROJECT

COLLECTIVES = PROJECT / "src" / "native" / "collective_functions.def"
PROTOTYPES = PROJECT / "src" / "preload" / "trampolines" / "functions.inc"


class Form(Enum):
    blocking = "blocking"
    nonblocking = "nonblocking"
    persistent = "persistent"


@dataclass(frozen=True)
class Function:
    name: str  # "MPI_Iallgatherv_c"
    blocking: str  # "Allgatherv", of which it is a form
    collective: str
    form: Form
    is_large: bool
    parameters: tuple[str, ...]  # by the standard's names


def parameter_names(prototype: str) -> tuple[str, ...]:
    """Of `(void* buffer, int count, ...)`. Where there is one array of displacements, its name says whose it is."""
    names = [re.sub(r"\W", "", parameter.split()[-1]) for parameter in prototype.strip("()").split(",")]
    side = "s" if "sendcounts" in names else "r"
    return tuple(f"{side}displs" if name == "displs" else name for name in names)


@cache
def prototypes() -> dict[str, str]:
    """By name: "(void* buffer, int count, ...)"."""
    return dict(re.findall(r"^ESPALIER_FUNCTION\((\w+), int, (\(.*\))\)$", PROTOTYPES.read_text(), re.M))


def all_functions() -> list[Function]:
    """In the order of collective_functions.def; the blocking forms of each function first."""
    lines = re.findall(r"^COLLECTIVE_FUNCTION\((\w+), (\w+), (\w+), \w+\)", COLLECTIVES.read_text(), re.M)
    functions = []
    for blocking, nonblocking, collective in lines:
        names = zip(Form, (blocking, nonblocking, f"{blocking}_init"), strict=True)
        for form, stem in names:
            for name in (f"MPI_{stem}", f"MPI_{stem}_c"):
                if name in prototypes():
                    parameters = parameter_names(prototypes()[name])
                    functions.append(Function(name, blocking, collective, form, name.endswith("_c"), parameters))
    return functions
