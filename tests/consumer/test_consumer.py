# SPDX-License-Identifier: Apache-2.0
"""The installed package serves a project that finds it with CMake."""

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def run(*words: str | Path) -> str:
    done = subprocess.run(
        list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def prefix(build: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    prefix = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", build, "--prefix", prefix)
    return prefix


def test_a_project_that_finds_the_installed_package_builds_and_runs(prefix: Path, tmp_path: Path) -> None:
    run("cmake", "-S", HERE, "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", tmp_path)
    assert run(tmp_path / "consumer").startswith("Espalier 0.1.0, not active\n")


def test_the_package_says_what_to_preload(prefix: Path, tmp_path: Path) -> None:
    run("cmake", "-S", HERE, "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={prefix}")
    assert Path((tmp_path / "preload.txt").read_text()).is_file()


def test_the_installed_backends_lie_next_to_the_preload(prefix: Path) -> None:
    preload = next(prefix.rglob("libespalier.so"))
    for backend in ("openmpi", "mpich", "abi"):
        assert (preload.parent / f"libespalier-{backend}.so").is_file()
