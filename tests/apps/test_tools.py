# SPDX-License-Identifier: Apache-2.0
"""What tools and people learn of a program's calls: the MPI's tool information interface, call sites, names."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mpis import Mpi, matrix

PROGRAMS = Path(__file__).resolve().parent / "tools"
RANKS = 2
EVERY_MPI = ("openmpi5", "mpich5", "mpich5-abi", "openmpi4", "mpich4")
ALLREDUCES, BYTES_OF_ALLREDUCES = 10, 80  # of each rank of variables.c
SETTINGS_OF_NOBODY = {"XDG_CACHE_HOME": "/dev/null/nowhere", "XDG_CONFIG_HOME": "/dev/null/nowhere"}


def preload(mpi: Mpi, build: Path, **settings: str) -> dict[str, str]:
    if not (build / "lib" / f"libespalier-{mpi.backend}.so").exists():
        pytest.skip(f"the backend for {mpi} was not built")
    return {"LD_PRELOAD": str(build / "lib" / "libespalier.so"), **SETTINGS_OF_NOBODY, **settings}


def variables(mpi: Mpi, program: Path, environment: dict[str, str], are_expected: bool) -> dict[str, Any]:
    done = mpi.run(RANKS, [program, str(int(are_expected))], environment)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_tools_find_our_variables_behind_the_mpis_and_those_as_they_were(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    program = mpi.compile([PROGRAMS / "variables.c"], tmp_path / "variables")
    native = variables(mpi, program, {}, False)
    found = variables(mpi, program, preload(mpi, build, ESPALIER_CACHE="7"), True)
    assert (found["native"], found["beyond"]) == (native["native"], native["beyond"])
    assert found["own_cvars"]["ESPALIER_CACHE"] == "7"
    assert found["cvars"] == native["cvars"] + len(found["own_cvars"])
    assert found["pvars"] == native["pvars"] + len(found["own_pvars"])
    assert found["in_own_category"] == len(found["own_cvars"]) + len(found["own_pvars"])
    assert calls_of(found, "allreduce") == ALLREDUCES
    assert calls_of(found, "barrier") == 1
    assert "espalier_allreduce_time" not in found["own_pvars"]


@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_tools_read_bytes_and_times_where_calls_are_timed_for_them(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    program = mpi.compile([PROGRAMS / "variables.c"], tmp_path / "variables")
    own = variables(mpi, program, preload(mpi, build, ESPALIER_MPI_T="timed"), True)["own_pvars"]
    assert own["espalier_allreduce_bytes"] == BYTES_OF_ALLREDUCES
    assert own["espalier_allreduce_time"] > 0
    assert own["espalier_bcast_time"] == 0
    assert "espalier_allreduce_saved" in own


@pytest.mark.parametrize("setting", ["ESPALIER", "ESPALIER_MPI_T"])
@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_tools_find_the_mpis_variables_alone_where_ours_are_off(
    mpi: Mpi, build: Path, tmp_path: Path, setting: str
) -> None:
    program = mpi.compile([PROGRAMS / "variables.c"], tmp_path / "variables")
    native = variables(mpi, program, {}, False)
    assert variables(mpi, program, preload(mpi, build, **{setting: "off"}), False) == native


@pytest.mark.parametrize("mpi", matrix(["mpich5", "mpich4"]))
def test_mpichs_own_tool_lists_ours_and_loses_nothing(mpi: Mpi, build: Path) -> None:
    tool = mpi.launcher.with_name("mpivars")
    if not tool.exists():
        pytest.skip(f"{mpi} has no mpivars")
    native = mpi.run(1, [tool]).stdout.splitlines()
    listed = mpi.run(1, [tool], preload(mpi, build, ESPALIER_CACHE="7")).stdout.splitlines()
    lost = set(native) - set(listed)
    assert all(re.match(r"\d+ MPI(_T| Control| Performance)", line) for line in lost), lost
    assert any(re.match(r"\tESPALIER_CACHE +=7\t", line) for line in listed)
    assert any(line.startswith("\tespalier_bcast_own_calls") for line in listed)


def calls_of(found: dict[str, Any], collective: str) -> int:
    own = found["own_pvars"]
    return int(own[f"espalier_{collective}_own_calls"]) + int(own[f"espalier_{collective}_native_calls"])


def report_of(mpi: Mpi, build: Path, program: Path, tmp_path: Path, **settings: str) -> dict[str, Any]:
    file = tmp_path / "report.json"
    mpi.run(RANKS, [program], preload(mpi, build, ESPALIER_REPORT=str(file), **settings))
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def function_at(site: dict[str, Any]) -> str:
    """By the program's own symbols."""
    address = hex(int(site["offset"], 16) - 1)
    done = subprocess.run(
        ["addr2line", "-f", "-e", site["object"], address], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()[0]


def sites_by_function(report: dict[str, Any]) -> dict[tuple[str, str], int]:
    return {(site["function"], function_at(site)): site["calls"] for site in report["sites"]}


needs_addr2line = pytest.mark.skipif(shutil.which("addr2line") is None, reason="no addr2line")


@needs_addr2line
@pytest.mark.parametrize("mpi", matrix(EVERY_MPI))
def test_calls_are_counted_where_they_are_made_and_by_whom(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    program = mpi.compile([PROGRAMS / "sites.c"], tmp_path / "sites", ["-fno-optimize-sibling-calls"])
    report = report_of(mpi, build, program, tmp_path, ESPALIER_REPORT_SITES="1")
    assert sites_by_function(report) == {
        ("MPI_Allreduce", "called_often"): RANKS * 65,
        ("MPI_Barrier", "called_by_a_pointer"): RANKS,
        ("MPI_Ibcast", "with_requests"): RANKS,
    }
    by_name: dict[str, int] = {}
    for row in report["rows"]:
        if row["collective"] == "allreduce":
            name = row.get("communicator", "")
            by_name[name] = by_name.get(name, 0) + row["calls"]
    assert by_name == {"": RANKS * 40, r"rows \x1b[1m\x09of it": RANKS * 20, "later": RANKS * 5}


IN_FORTRAN = {
    "sites.f90": {("MPI_Allreduce", "reduced_here_"): 15, ("MPI_Barrier", "and_here_"): 1},
    "sites_f08.f90": {("MPI_Allreduce", "in_f08_"): 15, ("MPI_Ibcast", "with_a_request_"): 1},
}


@needs_addr2line
@pytest.mark.parametrize("source", IN_FORTRAN)
@pytest.mark.parametrize("mpi", matrix(["openmpi4", "mpich4"], "fortran"))
def test_calls_from_fortran_are_counted_in_the_program(mpi: Mpi, build: Path, tmp_path: Path, source: str) -> None:
    program = mpi.compile([PROGRAMS / source], tmp_path / "sites")
    report = report_of(mpi, build, program, tmp_path, ESPALIER_REPORT_SITES="1")
    assert sites_by_function(report) == {place: RANKS * calls for place, calls in IN_FORTRAN[source].items()}


@pytest.mark.parametrize("mpi", matrix(["openmpi5"]))
def test_without_the_setting_a_report_has_no_sites(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    program = mpi.compile([PROGRAMS / "sites.c"], tmp_path / "sites")
    assert "sites" not in report_of(mpi, build, program, tmp_path)


@pytest.mark.parametrize("mpi", matrix(["openmpi5", "mpich5"]))
def test_what_is_said_goes_by_subject_and_to_a_file_of_each_process(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    program = mpi.compile([PROGRAMS / "sites.c"], tmp_path / "sites")
    settings = {"ESPALIER_VERBOSE": "node=trace,network=info", "ESPALIER_VERBOSE_FILE": f"{tmp_path}/said.%rank.%pid"}
    done = mpi.run(RANKS, [program], preload(mpi, build, **settings))
    assert "espalier" not in done.stderr
    files = sorted(tmp_path.glob("said.*"))
    assert [re.fullmatch(r"said\.(\d)\.\d+", file.name)[1] for file in files] == ["0", "1"]  # type: ignore[index]
    first, second = (file.read_text().splitlines() for file in files)
    assert "espalier: network: not described: ESPALIER_TOPOLOGY is empty" in first
    assert "espalier: node: 2 ranks of one host share memory" in first
    assert second == ["espalier: node: rank 1: process 1 of 2 on its host"]


@pytest.mark.parametrize("mpi", matrix(["openmpi5"]))
def test_a_verbosity_that_is_not_known_is_refused(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    program = mpi.compile([PROGRAMS / "sites.c"], tmp_path / "sites")
    done = mpi.run(RANKS, [program], preload(mpi, build, ESPALIER_VERBOSE="choise=info"))
    assert "ESPALIER_VERBOSE=choise=info: 'choise' is no subject; allowed: [SUBJECT=]LEVEL" in done.stderr
