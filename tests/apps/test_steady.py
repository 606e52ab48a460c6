# SPDX-License-Identifier: Apache-2.0
"""What Espalier itself asks of its surroundings in calls that were made before: see stress/steady.cpp."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from crowded import environment_of, run
from mpis import Mpi, matrix

pytestmark = pytest.mark.on_any_mpi

RANKS = 2
CALLS_BEFORE = "20000"  # until what is chosen among has been looked for, and prepared
LARGE_BUDGET = "20%"  # so that something is learnt, however short the calls of the native MPI are
MAX_JOBS = 4  # until one has found something of ours faster: on a busy machine not each does
COUNTER = Path(__file__).resolve().parent / "steady" / "count.c"


def counted(
    mpi: Mpi, build: Path, folder: Path, *arguments: str, program: str = "stress-steady", **settings: str
) -> dict[str, Any]:
    counter = mpi.compile([COUNTER], folder / "count.so", ["-shared", "-fPIC", "-Wl,--as-needed", "-ldl"])
    preload = f"{environment_of(mpi, RANKS, build)['LD_PRELOAD']}:{counter}"
    facts, _ = run(mpi, RANKS, build, program, arguments, {"LD_PRELOAD": preload, **settings})
    return facts


@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_repeated_calls_take_no_memory_no_lock_and_no_system_call(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    facts = counted(mpi, build, tmp_path)
    assert facts["own"] > 0
    assert facts["native"] > 0
    for by in ("own", "native"):
        check(facts, by)


# A report of calls with requests allocates, with sites or without.
@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_calls_that_are_counted_by_site_and_for_tools_take_no_more(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    settings = {"ESPALIER_REPORT": "/dev/null", "ESPALIER_REPORT_SITES": "1", "ESPALIER_MPI_T": "timed"}
    facts = counted(mpi, build, tmp_path, **settings)
    assert facts["own"] > 0
    for by in ("own", "native"):
        for kind in ("blocking", "blocking in place", "persistent", "persistent in place"):
            check_each(facts, f"{by} {kind}")


# What libfabric asks for below is its own.
@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_messages_over_libfabric_take_no_more(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    facts = counted(mpi, build, tmp_path, ESPALIER_TRANSPORT="fabric")
    assert facts["own"] > 0
    check(facts, "own")


@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_messages_over_the_mpi_take_no_more(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    facts = counted(mpi, build, tmp_path, ESPALIER_SHARED_MEMORY="off")
    assert facts["own"] > 0
    check(facts, "own")


@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_exchanges_take_no_more(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    settings = {"ESPALIER_TRANSPORT": "fabric", "ESPALIER_PERSISTENT": "paired"}
    facts = counted(mpi, build, tmp_path, program="stress-steady_exchanges", **settings)
    assert facts["messages"][:3] == facts["collective"][:3] == [0, 0, 0]
    check_each(facts, "calls")
    check_each(facts, "short calls")


# Most batches: where ranks agree, or another candidate comes up, a call takes the long route. Ours run from the first
# call on where another job found them faster; and where there is hardly any budget, little else.
@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_choosing_by_time_takes_no_more(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    memory = {"ESPALIER_MEMORY": str(tmp_path / "memory")}
    for _ in range(MAX_JOBS):
        counted(mpi, build, tmp_path, CALLS_BEFORE, ESPALIER_BUDGET=LARGE_BUDGET, **memory)
        facts = counted(mpi, build, tmp_path, CALLS_BEFORE, ESPALIER_BUDGET="0.01%", **memory)
        check(facts, "race")
        if facts["own"] > 0:
            return
    pytest.fail(f"{MAX_JOBS} jobs found nothing of ours that is faster")


def check(facts: dict[str, Any], by: str) -> None:
    for place in ("", " in place"):
        for kind in ("blocking", "persistent", "nonblocking"):
            check_each(facts, f"{by} {kind}{place}")


def check_each(facts: dict[str, Any], name: str) -> None:
    assert facts[name]
    asking = {call: counts for call, counts in facts[name].items() if any(counts[:3])}
    assert not asking, name
