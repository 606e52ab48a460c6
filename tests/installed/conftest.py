# SPDX-License-Identifier: Apache-2.0
"""What `make install` puts somewhere, once for all tests; and a copy of it elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# What any user has: nothing of the checkout, nor of the Python that runs the tests.
PLAIN = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/dev/null/nowhere", "LANG": "C.UTF-8"}
NOBODY = 65534


def run(
    *words: str | Path, environment: Mapping[str, str] | None = None, status: int | None = 0, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    whole = None if environment is None else {**PLAIN, **environment}
    done = subprocess.run(
        list(map(str, words)), capture_output=True, text=True, check=False, env=whole, cwd=cwd, timeout=3600
    )
    assert status is None or done.returncode == status, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def install(build: Path, prefix: Path, words: Sequence[str] = ()) -> str:
    old = os.umask(0o077)  # as careful administrators have it
    try:
        return run("cmake", "--install", build, "--prefix", prefix, *words).stdout
    finally:
        os.umask(old)


@pytest.fixture(scope="session")
def installed(build: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nobody changes it."""
    run(ROOT / "scripts/command-packages", build)
    prefix = tmp_path_factory.mktemp("installed") / "espalier"
    install(build, prefix)
    return prefix


@pytest.fixture(scope="session")
def moved(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """It lies elsewhere than it was installed, where everybody may go."""
    place = tmp_path_factory.mktemp("moved")
    for folder in (place, place.parent, place.parent.parent):
        folder.chmod(0o755)
    return Path(shutil.copytree(installed, place / "elsewhere", symlinks=True))


def as_anyone(*words: str | Path, environment: Mapping[str, str] | None = None) -> str:
    """What a user without rights gets, somewhere else."""
    done = subprocess.run(
        list(map(str, words)),
        capture_output=True,
        text=True,
        check=False,
        env={**PLAIN, **(environment or {})},
        cwd="/",
        user=NOBODY if os.geteuid() == 0 else None,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
