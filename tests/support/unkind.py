# SPDX-License-Identifier: Apache-2.0
"""Programs of tests/apps/stress that mix calls as no sensible program does, to be run over any transport."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crowded import run
from drawn import IS_THOROUGH
from mpis import Mpi


@dataclass(frozen=True)
class UnkindProgram:
    name: str
    ranks: int
    arguments: tuple[str, ...]
    thorough: tuple[str, ...]

    def run(self, mpi: Mpi, build: Path, settings: Mapping[str, str]) -> tuple[dict[str, Any], str]:
        """As crowded.run()."""
        return run(mpi, self.ranks, build, self.name, self.thorough if IS_THOROUGH else self.arguments, settings)

    def __str__(self) -> str:
        return "-".join([self.name, *self.arguments])


REQUESTS_OF_SEVERAL_THREADS = UnkindProgram("stress-requests", 4, ("12", "3"), ("1000", "3"))
UNKIND_PROGRAMS = (
    UnkindProgram("stress-storm", 4, ("1500",), ("50000",)),
    UnkindProgram("stress-turns", 4, ("1200",), ("50000",)),
    UnkindProgram("stress-requests", 4, ("25", "1"), ("5000", "1")),
    REQUESTS_OF_SEVERAL_THREADS,
    UnkindProgram("stress-threads", 4, ("8", "30"), ("40", "60")),
    UnkindProgram("stress-communicators", 3, ("400", "150"), ("3000", "600")),
)
