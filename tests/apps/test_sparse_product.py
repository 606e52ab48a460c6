# SPDX-License-Identifier: Apache-2.0
"""The sparse product of examples/sparse_product: the same one on any number of ranks, natively and under Espalier."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from crowded import environment_of
from mpis import Mpi, by_name, matrix
from own_algorithms import own_algorithms

ROWS = 40
# Its columns make no equal blocks.
MATRIX = ("--n", "203", "--percent", "20", "--slope", "0.2", "--rows", str(ROWS))
EVERY_MPI = matrix(["openmpi5", "mpich5", "openmpi4"])
RANKS = (1, 2, 5)
OTHER_BROADCASTS = 2  # of the longest row's length before, and of what the check says after


def run(
    mpi: Mpi,
    ranks: int,
    build: Path,
    words: Sequence[str],
    environment: Mapping[str, str | Path] | None = None,
    check: bool = True,
) -> subprocess.CompletedProcess[str]:
    program = build / "bin" / f"sparse_product-{mpi}"
    if not program.exists():
        pytest.skip(f"{program.name} was not built: its MPI was not there then")
    return mpi.run(ranks, [program, *words], environment, check=check)


def number(name: str, output: str) -> float:
    found = re.search(rf"^{name} ([\d.]+)$", output, re.MULTILINE)
    assert found, output
    return float(found.group(1))


def checked_sum(output: str) -> float:
    assert "\nproduct right\n" in output
    return number("sum", output)


@pytest.mark.parametrize("mpi", EVERY_MPI)
def test_sum_is_the_same_on_any_number_of_ranks_natively_and_under_espalier(mpi: Mpi, build: Path) -> None:
    sums = {}
    for ranks in RANKS:
        espalier = environment_of(mpi, ranks, build)
        variants = {"native": {}, "chosen": espalier, "own": {**espalier, "ESPALIER_ALGORITHM": own_algorithms(build)}}
        for variant, environment in variants.items():
            done = run(mpi, ranks, build, [*MATRIX, "--check"], environment)
            assert "espalier: " not in done.stderr
            sums[ranks, variant] = checked_sum(done.stdout)
    assert len(set(sums.values())) == 1, sums


@pytest.mark.parametrize("mpi", EVERY_MPI)
def test_every_row_is_one_broadcast_that_espalier_makes(mpi: Mpi, build: Path, tmp_path: Path) -> None:
    ranks, report = 5, tmp_path / "report.json"
    settings: dict[str, str | Path] = {"ESPALIER_ALGORITHM": "bcast:knomial", "ESPALIER_REPORT": report}
    run(mpi, ranks, build, [*MATRIX, "--check"], {**environment_of(mpi, ranks, build), **settings})
    broadcasts = [row for row in json.loads(report.read_text())["rows"] if row["collective"] == "bcast"]
    assert {row["algorithm"] for row in broadcasts} == {"knomial"}
    assert sum(row["calls"] for row in broadcasts) == ranks * (ROWS + OTHER_BROADCASTS)


@pytest.fixture
def mpi() -> Mpi:
    """For what the program does by itself, one is enough."""
    one = by_name("mpich5")
    if reason := one.missing():
        pytest.skip(reason)
    return one


def test_ranks_that_sleep_have_the_same_sum(mpi: Mpi, build: Path) -> None:
    multiplied = run(mpi, 5, build, [*MATRIX, "--check"]).stdout
    slept = run(mpi, 5, build, [*MATRIX, "--sleep", "1"]).stdout
    assert number("sum", slept) == checked_sum(multiplied)
    most = re.search(r" to (\d+) multiplications", slept)
    assert most
    # The middle ranks have slept for so long at least.
    assert number("seconds", slept) >= ROWS * int(most.group(1)) * 1e-6
    assert number("seconds in broadcasts", slept) <= number("longest in broadcasts", slept)
    assert number("mean seconds", slept) <= number("seconds", slept)


@pytest.mark.parametrize(
    "words",
    [
        ["--n", "1", "--percent", "100"],  # two of four ranks have no column, and nor has the root
        ["--n", "3", "--percent", "40"],
        ["--n", "64", "--percent", "0"],
        ["--n", "64", "--percent", "100", "--slope", "1"],
        ["--n", "65", "--slope", "0", "--percent", "49"],
    ],
)
def test_strange_matrices_are_multiplied_too(mpi: Mpi, build: Path, words: list[str]) -> None:
    sums = {checked_sum(run(mpi, ranks, build, [*words, "--check"]).stdout) for ranks in (1, 4)}
    assert len(sums) == 1


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--n", "0"], "--n 0: allowed: whole numbers from 1 to 40000"),
        (["--n", "12.5"], "--n 12.5: allowed: whole numbers from 1 to 40000"),
        (["--n"], "--n without a value: allowed: whole numbers from 1 to 40000"),
        (["--rows", "ten"], "--rows ten: allowed: whole numbers from 1 to 40000"),
        (["--n", "9", "--rows", "10"], "--rows 10: allowed: 1 to 9, as --n says"),
        (["--percent", "101"], "--percent 101: allowed: numbers from 0 to 100"),
        (["--percent", "nan"], "--percent nan: allowed: numbers from 0 to 100"),
        (["--percent", "61"], "--percent 61: allowed: 0 to 60.00, as with --slope 0.2"),
        (["--slope", "1.5"], "--slope 1.5: allowed: numbers from 0 to 1"),
        (["--sleep", "-1"], "--sleep -1: allowed: numbers from 0 to 1000"),
        (["--check"], "--check: allowed: with --n 1 to 1000"),
        (["--n", "9", "--check", "--sleep", "1"], "--check: allowed: without --sleep, which makes no product"),
        (["--columns", "5"], "--columns: unknown; allowed: --n N --percent P --slope C --rows R --sleep S --check"),
        (["5"], "5: unknown; allowed: --n N"),
    ],
)
def test_what_it_cannot_do_is_refused(mpi: Mpi, build: Path, words: list[str], complaint: str) -> None:
    done = run(mpi, 2, build, words, check=False)
    assert done.returncode != 0
    assert done.stderr.count("sparse_product: ") == 1, done.stderr
    assert f"sparse_product: {complaint}" in done.stderr
