# SPDX-License-Identifier: Apache-2.0
"""Rules that were exported give right results: with operations that do not commute, in place, among numbers of ranks
that are no powers of two, with fewer elements than ranks, and where the root of a broadcast has another datatype. On
both sides of each rule's sizes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import memories
import pytest
from exported_cases import BARRIER, PROMISES, SOURCES, Case, cases_for, exported
from mpis import by_name

# Fewer elements than ranks: what some algorithms cannot do.
SHORT = {
    8: (
        "allreduce rabenseifner",
        "reduce rabenseifner",
        "bcast scatter_allgather",
        "alltoall bruck",
        "allgather bruck",
    ),
    16: ("allreduce recursive_doubling", "reduce binomial", "allgather ring", "allgatherv bruck", "alltoall pairwise"),
    32: ("allreduce ring", "reduce in_order", "alltoall spread", "reduce_scatter recursive_halving"),
}


def cases_of(name: str) -> list[Case]:
    short = [Case(*words.split(), low, {}) for low, all_words in SHORT.items() for words in all_words]
    return [*short, *cases_for(name)]


def calls(cases: Sequence[Case]) -> list[str]:
    return ["barrier:0", *(what for case in cases for what in (case.inside[0], case.outside[0]) if ":0" not in what)]


@pytest.mark.parametrize(("name", "ranks"), [("openmpi5", 3), ("openmpi4", 5), ("mpich5", 5), ("mpich4", 3)])
def test_results_are_right(name: str, ranks: int, build: Path, tmp_path: Path) -> None:
    mpi = by_name(name)
    if reason := mpi.missing():
        pytest.skip(reason)
    program = mpi.compile([SOURCES / "results.c"], tmp_path / "results", ["-Wall"])
    cases = cases_of(name)
    content = memories.text(*(case.context for case in cases), BARRIER, ranks=ranks)
    rules = exported(build, tmp_path, name, content)
    yielding = {"OMPI_MCA_mpi_yield_when_idle": "1"} if mpi.family == "openmpi" else {}
    assert "all right" in mpi.run(ranks, [program, *calls(cases)], {**yielding, **rules}).stdout
    if mpi.family == "openmpi":
        rules = exported(build, tmp_path, name, content, *PROMISES)
        assert "all right" in mpi.run(ranks, [program, "promised", *calls(cases)], {**yielding, **rules}).stdout
