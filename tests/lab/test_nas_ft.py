# SPDX-License-Identifier: Apache-2.0
"""NAS FT of examples/nas_ft: its checksums are the published ones, natively and under Espalier."""

import subprocess
from pathlib import Path

import mpis
import pytest

pytestmark = pytest.mark.on_any_mpi


def run(build: Path, mpi: str, ranks: int, *words: str, policy: str = "") -> subprocess.CompletedProcess[str]:
    one = mpis.by_name(mpi)
    program = build / "bin" / f"nas_ft-{mpi}"
    if not program.exists() or one.missing():
        pytest.skip(f"there is no nas_ft for {mpi}")
    launcher = [str(one.launcher), *one.options, "-n", str(ranks), str(program), *words]
    before = [str(mpis.ROOT / "espalier"), "--build", str(build), "run", "--policy", policy, "--"]
    return subprocess.run(
        [*(before if policy else []), *launcher], capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("mpi", ["openmpi5", "mpich5", "openmpi4"])
@pytest.mark.parametrize(("ranks", "words"), [(1, ["S"]), (2, ["W"]), (4, ["S", "2"])])
def test_its_checksums_are_the_published_ones(build: Path, mpi: str, ranks: int, words: list[str]) -> None:
    done = run(build, mpi, ranks, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ": verified\n" in done.stdout


@pytest.mark.parametrize("mpi", ["openmpi5", "mpich5", "openmpi4"])
@pytest.mark.parametrize("policy", ["star", "race"])
def test_it_is_right_while_algorithms_are_tried(build: Path, mpi: str, policy: str) -> None:
    done = run(build, mpi, 4, "S", "20", policy=policy)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ": verified\n" in done.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["S"], "the ranks must divide"),
        (["D"], "CLASS: allowed: S, W, A, B, C"),
        (["S", "0"], "TIMES: allowed"),
        (["S", "1", "1"], "usage"),
    ],
)
def test_what_it_cannot_do_is_refused(build: Path, words: list[str], complaint: str) -> None:
    done = run(build, "mpich5", 3, *words)
    assert done.returncode != 0
    assert complaint in done.stderr
