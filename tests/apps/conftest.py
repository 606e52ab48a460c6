# SPDX-License-Identifier: Apache-2.0
"""Watchers of programs, each with a folder of its own; jobs on one node."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from mpis import ALL, ROOT, Mpi, checked
from node_jobs import NodeJobs, node_jobs
from watching import Counting


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


@pytest.fixture(scope="session")
def node_programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("node")


@pytest.fixture
def jobs(mpi: Mpi, build: Path, node_programs: Path) -> Iterator[NodeJobs]:
    with node_jobs(mpi, build, node_programs) as made:
        yield made
