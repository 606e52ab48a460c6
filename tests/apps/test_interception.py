# SPDX-License-Identifier: Apache-2.0
"""Unmodified programs under each MPI, next to tools, libraries and files: their results are right, and their calls are
seen. (All calls in all languages: test_every_call.py.)

Most run twice. With a backend that counts every call and passes it on (tests/preload/counting_backend.c) it shows
exactly what the preload does by itself; with the real backends and their report it shows the whole.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from mpis import ROOT, Mpi, by_name, checked, matrix
from own_algorithms import own_algorithms
from watching import Counting, Reporting

PROGRAMS = Path(__file__).resolve().parent / "interception"
RANKS = 3

EVERY_MPI = ("openmpi5", "mpich5", "mpich5-abi", "openmpi4", "mpich4")
WITH_MPI4PY = ("openmpi5", "mpich5")
WITH_SESSIONS = ("openmpi5", "mpich5", "mpich5-abi", "mpich4")

# Calls per rank, as the head of the program says.
IN_C = {"bcast": 2, "reduce": 2, "allreduce": 3, "barrier": 1}


@pytest.fixture(params=["counting", "espalier"])
def watcher(request: pytest.FixtureRequest, build: Path, counting: Counting, tmp_path: Path) -> Counting | Reporting:
    if request.param == "counting":
        return counting
    backend = build / "lib" / f"libespalier-{request.getfixturevalue('mpi').backend}.so"
    if not backend.exists():
        pytest.skip(f"{backend.name} was not built: its MPI was not there then")
    return Reporting(build / "lib", tmp_path)


def compiled(mpi: Mpi, source: str, output: Path, *flags: str | Path) -> Path:
    """The program of that source, for that MPI."""
    return mpi.compile([PROGRAMS / source], output, [str(flag) for flag in flags])


def each(names: Sequence[str], language: str, source: str, calls: int) -> list[ParameterSet]:
    """Rows of a matrix: that program under each of these MPIs."""
    rows = zip(names, matrix(names, language), strict=True)
    return [pytest.param(*mpi.values, source, calls, id=f"{name}-{source}", marks=mpi.marks) for name, mpi in rows]


def run(
    mpi: Mpi,
    watcher: Counting | Reporting,
    program: Sequence[str | Path],
    settings: Mapping[str, str | Path] | None = None,
) -> str:
    """Runs it under the watcher's preload. Every rank must find its results right, and nobody complain."""
    result = mpi.run(RANKS, program, {**watcher.environment(), **(settings or {})})
    for rank in range(RANKS):
        assert f"rank {rank}: 0 wrong\n" in result.stdout, result.stdout + result.stderr
    assert "espalier: " not in result.stderr
    return result.stdout


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_generated_signatures_are_the_mpis_own(mpi: Mpi, tmp_path: Path) -> None:
    compiled(mpi, "signatures.c", tmp_path / "signatures.o", "-c", "-Werror", "-I", ROOT / "src")


# Where the MPI offers no hook into its progress, they stay native.
@pytest.mark.parametrize(
    ("mpi", "source", "own"),
    [
        *each(WITH_MPI4PY, "python", "requests.py", 50 + 50),
        *each(("openmpi4",), "fortran", "requests.f90", 60 + 1),
        *each(("mpich4",), "fortran", "requests.f90", 1),
    ],
)
def test_requests_are_own_and_complete_with_native_ones(
    mpi: Mpi, source: str, own: int, build: Path, tmp_path: Path
) -> None:
    program = compiled(mpi, source, tmp_path / "program") if source.endswith(".f90") else PROGRAMS / source
    command = [mpi.python, program] if source.endswith(".py") and mpi.python else [program]
    preload = {"LD_PRELOAD": build / "lib" / "libespalier.so", "OMPI_MCA_mpi_yield_when_idle": "1"}
    result = mpi.run(RANKS, command, {**preload, "ESPALIER_ALGORITHM": own_algorithms(build)})
    for rank in range(RANKS):
        assert f"rank {rank}: 0 wrong, {own} own\n" in result.stdout, result.stdout + result.stderr
    assert "espalier: " not in result.stderr


@pytest.mark.parametrize("mpi", matrix(WITH_SESSIONS))
def test_session_without_init_works(mpi: Mpi, watcher: Counting | Reporting, tmp_path: Path) -> None:
    run(mpi, watcher, [compiled(mpi, "sessions.c", tmp_path / "program")])
    if isinstance(watcher, Counting):  # the other one reports in MPI_Finalize, which is not called here
        assert watcher.calls(RANKS) == {"allreduce": 1, "barrier": 1}


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_collectives_inside_file_access_are_not_taken_for_the_programs(
    mpi: Mpi, watcher: Counting | Reporting, tmp_path: Path
) -> None:
    run(mpi, watcher, [compiled(mpi, "parallel_io.c", tmp_path / "program"), tmp_path / "data"])
    assert watcher.calls(RANKS) == {"allreduce": 1}


def test_romio_under_open_mpi_is_not_taken_for_the_program(counting: Counting, tmp_path: Path) -> None:
    mpi = by_name("openmpi4")
    if reason := mpi.missing():
        pytest.skip(reason)
    program = compiled(mpi, "parallel_io.c", tmp_path / "program")
    run(mpi, counting, [program, tmp_path / "data"], {"OMPI_MCA_io": "romio321"})
    assert counting.calls(RANKS) == {"allreduce": 1}
    # ROMIO is a plugin there, and it calls PMPI_X like any program: this is what has to be distinguished.
    assert all(process["internal"] for process in counting.processes())


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_profiling_tool_between_sees_each_call_and_so_do_we_once(
    mpi: Mpi, watcher: Counting | Reporting, tmp_path: Path
) -> None:
    tool = compiled(mpi, "tool.c", tmp_path / "libtool.so", "-shared", "-fPIC")
    linked = ("-Wl,--no-as-needed", tool, f"-Wl,-rpath,{tmp_path}")
    out = run(mpi, watcher, [compiled(mpi, "collectives.c", tmp_path / "program", *linked)])
    assert out.count("tool saw 3\n") == RANKS
    assert watcher.calls(RANKS) == IN_C


@pytest.mark.parametrize("setting", ["on", "off"])
@pytest.mark.parametrize("watcher", ["espalier"], indirect=True)
@pytest.mark.parametrize("mpi", matrix(WITH_MPI4PY, "python"))
def test_neighbours_exchange_what_they_do_natively(mpi: Mpi, watcher: Counting | Reporting, setting: str) -> None:
    assert mpi.python
    run(mpi, watcher, [mpi.python, PROGRAMS / "neighbours.py"], {"ESPALIER": setting})


def library_of(mpi: Mpi, folder: Path) -> str:
    """The file that programs of this MPI are linked with."""
    linked = checked(["ldd", str(compiled(mpi, "collectives.c", folder / "linked"))]).stdout
    return next(line.split()[2] for line in linked.splitlines() if line.split()[0].startswith(("libmpi.", "libmpich.")))


OPENED = (
    *(("openmpi5", "local"), ("mpich5", "local"), ("openmpi4", "local"), ("mpich4", "local")),
    ("openmpi5", "global"),
)


@pytest.mark.parametrize("watcher", ["espalier"], indirect=True)
@pytest.mark.parametrize(
    ("mpi", "mode"),
    [
        pytest.param(*mpi.values, mode, id=f"{name}-{mode}", marks=mpi.marks)
        for (name, mode), mpi in zip(OPENED, matrix([name for name, _ in OPENED]), strict=True)
    ],
)
def test_functions_taken_from_the_librarys_handle_are_seen(
    mpi: Mpi, mode: str, watcher: Counting | Reporting, tmp_path: Path
) -> None:
    run(mpi, watcher, [sys.executable, PROGRAMS / "from_handle.py", library_of(mpi, tmp_path), mode])
    assert watcher.calls(RANKS) == IN_C


@pytest.mark.parametrize("mpi", matrix(("openmpi5",)))
def test_mpi_bound_past_our_share_of_its_start_runs_natively_and_this_is_said(
    mpi: Mpi, build: Path, tmp_path: Path
) -> None:
    preload = {"LD_PRELOAD": build / "lib" / "libespalier.so"}
    program = [sys.executable, PROGRAMS / "from_handle.py", library_of(mpi, tmp_path), "deep"]
    result = mpi.run(RANKS, program, preload)
    assert result.stdout.count(": 0 wrong\n") == RANKS
    assert result.stderr.count("espalier: ") == 1
    assert "RTLD_DEEPBIND" in result.stderr


@pytest.mark.parametrize("mpi", matrix(("openmpi5", "mpich5")))
def test_plugin_that_is_bound_past_us_works_and_this_is_said(mpi: Mpi, counting: Counting, tmp_path: Path) -> None:
    plugin = compiled(mpi, "library.c", tmp_path / "plugin.so", "-shared", "-fPIC")
    loader = tmp_path / "loader"
    checked(["cc", "-DHOW=RTLD_DEEPBIND", "-o", str(loader), str(PROGRAMS / "loader.c")])
    result = mpi.run(1, [loader, plugin], counting.environment())
    assert result.stdout == "rank 0: 0 wrong\n"
    assert not counting.processes()
    assert result.stderr.count("espalier: ") == 1
    assert f"{plugin} calls" in result.stderr


def test_two_mpis_in_one_process_work_side_by_side(counting: Counting, tmp_path: Path) -> None:
    libraries = []
    for mpi in (by_name("mpich5"), by_name("openmpi5")):
        if reason := mpi.missing():
            pytest.skip(reason)
        libraries.append(compiled(mpi, "library.c", tmp_path / f"{mpi}.so", "-shared", "-fPIC"))
    loader = tmp_path / "loader"
    checked(["cc", "-o", str(loader), str(PROGRAMS / "loader.c")])
    settings = [f"{name}={value}" for name, value in counting.environment().items()]
    result = checked(["env", *settings, str(loader), *map(str, libraries)])
    assert result.stdout == "rank 0: 0 wrong\nrank 1: 0 wrong\n"
    assert result.stderr.count("espalier: ") == 1
    assert "second MPI" in result.stderr
    (process,) = counting.processes()
    assert process["own"] == {"MPI_Init": 1, "MPI_Allreduce": 1, "MPI_Finalize": 1}
