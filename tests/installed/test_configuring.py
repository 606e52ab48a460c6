# SPDX-License-Identifier: Apache-2.0
"""What configuring asks for and says: each part alone, MPIs where they are, and one table at the end."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from conftest import ROOT, run
from drawn import IS_THOROUGH

SOURCES = ("CMakeLists.txt", "cmake", "src", "include", "third_party", "python", "requirements", "docs", "LICENSE")
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
HEADERS = {
    "openmpi": "#define OMPI_MAJOR_VERSION 4\n#define OMPI_MINOR_VERSION 1\n#define OMPI_RELEASE_VERSION 9\n",
    "mpich": '#define MPICH_VERSION "4.9.9"\n',
}
# Nothing of the system's is found but what is named.
ALONE = ("-DESPALIER_TOOL=OFF", "-DESPALIER_BACKENDS=openmpi")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A checkout that nobody set up."""
    place = tmp_path / "source"
    place.mkdir()
    for name in (*SOURCES, *PAGES):
        (place / name).symlink_to(ROOT / name)
    return place


def mpi_at(place: Path, family: str) -> Path:
    include = place / "include"
    include.mkdir(parents=True)
    (include / "mpi.h").write_text(HEADERS[family])
    return include


def configured(
    source: Path, *words: str, path: Path | None = None, home: Path | None = None, status: int = 0
) -> dict[str, str]:
    """The table, by its first column; of a refusal the words."""
    environment = {"PATH": f"{path}:/usr/bin:/bin" if path else "/usr/bin:/bin"}
    environment |= {"MPI_HOME": str(home)} if home else {}
    options = ["-DCMAKE_CXX_COMPILER_WORKS=1", "-DCMAKE_C_COMPILER_WORKS=1", *words]
    done = run("cmake", "-S", source, "-B", source.parent / "build", *options, environment=environment, status=status)
    if status:
        return {"refusal": re.sub(r"\s+", " ", done.stderr)}
    rows = re.findall(r"^--   (\S+(?: \S+)*)  +(built|left out|used) *(.*)$", done.stdout, re.MULTILINE)
    return {name: f"{state}: {why}" for name, state, why in rows}


def test_the_preload_alone_needs_an_mpi_and_nothing_else(source: Path, tmp_path: Path) -> None:
    include = mpi_at(tmp_path / "mpi", "openmpi")
    table = configured(
        source,
        "-DESPALIER_BACKENDS=openmpi;abi",
        f"-DESPALIER_OPENMPI_INCLUDE={include}",
        "-DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON",
        "-DESPALIER_TOMLPLUSPLUS_INCLUDE=",
        "-DCMAKE_IGNORE_PATH=/usr/include",
    )
    assert table["espalier-tool"].startswith("left out: was not found: CLI11 (libcli11-dev)")
    assert table["libespalier.so"].startswith("built")
    assert table["libespalier-openmpi.so"] == f"built: Open MPI 4.1.9, {include}"
    assert table["libespalier-mpich.so"] == "left out: not in ESPALIER_BACKENDS"
    assert "was not found: an mpi_abi.h" in table["libespalier-abi.so"]
    assert table["tests"] == "left out: ESPALIER_TESTS=OFF"
    assert table["toml++ (headers)"] == f"used: {source}/third_party/tomlplusplus"
    assert table["libfabric (headers)"] == f"used: {source}/third_party/libfabric"


def test_an_mpi_is_found_by_its_compiler_on_the_path(source: Path, tmp_path: Path) -> None:
    include = mpi_at(tmp_path / "mpi", "openmpi")
    compiler = tmp_path / "bin/mpicc"
    compiler.parent.mkdir()
    compiler.write_text(f"#!/bin/sh\necho gcc -I{include} -lmpi\n")
    compiler.chmod(0o755)
    table = configured(source, *ALONE, path=compiler.parent)
    assert table["libespalier-openmpi.so"] == f"built: Open MPI 4.1.9, {include}"


def test_mpi_home_comes_before_what_is_found(source: Path, tmp_path: Path) -> None:
    home = tmp_path / "mpi"
    mpi_at(home, "mpich")
    table = configured(source, "-DESPALIER_TOOL=OFF", "-DESPALIER_BACKENDS=mpich", home=home)
    assert table["libespalier-mpich.so"] == f"built: MPICH 4.9.9, {home}/include"


def test_a_directory_that_holds_no_such_mpi_is_refused(source: Path, tmp_path: Path) -> None:
    include = mpi_at(tmp_path / "mpi", "mpich")
    refusal = configured(source, *ALONE, f"-DESPALIER_OPENMPI_INCLUDE={include}", status=1)["refusal"]
    assert f"ESPALIER_OPENMPI_INCLUDE={include}: there is no mpi.h of Open MPI; allowed:" in refusal


def test_without_any_mpi_it_says_how_to_name_one(source: Path) -> None:
    refusal = configured(source, "-DESPALIER_TOOL=OFF", "-DESPALIER_BACKENDS=abi", status=1)["refusal"]
    assert "No MPI was found. Put its mpicc on PATH, set MPI_HOME" in refusal


def test_a_tool_that_was_asked_for_is_not_left_out(source: Path) -> None:
    words = ("-DESPALIER_TOOL=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON", "-DESPALIER_BACKENDS=")
    assert "need what was not found: CLI11" in configured(source, *words, status=1)["refusal"]


@pytest.mark.skipif(not IS_THOROUGH, reason="it compiles the preload: minutes")
def test_the_preload_alone_is_built_and_installed(source: Path) -> None:
    configured(source, *ALONE, "-DCMAKE_IGNORE_PATH=/usr/include")
    build, prefix = source.parent / "build", source.parent / "prefix"
    run("cmake", "--build", build, "-j", str(os.cpu_count()))
    run("cmake", "--install", build, "--prefix", prefix)
    names = [path.name for path in (prefix / "lib").glob("*.so")]
    assert "libespalier.so" in names
    assert len(names) > 1
    assert not (prefix / "bin/espalier-tool").exists()
