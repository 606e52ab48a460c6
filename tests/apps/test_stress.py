# SPDX-License-Identifier: Apache-2.0
"""Long and unkind runs: see the head of each program in stress/."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from crowded import complaints, environment_of, run
from drawn import IS_THOROUGH
from mpis import Mpi, matrix

pytestmark = pytest.mark.on_any_mpi

MPIS = ("openmpi5", "mpich5")
BUDGETS = ("100%", "1%", "100%")
MEBIBYTE = 1 << 20
ARRANGED = "bcast:knomial,arrange=order;reduce:binary,arrange=order;allreduce:chain,arrange=order"


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_storm_of_collectives_leaves_other_traffic_alone(mpi: Mpi, build: Path) -> None:
    facts, _ = run(mpi, 4, build, "stress-storm", ["50000" if IS_THOROUGH else "6000"])
    assert facts["own"] > facts["native"]


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_another_algorithm_at_every_call_never_diverges(mpi: Mpi, build: Path) -> None:
    facts, _ = run(mpi, 4, build, "stress-turns", ["50000" if IS_THOROUGH else "5000"])
    assert facts["own"] > facts["native"] > 0
    assert facts["growth_bytes"] < 4 * MEBIBYTE


@pytest.mark.parametrize(("policy", "turns"), [("race", "3000"), ("star", "2000"), ("intel", "2000")])
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_choosing_by_time_never_diverges(mpi: Mpi, policy: str, turns: str, build: Path) -> None:
    settings = {"ESPALIER_POLICY": policy, "ESPALIER_BUDGET": "100%", "ESPALIER_REPRODUCIBLE": "off"}
    arguments = ["50000" if IS_THOROUGH else turns, "5", "1"]
    facts, _ = run(mpi, 4, build, "stress-turns", arguments, settings=settings)
    assert facts["own"] > 0 < facts["native"]
    assert facts["growth_bytes"] < 8 * MEBIBYTE


# As it is by itself, and where every call goes along a tree from the first one on. Every call is a sampling point.
LATE = (
    {"ESPALIER_BUDGET": "100%", "ESPALIER_REPRODUCIBLE": "off"},
    {"ESPALIER_REPRODUCIBLE": "off", "ESPALIER_ALGORITHM": ARRANGED},
)


@pytest.mark.parametrize("settings", LATE, ids=["by_time", "forced"])
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_late_ranks_are_arranged_alike_everywhere(mpi: Mpi, settings: dict[str, str], build: Path) -> None:
    facts, _ = run(mpi, 6, build, "stress-late", ["10000" if IS_THOROUGH else "1200"], settings=settings)
    assert facts["own"] > 0
    assert facts["growth_bytes"] < 8 * MEBIBYTE


# Among what adds alike, as what is chosen without measuring: in runs that measure other times, too.
@pytest.mark.parametrize("ranks", [2, 4] if IS_THOROUGH else [4])
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_choosing_by_time_leaves_the_bits_alone(mpi: Mpi, ranks: int, build: Path) -> None:
    calls = ["10000" if IS_THOROUGH else "300"]
    runs = [run(mpi, ranks, build, "stress-bits", calls, {"ESPALIER_BUDGET": budget})[0] for budget in BUDGETS]
    assert {facts["different"] for facts in runs} == {1}
    assert len({facts["hash"] for facts in runs}) == 1
    assert runs[0]["own"] > 0


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_requests_of_all_kinds_under_way_at_once(mpi: Mpi, threads: str, build: Path) -> None:
    rounds = {"1": 5_000, "3": 1_000} if IS_THOROUGH else {"1": 150, "3": 30}
    facts, _ = run(mpi, 4, build, "stress-requests", [str(rounds[threads]), threads])
    assert facts["own"] > facts["native"] > 0
    assert facts["growth_bytes"] < 8 * MEBIBYTE


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_threads_meet_new_communicators_at_once(mpi: Mpi, build: Path) -> None:
    facts, _ = run(mpi, 4, build, "stress-threads", ["40", "60"] if IS_THOROUGH else ["10", "25"])
    assert facts["own"] > 4 * facts["native"]


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_communicators_by_the_thousand_leave_nothing_behind(mpi: Mpi, build: Path) -> None:
    facts, _ = run(mpi, 3, build, "stress-communicators", ["5000", "1000"] if IS_THOROUGH else ["3000", "600"])
    assert facts["own"] > 4 * facts["native"]
    assert facts["growth_bytes"] < 4 * MEBIBYTE


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_parents_and_the_children_that_they_spawn(mpi: Mpi, build: Path) -> None:
    everybody = {name: str(value) for name, value in environment_of(mpi, 4, build).items()}
    facts, _ = run(mpi, 2, build, "stress-spawn", settings=everybody)
    assert facts["own"] > 0


@pytest.mark.parametrize("ranks", [1, 2, 4, 5] if IS_THOROUGH else [1, 5])
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_edges_of_what_is_ours(mpi: Mpi, ranks: int, build: Path) -> None:
    facts, _ = run(mpi, ranks, build, "stress-edges", settings={"ESPALIER_CACHE": "4"})
    assert facts["own"] > 0 or ranks == 1
    assert facts["own_by_table"] > 0 or ranks < 4


# MPICH 5 itself, without a preload, crashes on some of these two tests' wrong calls instead of returning an error.
@pytest.mark.parametrize("mpi", matrix(["openmpi5"]))
def test_wrong_calls_meet_the_native_error_and_the_applications_handler(mpi: Mpi, build: Path) -> None:
    facts, _ = run(mpi, 3, build, "stress-errors")
    assert facts["compared"] > 0
    assert facts["own"] > 0


@pytest.mark.parametrize("mpi", matrix(["openmpi5"]))
def test_call_that_failed_on_one_rank_leaves_nothing_to_the_next(mpi: Mpi, build: Path) -> None:
    facts, _ = run(mpi, 3, build, "stress-failed")
    assert facts["learnt"] > 0
    assert facts["own"] > 0


# Runs the program with a setting that rank 1 alone has.
ONLY_ON_RANK_1 = 'if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ]; then export "$1"; fi; shift; exec "$@"'

EVERYWHERE = {"ESPALIER_ALGORITHM": "bcast:linear;allreduce:ring"}


@pytest.mark.parametrize(
    "setting", ["ESPALIER_ALGORITHM=bcast:chain", "ESPALIER_ALGORITHM=bcast:rign", "ESPALIER_CACHE=7"]
)
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_settings_that_differ_make_everything_native_and_are_said_once(mpi: Mpi, setting: str, build: Path) -> None:
    wrapper = ["sh", "-c", ONLY_ON_RANK_1, "wrapper", setting]
    facts, errors = run(mpi, 3, build, "stress-probe", settings=EVERYWHERE, wrapper=wrapper)
    assert (facts["active"], facts["own"]) == (False, 0)
    assert len(complaints(errors)) == 1, errors


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("ESPALIER_ALGORITHM=allreduce:rign", ["allreduce", "rign", "ring"]),
        ("ESPALIER_ALGORITHM=bcast:chain,window=x", ["window", "x", "1 to 4096"]),
        ("ESPALIER_CACHE=0", ["ESPALIER_CACHE=0", "1 to 4096"]),
        ("ESPALIER_WINDOW=3", ["ESPALIER_WINDOW", "no such setting"]),
    ],
)
@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_malformed_setting_makes_everything_native_and_is_said_once(
    mpi: Mpi, setting: str, words: Sequence[str], build: Path
) -> None:
    name, _, value = setting.partition("=")
    facts, errors = run(mpi, 3, build, "stress-probe", settings={name: value})
    assert (facts["active"], facts["own"]) == (False, 0)
    said = complaints(errors)
    assert len(said) == 1, errors
    assert all(word in said[0] for word in words), said


@pytest.mark.parametrize("mpi", matrix(MPIS))
def test_good_setting_is_followed_from_the_start(mpi: Mpi, build: Path) -> None:
    facts, errors = run(mpi, 3, build, "stress-probe", settings=EVERYWHERE)
    assert facts["active"]
    assert facts["own"] > 0
    assert not complaints(errors)
