# SPDX-License-Identifier: Apache-2.0
"""The program that measures in a lab, on this machine alone: every result that it gets is right."""

import json
import subprocess
from pathlib import Path

import mpis
import pytest

from espalier import functions

pytestmark = pytest.mark.on_any_mpi


def measured(build: Path, mpi: str, *words: str) -> list[dict[str, object]]:
    family = mpis.by_name(f"{mpi}5")
    program = build / "bin" / f"espalier-bench-network-{mpi}5"
    if not program.exists() or family.missing():
        pytest.skip(f"{mpi} 5 is not installed")
    launcher = [str(family.launcher), *family.options, "-n", "3", str(program), *words]
    run = [str(mpis.ROOT / "espalier"), "--build", str(build), "run", "--", *launcher]
    done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    rows: list[dict[str, object]] = json.JSONDecoder().raw_decode(done.stdout[done.stdout.index("{") :])[0]["rows"]
    return rows


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
@pytest.mark.parametrize("function", functions.COLLECTIVES)
def test_every_function_is_right_alone_and_in_trains(build: Path, mpi: str, function: str) -> None:
    variants = "native;forced:*;espalier;espalier:*"
    words = ("--collective", function, "--bytes", "8,4096", "--variants", variants, "--repeats", "1")
    rows = measured(build, mpi, *words)
    for size in (8, 4096):
        found = {row["variant"] for row in rows if row["bytes"] == size}
        assert {"native", "espalier"} <= found
        assert any(str(variant).startswith("espalier:") for variant in found)


@pytest.mark.parametrize("function", functions.COLLECTIVES)
def test_a_series_of_whole_numbers_is_right(build: Path, function: str) -> None:
    """Under one MPI: what differs between them, the program asks by itself above."""
    words = ("--collective", function, "--bytes", "4096", "--variants", "native;espalier", "--series", "6")
    rows = measured(build, "mpich", *words, "--numbers", "whole")
    assert [row["variant"] for row in rows] == ["native", "espalier"]
    for row in rows:
        assert isinstance(row["each"], list)
        assert len(row["each"]) == 6


def test_a_series_has_no_more_calls_than_its_limit_allows_but_some(build: Path) -> None:
    words = ("--collective", "allreduce", "--bytes", "65536", "--variants", "native", "--series", "1000000")
    (row,) = measured(build, "mpich", *words, "--limit", "1e-9")
    assert isinstance(row["each"], list)
    assert len(row["each"]) == 5


def test_a_series_by_an_algorithm_that_is_not_for_such_calls_has_no_row(build: Path) -> None:
    variants = "espalier:trinaryx3;espalier:ring"
    words = ("--collective", "allreduce", "--bytes", "4096", "--variants", variants, "--series", "5")
    assert [row["variant"] for row in measured(build, "mpich", *words)] == ["espalier:ring"]


def test_each_row_of_a_series_may_have_a_communicator_of_its_own(build: Path) -> None:
    words = ("--collective", "alltoall", "--bytes", "8,4096", "--variants", "espalier", "--series", "4")
    rows = measured(build, "openmpi", *words, "--fresh", "yes")
    assert [(row["bytes"], len(list(row["each"]))) for row in rows] == [(8, 4), (4096, 4)]  # type: ignore[call-overload]
