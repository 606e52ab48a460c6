# SPDX-License-Identifier: Apache-2.0
"""The Fourier transform of examples/transform: it checks its own results, natively and under Espalier."""

import subprocess
from pathlib import Path

import mpis
import pytest

pytestmark = pytest.mark.on_any_mpi

RIGHT = ": right\n"


def run(build: Path, mpi: str, ranks: int, *words: str, algorithm: str = "") -> subprocess.CompletedProcess[str]:
    one = mpis.by_name(mpi)
    program = build / "bin" / f"transform-{mpi}"
    if not program.exists() or one.missing():
        pytest.skip(f"there is no transform for {mpi}")
    launcher = [str(one.launcher), *one.options, "-n", str(ranks), str(program), *words]
    before = [str(mpis.ROOT / "espalier"), "--build", str(build), "run", "--algorithm", algorithm, "--"]
    return subprocess.run(
        [*(before if algorithm else []), *launcher], capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("mpi", ["openmpi5", "mpich5", "openmpi4"])
@pytest.mark.parametrize(("ranks", "points"), [(1, 7), (2, 2), (3, 9), (4, 16)])
def test_it_gets_its_input_back(build: Path, mpi: str, ranks: int, points: int) -> None:
    done = run(build, mpi, ranks, str(points), "3")
    assert done.returncode == 0, done.stdout + done.stderr
    assert RIGHT in done.stdout


@pytest.mark.parametrize("mpi", ["openmpi5", "mpich5", "openmpi4"])
@pytest.mark.parametrize("algorithm", ["alltoall:ring_light_barrier", "alltoall:bruck", "alltoall:in-turn"])
def test_it_is_right_under_espalier(build: Path, mpi: str, algorithm: str) -> None:
    done = run(build, mpi, 3, "12", "5", algorithm=algorithm)
    assert done.returncode == 0, done.stdout + done.stderr
    assert RIGHT in done.stdout
    assert "Alltoall" in done.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["10"], "a multiple of the number of ranks"),
        (["0"], "POINTS: allowed: 1 to 2048"),
        (["twelve"], "POINTS: allowed"),
        (["99999999999999999999"], "POINTS: allowed"),
        (["12", "-1"], "STEPS: allowed"),
        (["12", "1", "1"], "usage"),
    ],
)
def test_what_it_cannot_do_is_refused(build: Path, words: list[str], complaint: str) -> None:
    done = run(build, "mpich5", 3, *words)
    assert done.returncode != 0
    assert complaint in done.stderr
