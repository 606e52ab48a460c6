# SPDX-License-Identifier: Apache-2.0
"""The command as a user starts it, and stand-ins for launchers that are not on every machine."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from started_commands import Commands

ROOT = Path(__file__).resolve().parents[2]
Espalier = Callable[..., "subprocess.CompletedProcess[str]"]

# Answers --version as the real one does; otherwise writes down how it was called, then runs the words after "--run".
LAUNCHER = """#!/bin/sh
if [ "$1" = --version ]; then echo "{version}"; exit 0; fi
printf '%s\\n' "$@" >"$0.arguments"
env >"$0.environment"
while [ $# -gt 0 ] && [ "$1" != --run ]; do shift; done
[ $# -eq 0 ] && exit 0
shift
exec "$@"
"""


@pytest.fixture(scope="session")
def commands() -> Iterator[Commands]:
    started = Commands()
    yield started
    started.close()


@pytest.fixture
def espalier(build: Path, commands: Commands) -> Espalier:
    def call(*words: str | Path, environment: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
        return commands.run(["--build", build, *words], environment or {}, timeout=300)

    return call


@pytest.fixture
def launcher(tmp_path: Path) -> Callable[[str, str], Path]:
    """launcher(name, version): a program of that name that calls itself that."""

    def create(name: str, version: str) -> Path:
        path = tmp_path / name
        path.write_text(LAUNCHER.format(version=version))
        path.chmod(0o755)
        return path

    return create


def arguments_of(launcher: Path) -> list[str]:
    return Path(f"{launcher}.arguments").read_text().splitlines()


def environment_of(launcher: Path) -> dict[str, str]:
    lines = Path(f"{launcher}.environment").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)
