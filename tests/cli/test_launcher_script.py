# SPDX-License-Identifier: Apache-2.0
"""./espalier on a checkout that is not set up, or that another user has set up."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

NOBODY = 65534


def checkout(tmp_path: Path) -> Path:
    """Its script alone, which a Python would be reached by."""
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(0o755)
    root = tmp_path / "checkout"
    (root / ".deps/tools/bin").mkdir(parents=True)
    shutil.copy(ROOT / "espalier", root / "espalier")
    return root


def run(root: Path, user: int | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([root / "espalier", "info"], capture_output=True, text=True, check=False, user=user)


def test_without_a_python_it_is_not_set_up(tmp_path: Path) -> None:
    done = run(checkout(tmp_path))
    assert done.returncode == 2
    assert "is not set up yet" in done.stderr


def test_a_python_that_is_gone_is_told_from_one_that_never_was(tmp_path: Path) -> None:
    root = checkout(tmp_path)
    (root / ".deps/tools/bin/python").symlink_to("python3")
    (root / ".deps/tools/bin/python3").symlink_to("/nowhere/bin/python3")
    done = run(root)
    assert done.returncode == 2
    assert "leads to /nowhere/bin/python3" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_a_python_under_somebody_elses_home_is_named(tmp_path: Path) -> None:
    root = checkout(tmp_path)
    home = tmp_path / "home"
    (home / "bin").mkdir(parents=True)
    (home / "bin/python3").symlink_to("/bin/true")
    (root / ".deps/tools/bin/python").symlink_to("python3")
    (root / ".deps/tools/bin/python3").symlink_to(home / "bin/python3")
    assert run(root, NOBODY).returncode == 0
    home.chmod(0o700)
    done = run(root, NOBODY)
    assert done.returncode == 2
    assert f"you may not enter {home}," in done.stderr
    assert "not set up yet" not in done.stderr
