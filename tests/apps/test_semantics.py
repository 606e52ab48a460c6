# SPDX-License-Identifier: Apache-2.0
"""What a program may legally do, and what few do: see the head of each program in semantics/.

Every collective runs on a schedule of our own. Natively these programs find nothing wrong either, but for those that
say so.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import crowded
import pytest
from mpis import Mpi, by_name, matrix
from own_algorithms import TURNS, own_algorithms

PROGRAMS = Path(__file__).resolve().parent / "semantics"

EVERY_MPI = ("openmpi5", "mpich5", "mpich5-abi", "openmpi4", "mpich4")
# Natively, errors of requests on collectives do not always show.
WITH_OLD_LIBFABRIC = ("openmpi4", "mpich4")
WITH_OWN_REQUESTS = ("openmpi5", "mpich5")
BY_DEFAULT = ""
CXX_FLAGS = ("-std=c++20", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", "-lstdc++")


def compiled(mpi: Mpi, source: str, folder: Path) -> Path:
    """The compilers of C know sources of C++ by their names; they lack the library only."""
    flags = CXX_FLAGS if source.endswith(".cpp") else ()
    return mpi.compile([PROGRAMS / source], folder / "program", flags)


def run(
    mpi: Mpi,
    ranks: int,
    build: Path,
    program: list[Path | str],
    algorithms: str | None = None,
    survivors: int | None = None,
    **settings: str | Path,
) -> None:
    """Every rank that survives must find its results right, and nobody complain. If not all do, the launcher may."""
    environment = {
        "LD_PRELOAD": build / "lib" / "libespalier.so",
        "ESPALIER_ALGORITHM": own_algorithms(build) if algorithms is None else algorithms,
        **settings,
    }
    result = mpi.run(ranks, program, environment, timeout_seconds=60, check=survivors is None)
    for rank in range(survivors or ranks):
        assert f"rank {rank}: 0 wrong\n" in result.stdout, result.stdout + result.stderr
    assert "espalier: " not in result.stderr, result.stderr


@pytest.mark.parametrize("ranks", [3, 4])
@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_nothing_is_kept_of_communicators_that_are_being_freed(
    mpi: Mpi, ranks: int, build: Path, tmp_path: Path
) -> None:
    run(mpi, ranks, build, [compiled(mpi, "dying_handles.c", tmp_path)])


@pytest.mark.parametrize("transport", ["mpi", "fabric"])
@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_a_graph_made_from_a_grid_is_not_taken_for_one(mpi: Mpi, transport: str, build: Path, tmp_path: Path) -> None:
    if transport == "fabric" and mpi.name in WITH_OLD_LIBFABRIC:
        pytest.skip("the libfabric that comes with it is too old")
    program = compiled(mpi, "graph_of_a_grid.c", tmp_path)
    can_pair = transport == "fabric" and mpi.name in WITH_OWN_REQUESTS
    pairs = {"ESPALIER_PERSISTENT": "paired"} if can_pair else {}
    run(mpi, 4, build, [program], ESPALIER_TRANSPORT=transport)
    run(mpi, 4, build, [program], BY_DEFAULT, ESPALIER_TRANSPORT=transport, **pairs)


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_exceptions_of_handlers_and_operations_reach_the_caller(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    program = compiled(mpi, "exceptions.cpp", tmp_path)
    for ranks in (2, 3):
        run(mpi, ranks, build, [program, *(["with requests"] if mpi.name in WITH_OWN_REQUESTS else [])])


@pytest.mark.parametrize("algorithms", [BY_DEFAULT, None])
@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_rank_that_has_nothing_stays_in_step(mpi: Mpi, algorithms: str | None, build: Path, tmp_path: Path) -> None:
    requests = [] if mpi.name == "openmpi4" else ["with requests"]
    run(mpi, 3, build, [compiled(mpi, "empty_ranks.c", tmp_path), *requests], algorithms)


@pytest.mark.parametrize("algorithms", [BY_DEFAULT, None])
@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_root_that_has_room_for_more_stays_in_step(
    mpi: Mpi, algorithms: str | None, build: Path, tmp_path: Path
) -> None:
    run(mpi, 3, build, [compiled(mpi, "room_for_more.c", tmp_path)], algorithms)


ALONE = ("openmpi5", "mpich5", "openmpi4", "mpich4")


@pytest.mark.parametrize("mpi", matrix(ALONE))
def test_call_that_one_rank_makes_alone_before_the_others_meet_does_no_harm(
    mpi: Mpi, build: Path, tmp_path: Path
) -> None:
    run(mpi, 3, build, [compiled(mpi, "out_of_step.c", tmp_path), "before"])


@pytest.mark.parametrize("mpi", matrix(ALONE))
def test_ranks_out_of_step_are_told_and_do_not_hang(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    program = compiled(mpi, "out_of_step.c", tmp_path)
    settings = {"ESPALIER_ALGORITHM": own_algorithms(build), "ESPALIER_LANE_TIMEOUT": "1"}
    environment = {"LD_PRELOAD": build / "lib" / "libespalier.so", **settings}
    done = mpi.run(3, [program, "after"], environment, timeout_seconds=30, check=False)
    assert done.returncode != 0
    assert "is out of step on" in done.stderr, done.stderr


# Natively; in the others of some MPIs all ranks wait for each other.
RUN_AHEAD = {
    "openmpi": ("bcast", "scatter", "scatterv", "gather", "gatherv", "reduce", "scan", "exscan"),
    "mpich4": ("bcast", "scatter", "scatterv", "gather", "gatherv", "reduce"),
    "mpich5": ("scatter", "scatterv", "gather", "gatherv"),
}


# Two ranks with a processor each begin natively, and go on by themselves meanwhile.
@pytest.mark.parametrize("ranks", [2, 3])
@pytest.mark.parametrize("mpi", matrix(("openmpi5", "mpich5", "openmpi4", "mpich4")))
def test_rank_may_be_ten_thousand_short_calls_ahead(mpi: Mpi, ranks: int, build: Path, tmp_path: Path) -> None:
    collectives = RUN_AHEAD.get(mpi.name) or RUN_AHEAD[mpi.family]
    program = compiled(mpi, "far_ahead.c", tmp_path)
    run(mpi, ranks, build, [program, *collectives], BY_DEFAULT, **crowded.waiting_environment_of(mpi, ranks, build))


# Two ranks run algorithms of ours by default, whatever they do: from the first call on, or after some. (After calls
# that failed on one rank, the native MPI's may not end.)
@pytest.mark.parametrize(
    ("source", "first_calls"),
    [
        ("failed_calls.c", 0),
        *itertools.product(
            ("empty_ranks.c", "dying_handles.c", "absolute_addresses.c", "room_for_more.c", "meeting_elsewhere.c"),
            (0, 3),
        ),
    ],
)
@pytest.mark.parametrize("mpi", matrix(("openmpi5", "mpich5")))
def test_two_ranks_that_share_memory_may_do_so_by_default(
    mpi: Mpi, source: str, first_calls: int, build: Path, tmp_path: Path
) -> None:
    run(mpi, 2, build, [compiled(mpi, source, tmp_path)], BY_DEFAULT, ESPALIER_FIRST_CALLS=str(first_calls))


# More than a stream between two ranks holds, by algorithms in which they need not wait.
@pytest.mark.parametrize("mpi", matrix(("openmpi5", "mpich5", "openmpi4", "mpich4")))
def test_rank_may_be_as_far_ahead_through_shared_memory(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    algorithms = "bcast:linear;scatter:linear;gather:linear;reduce:binomial;scan:chain;exscan:chain;allreduce:ring"
    collectives = ("bcast", "scatter", "gather", "reduce", "scan", "exscan")
    program = compiled(mpi, "far_ahead.c", tmp_path)
    ranks = 3 if mpi.family == "openmpi" else 2  # more ranks of MPICH would wait for each other in sockets
    settings = crowded.waiting_environment_of(mpi, ranks, build)
    run(mpi, ranks, build, [program, *collectives], algorithms, **settings)


@pytest.mark.parametrize("policy", ["estimate", "star", "adcl", "intel"])
@pytest.mark.parametrize("mpi", matrix(("openmpi5", "mpich5")))
def test_rank_may_be_as_far_ahead_by_every_policy(mpi: Mpi, policy: str, build: Path, tmp_path: Path) -> None:
    collectives = RUN_AHEAD.get(mpi.name) or RUN_AHEAD[mpi.family]
    program = compiled(mpi, "far_ahead.c", tmp_path)
    settings = {**crowded.waiting_environment_of(mpi, 3, build), "ESPALIER_POLICY": policy}
    run(mpi, 3, build, [program, *collectives], BY_DEFAULT, **settings)


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_absolute_addresses_are_buffers_like_others(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    run(mpi, 3, build, [compiled(mpi, "absolute_addresses.c", tmp_path)])


@pytest.mark.parametrize("arrange", ["swap", "swap(16)", "order"])
@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_reports_of_waits_end_with_their_communicator(mpi: Mpi, arrange: str, build: Path, tmp_path: Path) -> None:
    run(mpi, 5, build, [compiled(mpi, "exchanged_ranks.c", tmp_path)], f"bcast:knomial,segment=0,arrange={arrange}")


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_call_that_failed_on_one_rank_leaves_nothing_to_the_next(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    program = compiled(mpi, "failed_calls.c", tmp_path)
    for segment in ("", ",segment=1KiB"):
        # Rank 1, which does not know that it is wrong, hands nothing on.
        algorithms = f"bcast:knomial{segment};reduce:binomial;allreduce:recursive_doubling;barrier:dissemination"
        run(mpi, 3, build, [program], algorithms)


# MPICH 4.0 raises errors of messages by itself, on MPI_COMM_WORLD.
@pytest.mark.parametrize("mpi", matrix([name for name in EVERY_MPI if name != "mpich4"]))
def test_fatal_error_names_the_call_of_the_application(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    program = compiled(mpi, "fatal_call.c", tmp_path)
    environment = {"LD_PRELOAD": build / "lib" / "libespalier.so", "ESPALIER_ALGORITHM": own_algorithms(build)}
    result = mpi.run(2, [program], environment, timeout_seconds=60, check=False)
    assert result.returncode != 0
    assert "espalier: rank 1 of MPI_COMM_WORLD: an error in MPI_Bcast: " in result.stderr, result.stderr


@pytest.mark.parametrize("quiet", ["world", "self", "both"])
@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_errors_of_no_communicator_end_as_natively(mpi: Mpi, quiet: str, build: Path, tmp_path: Path) -> None:
    program = compiled(mpi, "errors_of_nobody.c", tmp_path)
    preload = {"LD_PRELOAD": build / "lib" / "libespalier.so"}
    native, ours = (mpi.run(2, [program, quiet], environment, check=False) for environment in ({}, preload))
    assert (ours.returncode == 0, ours.stdout) == (native.returncode == 0, native.stdout)


@pytest.fixture
def fault_tolerant() -> Mpi:
    mpi = by_name("openmpi5")
    if reason := mpi.missing():
        pytest.skip(reason)
    return replace(mpi, options=(*mpi.options, "--with-ft", "ulfm"))


@pytest.mark.parametrize("turn", TURNS)
def test_every_call_ends_on_a_revoked_communicator(fault_tolerant: Mpi, turn: int, build: Path) -> None:
    crowded.run(fault_tolerant, 4, build, "faults-revoked", [str(turn)])


def test_fault_tolerance_works_as_natively(fault_tolerant: Mpi, build: Path, tmp_path: Path) -> None:
    mpi = fault_tolerant
    program = compiled(mpi, "revoked.c", tmp_path)
    # Not by hundreds of small segments: those to the dead process hold all that Open MPI 5 has for messages on a node.
    others = "reduce:binomial;barrier:dissemination"
    for algorithms in (
        f"bcast:knomial;allreduce:recursive_doubling;{others}",
        f"bcast:knomial,segment=1KiB;allreduce:recursive_doubling;{others}",
        "bcast:chain,segment=4KiB;allreduce:ring",
    ):
        run(mpi, 4, build, [program], algorithms, survivors=3)
