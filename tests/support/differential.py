# SPDX-License-Identifier: Apache-2.0
"""Runs of the differential test (tests/apps/differential), and what is said of one that fails."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cases import Case, case_in, shrink
from crowded import environment_of
from mpis import Mpi

SECONDS_PER_CASE = 60
SECONDS_PER_SMALL_CASE = 10
SECONDS_PER_RUN = 1800


@dataclass(frozen=True)
class Result:
    """Of one run: what it found out, or why it failed."""

    facts: dict[str, Any] = field(default_factory=dict)
    errors: str = ""
    status: int = 0

    @property
    def failed(self) -> bool:
        return self.status != 0 or self.facts.get("failures") != 0


@dataclass(frozen=True)
class Differential:
    """The program for one MPI."""

    mpi: Mpi
    build: Path

    @property
    def program(self) -> Path:
        return self.build / "bin" / f"differential-{self.mpi}"

    def run(
        self,
        ranks: int,
        *arguments: object,
        patience: int = SECONDS_PER_CASE,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> Result:
        """Never raises: a run that dies or hangs has failed."""
        command = [self.program, "--patience", str(patience), *map(str, arguments)]
        limit = SECONDS_PER_RUN if "--case" not in arguments else 3 * patience + 20
        try:
            environment = {**environment_of(self.mpi, ranks, self.build), **settings}
            done = self.mpi.run(ranks, command, environment, limit, check=False)
        except AssertionError as hang:
            return Result(errors=str(hang), status=1)
        lines = done.stdout.strip().splitlines()
        facts = json.loads(lines[-1]) if lines and lines[-1].startswith('{"failures"') else {}
        return Result(facts, done.stderr, done.returncode)

    def fails(self, case: Case) -> bool:
        result = self.run(case.ranks, "--case", str(case), patience=SECONDS_PER_SMALL_CASE)
        return result.failed and not is_refused(result)

    def command(self, ranks: int, arguments: Sequence[object]) -> str:
        """That repeats a run."""
        words = [self.program, *arguments]
        return shlex.join(self.mpi.command(ranks, words, environment_of(self.mpi, ranks, self.build)))

    def describe(self, ranks: int, arguments: Sequence[object], result: Result) -> str:
        """What failed: the smallest case that does, and how to make it again."""
        found = case_in(result.errors)
        whole = f"The whole run again:\n  {self.command(ranks, list(map(str, arguments)))}\n"
        if found is None or not self.fails(found):
            return f"{result.errors[-4000:]}\nNo case fails by itself. {whole}"
        small = shrink(found, self.fails)
        errors = self.run(small.ranks, "--case", small, patience=SECONDS_PER_SMALL_CASE).errors
        again = self.command(small.ranks, ["--case", str(small)])
        return f"{said_in(errors)}\nThe smallest case:\n  {small}\nAgain:\n  {again}\n{whole}"


def is_refused(result: Result) -> bool:
    """A case that shrinking made up, and that there is not."""
    return "no such " in result.errors


def said_in(errors: str) -> str:
    lines = [line for line in errors.splitlines() if line.startswith(("FAILED", "no progress", "died"))]
    return "\n".join(lines[:3]) or errors[-2000:]
