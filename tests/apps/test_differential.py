# SPDX-License-Identifier: Apache-2.0
"""Every algorithm against the native MPI, in one job per MPI and rank count: see differential/main.cpp."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from mpis import by_name

# Ranks that share cores wait for each other's time slices: MPICH, which never sleeps, takes minutes from 4 ranks on.
USUAL = [("openmpi5", ranks) for ranks in (1, 2, 3, 4, 5)] + [("mpich5", ranks) for ranks in (1, 2)]
THOROUGH = [(mpi, ranks) for mpi in ("openmpi5", "mpich5") for ranks in (*range(1, 10), 16)]
IS_THOROUGH = bool(os.environ.get("ESPALIER_THOROUGH_TESTS"))
COLLECTIVES = {"bcast", "reduce", "allreduce", "barrier"}


@pytest.mark.parametrize(("mpi", "ranks"), THOROUGH if IS_THOROUGH else USUAL)
def test_all_results_equal_the_native_ones(build: Path, mpi: str, ranks: int) -> None:
    program = build / "bin" / f"differential-{mpi}"
    if not program.exists():
        pytest.skip(f"{program.name} was not built")
    environment = {"LD_PRELOAD": build / "lib" / "libespalier.so"}
    result = by_name(mpi).run(ranks, [program, "pairs"], environment, timeout_seconds=1800 if IS_THOROUGH else 300)
    facts = json.loads(result.stdout.strip().splitlines()[-1])
    print(json.dumps(facts))
    assert facts["failures"] == 0, result.stdout
    assert facts["active"]
    if ranks > 1:
        assert {name.partition(":")[0] for name in facts["algorithms"]} == COLLECTIVES
        assert facts["expressions"] > 0
