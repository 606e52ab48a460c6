# SPDX-License-Identifier: Apache-2.0
"""Every collective function with every algorithm against the native MPI, in random cases: see differential/main.cpp.

`make fuzz` does the same for as long as one likes (fuzz.py)."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from pathlib import Path

import pytest
from cases import read_case, shrink
from differential import Differential, Result
from drawn import IS_THOROUGH
from mpis import ROOT, Mpi, by_name, checked, matrix

pytestmark = pytest.mark.on_any_mpi

MPIS = ("openmpi5", "mpich5")
RANKS = (1, 2, 3, 5, 8)
SEED = int(os.environ.get("FUZZ_SEED", "20260507"))
DECKS = 10 if IS_THOROUGH else 1


@cache
def result_of(mpi: str, ranks: int, build: Path) -> Result:
    program = Differential(by_name(mpi), build)
    if not program.program.exists():
        pytest.skip(f"{program.program.name} was not built: its MPI was not there then")
    arguments = ["--seed", SEED, "--decks", DECKS]
    result = program.run(ranks, *arguments)
    if result.failed:
        pytest.fail(program.describe(ranks, arguments, result))
    return result


def algorithms_among(ranks: int, build: Path) -> set[str]:
    """The others are forced, too, and then go to the native MPI: no network is known here."""
    listed = json.loads(checked([str(build / "bin" / "espalier-tool"), "algorithms", "--json"]).stdout)["algorithms"]
    is_power_of_two = ranks.bit_count() == 1
    there = [one for one in listed if not one["needs_a_network"] and (one["ranks"] == "any" or is_power_of_two)]
    return {f"{one['collective']}:{one['name']}" for one in there}


def functions() -> set[str]:
    """All forms of all lines of the list."""
    text = (ROOT / "src" / "native" / "collective_functions.def").read_text()
    names: set[str] = set()
    for name, nonblocking, arguments in re.findall(r"^COLLECTIVE_FUNCTION\((\w+), (\w+), \w+, (\w+)\)", text, re.M):
        for form in (name, nonblocking, f"{name}_init"):
            names |= {f"MPI_{form}"} if arguments == "NoData" else {f"MPI_{form}", f"MPI_{form}_c"}
    return names


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_all_results_are_right(mpi: Mpi, ranks: int, build: Path) -> None:
    facts = result_of(str(mpi), ranks, build).facts
    print(mpi, ranks, {name: facts[name] for name in ("seed", "cases", "calls", "own", "native", "expressions")})
    assert facts["active"]
    assert set(facts["functions"]) == functions()
    if ranks > 1:
        assert set(facts["algorithms"]) >= algorithms_among(ranks, build)
        assert facts["expressions"] > 0


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_every_function_runs_on_every_algorithm(mpi: Mpi, build: Path) -> None:
    facts = result_of(str(mpi), 3, build).facts
    assert not facts["unmet"]


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_rounded_results_have_the_same_bits_in_every_run(mpi: Mpi, build: Path) -> None:
    again = Differential(mpi, build).run(3, "--seed", SEED, "--decks", DECKS)
    assert again.facts["bits"] == result_of(str(mpi), 3, build).facts["bits"] != "0"


# Elsewhere in these tests messages of ours go through shared memory.
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_results_are_the_same_over_the_mpi(mpi: Mpi, build: Path) -> None:
    over_mpi = Differential(mpi, build).run(
        5, "--seed", SEED, "--decks", DECKS, settings={"ESPALIER_SHARED_MEMORY": "off"}
    )
    assert not over_mpi.failed, over_mpi.errors[-4000:]
    assert over_mpi.facts["own"] > 0
    assert over_mpi.facts["bits"] == result_of(str(mpi), 5, build).facts["bits"]


def test_what_fails_is_shrunk_to_its_cause() -> None:
    case = read_case(
        "MPI_Ibcast type=MPI_INT counts=equal:7 root=3 in_place=no comm=copy algorithm=free calls=2 finish=Test seed=1"
        " + MPI_Ialltoallv_c type=struct counts=mixed:33 root=0 in_place=yes comm=graph"
        " algorithm=alltoall:pairwise,segment=512 calls=3 finish=Test seed=2 ranks=8"
    )
    small = shrink(case, lambda one: one.ranks > 2 and any("alltoallv" in str(call).lower() for call in one.calls))
    assert str(small) == (
        "MPI_Alltoallv type=MPI_INT counts=equal:1 root=0 in_place=no comm=world algorithm=alltoall:pairwise"
        " calls=1 finish=Wait seed=2 ranks=3"
    )
