# SPDX-License-Identifier: Apache-2.0
"""Which MPI an export is for: its family and version, which say what form its rules have."""

from __future__ import annotations

import re
from dataclasses import dataclass

from espalier import mpis
from espalier.failure import Failure
from espalier.launchers import Launcher
from espalier.memory.contents import Memory
from espalier.words import advice

MPIS = {"openmpi": "Open MPI", "mpich": "MPICH"}
LAUNCHERS = {"openmpi": Launcher.OPEN_MPI, "mpich": Launcher.HYDRA}
NAMES = ("openmpi4.1", "openmpi5", "openmpi6", "mpich4", "mpich5.0", "mpich5.1", *MPIS)
WORD = re.compile(r"(openmpi|mpich)(\d{1,3}(?:\.\d{1,3}){0,2})?")
OLDEST = {"openmpi": (4, 1), "mpich": (4, 0)}
REQUESTS_SINCE = (5, 0, 7)  # numbers of requests in Open MPI's rules
JSON_SINCE = (6,)  # Open MPI's rules as JSON
ONE_FILE_SINCE = (5, 1)  # MPICH's selection as named trees in one file

Version = tuple[int, ...]


@dataclass(frozen=True)
class Target:
    """`version` may be as short as its first number."""

    family: str
    version: Version

    def __str__(self) -> str:
        return " ".join([MPIS[self.family], *([".".join(map(str, self.version))] if self.version else [])])

    def is_before(self, version: Version) -> bool:
        """Where fewer numbers were said, the newest of that kind is meant."""
        return self.version < version[: len(self.version)]

    @property
    def sees_places(self) -> bool:
        """Whether its rules can say where the ranks of a communicator are."""
        return self.family == "openmpi" and not self.is_before(JSON_SINCE)

    @property
    def ending(self) -> str:
        return "json" if self.family == "mpich" or self.sees_places else "conf"


def target_of(word: str | None, memory: Memory) -> Target:
    """`word` as it was said: mpich, openmpi5, mpich5.0.2; None: the MPI that the memory was learnt under."""
    learnt = learnt_under(memory)
    if word is None:
        if learnt is None:
            raise Failure("Which MPI the memory was learnt under is not known.", f"Name one: --mpi {', '.join(NAMES)}")
        return supported(learnt)
    match = WORD.fullmatch(word)
    if match is None:
        raise Failure(f"--mpi {word}: unknown; {advice(word, NAMES)}")
    family, version = match.groups()
    if version:
        return supported(Target(family, version_of(version)), f"--mpi {word}: ")
    return supported(learnt if learnt and learnt.family == family else found(family))


def supported(target: Target, said: str = "") -> Target:
    oldest = OLDEST[target.family]
    if target.is_before(oldest):
        least = ".".join(map(str, oldest))
        raise Failure(f"{said}Espalier knows no rules of {target}; allowed: {MPIS[target.family]} from {least} on")
    if target.family == "openmpi" and not target.version:
        return Target("openmpi", (5,))
    return target


def learnt_under(memory: Memory) -> Target | None:
    match = re.match(r"(Open MPI|MPICH)\D{0,40}(\d+(?:\.\d+){0,2})", memory.mpi)
    if match is None:
        return None
    family = next(family for family, name in MPIS.items() if name == match.group(1))
    return Target(family, version_of(match.group(2)))


def found(family: str) -> Target:
    """The first of this machine."""
    for mpi in mpis.found():
        numbers = re.match(r"\d+(\.\d+){0,2}", mpi.version)
        if mpi.launcher is LAUNCHERS[family] and numbers:
            return Target(family, version_of(numbers.group()))
    return Target(family, ())


def version_of(text: str) -> Version:
    return tuple(map(int, text.split(".")))
