# SPDX-License-Identifier: Apache-2.0
"""Long and unkind runs: see the head of each program in stress/."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from mpis import by_name

# Program, its arguments in the usual run, ranks. With ESPALIER_THOROUGH_TESTS set, the programs' own, longer defaults.
RUNS = [
    ("storm", ["10000"], 2),
    ("threads", ["10", "50"], 2),
    ("communicators", ["2000"], 3),
    ("edges", [], 3),
    ("errors", [], 2),
]


@pytest.mark.parametrize("mpi", ["openmpi5", "mpich5"])
@pytest.mark.parametrize(("name", "arguments", "ranks"), RUNS, ids=[run[0] for run in RUNS])
def test_nothing_goes_wrong(build: Path, mpi: str, name: str, arguments: Sequence[str], ranks: int) -> None:
    if (name, mpi) == ("errors", "mpich5"):
        pytest.skip("MPICH itself, without a preload, crashes on some of these wrong calls")
    program = build / "bin" / f"stress-{name}-{mpi}"
    if not program.exists():
        pytest.skip(f"{program.name} was not built")
    environment = {"LD_PRELOAD": build / "lib" / "libespalier.so"}
    words = [] if os.environ.get("ESPALIER_THOROUGH_TESTS") else arguments
    result = by_name(mpi).run(ranks, [program, *words], environment, timeout_seconds=900)
    assert '"failures": 0' in result.stdout, result.stdout
