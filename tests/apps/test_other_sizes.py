# SPDX-License-Identifier: Apache-2.0
"""Candidates begin with what they took at other sizes, in real jobs; and ranks have learnt different things."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from crowded import environment_of
from mpis import Mpi, matrix

RANKS = 4
CALLS = "150"
SOURCE = Path(__file__).parent / "other_sizes" / "sizes_in_turn.c"


@dataclass(frozen=True)
class Job:
    mpi: Mpi
    build: Path
    folder: Path
    program: Path

    def run(self, name: str) -> list[dict[str, Any]]:
        """The contexts of its report. Jobs of one folder have one memory."""
        report = self.folder / name
        settings = {
            "ESPALIER_MEMORY": self.folder / "memory",
            "ESPALIER_BUDGET": "100%",
            "ESPALIER_FIRST_CALLS": "0",
            "ESPALIER_REPORT": report,
        }
        environment = {**environment_of(self.mpi, RANKS, self.build), **settings}
        done = self.mpi.run(RANKS, [self.program, CALLS], environment, timeout_seconds=240)
        assert "all results are right" in done.stdout
        assert "espalier" not in done.stderr
        contexts: list[dict[str, Any]] = json.loads(report.read_text())["contexts"]
        return contexts


@pytest.fixture(params=matrix(["openmpi5", "mpich5"]))
def job(request: pytest.FixtureRequest, build: Path, tmp_path: Path) -> Job:
    mpi: Mpi = request.param
    return Job(mpi, build, tmp_path, mpi.compile([SOURCE], tmp_path / "sizes_in_turn", ["-pthread"]))


def starts(contexts: list[dict[str, Any]], ranks: int) -> dict[int, set[str]]:
    """By size, of exchanges and sums that have looked for candidates."""
    found: dict[int, set[str]] = {}
    for context in contexts:
        if context["collective"] != "allgather" and context["ranks"] == ranks and context["candidates"]:
            found.setdefault(context["bytes"], set()).add(context["start"])
    return found


def test_sizes_begin_with_what_others_learnt_only_where_all_ranks_have_learnt_it(job: Job) -> None:
    contexts = job.run("first.json")
    assert "given up" not in {context["state"] for context in contexts}
    of_all = starts(contexts, RANKS)
    assert of_all[1 << 13] == {"cold"}
    assert of_all[1 << 14] == of_all[1 << 15] == {"other sizes"}
    of_pairs = starts(contexts, 2)
    assert of_pairs[1 << 16] == {"cold"}  # they have met here first
    assert of_pairs[1 << 17] == {"other sizes"}
    later = job.run("second.json")
    assert "given up" not in {context["state"] for context in later}
    assert starts(later, RANKS)[1 << 15] == {"memory"}
