# SPDX-License-Identifier: Apache-2.0
"""A program that makes every collective call which its language and its MPI have, and says whether they were right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from every_call import programs
from every_call.calls import steps_for
from every_call.coverage import why_lacking
from every_call.functions import Form, Function, all_functions
from every_call.messages import RANKS
from every_call.programs import Language
from mpis import Mpi


@dataclass(frozen=True)
class Program:
    mpi: Mpi
    language: Language
    functions: list[Function]
    command: list[str | Path]

    def run(self, folder: Path, environment: Mapping[str, str | Path]) -> dict[str, Counter[int]]:
        """How often each function ran on a schedule of ours, of the ranks' calls each; all are right."""
        result = self.mpi.run(RANKS, [*self.command, folder / "seen"], environment)
        own: dict[str, Counter[int]] = {function.name: Counter() for function in self.functions}
        for rank in range(RANKS):
            lines = (folder / f"seen.{rank}").read_text().splitlines()
            for name, runs, wrong in map(str.split, lines):
                assert wrong == "0", f"rank {rank}: {wrong} numbers of {name} are wrong"
                own[name][int(runs)] += 1
            assert f"rank {rank}: 0 wrong\n" in result.stdout, result.stdout + result.stderr
        assert "espalier: " not in result.stderr, result.stderr
        return own

    def calls(self, forms: Iterable[Form]) -> Counter[str]:
        """Of each rank, per collective."""
        return Counter(step.function.collective for step in steps_for(self.functions) if step.function.form in forms)


def make_program(mpi: Mpi, language: Language, folder: Path, functions: list[Function] | None = None) -> Program:
    """With calls of these functions, or of all that there are."""
    if functions is None:
        functions = [each for each in all_functions() if why_lacking(mpi.name, language, each) is None]
    return Program(mpi, language, functions, programs.make(mpi, language, functions, folder))
