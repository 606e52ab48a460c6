# SPDX-License-Identifier: Apache-2.0
"""Unmodified programs in each language under each MPI: their results are right, and every call of theirs is seen.

Each runs twice. With a backend that counts every call and passes it on (tests/preload/counting_backend.c) it shows
exactly what the preload does by itself; with the real backends and their report it shows the whole.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from mpis import ALL, ROOT, Mpi, by_name, checked, matrix

PROGRAMS = Path(__file__).resolve().parent / "interception"
RANKS = 3

EVERY_MPI = ("openmpi5", "mpich5", "mpich5-abi", "openmpi4", "mpich4")
WITH_FORTRAN = ("openmpi4", "mpich4")
WITH_MPI4PY = ("openmpi5", "mpich5")
WITH_LARGE_COUNTS = ("mpich5", "mpich5-abi", "mpich4")
WITH_SESSIONS = ("openmpi5", "mpich5", "mpich5-abi", "mpich4")

# Calls per rank, as the head of each program says.
IN_C = {"bcast": 2, "reduce": 2, "allreduce": 3, "barrier": 1}
IN_FORTRAN = {"bcast": 1, "reduce": 1, "allreduce": 2, "barrier": 1}
IN_PYTHON = {"bcast": 2, "reduce": 1, "allreduce": 2, "barrier": 1}
LARGE_COUNTS = {"bcast": 1, "reduce": 1, "allreduce": 1}


# One algorithm for each collective, so that no call is left to the native MPI.
OWN_SCHEDULES = {
    "bcast": "knomial",
    "reduce": "binomial",
    "allreduce": "recursive_doubling",
    "barrier": "dissemination",
}


class Counting:
    """The counting backend, in the place of every real one."""

    def __init__(self, libraries: Path, folder: Path) -> None:
        self.library = libraries / "libespalier.so"
        self.prefix = folder / "counts"

    def environment(self) -> dict[str, str | Path]:
        return {"LD_PRELOAD": self.library, "COUNTING_BACKEND_FILE": self.prefix}

    def processes(self) -> list[dict[str, dict[str, int]]]:
        """What each process counted, by function name; only those that opened a backend."""
        return [json.loads(path.read_text()) for path in self.prefix.parent.glob("counts.*")]

    def calls(self) -> dict[str, int]:
        """Calls per collective, from MPI_X, PMPI_X and their large-count forms; the same on all ranks."""
        ranks: list[Counter[str]] = [Counter() for _ in self.processes()]
        for rank, process in zip(ranks, self.processes(), strict=True):
            for name, calls in process["own"].items():
                rank[name.removeprefix("MPI_").removesuffix("_c").lower()] += calls
        assert len(ranks) == RANKS
        assert all(rank == ranks[0] for rank in ranks)
        return {name: calls for name, calls in ranks[0].items() if name in IN_C}


class Reporting:
    """The real backends, asked for their report."""

    def __init__(self, libraries: Path, folder: Path) -> None:
        self.library = libraries / "libespalier.so"
        self.report = folder / "report.json"

    def environment(self) -> dict[str, str | Path]:
        return {"LD_PRELOAD": self.library, "ESPALIER_REPORT": self.report}

    def calls(self, algorithms: Container[str] | None = None) -> dict[str, int]:
        """Of each rank, per collective, whatever was done with them, or only those that ran on one of `algorithms`."""
        calls: Counter[str] = Counter()
        for row in json.loads(self.report.read_text())["rows"]:
            if algorithms is None or row["algorithm"] in algorithms:
                assert row["ranks"] == RANKS
                calls[row["collective"]] += row["calls"] // RANKS
        return dict(calls)


@pytest.fixture(scope="session")
def counting_libraries(build: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with libespalier.so and, under the names of all backends, the one that counts."""
    folder = tmp_path_factory.mktemp("counting")
    shutil.copy(build / "lib" / "libespalier.so", folder)
    source = ROOT / "tests" / "preload" / "counting_backend.c"
    for name in sorted({mpi.backend for mpi in ALL}):
        output = folder / f"libespalier-{name}.so"
        checked(["cc", "-shared", "-fPIC", "-O1", f"-I{ROOT / 'src'}", "-o", str(output), str(source)])
    return folder


@pytest.fixture
def counting(counting_libraries: Path, tmp_path: Path) -> Counting:
    return Counting(counting_libraries, tmp_path)


@pytest.fixture(params=["counting", "espalier"])
def watcher(request: pytest.FixtureRequest, build: Path, counting: Counting, tmp_path: Path) -> Counting | Reporting:
    if request.param == "counting":
        return counting
    backend = build / "lib" / f"libespalier-{request.getfixturevalue('mpi').backend}.so"
    if not backend.exists():
        pytest.skip(f"{backend.name} was not built: its MPI was not there then")
    return Reporting(build / "lib", tmp_path)


@pytest.fixture
def reporting(watcher: Counting | Reporting) -> Reporting:
    """For tests that need the real backends: @pytest.mark.parametrize("watcher", ["espalier"], indirect=True)."""
    assert isinstance(watcher, Reporting)
    return watcher


def compiled(mpi: Mpi, source: str, output: Path, *flags: str | Path) -> Path:
    """The program of that source, for that MPI."""
    return mpi.compile([PROGRAMS / source], output, [str(flag) for flag in flags])


def each(names: Sequence[str], language: str, source: str, calls: dict[str, int]) -> list[ParameterSet]:
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


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_c_program_is_seen(mpi: Mpi, watcher: Counting | Reporting, tmp_path: Path) -> None:
    run(mpi, watcher, [compiled(mpi, "collectives.c", tmp_path / "program")])
    assert watcher.calls() == IN_C


@pytest.mark.parametrize("mpi", matrix(WITH_LARGE_COUNTS))
def test_large_count_functions_are_seen(mpi: Mpi, watcher: Counting | Reporting, tmp_path: Path) -> None:
    run(mpi, watcher, [compiled(mpi, "large_counts.c", tmp_path / "program")])
    assert watcher.calls() == LARGE_COUNTS


@pytest.mark.parametrize("source", ["mpif_h.f", "use_mpi.f90", "use_mpi_f08.f90"])
@pytest.mark.parametrize("mpi", matrix(WITH_FORTRAN, "fortran"))
def test_fortran_program_is_seen(mpi: Mpi, source: str, watcher: Counting | Reporting, tmp_path: Path) -> None:
    run(mpi, watcher, [compiled(mpi, source, tmp_path / "program")])
    assert watcher.calls() == IN_FORTRAN


@pytest.mark.parametrize("mpi", matrix(WITH_MPI4PY, "python"))
def test_python_program_is_seen(mpi: Mpi, watcher: Counting | Reporting) -> None:
    assert mpi.python
    run(mpi, watcher, [mpi.python, PROGRAMS / "collectives.py"])
    assert watcher.calls() == IN_PYTHON


@pytest.mark.parametrize("watcher", ["espalier"], indirect=True)
@pytest.mark.parametrize(
    ("mpi", "source", "expected"),
    [
        *each(EVERY_MPI, "c", "collectives.c", IN_C),
        *each(WITH_MPI4PY, "python", "collectives.py", IN_PYTHON),
        *each(WITH_FORTRAN, "fortran", "mpif_h.f", IN_FORTRAN),
        *each(WITH_FORTRAN, "fortran", "use_mpi.f90", IN_FORTRAN),
        *each(WITH_FORTRAN, "fortran", "use_mpi_f08.f90", IN_FORTRAN),
    ],
)
def test_program_runs_on_own_schedules_where_they_are_forced(
    mpi: Mpi, source: str, expected: dict[str, int], reporting: Reporting, tmp_path: Path
) -> None:
    if source.endswith(".py"):
        assert mpi.python
        program = [mpi.python, PROGRAMS / source]
    else:
        program = [compiled(mpi, source, tmp_path / "program")]
    forced = ";".join(f"{collective}:{algorithm}" for collective, algorithm in OWN_SCHEDULES.items())
    run(mpi, reporting, program, {"ESPALIER_ALGORITHM": forced})
    assert reporting.calls(OWN_SCHEDULES.values()) == expected


# Where the MPI offers no hook into its progress, they stay native.
@pytest.mark.parametrize(
    ("mpi", "source", "own"),
    [
        *each(WITH_MPI4PY, "python", "requests.py", {"allreduce": 50 + 50}),
        *each(("openmpi4",), "fortran", "requests.f90", {"allreduce": 60 + 1}),
        *each(("mpich4",), "fortran", "requests.f90", {"allreduce": 1}),
    ],
)
def test_requests_are_own_and_complete_with_native_ones(
    mpi: Mpi, source: str, own: dict[str, int], build: Path, tmp_path: Path
) -> None:
    program = compiled(mpi, source, tmp_path / "program") if source.endswith(".f90") else PROGRAMS / source
    command = [mpi.python, program] if source.endswith(".py") and mpi.python else [program]
    forced = ";".join(f"{collective}:{algorithm}" for collective, algorithm in OWN_SCHEDULES.items())
    preload = {"LD_PRELOAD": build / "lib" / "libespalier.so", "OMPI_MCA_mpi_yield_when_idle": "1"}
    result = mpi.run(RANKS, command, {**preload, "ESPALIER_ALGORITHM": forced})
    for rank in range(RANKS):
        assert f"rank {rank}: 0 wrong, {own['allreduce']} own\n" in result.stdout, result.stdout + result.stderr
    assert "espalier: " not in result.stderr


@pytest.mark.parametrize("mpi", matrix(WITH_SESSIONS))
def test_session_without_init_works(mpi: Mpi, watcher: Counting | Reporting, tmp_path: Path) -> None:
    run(mpi, watcher, [compiled(mpi, "sessions.c", tmp_path / "program")])
    if isinstance(watcher, Counting):  # the other one reports in MPI_Finalize, which is not called here
        assert watcher.calls() == {"allreduce": 1, "barrier": 1}


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_collectives_inside_file_access_are_not_taken_for_the_programs(
    mpi: Mpi, watcher: Counting | Reporting, tmp_path: Path
) -> None:
    run(mpi, watcher, [compiled(mpi, "parallel_io.c", tmp_path / "program"), tmp_path / "data"])
    assert watcher.calls() == {"allreduce": 1}


def test_romio_under_open_mpi_is_not_taken_for_the_program(counting: Counting, tmp_path: Path) -> None:
    mpi = by_name("openmpi4")
    if reason := mpi.missing():
        pytest.skip(reason)
    program = compiled(mpi, "parallel_io.c", tmp_path / "program")
    run(mpi, counting, [program, tmp_path / "data"], {"OMPI_MCA_io": "romio321"})
    assert counting.calls() == {"allreduce": 1}
    # ROMIO is a plugin there, and it calls PMPI_X like any program: this is what has to be told apart.
    assert all(process["internal"] for process in counting.processes())


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_profiling_tool_between_sees_each_call_and_so_do_we_once(
    mpi: Mpi, watcher: Counting | Reporting, tmp_path: Path
) -> None:
    tool = compiled(mpi, "tool.c", tmp_path / "libtool.so", "-shared", "-fPIC")
    linked = ("-Wl,--no-as-needed", tool, f"-Wl,-rpath,{tmp_path}")
    out = run(mpi, watcher, [compiled(mpi, "collectives.c", tmp_path / "program", *linked)])
    assert out.count("tool saw 3\n") == RANKS
    assert watcher.calls() == IN_C


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_setting_off_passes_everything(mpi: Mpi, counting: Counting, tmp_path: Path) -> None:
    run(mpi, counting, [compiled(mpi, "collectives.c", tmp_path / "program")], {"ESPALIER": "off"})
    assert counting.processes() == []


@pytest.mark.parametrize("mpi", matrix(WITH_MPI4PY, "python"))
def test_setting_off_passes_everything_of_python(mpi: Mpi, counting: Counting) -> None:
    assert mpi.python
    run(mpi, counting, [mpi.python, PROGRAMS / "collectives.py"], {"ESPALIER": "off"})
    assert counting.processes() == []


# An MPI may lack the large forms that mpi4py finds in the preload.
@pytest.mark.parametrize(
    "setting", ["ESPALIER=on", "ESPALIER=off", "ESPALIER_ALGORITHM=allgather:ring;alltoall:pairwise"]
)
@pytest.mark.parametrize("watcher", ["espalier"], indirect=True)
@pytest.mark.parametrize("mpi", matrix(WITH_MPI4PY, "python"))
def test_python_program_with_uneven_blocks_is_right(mpi: Mpi, reporting: Reporting, setting: str) -> None:
    assert mpi.python
    name, _, value = setting.partition("=")
    run(mpi, reporting, [mpi.python, PROGRAMS / "uneven.py"], {name: value})


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
