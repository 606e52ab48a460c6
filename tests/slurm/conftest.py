# SPDX-License-Identifier: Apache-2.0
"""A Slurm for all tests here that want nothing particular of it, and the command as a user starts it."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import slurm
from started_commands import Commands

Espalier = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[slurm.Cluster]:
    if reason := slurm.missing():
        pytest.skip(reason)
    with slurm.cluster(tmp_path_factory.mktemp("slurm")) as started:
        yield started


@pytest.fixture(scope="session")
def commands() -> Iterator[Commands]:
    started = Commands()
    yield started
    started.close()


@pytest.fixture
def espalier(build: Path, commands: Commands, cluster: slurm.Cluster) -> Espalier:
    """With this Slurm in its environment."""

    def call(*words: str | Path) -> "subprocess.CompletedProcess[str]":
        return commands.run(["--build", build, *words], cluster.environment, timeout=300)

    return call
