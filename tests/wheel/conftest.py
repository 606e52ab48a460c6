# SPDX-License-Identifier: Apache-2.0
"""What `make wheel` made, unpacked once; and fresh environments into which pip installs it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "build/dist"
# Nothing of the Python that runs the tests, nor of the checkout's.
PLAIN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ESPALIER", "VIRTUAL_"))}


def run(
    words: Sequence[str | Path], environment: Mapping[str, str] | None = None, status: int = 0, seconds: int = 600
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        list(map(str, words)), capture_output=True, text=True, check=False, env=environment, timeout=seconds
    )
    assert done.returncode == status, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def only(pattern: str) -> Path:
    found = list(DIST.glob(pattern))
    if len(found) != 1:
        pytest.exit(f"{DIST} holds {len(found)} of {pattern}; run: make wheel", returncode=2)
    return found[0]


@pytest.fixture(scope="session")
def wheel() -> Path:
    return only("espalier-*.whl")


@pytest.fixture(scope="session")
def source_distribution() -> Path:
    return only("espalier-*.tar.gz")


@pytest.fixture(scope="session")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    return place


@pytest.fixture(scope="session")
def sources(source_distribution: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("sources")
    run(["tar", "-xf", source_distribution, "-C", place])
    return next(place.iterdir())


@dataclass(frozen=True)
class Environment:
    """One of Python's, with what pip put there."""

    place: Path

    def run(self, *words: str | Path, status: int = 0, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
        return run([self.place / "bin" / words[0], *words[1:]], {**PLAIN, "PATH": f"{self.place}/bin:{path}"}, status)


def made(place: Path, *packages: str | Path) -> Environment:
    run([sys.executable, "-m", "venv", place], PLAIN)
    if packages:
        run([place / "bin/python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:", *packages], PLAIN)
    return Environment(place)


@pytest.fixture(scope="session")
def alone(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """No MPI is in it."""
    return made(tmp_path_factory.mktemp("alone") / "environment", wheel)
